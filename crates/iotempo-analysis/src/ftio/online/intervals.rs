//! Frequencies of several predictions, merged into intervals with probabilities.

use crate::ftio::Method;
use crate::outliers::{Dbscan, Point};
use serde::Serialize;

/// What is kept of a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Prediction {
    /// The dominant frequency; `None` where there was none.
    pub frequency_hz: Option<f64>,
    /// The start of its window.
    pub t_start_s: f64,
    /// The end of its window.
    pub t_end_s: f64,
}

/// Frequencies that are one, as far as the windows could tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The lowest of them.
    pub f_min_hz: f64,
    /// The highest of them.
    pub f_max_hz: f64,
    /// The share of all predictions that found a frequency.
    pub p_periodic: f64,
    /// The share of all predictions that found a frequency of this interval.
    pub p_freq: f64,
    /// The share of the predictions with a frequency that found one of this interval.
    pub p_freq_given_periodic: f64,
}

/// Merges the frequencies of predictions by DBSCAN. A frequency far from all others is in no
/// interval, unless it is the only one.
#[must_use]
pub fn intervals(predictions: &[Prediction], method: Method) -> Vec<Interval> {
    let found: Vec<(f64, f64)> = predictions
        .iter()
        .filter_map(|p| Some((p.frequency_hz?, p.t_end_s - p.t_start_s)))
        .collect();
    let periodic = found.len() as f64 / predictions.len().max(1) as f64;
    groups(&found, method)
        .into_iter()
        .map(|group| {
            let share = group.len() as f64 / predictions.len() as f64;
            Interval {
                f_min_hz: group.iter().copied().fold(f64::INFINITY, f64::min),
                f_max_hz: group.iter().copied().fold(0.0, f64::max),
                p_periodic: periodic,
                p_freq: share,
                p_freq_given_periodic: share / periodic,
            }
        })
        .collect()
}

/// Frequencies that belong together. Each comes with the length of its window.
fn groups(found: &[(f64, f64)], method: Method) -> Vec<Vec<f64>> {
    if let [(only, _)] = found {
        return vec![vec![*only]];
    }
    let windows: Vec<f64> = found.iter().map(|&(_, window)| window).collect();
    let dbscan = Dbscan {
        eps: eps(&windows, method),
        min_samples: 2,
    };
    // FTIO looks at points (f, f) of the plane, which are √2 times as far apart as the frequencies.
    let points: Vec<Point> = found
        .iter()
        .map(|&(f, _)| match method {
            Method::Ftio => [f, f],
            Method::Paper => [f, 0.0],
        })
        .collect();
    let mut groups = Vec::new();
    for (label, &(frequency, _)) in dbscan.clusters(&points).into_iter().zip(found) {
        let Some(label) = label else { continue };
        groups.resize(groups.len().max(label + 1), Vec::new());
        groups[label].push(frequency);
    }
    groups
}

/// How far apart neighbours may be where windows do not differ.
const LEAST_HZ: f64 = 1e-8;

/// How far apart neighbours may be: by as much as the resolution `1/Δt` of one window differs from
/// that of the window before. FTIO doubles it, but for windows whose lengths vary much.
fn eps(windows: &[f64], method: Method) -> f64 {
    let steps = windows.windows(2).map(|w| (1.0 / w[1] - 1.0 / w[0]).abs());
    let most = steps.fold(0.0, f64::max);
    let eps = match method {
        Method::Paper => most,
        Method::Ftio => {
            let n = windows.len() as f64;
            let mean = windows.iter().sum::<f64>() / n;
            let squares = windows.iter().map(|w| (w - mean).powi(2));
            let deviation = (squares.sum::<f64>() / n).sqrt();
            let least = if deviation == 0.0 {
                LEAST_HZ
            } else {
                1.0 / deviation
            };
            if most < 3.0 * least {
                2.0 * most
            } else {
                (1.0 - least / mean).abs() * most
            }
        }
    };
    if eps > 0.0 && eps.is_finite() {
        eps
    } else {
        LEAST_HZ
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn predictions(frequencies: &[Option<f64>]) -> Vec<Prediction> {
        let ends = (1..).map(|i| 20.0 * f64::from(i));
        frequencies
            .iter()
            .zip(ends)
            .map(|(&frequency_hz, t_end_s)| Prediction {
                frequency_hz,
                t_start_s: 0.0,
                t_end_s,
            })
            .collect()
    }

    #[test]
    fn a_frequency_is_as_probable_as_it_was_often_found() {
        let frequencies = [Some(0.1), None, Some(0.102), Some(0.3), Some(0.099)];
        for method in [Method::Ftio, Method::Paper] {
            let intervals = intervals(&predictions(&frequencies), method);
            assert_eq!(intervals.len(), 1, "0.3 Hz was found once only");
            let Interval {
                f_min_hz, f_max_hz, ..
            } = intervals[0];
            assert_eq!((f_min_hz, f_max_hz), (0.099, 0.102));
            assert_eq!(intervals[0].p_periodic, 0.8);
            assert_eq!(intervals[0].p_freq, 0.6);
            assert!((intervals[0].p_freq_given_periodic - 0.75).abs() < 1e-12);
        }
    }

    #[test]
    fn without_a_frequency_there_is_no_interval() {
        assert!(intervals(&[], Method::Ftio).is_empty());
        assert!(intervals(&predictions(&[None, None]), Method::Ftio).is_empty());
    }

    #[test]
    fn windows_of_one_length_merge_what_is_the_same() {
        let mut same = predictions(&[Some(0.1), Some(0.1), Some(0.2)]);
        for prediction in &mut same {
            prediction.t_end_s = 20.0;
        }
        let merged = intervals(&same, Method::Paper);
        assert_eq!(merged.len(), 1);
        assert_eq!((merged[0].f_min_hz, merged[0].f_max_hz), (0.1, 0.1));
    }
}
