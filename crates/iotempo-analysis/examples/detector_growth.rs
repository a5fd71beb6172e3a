//! `detector_growth LOWEST HIGHEST ROUNDS`: the time of the detector for 2^LOWEST to 2^HIGHEST
//! samples of a rhythm with jitter and of noise. Prints a line for each length: its exponent, and
//! for either signal the best time of the rounds in milliseconds.
// An experiment on the analyses, not one of them: it may use files and the clock.
#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types
)]

use iotempo_analysis::period::Detector;
use iotempo_model::{Hertz, Seconds, Signal};
use iotempo_sim::{Aperiodic, SemiSynthetic};
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

/// Iterations of about 21 s at 1 Hz, until there are `len` samples.
fn rhythm(len: usize) -> Result<Signal, Box<dyn Error>> {
    let generator = SemiSynthetic {
        ranks: 4,
        iterations: u32::try_from(len / 15)?,
        compute_sigma: Seconds::new(1.0).ok_or("not a time")?,
        ..SemiSynthetic::default()
    };
    let (signal, _) = generator.signal(Hertz::new(1.0).ok_or("not a rate")?)?;
    let samples = signal.samples().get(..len).ok_or("too few samples")?;
    Ok(Signal::new(signal.start(), signal.step(), samples.to_vec()))
}

fn best_ms(signal: &Signal, rounds: usize) -> f64 {
    let detector = Detector::default();
    let times = (0..rounds).map(|_| {
        let start = Instant::now();
        black_box(detector.detect(black_box(signal)));
        start.elapsed().as_secs_f64() * 1e3
    });
    times.fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = std::env::args().skip(1);
    let numbers: Vec<usize> = arguments
        .map(|word| word.parse())
        .collect::<Result<_, _>>()?;
    let [lowest, highest, rounds] = numbers[..] else {
        return Err("LOWEST HIGHEST ROUNDS".into());
    };
    for exponent in lowest..=highest {
        let len = 1 << exponent;
        let repeats = best_ms(&rhythm(len)?, rounds);
        let noise = best_ms(&Aperiodic::WhiteNoise.signal(len, 0)?, rounds);
        println!("{exponent} {repeats:.4} {noise:.4}");
    }
    Ok(())
}
