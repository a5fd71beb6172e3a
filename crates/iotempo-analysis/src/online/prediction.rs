//! What is expected of a job.

use super::accuracy::{Accuracy, Outcome};
use super::intervals::PeriodInterval;
use crate::period::{Estimate, Phase, Verdict};
use iotempo_model::{Bytes, Interval, Seconds};
use serde::Serialize;

/// What is known of a job's rhythm at one instant, and what is expected of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prediction {
    /// Counts predictions of the job, from 1.
    pub number: u64,
    /// When it was made, in the time of the trace.
    pub at: Seconds,
    /// How things stand.
    pub state: State,
    /// What was found in the window.
    pub verdict: Verdict,
    /// The mean time from the start of a phase to the start of the next; `None` unless something
    /// repeats now, or did when the job ended.
    pub period: Option<Estimate>,
    /// The probability that I/O does repeat with a period within 5 % of this; 0 without one.
    pub confidence: f64,
    /// The standard deviation of the time from start to start, as a share of the period.
    pub jitter: Option<f64>,
    /// The next phase.
    pub next: Option<NextPhase>,
    /// The stretch of time that was looked at; `None` before any data.
    pub window: Option<Interval>,
    /// How many phases of the rhythm lie in it.
    pub phases: usize,
    /// These phases, in order of time.
    pub past: Vec<Phase>,
    /// When the behaviour before the present one ended, where it changed.
    pub changed_at: Option<Seconds>,
    /// The periods of recent predictions, with what share of them each interval has.
    pub intervals: Vec<PeriodInterval>,
    /// How wrong forecasts were of which that was not known at the last prediction, in order of time.
    pub outcomes: Vec<Outcome>,
    /// How wrong forecasts were so far.
    pub accuracy: Accuracy,
}

impl Prediction {
    /// How wrong the newest forecast was that is judged here.
    #[must_use]
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcomes.last()
    }
}

/// How things stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// There is too little data to say anything.
    Learning,
    /// I/O repeats.
    Periodic,
    /// I/O repeats, but the phase that is due has not come yet.
    Overdue,
    /// What repeated does so no more, and nothing new is known yet.
    Changed,
    /// Nothing repeats.
    NotPeriodic,
    /// There is no more to come; what is said is what was known when it ended.
    Ended,
}

impl State {
    /// The name in tables and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Learning => "learning",
            Self::Periodic => "periodic",
            Self::Overdue => "overdue",
            Self::Changed => "changed",
            Self::NotPeriodic => "not-periodic",
            Self::Ended => "ended",
        }
    }
}

/// A phase that has not come yet.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NextPhase {
    /// When it begins.
    pub start: Estimate,
    /// How long it lasts.
    pub length: Seconds,
    /// What it moves.
    pub bytes: Bytes,
    /// What nine of ten phases lie within, where there were enough to tell.
    pub bytes_range: Option<(Bytes, Bytes)>,
}
