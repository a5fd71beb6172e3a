//! How wrong forecasts were.

use super::prediction::NextPhase;
use crate::period::Phase;
use iotempo_model::{Bytes, Seconds};
use serde::Serialize;

/// A forecast and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Outcome {
    /// When the phase was expected.
    pub expected_start: Seconds,
    /// When it came; `None` where it did not.
    pub start: Option<Seconds>,
    /// How many seconds later than expected it came.
    pub late_s: Option<f64>,
    /// Whether it came within the interval that was given.
    pub within: bool,
    /// What it was expected to move.
    pub expected_bytes: Bytes,
    /// What it moved.
    pub bytes: Option<Bytes>,
}

impl Outcome {
    /// A phase that came.
    pub(super) fn of(forecast: &NextPhase, phase: &Phase) -> Self {
        let (start, expected) = (phase.start.get(), forecast.start);
        Self {
            expected_start: expected.value,
            start: Some(phase.start),
            late_s: Some(start - expected.value.get()),
            within: (expected.low.get()..=expected.high.get()).contains(&start),
            expected_bytes: forecast.bytes,
            bytes: Some(phase.bytes),
        }
    }

    /// A phase that never came.
    pub(super) fn missed(forecast: &NextPhase) -> Self {
        Self {
            expected_start: forecast.start.value,
            start: None,
            late_s: None,
            within: false,
            expected_bytes: forecast.bytes,
            bytes: None,
        }
    }
}

/// Forecasts so far.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Accuracy {
    /// How many were judged.
    pub judged: u64,
    /// How many of their phases never came.
    pub missed: u64,
    /// How many came within the interval that was given.
    pub within: u64,
    /// The mean of how far off the start was, in seconds, of those that came.
    pub mean_error_s: Option<f64>,
    /// The same as a share of the period.
    pub mean_error: Option<f64>,
    /// The mean of how far off the bytes were, as a share of those that moved.
    pub mean_bytes_error: Option<f64>,
}

impl Accuracy {
    pub(super) fn judge(&mut self, outcome: &Outcome, period: Seconds) {
        self.judged += 1;
        self.within += u64::from(outcome.within);
        let Some(late) = outcome.late_s else {
            self.missed += 1;
            return;
        };
        let came = (self.judged - self.missed) as f64;
        let mean = |old: Option<f64>, new: f64| {
            let old = old.unwrap_or(0.0);
            Some(old + (new - old) / came)
        };
        self.mean_error_s = mean(self.mean_error_s, late.abs());
        self.mean_error = mean(
            self.mean_error,
            late.abs() / period.get().max(f64::MIN_POSITIVE),
        );
        if let Some(bytes) = outcome.bytes.map(Bytes::get).filter(|bytes| *bytes > 0.0) {
            let off = (outcome.expected_bytes.get() - bytes).abs() / bytes;
            self.mean_bytes_error = mean(self.mean_bytes_error, off);
        }
    }
}
