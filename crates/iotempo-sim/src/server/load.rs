//! The load of everybody else.

use super::application::GB;
use crate::random::{exponential, lognormal_millionths, normal};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A draw whose logarithm is normal around that of `median`.
pub(super) fn lognormal(median: f64, spread: f64, random: &mut ChaCha8Rng) -> f64 {
    median * lognormal_millionths(spread, random) as f64 / 1e6
}

/// Bytes per second of each second: what is always there, bursts of others, and maybe somebody whose
/// bursts repeat. A `level` of 0.5 is light, 1 is usual and 2 is heavy.
pub(super) fn load(seconds: usize, level: f64, random: &mut ChaCha8Rng) -> Vec<f64> {
    let mut load = always(seconds, random);
    foreign_bursts(&mut load, level, random);
    if random.random::<f64>() < 0.35 * level.min(2.0) {
        foreign_rhythm(&mut load, random);
    }
    load
}

/// The mean length of a stretch that is cut from a log.
const STRETCH_S: f64 = 150.0;

/// Bytes per second of each second, cut from a log that may be shorter: stretches of it, from anywhere
/// and on beyond its end from its start, one after another (the stationary bootstrap of Politis and
/// Romano, 1994).
pub(super) fn cut(log: &[f64], seconds: usize, level: f64, random: &mut ChaCha8Rng) -> Vec<f64> {
    let mut load = Vec::with_capacity(seconds);
    while load.len() < seconds {
        let from = random.random_range(0..log.len());
        let length = 1 + exponential(STRETCH_S, random) as usize;
        let stretch = log.iter().cycle().skip(from).take(length);
        load.extend(stretch.map(|rate| level * rate));
    }
    load.truncate(seconds);
    load
}

/// A base that wanders, and hiss.
pub(super) fn always(seconds: usize, random: &mut ChaCha8Rng) -> Vec<f64> {
    const MEMORY: f64 = 0.97;
    const SPREAD: f64 = 0.6;
    let fresh = SPREAD * (1.0_f64 - MEMORY * MEMORY).sqrt();
    let mut state = SPREAD * normal(random);
    let mut next = || {
        state = MEMORY * state + fresh * normal(random);
        // The last digits of `exp` differ between machines.
        let base = (90_000.0 * state.exp()).round() / 1e6;
        GB * (base + exponential(0.03, random))
    };
    (0..seconds).map(|_| next()).collect()
}

fn foreign_bursts(load: &mut [f64], level: f64, random: &mut ChaCha8Rng) {
    if level <= 0.0 {
        return;
    }
    let end = load.len() as f64;
    let mut now = exponential(200.0 / level, random);
    while now < end {
        let length = lognormal(8.0, 0.9, random).clamp(2.0, 120.0);
        let height = lognormal(0.8, 0.8, random).min(6.0);
        add(load, now, length, height);
        now += exponential(200.0 / level, random).max(1e-3);
    }
}

fn foreign_rhythm(load: &mut [f64], random: &mut ChaCha8Rng) {
    let period = random.random_range(60.0..500.0);
    let length = random.random_range(4.0..25.0);
    let height = random.random_range(0.5..2.2);
    let mut now = random.random_range(0.0..period);
    while now < load.len() as f64 {
        add(load, now, length, height);
        now += period;
    }
}

/// Adds a rate over some time to the seconds that it touches.
fn add(load: &mut [f64], from: f64, length: f64, gigabytes: f64) {
    let end = from + length;
    for (second, rate) in load.iter_mut().enumerate().skip(from as usize) {
        let begins = second as f64;
        if begins >= end {
            break;
        }
        let inside = end.min(begins + 1.0) - from.max(begins);
        *rate += GB * gigabytes * inside.max(0.0);
    }
}
