//! Recent predictions, merged into intervals with probabilities (section II-E of FTIO's paper).

use crate::outliers::Dbscan;
use iotempo_model::Seconds;
use serde::Serialize;
use std::collections::VecDeque;

/// Predictions that are remembered.
const MOST: usize = 64;

/// Periods this much apart are neighbours: the paper works in hertz, which no two applications share;
/// shares of a period mean the same to all.
const APART: f64 = 0.05;

/// Periods of recent predictions that lie close together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PeriodInterval {
    /// The shortest of them.
    pub low: Seconds,
    /// The longest.
    pub high: Seconds,
    /// Which share of recent predictions they are, those that found nothing included.
    pub probability: f64,
}

/// The periods of recent predictions; `None` of those that found none.
#[derive(Debug, Clone, Default)]
pub(super) struct Recent {
    periods: VecDeque<Option<f64>>,
}

impl Recent {
    pub(super) fn push(&mut self, period: Option<Seconds>) {
        if self.periods.len() == MOST {
            self.periods.pop_front();
        }
        let period = period.map(Seconds::get).filter(|period| *period > 0.0);
        self.periods.push_back(period);
    }

    /// What it takes of the memory, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.periods.capacity() * size_of::<Option<f64>>()
    }

    /// Clusters of at least two, the most probable first.
    pub(super) fn intervals(&self) -> Vec<PeriodInterval> {
        let logs: Vec<f64> = self.periods.iter().flatten().map(|p| p.ln()).collect();
        let clusters = Dbscan {
            eps: APART,
            min_samples: 2,
        }
        .clusters_of_numbers(&logs);
        let count = clusters.iter().flatten().max().map_or(0, |last| last + 1);
        let members = |cluster| {
            let own = move |(_, at): &(&f64, &Option<usize>)| **at == Some(cluster);
            logs.iter().zip(&clusters).filter(own).map(|(log, _)| *log)
        };
        let mut intervals: Vec<_> = (0..count)
            .map(|cluster| self.interval(members(cluster)))
            .collect();
        intervals.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        intervals
    }

    fn interval(&self, logs: impl Iterator<Item = f64> + Clone) -> PeriodInterval {
        let seconds = |log: f64| Seconds::new(log.exp()).unwrap_or_default();
        PeriodInterval {
            low: seconds(logs.clone().fold(f64::INFINITY, f64::min)),
            high: seconds(logs.clone().fold(f64::NEG_INFINITY, f64::max)),
            probability: logs.count() as f64 / self.periods.len() as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intervals(periods: &[Option<f64>]) -> Vec<(f64, f64, f64)> {
        let mut recent = Recent::default();
        for period in periods {
            recent.push(period.and_then(Seconds::new));
        }
        let round = |x: f64| (1e3 * x).round() / 1e3;
        let bounds = |one: &PeriodInterval| {
            (
                round(one.low.get()),
                round(one.high.get()),
                round(one.probability),
            )
        };
        recent.intervals().iter().map(bounds).collect()
    }

    #[test]
    fn close_periods_share_an_interval_whatever_their_size() {
        let periods = [
            Some(10.0),
            Some(10.3),
            None,
            Some(3600.0),
            Some(3700.0),
            Some(10.2),
        ];
        let found = intervals(&periods);
        assert_eq!(found, [(10.0, 10.3, 0.5), (3600.0, 3700.0, 0.333)]);
    }

    #[test]
    fn a_period_found_once_is_noise() {
        assert_eq!(intervals(&[Some(5.0), None, Some(50.0)]), []);
    }

    #[test]
    fn old_predictions_are_forgotten() {
        let periods: Vec<_> = [Some(5.0); 10]
            .into_iter()
            .chain([Some(9.0); MOST])
            .collect();
        assert_eq!(intervals(&periods), [(9.0, 9.0, 1.0)]);
    }
}
