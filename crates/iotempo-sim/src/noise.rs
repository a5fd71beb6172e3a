//! Background noise, in the likeness of the single-process IOR runs that FTIO was measured with:
//! ten periods of about 2.2 s a trace, at about 500 MB/s or 1 GB/s while active.

use crate::clock::{Ticks, ticks};
use crate::random::generator;
use rand::RngExt;

/// How much noise there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NoiseLevel {
    /// No noise.
    #[default]
    None,
    /// 500 MB/s while active.
    Low,
    /// 1 GB/s while active.
    High,
}

impl NoiseLevel {
    /// Every level, in order.
    pub const ALL: [Self; 3] = [Self::None, Self::Low, Self::High];

    /// The name of the level: `none`, `low` or `high`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Low => "low",
            Self::High => "high",
        }
    }

    /// The rate while active, in bytes per second.
    #[must_use]
    pub const fn bytes_per_second(self) -> u64 {
        match self {
            Self::None => 0,
            Self::Low => 500_000_000,
            Self::High => 1_000_000_000,
        }
    }
}

/// A stretch of noise: from, to, bytes.
pub(crate) type Burst = (Ticks, Ticks, u64);

/// The number of noise traces of a level.
const LIBRARY: u64 = 100;
/// The number of periods of a noise trace.
const PERIODS: u32 = 10;
/// The mean period in seconds, and how far it strays, as a share.
const PERIOD: (f64, f64) = (2.2, 0.05);
/// The share of a period in which data moves. The paper does not tell it.
const ACTIVE: f64 = 0.6;
/// What decides about the library.
const LIBRARY_SEED: u64 = 200;

/// The lengths of the periods of one trace of the library.
fn periods(level: NoiseLevel, index: u64) -> Vec<f64> {
    let mut random = generator(LIBRARY_SEED, level.bytes_per_second() + index);
    let (mean, stray) = PERIOD;
    (0..PERIODS)
        .map(|_| mean * random.random_range(1.0 - stray..1.0 + stray))
        .collect()
}

/// Covers a run with noise traces chosen at random, one after the other, cut off at its end.
pub(crate) fn cover(level: NoiseLevel, span: Ticks, seed: u64, purpose: u64) -> Vec<Burst> {
    let mut bursts = Vec::new();
    let mut random = generator(seed, purpose);
    let mut now: Ticks = 0;
    while now < span && level != NoiseLevel::None {
        for period in periods(level, random.random_range(0..LIBRARY)) {
            if now >= span {
                break;
            }
            let end = (now + ticks(ACTIVE * period)).min(span);
            let volume = level.bytes_per_second() as f64 * (end - now) as f64 / 1e9;
            bursts.push((now, end, volume.round() as u64));
            now += ticks(period);
        }
    }
    bursts
}
