//! What is true of a generated trace.

use iotempo_analysis::period::Phase;
use iotempo_model::{Bytes, Seconds};

/// What is true of a generated trace.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Truth {
    /// How long the run is; it starts at 0.
    pub span: Seconds,
    /// What repeats, the one that moves most data first; empty where nothing does.
    pub rhythms: Vec<TrueRhythm>,
    /// The stretches of one behaviour each, in order of time.
    pub segments: Vec<TrueSegment>,
    /// The share of the run in which the application does I/O, background noise left aside.
    pub active_fraction: f64,
}

impl Truth {
    /// The mean period of the rhythm that moves most data; `None` where nothing repeats.
    #[must_use]
    pub fn mean_period(&self) -> Option<Seconds> {
        self.rhythms.first().and_then(TrueRhythm::mean_period)
    }
}

impl TrueSegment {
    /// A run of one behaviour from its start to its end.
    pub(crate) fn whole(span: Seconds, period: Option<Seconds>) -> Self {
        Self {
            start: Seconds::ZERO,
            end: span,
            period,
        }
    }
}

/// Something that repeats.
#[derive(Debug, Clone, PartialEq)]
pub struct TrueRhythm {
    /// What it is, in one word.
    pub name: &'static str,
    /// The length of each repetition, in order of time.
    pub periods: Vec<Seconds>,
    /// The I/O phase of each repetition, in order of time.
    pub phases: Vec<Phase>,
}

impl TrueRhythm {
    /// The mean length of a repetition, to the nanosecond; `None` without any.
    #[must_use]
    pub fn mean_period(&self) -> Option<Seconds> {
        let sum: f64 = self.periods.iter().map(|period| period.get()).sum();
        let mean = sum / self.periods.len() as f64;
        Seconds::new((mean * 1e9).round() / 1e9)
    }

    /// All bytes that its phases move.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        self.phases.iter().map(|phase| phase.bytes).sum()
    }
}

/// A stretch of one behaviour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrueSegment {
    /// When it begins.
    pub start: Seconds,
    /// When it ends.
    pub end: Seconds,
    /// The mean period of the rhythm that moves most data in it; `None` where nothing repeats.
    pub period: Option<Seconds>,
}
