//! Signals without a period: whatever a detector finds in them is false.

use crate::clock::{SECOND, seconds};
use crate::error::{SimError, within};
use crate::random::{generator, normal};
use crate::synthetic::{Recorder, Synthetic};
use crate::truth::{TrueSegment, Truth};
use iotempo_model::{MAX_SAMPLES, Seconds, Signal};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A kind of signal that has no period. Samples are whole bytes per second, at 1 Hz.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aperiodic {
    /// Independent samples, the absolute value of a normal distribution: |N(0, 1)| GB/s.
    WhiteNoise,
    /// Independent samples, evenly distributed between 0 and 1 GB/s.
    UniformNoise,
    /// Each sample is active with this probability, at a rate between 0.1 and 1 GB/s.
    SparseBursts {
        /// The probability.
        probability: f64,
    },
    /// Each sample is active with this probability, at 1 GB/s.
    EqualBursts {
        /// The probability.
        probability: f64,
    },
    /// One burst at 1 GB/s that begins anywhere and lasts up to a tenth of the signal.
    SingleBurst,
    /// A sum of steps N(0, 1) GB/s, shifted so that its lowest value is 0.
    RandomWalk,
    /// 1 GB/s all the time.
    Constant,
}

/// The unit of rates: 1 GB/s.
const GIGA: f64 = 1e9;

impl Aperiodic {
    /// Sparse bursts as they are usually tried: one sample in twenty is active.
    pub const SPARSE: Self = Self::SparseBursts { probability: 0.05 };

    /// `len` samples at 1 Hz.
    ///
    /// # Errors
    /// [`SimError::Parameter`] where there is no sample or there are too many of them, or where a
    /// probability is none.
    pub fn signal(self, len: usize, seed: u64) -> Result<Signal, SimError> {
        within(
            "samples",
            len as f64,
            1.0..=MAX_SAMPLES as f64,
            "between 1 and 67108864",
        )?;
        if let Self::SparseBursts { probability } | Self::EqualBursts { probability } = self {
            within("probability", probability, 0.0..=1.0, "between 0 and 1")?;
        }
        let samples = self.samples(len, &mut generator(seed, 0));
        let step = Seconds::new(1.0).unwrap_or_default();
        Ok(Signal::new(Seconds::ZERO, step, samples))
    }

    /// The same as requests: each sample in which data moves is a write of one second.
    ///
    /// # Errors
    /// As [`signal`](Self::signal).
    pub fn generate(self, len: usize, seed: u64) -> Result<Synthetic, SimError> {
        let signal = self.signal(len, seed)?;
        let mut recorder = Recorder::default();
        let file = recorder.file("data");
        let mut active = 0_u32;
        for (index, &rate) in signal.samples().iter().enumerate() {
            let start = index as u64 * SECOND;
            if rate > 0.0 {
                recorder.write(0, file, (start, start + SECOND), rate as u64);
                active += 1;
            }
        }
        let span = seconds(len as u64 * SECOND);
        Ok(recorder.finish(Truth {
            span,
            rhythms: Vec::new(),
            segments: vec![TrueSegment::whole(span, None)],
            active_fraction: f64::from(active) / len as f64,
        }))
    }

    fn samples(self, len: usize, random: &mut ChaCha8Rng) -> Vec<f64> {
        let each = |draw: &mut dyn FnMut(&mut ChaCha8Rng) -> f64, random: &mut ChaCha8Rng| {
            (0..len).map(|_| (GIGA * draw(random)).round()).collect()
        };
        match self {
            Self::WhiteNoise => each(&mut |r| normal(r).abs(), random),
            Self::UniformNoise => each(&mut |r| r.random::<f64>(), random),
            Self::SparseBursts { probability } => each(
                &mut |r| {
                    let rate = r.random_range(0.1..1.0);
                    if r.random_bool(probability) {
                        rate
                    } else {
                        0.0
                    }
                },
                random,
            ),
            Self::EqualBursts { probability } => each(
                &mut |r| f64::from(u8::from(r.random_bool(probability))),
                random,
            ),
            Self::SingleBurst => single_burst(len, random),
            Self::RandomWalk => random_walk(len, random),
            Self::Constant => vec![GIGA; len],
        }
    }
}

fn single_burst(len: usize, random: &mut ChaCha8Rng) -> Vec<f64> {
    let length = random.random_range(1..=(len / 10).max(1) as u64) as usize;
    let start = random.random_range(0..=(len - length) as u64) as usize;
    let active = start..start + length;
    (0..len)
        .map(|i| if active.contains(&i) { GIGA } else { 0.0 })
        .collect()
}

fn random_walk(len: usize, random: &mut ChaCha8Rng) -> Vec<f64> {
    let mut place = 0.0;
    let mut walk: Vec<f64> = (0..len)
        .map(|_| {
            place += (GIGA * normal(random)).round();
            place
        })
        .collect();
    let lowest = walk.iter().copied().fold(f64::INFINITY, f64::min);
    for rate in &mut walk {
        *rate -= lowest;
    }
    walk
}
