//! One page about the signature of an application: what its runs have in common, and the runs.

mod captions;
mod drawing;
mod tables;
mod view;

use crate::page::Fact;
use crate::quantity::Units;
use crate::words::no_period;
use askama::Template;
use iotempo_analysis::period::PeriodFinding;
use iotempo_analysis::signature::{BURSTS_LEFT_OUT, Clash, SampleBurst, Signature};
use iotempo_model::Warning;
use std::io;
use view::View;

/// Everything that a page shows.
#[derive(Debug, Clone)]
pub struct SignaturePage {
    /// The application, as people call it.
    pub application: String,
    /// The signature, or why there is none.
    pub signature: Result<Signature, String>,
    /// Whether the signature repeats.
    pub period: Option<PeriodFinding>,
    /// The least confidence that was called periodic.
    pub threshold: f64,
    /// How many jobs are runs of the application.
    pub jobs: usize,
    /// The runs that were cut out, in order of time.
    pub runs: Vec<ShownRun>,
    /// Runs that were in progress while another one was.
    pub overlapping: usize,
    /// Jobs that gave no run, by reason.
    pub rejected: Vec<RejectedJobs>,
    /// The load that is always there, in bytes per second; it is no part of the signature.
    pub background: f64,
    /// What the signature would meet in other logs, that with which it collides least first.
    pub compared: Vec<Beside>,
    /// What moved: `read`, `write`, or `read and write`.
    pub moved: String,
    /// The intervals of the servers' logs, in seconds.
    pub interval_s: Option<f64>,
    /// How many targets the servers' logs name.
    pub targets: usize,
    /// The logs that were read.
    pub logs: Vec<ShownLog>,
    /// What was repaired or left out, or else should be known about the result.
    pub warnings: Vec<Warning>,
    /// All settings in force.
    pub settings: Vec<Fact>,
    /// The program that made the page, with its version.
    pub tool: String,
    /// Prefixes of bytes.
    pub units: Units,
}

/// What the servers moved while a job ran.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownRun {
    /// The id of the job.
    pub job: String,
    /// When it began, in seconds since 1970-01-01 UTC.
    pub start_epoch_s: f64,
    /// The length of a step, in seconds.
    pub step_s: f64,
    /// Bytes per second, step by step.
    pub rates: Vec<f64>,
    /// How many steps the log missed, and were filled in.
    pub filled: u64,
    /// Whether the signature is made of it.
    pub part: RunPart,
}

/// The part of a run in the signature.
#[derive(Debug, Clone, PartialEq)]
pub enum RunPart {
    /// The signature is made of it. Its bursts, each with the place of the common burst that it is.
    Used(Vec<(SampleBurst, Option<usize>)>),
    /// It was left out, for this reason.
    LeftOut(String),
}

impl ShownRun {
    fn length_s(&self) -> f64 {
        self.step_s * self.rates.len() as f64
    }

    fn bytes(&self) -> f64 {
        self.step_s * self.rates.iter().sum::<f64>()
    }

    /// Why it was left out.
    fn left_out(&self) -> Option<&str> {
        match &self.part {
            RunPart::Used(_) => None,
            RunPart::LeftOut(why) => Some(why),
        }
    }
}

/// Jobs that gave no run for the same reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedJobs {
    /// The reason; the values in it are those of the first job.
    pub reason: String,
    /// Their ids.
    pub jobs: Vec<String>,
}

/// What the signature would meet in a log.
#[derive(Debug, Clone, PartialEq)]
pub struct Beside {
    /// The log, as the user named it.
    pub log: String,
    /// `None` where the log is nowhere whole for as long as the signature.
    pub clash: Option<Clash>,
}

/// A log that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownLog {
    /// The log, as the user named it.
    pub input: String,
    /// Its SHA-256.
    pub sha256: Option<String>,
    /// What it is about: `jobs` or `server`.
    pub kind: String,
    /// Its format.
    pub format: String,
    /// How many rows were read: jobs, or volumes of an interval.
    pub rows: u64,
    /// Its interval in seconds, where it has one.
    pub interval_s: Option<f64>,
    /// The unit of what it counts.
    pub unit: Option<String>,
    /// The zone of the local times that it writes.
    pub zone: Option<String>,
    /// Whether its end is missing, or else a part could not be read.
    pub damaged: bool,
}

impl SignaturePage {
    /// Writes the page: HTML that needs nothing beside it, from whatever disk it is opened.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_into(&self, out: &mut impl io::Write) -> io::Result<()> {
        View::new(self).write_into(out)
    }

    /// How many runs the signature is made of.
    fn used(&self) -> usize {
        let used = |run: &&ShownRun| run.left_out().is_none();
        self.runs.iter().filter(used).count()
    }

    /// The runs that are drawn, those that are used first, and how many are not.
    fn rows(&self) -> (Vec<&ShownRun>, usize) {
        let (used, left_out): (Vec<_>, Vec<_>) =
            self.runs.iter().partition(|run| run.left_out().is_none());
        let others = left_out.len().min(MOST_LEFT_OUT);
        let of_used = used.len().min(MOST_ROWS - others);
        let others = left_out.len().min(MOST_ROWS - of_used);
        // The newest of both.
        let newest = |runs: &[&'_ ShownRun], count: usize| runs.len() - count;
        let mut rows = used[newest(&used, of_used)..].to_vec();
        rows.extend(&left_out[newest(&left_out, others)..]);
        let hidden = self.runs.len() - rows.len();
        (rows, hidden)
    }
}

/// Why there is no period of a signature that has these warnings; `threshold` is what was asked of its confidence.
#[must_use]
pub fn no_rhythm(period: &PeriodFinding, threshold: f64, warnings: &[Warning]) -> String {
    // Without bursts that may be the application's as well, what is between the others says nothing.
    let are_left_out = |warning: &Warning| warning.code == BURSTS_LEFT_OUT;
    match warnings.iter().any(are_left_out) {
        true => "period unknown: bursts were left out (see warnings)".to_owned(),
        false => no_period(period, threshold),
    }
}

/// Runs that are drawn: more are too many to be compared by eye.
const MOST_ROWS: usize = 40;
/// Of these, runs that were left out, where there are enough others.
const MOST_LEFT_OUT: usize = 8;
