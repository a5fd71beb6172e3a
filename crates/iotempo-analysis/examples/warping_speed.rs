//! `warping_speed ROUNDS`: reads rows of `x,y` from standard input, two sequences side by side, and prints a
//! line each: their distance by time warping, the length of their path, and the best times of both in ROUNDS
//! rounds, in milliseconds.
// An experiment on the analyses, not one of them: it may use the clock.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]

mod measured;

use iotempo_analysis::dtw;
use measured::{best_ms, two_columns};
use std::error::Error;
use std::hint::black_box;

fn main() -> Result<(), Box<dyn Error>> {
    let rounds = std::env::args().nth(1).ok_or("ROUNDS")?.parse()?;
    let (x, y) = two_columns()?;
    println!("{}", dtw::distance(&x, &y).ok_or("no rows")?);
    println!("{}", dtw::path(&x, &y).ok_or("no rows")?.len());
    let distance = || dtw::distance(black_box(&x), black_box(&y));
    println!("{}", best_ms(rounds, distance));
    let path = || dtw::path(black_box(&x), black_box(&y));
    println!("{}", best_ms(rounds, path));
    Ok(())
}
