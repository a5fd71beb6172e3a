//! Random numbers: the same on every machine.
//!
//! Draws that need `exp` or `ln` are rounded to six decimals, because the last digit of those
//! functions differs between C libraries and processors.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Beta, Distribution, Exp1, StandardNormal};

/// The generator of one seed and one purpose. Purposes do not disturb each other: noise is added to
/// a trace without changing its phases.
pub(crate) fn generator(seed: u64, purpose: u64) -> ChaCha8Rng {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(purpose);
    generator
}

fn rounded(draw: f64) -> f64 {
    (draw * 1e6).round() / 1e6
}

/// A draw from the exponential distribution of this mean.
pub(crate) fn exponential(mean: f64, random: &mut ChaCha8Rng) -> f64 {
    mean * rounded(Exp1.sample(random))
}

/// A draw from the standard normal distribution.
pub(crate) fn normal(random: &mut ChaCha8Rng) -> f64 {
    rounded(StandardNormal.sample(random))
}

/// A draw from Beta(1.2, 4).
pub(crate) fn beta(random: &mut ChaCha8Rng) -> f64 {
    let shape = Beta::new(1.2, 4.0).expect("both shapes are positive");
    rounded(shape.sample(random))
}

/// Positive whole numbers around a million whose logarithms are normal with deviation `spread`.
pub(crate) fn lognormal_millionths(spread: f64, random: &mut ChaCha8Rng) -> u64 {
    let draw = (1e6 * (spread * normal(random)).exp()).round();
    (draw.clamp(0.0, 1e12) as u64).max(1)
}

/// A positive draw from a normal distribution. Half of all draws are positive at least, because
/// the mean is not negative.
pub(crate) fn positive_normal(mean: f64, sigma: f64, random: &mut ChaCha8Rng) -> f64 {
    if sigma == 0.0 {
        return mean;
    }
    loop {
        let draw = mean + sigma * normal(random);
        if draw > 0.0 {
            return draw;
        }
    }
}
