//! Random inputs that are the same every time.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub(crate) fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Numbers from −1 to 1.
pub(crate) fn noise(seed: u64, length: usize) -> Vec<f64> {
    let mut random = generator(seed);
    (0..length)
        .map(|_| random.random_range(-1.0..1.0))
        .collect()
}

/// Whole numbers from 0 to 3: full of flat stretches and ties.
pub(crate) fn stairs(seed: u64, length: usize) -> Vec<f64> {
    let mut random = generator(seed);
    (0..length)
        .map(|_| f64::from(random.random_range(0..4_u8)))
        .collect()
}

/// Three crowds of different density, and points anywhere.
pub(crate) fn crowds(seed: u64, count: usize) -> Vec<[f64; 2]> {
    let mut random = generator(seed);
    let crowds = [
        ([0.2, 0.2], 0.02),
        ([0.7, 0.3], 0.05),
        ([0.5, 0.8], 0.1),
        ([0.5, 0.5], 0.5),
    ];
    (0..count)
        .map(|i| {
            let (centre, radius) = crowds[i % 4];
            centre.map(|x: f64| x + radius * random.random_range(-1.0..1.0))
        })
        .collect()
}

/// Points as FTIO makes them of a spectrum: evenly spaced along one axis, spikes along the other.
pub(crate) fn spectrum(seed: u64, count: usize) -> Vec<[f64; 2]> {
    let mut random = generator(seed);
    let powers: Vec<f64> = (0..count)
        .map(|_| -random.random_range(1e-9..1.0_f64).ln())
        .collect();
    let sum: f64 = powers.iter().sum();
    (1..)
        .zip(powers)
        .map(|(k, p)| [f64::from(k) / count as f64, p / sum])
        .collect()
}
