//! Repeated jobs on a shared file system, with a known answer to whether its traffic slows them down.
//!
//! In the likeness of the three applications of Madireddy et al. (NAS 2017, Table II). Traffic is a random
//! walk of minutes that returns to its mean; what a job takes for its I/O is a base of its own times
//! `1 + c · (mean traffic − E)`. With `c = 0` nothing depends on anything, and figures that are larger
//! for longer jobs correlate nevertheless.

use crate::error::{SimError, within};
use crate::random::{exponential, generator, normal};
use iotempo_analysis::correlate::{
    JobMetrics, JobSpan, Load, Oddities, Series, Share, SharedTimes, UniqueTimes, Window, Windows,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// How much of the logarithm of a minute's traffic is that of the minute before.
const MEMORY: f64 = 0.9;

/// The deviation of that logarithm.
const SPREAD: f64 = 0.8;

/// The traffic whose logarithm is 0, in bytes per second.
const UNIT: f64 = 5e9;

/// The length of an interval of the log.
const STEP_S: f64 = 60.0;

const DAY_S: f64 = 86_400.0;

/// 2010-01-01: the log begins with a day.
const START_S: f64 = 1_262_304_000.0;

/// What a job is in the likeness of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeated {
    /// Earth Science B: many small files, one after the other.
    EarthScienceB,
    /// Nuclear Physics C: many files that are open for long, at the same time.
    NuclearPhysicsC,
    /// Nuclear Physics B: two files that are open for long and used for seconds.
    NuclearPhysicsB,
}

/// Parameters of a study.
#[derive(Debug, Clone, PartialEq)]
pub struct CorrelationStudy {
    /// Decides everything that is random.
    pub seed: u64,
    /// The application.
    pub like: Repeated,
    /// How many jobs there are.
    pub jobs: usize,
    /// How long the log is. Jobs come in campaigns of a few, one after the other, on any of its days.
    pub days: u32,
    /// c: by what share of its base a job's I/O takes longer for every unit of traffic above the mean.
    pub slowdown: f64,
}

/// A study, and what is true of it.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedStudy {
    /// When the log begins, in seconds since 1970-01-01 UTC.
    pub start_s: f64,
    /// The length of its intervals.
    pub step_s: f64,
    /// What the system moved in each, in bytes per second. The jobs' own bytes are not in it.
    pub rates: Vec<f64>,
    /// In order of time.
    pub jobs: Vec<SimulatedJob>,
}

/// A job of a study. Times are seconds since 1970-01-01 UTC.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedJob {
    /// Its start.
    pub start_s: f64,
    /// Its end.
    pub end_s: f64,
    /// From first to last operation of each file.
    pub windows: Vec<(f64, f64)>,
    /// How long it truly did I/O: with files that are open for long and hardly used, much less than their
    /// windows.
    pub io_s: f64,
    /// Which campaign it belongs to, from 0 on.
    pub campaign: u32,
    /// What it reads.
    pub read_bytes: u64,
    /// What it writes.
    pub written_bytes: u64,
}

/// What is known of an application, in seconds.
struct Likeness {
    /// φ^D, which is an interval longer than the time it is about, on the average.
    touched: (f64, f64),
    /// φ^J without φ^D.
    compute: f64,
    files: u32,
    /// How many of these files are used at the same time.
    together: u32,
    bytes: (u64, u64),
}

const GIB: f64 = (1_u64 << 30) as f64;

impl Repeated {
    /// All of them.
    pub const ALL: [Self; 3] = [
        Self::EarthScienceB,
        Self::NuclearPhysicsC,
        Self::NuclearPhysicsB,
    ];

    /// How many jobs the paper has.
    #[must_use]
    pub const fn published_jobs(self) -> usize {
        match self {
            Self::EarthScienceB => 173,
            Self::NuclearPhysicsC => 724,
            Self::NuclearPhysicsB => 406,
        }
    }

    fn likeness(self) -> Likeness {
        let bytes = |read: f64, written: f64| ((read * GIB) as u64, (written * GIB) as u64);
        match self {
            Self::EarthScienceB => Likeness {
                touched: (1171.9, 191.4),
                compute: 345.8,
                files: 24,
                together: 1,
                bytes: bytes(938.7, 1.7),
            },
            Self::NuclearPhysicsC => Likeness {
                touched: (3522.3, 302.1),
                compute: 216.5,
                files: 12,
                together: 4,
                bytes: bytes(791.1, 326.8),
            },
            Self::NuclearPhysicsB => Likeness {
                touched: (1653.3, 74.8),
                compute: 463.8,
                files: 2,
                together: 1,
                bytes: bytes(4.3, 1.1e-4),
            },
        }
    }
}

/// Of Nuclear Physics B: how long it truly does I/O, the share of its windows that are of the file it reads,
/// and the pause before it writes the other.
const NPB_ACTIVE_S: f64 = 23.8;
const NPB_READ_SHARE: f64 = 0.125;
const NPB_PAUSE_S: f64 = 150.0;

impl CorrelationStudy {
    /// A year with as many jobs as the paper has, that traffic does not slow down.
    #[must_use]
    pub fn new(like: Repeated) -> Self {
        Self {
            seed: 0,
            like,
            jobs: like.published_jobs(),
            days: 365,
            slowdown: 0.0,
        }
    }

    /// Makes the study.
    ///
    /// # Errors
    /// Where a parameter makes none.
    pub fn generate(&self) -> Result<SimulatedStudy, SimError> {
        within("slowdown", self.slowdown, -0.5..=10.0, "-0.5 to 10")?;
        within("days", f64::from(self.days), 2.0..=3660.0, "2 to 3660")?;
        within("jobs", self.jobs as f64, 1.0..=1e6, "1 to 1000000")?;
        let intervals = self.days as usize * (DAY_S / STEP_S) as usize;
        let mut study = SimulatedStudy {
            start_s: START_S,
            step_s: STEP_S,
            rates: traffic(intervals, &mut generator(self.seed, 0)),
            jobs: Vec::new(),
        };
        let load = study.load();
        let mut random = generator(self.seed, 1);
        let end_s = START_S + f64::from(self.days) * DAY_S;
        let mut campaign = 0;
        while study.jobs.len() < self.jobs {
            let mut now = START_S + random.random_range(0.0..end_s - START_S - DAY_S);
            for _ in 0..random.random_range(3..=12) {
                let job = self.job(now.round(), campaign, &load, &mut random);
                if job.end_s > end_s || study.jobs.len() == self.jobs {
                    break;
                }
                now = job.end_s + exponential(300.0, &mut random);
                study.jobs.push(job);
            }
            campaign += 1;
        }
        study.jobs.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
        Ok(study)
    }

    fn job(
        &self,
        start_s: f64,
        campaign: u32,
        load: &Load,
        random: &mut ChaCha8Rng,
    ) -> SimulatedJob {
        let likeness = self.like.likeness();
        let (mean, deviation) = likeness.touched;
        // A stretch of time touches one interval more than fit into it. Two files touch two more.
        let ends = match self.like {
            Repeated::NuclearPhysicsB => 2.0,
            _ => 1.0,
        };
        let base = mean - ends * STEP_S + deviation * normal(random);
        let base = base.max(2.0 * STEP_S);
        let first_s = start_s + 0.5 * likeness.compute * random.random_range(0.5..1.5);
        let (windows, io_s) = match self.like {
            Repeated::NuclearPhysicsB => {
                let io_s = self.slowed(NPB_ACTIVE_S, first_s, load);
                let read_end = first_s + NPB_READ_SHARE * base + (io_s - NPB_ACTIVE_S);
                let write = read_end + NPB_PAUSE_S;
                let write_end = write + (1.0 - NPB_READ_SHARE) * base;
                (vec![(first_s, read_end), (write, write_end)], io_s)
            }
            _ => {
                let io_s = self.slowed(base, first_s, load);
                (likeness.windows(first_s, io_s), io_s)
            }
        };
        let last_s = windows.iter().fold(first_s, |last, one| last.max(one.1));
        SimulatedJob {
            start_s,
            end_s: last_s + 0.5 * likeness.compute,
            windows,
            io_s,
            campaign,
            read_bytes: likeness.bytes.0,
            written_bytes: likeness.bytes.1,
        }
    }

    /// `base · (1 + c · (mean traffic − E))`, by the traffic of the time that it would have taken alone.
    fn slowed(&self, base_s: f64, from_s: f64, load: &Load) -> f64 {
        let amount = load.between(Series::ReadBytes, from_s, from_s + base_s);
        // A job that reaches beyond the end of the log is thrown away.
        let rate = amount.ok().and_then(|amount| amount.rate());
        let above = rate.map_or(0.0, |rate| (rate - mean_traffic()) / UNIT);
        base_s * (1.0 + self.slowdown * above).max(0.1)
    }
}

/// E: the mean of traffic whose logarithm is normal.
fn mean_traffic() -> f64 {
    UNIT * (SPREAD * SPREAD / 2.0).exp()
}

impl Likeness {
    /// Files that together cover a stretch of time.
    fn windows(&self, from_s: f64, length_s: f64) -> Vec<(f64, f64)> {
        let parts = f64::from(self.files + self.together - 1);
        let at = |part: u32| from_s + length_s * f64::from(part) / parts;
        (0..self.files)
            .map(|file| (at(file), at(file + self.together)))
            .collect()
    }
}

fn traffic(intervals: usize, random: &mut ChaCha8Rng) -> Vec<f64> {
    let fresh = SPREAD * (1.0_f64 - MEMORY * MEMORY).sqrt();
    let mut state = SPREAD * normal(random);
    let mut next = || {
        state = MEMORY * state + fresh * normal(random);
        // The last digits of `exp` differ between machines.
        UNIT * (1e6 * state.exp()).round() / 1e6
    };
    (0..intervals).map(|_| next()).collect()
}

impl SimulatedStudy {
    /// The log, as reads.
    #[must_use]
    pub fn load(&self) -> Load {
        let rates = self.rates.iter().copied().map(Some);
        Load::new(self.start_s, self.step_s, self.rates.len())
            .and_then(|load| load.with(Series::ReadBytes, rates))
            .expect("rates are positive, and there are as many as intervals")
    }
}

impl SimulatedJob {
    /// When its files were used.
    #[must_use]
    pub fn windows(&self) -> Windows {
        let windows = self.windows.iter();
        windows
            .filter_map(|&(from, to)| Window::new(from, to))
            .collect()
    }

    /// What its log would say. All of its files lie where the traffic is counted, which holds none of its
    /// own bytes.
    #[must_use]
    pub fn metrics(&self) -> JobMetrics {
        let files = Share {
            windows: self.windows(),
            files: self.windows.len() as u64,
            read_bytes: 0,
            written_bytes: 0,
        };
        JobMetrics {
            span: JobSpan {
                start_s: self.start_s,
                end_s: self.end_s,
            },
            unique: UniqueTimes::default(),
            shared: SharedTimes::default(),
            longest_read_s: Some(self.io_s),
            longest_write_s: None,
            all: files.clone(),
            monitored: files,
            odd: Oddities::default(),
        }
    }
}
