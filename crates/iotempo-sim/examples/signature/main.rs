//! How well signatures are found in what servers saw, and what that costs, as the tables of a page.
//!
//! `cargo run --release -p iotempo-sim --example signature`; docs/experiments/signature.md has them.
//! With `cost` behind it, only what depends on the machine; with `sensitivity`, only what becomes of
//! signatures when parameters change. Real logs are read from `IOTEMPO_DATA`.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_types,
    clippy::disallowed_methods
)]

mod accuracy;
mod cost;
mod logged;
mod measure;
#[path = "../period_experiments/parallel.rs"]
mod parallel;
mod sensitivity;

use iotempo_sim::SimError;

fn main() -> Result<(), SimError> {
    let asked = |what: &str| std::env::args().any(|argument| argument == what);
    if asked("sensitivity") {
        return sensitivity::tables();
    }
    if !asked("cost") {
        accuracy::summary()?;
        accuracy::by_application()?;
        accuracy::warping()?;
        accuracy::preprocessing()?;
        sensitivity::tables()?;
        accuracy::by_samples()?;
    }
    cost::by_length()?;
    cost::by_samples()?;
    cost::of_a_centre()
}
