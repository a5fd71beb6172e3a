//! Runs that are not like the others: disturbed, restarted, or of something else.

use super::finding::Outlier;
use super::numbers::{deviation, mean};
use super::samples::Sample;
use super::settings::Settings;
use crate::outliers::{LocalOutlierFactors, Point};

/// Among fewer runs nobody can tell who is the odd one.
const FEWEST: usize = 5;

/// Takes out of `runs`, which are samples by their index, those whose duration and volume are far from
/// others', and tells which.
pub(super) fn without_outliers(
    runs: &mut Vec<(usize, Vec<f64>)>,
    samples: &[Sample],
    step: f64,
    settings: &Settings,
) -> Vec<Outlier> {
    if runs.len() < FEWEST {
        return Vec::new();
    }
    let durations: Vec<f64> = runs.iter().map(|(_, r)| step * r.len() as f64).collect();
    let volumes: Vec<f64> = runs
        .iter()
        .map(|(_, r)| step * r.iter().sum::<f64>())
        .collect();
    let scaled = [standardised(&durations), standardised(&volumes)];
    let points: Vec<Point> = (0..runs.len())
        .map(|i| [scaled[0][i], scaled[1][i]])
        .collect();
    let neighbours = settings
        .outlier_neighbours
        .unwrap_or(runs.len() / 2 - 1)
        .max(2);
    let Some(lof) = LocalOutlierFactors::of(&points, neighbours) else {
        return Vec::new();
    };
    let limit = settings.outlier_factor.max(mean(&lof.factors));
    let mut told = Vec::new();
    let mut place = 0;
    runs.retain(|(index, _)| {
        let (factor, duration, volume) = (lof.factors[place], durations[place], volumes[place]);
        place += 1;
        if factor <= limit {
            return true;
        }
        told.push(Outlier {
            id: samples[*index].id.to_owned(),
            factor: Some(factor),
            reason: format!(
                "{duration:.0} s and {volume:.3e} bytes, where the mean is {:.0} s and {:.3e} bytes",
                mean(&durations),
                mean(&volumes)
            ),
        });
        false
    });
    told
}

/// Distances from the mean, in deviations; all 0 where nothing deviates.
fn standardised(values: &[f64]) -> Vec<f64> {
    let (mean, deviation) = (mean(values), deviation(values));
    // What differs by rounding alone does not differ.
    if deviation <= 1e-12 * mean.abs() {
        return vec![0.0; values.len()];
    }
    values.iter().map(|x| (x - mean) / deviation).collect()
}
