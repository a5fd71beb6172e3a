//! A prediction as JSON states it.

use iotempo_analysis::online::{Accuracy, Outcome, PeriodInterval, Prediction, State};
use iotempo_analysis::period::Verdict;
use iotempo_model::Seconds;
use serde::Serialize;

/// The name and version of what a line holds.
pub const SCHEMA: &str = "iotempo/prediction/1";

/// A prediction as one line of JSON says it.
#[derive(Debug, Serialize)]
pub struct Line<'a> {
    schema: &'static str,
    source: &'a str,
    number: u64,
    start_epoch_s: Option<f64>,
    at_s: f64,
    state: State,
    verdict: Verdict,
    period_s: Option<f64>,
    period_low_s: Option<f64>,
    period_high_s: Option<f64>,
    confidence: f64,
    jitter_fraction: Option<f64>,
    next_start_s: Option<f64>,
    next_start_low_s: Option<f64>,
    next_start_high_s: Option<f64>,
    next_length_s: Option<f64>,
    next_bytes: Option<f64>,
    next_bytes_low: Option<f64>,
    next_bytes_high: Option<f64>,
    window_start_s: Option<f64>,
    window_end_s: Option<f64>,
    n_phases: usize,
    changed_at_s: Option<f64>,
    intervals: Vec<IntervalView>,
    outcome: Option<OutcomeView>,
    earlier_outcomes: Vec<OutcomeView>,
    accuracy: AccuracyView,
}

#[derive(Debug, Serialize)]
struct IntervalView {
    period_low_s: f64,
    period_high_s: f64,
    probability: f64,
}

#[derive(Debug, Serialize)]
struct OutcomeView {
    expected_start_s: f64,
    start_s: Option<f64>,
    late_s: Option<f64>,
    within_interval: bool,
    expected_bytes: f64,
    bytes: Option<f64>,
}

#[derive(Debug, Serialize)]
struct AccuracyView {
    judged: u64,
    missed: u64,
    within_interval: u64,
    mean_error_s: Option<f64>,
    mean_error_fraction: Option<f64>,
    mean_bytes_error_fraction: Option<f64>,
}

impl<'a> Line<'a> {
    /// What `source`, whose time 0 was that many seconds after 1970, is expected to do.
    #[must_use]
    pub fn new(source: &'a str, start_epoch_s: Option<f64>, prediction: &Prediction) -> Self {
        let period = prediction.period;
        let next = prediction.next;
        let range = next.and_then(|next| next.bytes_range);
        let mut outcomes: Vec<OutcomeView> =
            prediction.outcomes.iter().map(OutcomeView::from).collect();
        Self {
            schema: SCHEMA,
            source,
            number: prediction.number,
            start_epoch_s,
            at_s: prediction.at.get(),
            state: prediction.state,
            verdict: prediction.verdict,
            period_s: period.map(|period| period.value.get()),
            period_low_s: period.map(|period| period.low.get()),
            period_high_s: period.map(|period| period.high.get()),
            confidence: prediction.confidence,
            jitter_fraction: prediction.jitter,
            next_start_s: next.map(|next| next.start.value.get()),
            next_start_low_s: next.map(|next| next.start.low.get()),
            next_start_high_s: next.map(|next| next.start.high.get()),
            next_length_s: next.map(|next| next.length.get()),
            next_bytes: next.map(|next| next.bytes.get()),
            next_bytes_low: range.map(|range| range.0.get()),
            next_bytes_high: range.map(|range| range.1.get()),
            window_start_s: prediction.window.map(|window| window.start().get()),
            window_end_s: prediction.window.map(|window| window.end().get()),
            n_phases: prediction.phases,
            changed_at_s: prediction.changed_at.map(Seconds::get),
            intervals: prediction
                .intervals
                .iter()
                .map(IntervalView::from)
                .collect(),
            outcome: outcomes.pop(),
            earlier_outcomes: outcomes,
            accuracy: AccuracyView::from(&prediction.accuracy),
        }
    }
}

impl From<&PeriodInterval> for IntervalView {
    fn from(interval: &PeriodInterval) -> Self {
        Self {
            period_low_s: interval.low.get(),
            period_high_s: interval.high.get(),
            probability: interval.probability,
        }
    }
}

impl From<&Outcome> for OutcomeView {
    fn from(outcome: &Outcome) -> Self {
        Self {
            expected_start_s: outcome.expected_start.get(),
            start_s: outcome.start.map(Seconds::get),
            late_s: outcome.late_s,
            within_interval: outcome.within,
            expected_bytes: outcome.expected_bytes.get(),
            bytes: outcome.bytes.map(|bytes| bytes.get()),
        }
    }
}

impl From<&Accuracy> for AccuracyView {
    fn from(accuracy: &Accuracy) -> Self {
        Self {
            judged: accuracy.judged,
            missed: accuracy.missed,
            within_interval: accuracy.within,
            mean_error_s: accuracy.mean_error_s,
            mean_error_fraction: accuracy.mean_error,
            mean_bytes_error_fraction: accuracy.mean_bytes_error,
        }
    }
}
