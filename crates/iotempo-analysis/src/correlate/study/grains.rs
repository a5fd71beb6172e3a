//! What coarser logs would have shown.

use crate::association::Coefficient;
use crate::correlate::{JobMetrics, Load, LoadMetric, TimeMetric, granularities};
use serde::Serialize;

/// A study at one length of intervals.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Grain {
    /// The length of intervals, in seconds.
    pub step_s: f64,
    /// Means over the ways to begin intervals of this length.
    pub points: Vec<GrainPoint>,
}

/// A coefficient at one length of intervals.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GrainPoint {
    /// Which one.
    pub coefficient: Coefficient,
    /// The mean; `None` where it is undetermined however intervals begin.
    pub value: Option<f64>,
    /// The least and the greatest.
    pub range: Option<(f64, f64)>,
}

/// Ways to begin intervals that are tried: more change a mean little.
const OFFSETS: usize = 5;

/// The coefficients of jobs with intervals of Δ, 2Δ … `most`·Δ.
#[must_use]
pub fn grains(
    jobs: &[&JobMetrics],
    load: &Load,
    (time, metric): (TimeMetric, LoadMetric),
    most: usize,
) -> Vec<Grain> {
    let coefficients = [
        Coefficient::Pearson,
        Coefficient::Spearman,
        Coefficient::Distance,
    ];
    let mut grains: Vec<(usize, Grain, [Vec<f64>; 3])> = Vec::new();
    for (factor, offset) in granularities(most) {
        if grains.last().is_none_or(|(last, ..)| *last != factor) {
            let step_s = load.step_s() * factor as f64;
            let grain = Grain {
                step_s,
                points: Vec::new(),
            };
            grains.push((factor, grain, Default::default()));
        }
        if !is_looked_at(factor, offset) {
            continue;
        }
        let Some(coarse) = load.coarser(factor, offset) else {
            continue;
        };
        let met = jobs.iter().filter_map(|job| {
            let load = metric.of(job, &coarse, 0.0).ok()?;
            Some((load, time.of(job, &coarse).ok()?))
        });
        let (loads, times): (Vec<f64>, Vec<f64>) = met.unzip();
        if let Some((_, _, values)) = grains.last_mut() {
            for (values, coefficient) in values.iter_mut().zip(coefficients) {
                values.extend(coefficient.of(&loads, &times).ok());
            }
        }
    }
    let finished = grains.into_iter().map(|(_, mut grain, values)| {
        let points = coefficients.into_iter().zip(values);
        grain.points = points
            .map(|(coefficient, values)| point(coefficient, &values))
            .collect();
        grain
    });
    finished.collect()
}

/// Whether an offset is one of five that are spread over all, or there are no more than five.
fn is_looked_at(factor: usize, offset: usize) -> bool {
    factor <= OFFSETS || (0..OFFSETS).any(|number| number * factor / OFFSETS == offset)
}

fn point(coefficient: Coefficient, values: &[f64]) -> GrainPoint {
    let some = !values.is_empty();
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    GrainPoint {
        coefficient,
        value: some.then(|| values.iter().sum::<f64>() / values.len() as f64),
        range: some.then_some((least, greatest)),
    }
}
