//! What programs share that are timed beside their peers.

use std::error::Error;
use std::hint::black_box;
use std::io::stdin;
use std::time::Instant;

/// The best time of so many rounds, in milliseconds.
pub(crate) fn best_ms<T>(rounds: usize, mut work: impl FnMut() -> T) -> f64 {
    let times = (0..rounds).map(|_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64() * 1e3
    });
    times.fold(f64::INFINITY, f64::min)
}

/// The columns of rows of `x,y` from standard input.
pub(crate) fn two_columns() -> Result<(Vec<f64>, Vec<f64>), Box<dyn Error>> {
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for row in stdin().lines() {
        let row = row?;
        let (first, second) = row.split_once(',').ok_or("a row is no x,y")?;
        x.push(first.parse()?);
        y.push(second.parse()?);
    }
    Ok((x, y))
}
