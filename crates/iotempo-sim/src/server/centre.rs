//! Three months of a computing centre: the log of its servers, and that of its jobs.

use super::application::{Application, GB, PlannedBurst};
use super::load::{always, lognormal};
use crate::error::{SimError, within};
use crate::random::{exponential, generator};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A computing centre, whose users run the same again and again. The defaults are the three months of
/// Titan that IOSI was run on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Centre {
    /// How many jobs there are.
    pub jobs: usize,
    /// How many applications they are runs of; some are run far more often than others.
    pub applications: usize,
    /// How long the log is.
    pub days: f64,
    /// What is random.
    pub seed: u64,
}

impl Default for Centre {
    fn default() -> Self {
        Self {
            jobs: 80_815,
            applications: 2000,
            days: 90.0,
            seed: 0,
        }
    }
}

/// A row of the log of jobs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CentreJob {
    /// Its number, from 1, in order of starts.
    pub id: usize,
    /// Whose it is.
    pub user: usize,
    /// What it is a run of: a number from 0.
    pub application: usize,
    /// How many nodes it has.
    pub nodes: u32,
    /// When it begins, in seconds since the log does.
    pub start_s: f64,
    /// When it ends.
    pub end_s: f64,
}

/// Both logs.
#[derive(Debug, Clone, PartialEq)]
pub struct CentreLog {
    /// The jobs, in order of starts.
    pub jobs: Vec<CentreJob>,
    /// The throughput of every two seconds, in bytes per second.
    pub rates: Vec<f64>,
    /// The applications, by their number.
    pub applications: Vec<Application>,
}

impl CentreLog {
    /// The seconds between two rates.
    pub const STEP_S: f64 = 2.0;

    /// The throughput while a job ran: the steps that lie within it.
    #[must_use]
    pub fn sample(&self, job: &CentreJob) -> &[f64] {
        let first = (job.start_s / Self::STEP_S).ceil() as usize;
        let end = ((job.end_s / Self::STEP_S) as usize).min(self.rates.len());
        self.rates.get(first..end).unwrap_or(&[])
    }
}

impl Centre {
    /// Both logs.
    ///
    /// # Errors
    /// [`SimError::Parameter`] where a parameter makes no log.
    pub fn generate(&self) -> Result<CentreLog, SimError> {
        within("days", self.days, 0.05..=1000.0, "from 0.05 to 1000")?;
        within("jobs", self.jobs as f64, 1.0..=1e7, "from 1 to 10000000")?;
        let most = "from 1 to 1000000";
        within("applications", self.applications as f64, 1.0..=1e6, most)?;
        let mut random = generator(self.seed, 0);
        let applications: Vec<Application> = (0..self.applications)
            .map(|number| any_application(number, &mut random))
            .collect();
        let seconds = (86_400.0 * self.days) as usize;
        let mut load = always(seconds, &mut generator(self.seed, 1));
        let jobs = self.run(&applications, &mut load, &mut random);
        let rates = load.chunks_exact(2).map(|pair| 0.5 * (pair[0] + pair[1]));
        Ok(CentreLog {
            jobs,
            rates: rates.collect(),
            applications,
        })
    }

    /// Runs jobs one after the other, each slowed down by those that began before it.
    fn run(
        &self,
        applications: &[Application],
        load: &mut [f64],
        random: &mut ChaCha8Rng,
    ) -> Vec<CentreJob> {
        let popular = Zipf::new(applications.len());
        let mut starts: Vec<f64> = (0..self.jobs)
            .map(|_| random.random_range(0.0..load.len() as f64))
            .collect();
        starts.sort_by(f64::total_cmp);
        let mut jobs = Vec::with_capacity(self.jobs);
        for (id, start_s) in (1..).zip(starts) {
            let number = popular.draw(random);
            let first = start_s as usize;
            let written = applications[number].run(&load[first..], 0.004, random);
            for (rate, bytes) in load[first..].iter_mut().zip(&written.seconds) {
                *rate += bytes;
            }
            jobs.push(CentreJob {
                id,
                user: number / 4,
                application: number,
                nodes: 16 << (number % 4),
                start_s: first as f64,
                // It ends when all is written, with the step of the log that tells of it.
                end_s: whole_steps(first as f64 + written.end),
            });
        }
        jobs
    }
}

/// The end of the step in which a moment lies.
fn whole_steps(at: f64) -> f64 {
    (at / CentreLog::STEP_S).ceil() * CentreLog::STEP_S
}

/// One application in seven writes much; the others leave hardly a trace.
const WRITES_MUCH: usize = 7;

/// An application of a few bursts, some minutes apart.
fn any_application(number: usize, random: &mut ChaCha8Rng) -> Application {
    let compute_s = lognormal(180.0, 0.5, random).clamp(40.0, 900.0);
    let count = random.random_range(3..12_usize);
    let much = number % WRITES_MUCH == 3;
    let (median, most) = if much { (25.0, 200.0) } else { (0.05, 0.5) };
    let bytes = GB * lognormal(median, 0.8, random).clamp(0.01, most);
    let rate = GB * (1.5 + exponential(1.0, random)).min(10.0);
    let burst = PlannedBurst {
        compute_s,
        bytes,
        rate,
    };
    Application {
        name: format!("app{number}"),
        bursts: vec![burst; count],
    }
}

/// How often each of many is chosen: the k-th 1/k times as often as the first.
struct Zipf {
    sums: Vec<f64>,
}

impl Zipf {
    fn new(count: usize) -> Self {
        let mut sum = 0.0;
        let sums = (1..=count).map(|k| {
            sum += 1.0 / k as f64;
            sum
        });
        Self {
            sums: sums.collect(),
        }
    }

    fn draw(&self, random: &mut ChaCha8Rng) -> usize {
        let last = self.sums.len() - 1;
        let place = random.random_range(0.0..self.sums[last]);
        self.sums.partition_point(|sum| *sum <= place).min(last)
    }
}
