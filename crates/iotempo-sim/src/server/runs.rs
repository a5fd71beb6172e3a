//! Runs of one application at different times, as servers saw them.

use super::application::{Application, GB};
use super::load::{cut, load};
use crate::error::{SimError, within};
use crate::random::generator;
use iotempo_analysis::signature::Sample;
use iotempo_analysis::signature::accuracy::TrueBurst;
use iotempo_model::Seconds;
use rand::RngExt;

/// Runs of one application at different times, as servers saw them.
#[derive(Debug, Clone, PartialEq)]
pub struct Runs {
    /// What runs.
    pub application: Application,
    /// How often.
    pub runs: usize,
    /// How many of the runs, the last ones, are beside four times the load.
    pub disturbed: usize,
    /// How many of the runs, the first ones, end after six tenths of their bursts: restarts.
    pub restarts: usize,
    /// The load of others: 0.5 is light, 1 usual, 2 heavy. Of a log, how many times it.
    pub load: f64,
    /// What others moved in each second, in bytes, as a real log has it: stretches from anywhere in it
    /// are put one after another, for as long as a run lasts. `None`: others are generated.
    pub others: Option<Vec<f64>>,
    /// The mean of what computing takes longer than planned, as a share of it.
    pub drift: f64,
    /// What is random.
    pub seed: u64,
}

impl Runs {
    /// Ten runs, two of them disturbed, under the usual load.
    #[must_use]
    pub const fn new(application: Application) -> Self {
        Self {
            application,
            runs: 10,
            disturbed: 2,
            restarts: 0,
            load: 1.0,
            others: None,
            drift: 0.004,
            seed: 0,
        }
    }
}

/// A run, as servers saw it.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Its name.
    pub id: String,
    /// The throughput of all, over steps of [`ServerSamples::STEP_S`] that lie within the run.
    pub rates: Vec<f64>,
    /// That of others over the steps that follow, ten minutes at most.
    pub after: Vec<f64>,
}

/// What an application does where nobody is in the way.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerTruth {
    /// Its throughput of each second, in bytes per second.
    pub rates: Vec<f64>,
    /// Its bursts.
    pub bursts: Vec<TrueBurst>,
    /// How long it computes between them.
    pub interval_s: f64,
}

/// Runs, and the truth.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerSamples {
    /// What servers saw.
    pub runs: Vec<Run>,
    /// What the application does.
    pub truth: ServerTruth,
}

impl ServerSamples {
    /// The seconds between two values of the servers' log.
    pub const STEP_S: f64 = 2.0;

    /// The runs as samples.
    #[must_use]
    pub fn samples(&self) -> Vec<Sample<'_>> {
        let step = Seconds::new(Self::STEP_S).unwrap_or(Seconds::ZERO);
        let runs = self.runs.iter();
        runs.map(|run| Sample {
            id: &run.id,
            rates: &run.rates,
            step,
        })
        .collect()
    }
}

/// So many steps after a run are kept.
const STEPS_AFTER: usize = 300;

/// The most seconds that a run may have.
const LONGEST_S: f64 = 1e7;

impl Runs {
    /// The runs, and the truth.
    ///
    /// # Errors
    /// [`SimError::Parameter`] where a parameter makes no runs, [`SimError::TooLong`] where they would
    /// be too long.
    pub fn generate(&self) -> Result<ServerSamples, SimError> {
        within("load", self.load, 0.0..=100.0, "from 0 to 100")?;
        within("drift", self.drift, 0.0..=10.0, "from 0 to 10")?;
        within("runs", self.runs as f64, 1.0..=1e4, "from 1 to 10000")?;
        if let Some(log) = &self.others {
            within("others", log.len() as f64, 1.0..=1e9, "a second or more")?;
        }
        for burst in &self.application.bursts {
            within("compute_s", burst.compute_s, 0.0..=LONGEST_S, "seconds")?;
            within("bytes", burst.bytes, 0.0..=1e18, "bytes")?;
            within("rate", burst.rate, 1.0..=1e15, "bytes per second")?;
        }
        if self.application.duration_s() > LONGEST_S {
            return Err(SimError::TooLong);
        }
        Ok(ServerSamples {
            runs: (0..self.runs).map(|number| self.run(number)).collect(),
            truth: self.truth(),
        })
    }

    fn truth(&self) -> ServerTruth {
        let alone = self.application.run(&[], 0.0, &mut generator(self.seed, 0));
        let planned = self.application.bursts.iter();
        let bursts = planned
            .zip(&alone.bursts)
            .map(|(plan, &(start_s, end_s))| TrueBurst {
                start_s,
                end_s,
                bytes: plan.bytes,
            });
        ServerTruth {
            bursts: bursts.collect(),
            interval_s: self.application.interval_s(),
            rates: alone.seconds,
        }
    }

    fn run(&self, number: usize) -> Run {
        let mut random = generator(self.seed, 1 + number as u64);
        let disturbed = number + self.disturbed >= self.runs;
        let level = if disturbed {
            4.0 * self.load
        } else {
            self.load
        };
        let mut application = self.application.clone();
        if number < self.restarts {
            let left = (0.6 * application.bursts.len() as f64).round() as usize;
            application.bursts.truncate(left.max(1));
        }
        // Nobody is slowed down to less than a third.
        let longest = 3.0 * application.duration_s() * (1.0 + self.drift) + 100.0;
        let mut load = match &self.others {
            Some(log) => cut(log, longest as usize, level, &mut random),
            None => load(longest as usize, level, &mut random),
        };
        let written = application.run(&load, self.drift, &mut random);
        for (rate, bytes) in load.iter_mut().zip(&written.seconds) {
            *rate += bytes;
        }
        // The log does not wait for the run, and a run ends when all is written.
        let phase = random.random_range(0..2_usize);
        let end = (written.end.ceil() as usize).max(phase);
        let steps = (end - phase).div_ceil(2);
        let mut seen = load[phase.min(load.len())..]
            .chunks_exact(2)
            .map(|pair| 0.5 * (pair[0] + pair[1]));
        Run {
            id: format!("{}-{number}", application.name),
            rates: seen.by_ref().take(steps).collect(),
            after: seen.take(STEPS_AFTER).collect(),
        }
    }

    /// The volume that the application writes, in billions of bytes.
    #[must_use]
    pub fn gigabytes(&self) -> f64 {
        self.application
            .bursts
            .iter()
            .map(|burst| burst.bytes)
            .sum::<f64>()
            / GB
    }
}
