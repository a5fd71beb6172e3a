//! Semi-synthetic traces: compute phases of random length between I/O phases from a library
//! (Tarraf et al., IPDPS 2024, section III-A).

use crate::clock::{Ticks, after, seconds, ticks};
use crate::error::{SimError, within};
use crate::noise::{self, NoiseLevel};
use crate::phases::{Grain, IoPhase, PhaseLibrary};
use crate::random::{exponential, generator, normal, positive_normal};
use crate::synthetic::{Recorder, Synthetic, covered};
use crate::truth::{TrueRhythm, TrueSegment, Truth};
use iotempo_analysis::period::Phase;
use iotempo_model::{Bytes, FileId, Hertz, Seconds, Signal};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Parameters of a semi-synthetic trace; the defaults are the paper's.
///
/// Each iteration computes for N(μ, σ) seconds, cut to what is positive, and then writes a phase of
/// the library. Every rank but the first begins its part of the phase Exp(ϕ) seconds late.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SemiSynthetic {
    /// The number of ranks, P.
    pub ranks: u32,
    /// The number of iterations, J.
    pub iterations: u32,
    /// The mean of the compute time, μ.
    pub compute_mean: Seconds,
    /// The standard deviation of the compute time, σ.
    pub compute_sigma: Seconds,
    /// By how much ranks begin late in the mean, ϕ.
    pub desync: Seconds,
    /// The standard deviation of a phase's volume, as a share of it. The paper's phases are all
    /// alike (0); with more, ranks write longer or shorter in the same proportion.
    pub volume_spread: f64,
    /// Background noise, which an extra rank makes.
    pub noise: NoiseLevel,
    /// How finely I/O phases are resolved.
    pub grain: Grain,
    /// What decides about all that is random.
    pub seed: u64,
}

impl Default for SemiSynthetic {
    fn default() -> Self {
        Self {
            ranks: 32,
            iterations: 20,
            compute_mean: Seconds::new(11.0).unwrap_or_default(),
            compute_sigma: Seconds::ZERO,
            desync: Seconds::ZERO,
            volume_spread: 0.0,
            noise: NoiseLevel::None,
            grain: Grain::Coarse,
            seed: 0,
        }
    }
}

/// Streams of random numbers of one seed.
const PHASES: u64 = 0;
const NOISE: u64 = 1;
const VOLUMES: u64 = 2;

/// The least volume of a phase, as a share of the usual one.
const LEAST_VOLUME: f64 = 0.1;

impl SemiSynthetic {
    /// The most requests that a trace may have: 3 GiB of them.
    pub const MAX_REQUESTS: u64 = 100_000_000;

    /// The trace, and what is true of it.
    ///
    /// # Errors
    /// [`SimError`] where a parameter makes no sense, or all together ask for too much.
    pub fn generate(&self) -> Result<Synthetic, SimError> {
        self.check()?;
        let mut run = Run::new(self);
        for _ in 0..self.iterations {
            run.iterate(self)?;
        }
        run.finish(self)
    }

    /// The bandwidth at `rate` over the whole run, and what is true of it.
    ///
    /// # Errors
    /// As [`generate`](Self::generate), and where the run has too many samples at this rate.
    pub fn signal(&self, rate: Hertz) -> Result<(Signal, Truth), SimError> {
        let made = self.generate()?;
        Ok((made.signal(rate)?, made.truth))
    }

    /// The requests of the run.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn trace(&self) -> Result<iotempo_model::Trace, SimError> {
        Ok(self.generate()?.trace)
    }

    fn library(&self) -> PhaseLibrary {
        PhaseLibrary::new(self.ranks, self.grain)
    }

    fn check(&self) -> Result<(), SimError> {
        const TIME: &str = "between 0 s and 1e8 s";
        const COUNT: &str = "between 1 and 1000000";
        within("ranks", f64::from(self.ranks), 1.0..=1e6, COUNT)?;
        within("iterations", f64::from(self.iterations), 1.0..=1e6, COUNT)?;
        within("compute-mean", self.compute_mean.get(), 0.0..=1e8, TIME)?;
        within("compute-sigma", self.compute_sigma.get(), 0.0..=1e8, TIME)?;
        within("desync", self.desync.get(), 0.0..=1e8, TIME)?;
        let spread = self.volume_spread;
        within("volume-spread", spread, 0.0..=1.0, "between 0 and 1")?;
        let requests = self.library().requests_per_phase() * u64::from(self.iterations);
        if requests > Self::MAX_REQUESTS {
            let most = Self::MAX_REQUESTS;
            return Err(SimError::TooManyRequests { requests, most });
        }
        Ok(())
    }
}

/// A run being put together.
struct Run {
    random: ChaCha8Rng,
    volumes: ChaCha8Rng,
    library: PhaseLibrary,
    recorder: Recorder,
    files: Vec<FileId>,
    now: Ticks,
    periods: Vec<Seconds>,
    phases: Vec<Phase>,
    active: Vec<(Ticks, Ticks)>,
}

impl Run {
    fn new(settings: &SemiSynthetic) -> Self {
        let mut recorder = Recorder::default();
        let files = (0..settings.ranks)
            .map(|rank| recorder.file(&format!("ior.{rank}")))
            .collect();
        Self {
            random: generator(settings.seed, PHASES),
            volumes: generator(settings.seed, VOLUMES),
            library: settings.library(),
            recorder,
            files,
            now: 0,
            periods: Vec::new(),
            phases: Vec::new(),
            active: Vec::new(),
        }
    }

    /// Computes, then writes.
    fn iterate(&mut self, settings: &SemiSynthetic) -> Result<(), SimError> {
        let (mean, sigma) = (settings.compute_mean.get(), settings.compute_sigma.get());
        let compute = ticks(positive_normal(mean, sigma, &mut self.random));
        let chosen = self.random.random_range(0..PhaseLibrary::LEN);
        let start = after(self.now, compute)?;
        let share = 1.0 + settings.volume_spread * normal(&mut self.volumes);
        let phase = self.library.phase(chosen).scaled(share.max(LEAST_VOLUME));
        let end = self.write(start, &phase, settings.desync.get())?;
        self.phases.push(Phase {
            start: seconds(start),
            end: seconds(end),
            bytes: Bytes::from(phase.bytes()),
        });
        self.periods.push(seconds(end - self.now));
        self.now = end;
        Ok(())
    }

    /// Writes a phase from `start` on, each rank late by a time of its own; gives its end.
    fn write(&mut self, start: Ticks, phase: &IoPhase, desync: f64) -> Result<Ticks, SimError> {
        let mut last = start;
        for (rank, part) in phase.ranks.iter().enumerate() {
            let late = match rank {
                // The first rank keeps the bounds of the phase.
                0 => 0,
                _ => ticks(exponential(desync, &mut self.random)),
            };
            let begin = after(start, late)?;
            let end = after(begin, part.finish())?;
            let mut from = begin;
            for &until in &part.ends {
                let to = begin + until;
                let file = self.files[rank];
                self.recorder
                    .write(rank as u32, file, (from, to), part.request_bytes);
                from = to;
            }
            self.active.push((begin, end));
            last = last.max(end);
        }
        Ok(last)
    }

    fn finish(mut self, settings: &SemiSynthetic) -> Result<Synthetic, SimError> {
        let span = self.now;
        let noise = noise::cover(settings.noise, span, settings.seed, NOISE);
        if !noise.is_empty() {
            let file = self.recorder.file("noise");
            for (start, end, bytes) in noise {
                self.recorder
                    .write(settings.ranks, file, (start, end), bytes);
            }
        }
        let rhythm = TrueRhythm {
            name: "phases",
            periods: self.periods,
            phases: self.phases,
        };
        let truth = Truth {
            span: seconds(span),
            segments: vec![TrueSegment::whole(seconds(span), rhythm.mean_period())],
            rhythms: vec![rhythm],
            active_fraction: covered(self.active, span),
        };
        Ok(self.recorder.finish(truth))
    }
}
