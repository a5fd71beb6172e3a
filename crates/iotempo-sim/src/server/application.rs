//! Applications that compute and write in turns.

use crate::random::{exponential, generator, normal};
use iotempo_analysis::signature::accuracy::TrueBurst;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A billion bytes.
pub(super) const GB: f64 = 1e9;

/// A burst that an application is to write.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlannedBurst {
    /// How long it computes before.
    pub compute_s: f64,
    /// What it writes.
    pub bytes: f64,
    /// How fast it writes where nobody is in the way, in bytes per second.
    pub rate: f64,
}

/// An application that computes and writes in turns, and ends with the last burst.
#[derive(Debug, Clone, PartialEq)]
pub struct Application {
    /// Its name.
    pub name: String,
    /// Its bursts, in order of time.
    pub bursts: Vec<PlannedBurst>,
}

/// Where bytes go in time.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Written {
    /// The bytes of each second.
    pub(super) seconds: Vec<f64>,
    /// When each burst began and ended.
    pub(super) bursts: Vec<(f64, f64)>,
    /// When the application ended.
    pub(super) end: f64,
}

impl Application {
    fn regular(name: &str, count: usize, compute_s: f64, gigabytes: &[f64]) -> Self {
        let burst = |bytes: &f64| PlannedBurst {
            compute_s,
            bytes: bytes * GB,
            rate: 2.5 * GB,
        };
        Self {
            name: name.to_owned(),
            bursts: gigabytes.iter().cycle().take(count).map(burst).collect(),
        }
    }

    /// IOR_A: 128 GB every 300 s, five times.
    #[must_use]
    pub fn ior_a() -> Self {
        Self::regular("IOR_A", 5, 300.0, &[128.0])
    }

    /// IOR_B: 64 GB and 16 GB in turns, every 120 s, eight times.
    #[must_use]
    pub fn ior_b() -> Self {
        Self::regular("IOR_B", 8, 120.0, &[64.0, 16.0])
    }

    /// IOR_C: 64 GB, 32 GB and 16 GB in turns, every 120 s, twelve times.
    #[must_use]
    pub fn ior_c() -> Self {
        Self::regular("IOR_C", 12, 120.0, &[64.0, 32.0, 16.0])
    }

    /// Like S3D on 18,000 nodes: 0.98 TB every 600 s, ten times, at rates that differ by a fifth.
    #[must_use]
    pub fn s3d() -> Self {
        let mut random = generator(3, 0);
        let mut peak = || 30.0 * GB * random.random_range(0.8..1.2);
        let bursts = (0..10).map(|_| PlannedBurst {
            compute_s: 600.0,
            bytes: 18_000.0 * 16.0 * 3.4e6,
            rate: peak(),
        });
        Self {
            name: "S3D".to_owned(),
            bursts: bursts.collect(),
        }
    }

    /// The mean time that it computes before a burst.
    #[must_use]
    pub fn interval_s(&self) -> f64 {
        let sum: f64 = self.bursts.iter().map(|burst| burst.compute_s).sum();
        sum / self.bursts.len().max(1) as f64
    }

    /// How long it runs where nobody is in the way, but for what starting to write takes.
    #[must_use]
    pub fn duration_s(&self) -> f64 {
        self.planned().last().map_or(0.0, |burst| burst.end_s)
    }

    /// When it writes where nobody is in the way, but for what starting to write takes.
    #[must_use]
    pub fn planned(&self) -> Vec<TrueBurst> {
        let mut now = 0.0;
        let next = |burst: &PlannedBurst| {
            let start_s = now + burst.compute_s;
            now = start_s + burst.bytes / burst.rate;
            TrueBurst {
                start_s,
                end_s: now,
                bytes: burst.bytes,
            }
        };
        self.bursts.iter().map(next).collect()
    }

    /// Runs it beside a load of others, given by seconds in bytes per second.
    pub(super) fn run(&self, load: &[f64], drift: f64, random: &mut ChaCha8Rng) -> Written {
        let mut written = Written::default();
        let mut now = 0.0;
        for burst in &self.bursts {
            now += burst.compute_s;
            if drift > 0.0 {
                now += burst.compute_s * exponential(drift, random);
            }
            let began = now;
            now = written.add(burst, now, load, random);
            written.bursts.push((began, now));
        }
        written.end = now;
        let seconds = now.ceil() as usize;
        written.seconds.resize(seconds, 0.0);
        written
    }
}

/// How long it takes until a burst is at its height.
const RAMP_S: f64 = 2.5;

impl Written {
    /// Writes a burst from `now` on, and says when it is done.
    fn add(
        &mut self,
        burst: &PlannedBurst,
        now: f64,
        load: &[f64],
        random: &mut ChaCha8Rng,
    ) -> f64 {
        let mut left = burst.bytes;
        let mut at = now;
        while left > 0.0 {
            let second = at as usize;
            let until = (second + 1) as f64;
            let foreign = load.get(second).copied().unwrap_or(0.0);
            let share = 1.0 - 0.45 * foreign / (burst.rate + foreign);
            let ramp = ((0.5 * (at + until) - now) / RAMP_S).min(1.0);
            let jitter = (1.0 + 0.08 * normal(random)).max(0.2);
            let rate = burst.rate * ramp * jitter * share.max(0.35);
            let bytes = (rate * (until - at)).min(left);
            if self.seconds.len() <= second {
                self.seconds.resize(second + 1, 0.0);
            }
            self.seconds[second] += bytes;
            left -= bytes;
            at = if left > 0.0 { until } else { at + bytes / rate };
        }
        at
    }
}
