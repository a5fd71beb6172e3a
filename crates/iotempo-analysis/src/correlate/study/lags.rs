//! Whether the clocks of jobs and servers agree.

use crate::association::Coefficient;
use crate::correlate::{JobMetrics, Load, LoadMetric, Measure, TimeMetric};
use serde::Serialize;

/// Spearman's coefficient, had the servers' clocks been ahead by some seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Lag {
    /// By how much; negative where they are behind.
    pub ahead_s: f64,
    /// The coefficient; `None` where it is undetermined.
    pub value: Option<f64>,
}

/// Steps on either side, each half an interval.
const STEPS: i32 = 4;

/// The coefficient at lags of up to two intervals.
#[must_use]
pub fn lags(
    jobs: &[&JobMetrics],
    load: &Load,
    (time, metric): (TimeMetric, LoadMetric),
) -> Vec<Lag> {
    // At a wrong lag a job's own bytes are elsewhere, and taking them off would make up a dependence.
    let metric = LoadMetric {
        measure: match metric.measure {
            Measure::Others => Measure::Rate,
            other => other,
        },
        ..metric
    };
    let at = |step: i32| {
        let ahead_s = f64::from(step) * load.step_s() / 2.0;
        let met = jobs.iter().filter_map(|job| {
            let busy = metric.of(job, load, ahead_s).ok()?;
            Some((busy, time.of(job, load).ok()?))
        });
        let (loads, times): (Vec<f64>, Vec<f64>) = met.unzip();
        Lag {
            ahead_s,
            value: Coefficient::Spearman.of(&loads, &times).ok(),
        }
    };
    (-STEPS..=STEPS).map(at).collect()
}
