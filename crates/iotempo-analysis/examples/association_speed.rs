//! `association_speed ROUNDS PERMUTATIONS`: reads rows of `x,y` from standard input and prints a line each:
//! their distance correlation, its corrected square, the best time of the former in ROUNDS rounds and the
//! time of its test by PERMUTATIONS permutations, both in milliseconds.
// An experiment on the analyses, not one of them: it may use the clock.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]

mod measured;

use iotempo_analysis::association::{
    Coefficient, Permutations, distance_correlation, distance_correlation_corrected,
};
use measured::{best_ms, two_columns};
use std::error::Error;
use std::hint::black_box;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = std::env::args().skip(1);
    let numbers: Vec<usize> = arguments
        .map(|word| word.parse())
        .collect::<Result<_, _>>()?;
    let [rounds, count] = numbers[..] else {
        return Err("ROUNDS PERMUTATIONS".into());
    };
    let (x, y) = two_columns()?;
    println!("{}", distance_correlation(&x, &y)?);
    println!("{}", distance_correlation_corrected(&x, &y)?);
    let once = || distance_correlation(black_box(&x), black_box(&y));
    println!("{}", best_ms(rounds, once));
    let settings = Permutations {
        count,
        ..Permutations::default()
    };
    let test = || settings.test(Coefficient::Distance, black_box(&x), black_box(&y), None);
    println!("{}", best_ms(1, test));
    Ok(())
}
