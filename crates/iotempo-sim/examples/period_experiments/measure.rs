//! Errors, summed up.

use crate::methods::{Answer, Answered, Method};
use serde::Serialize;

/// A distribution in five numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Distribution {
    pub(crate) mean: f64,
    pub(crate) median: f64,
    /// The third quartile.
    pub(crate) q3: f64,
    pub(crate) max: f64,
}

impl Distribution {
    /// `None` without values.
    pub(crate) fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_by(f64::total_cmp);
        Some(Self {
            mean: values.iter().sum::<f64>() / values.len() as f64,
            median: quantile(&values, 0.5)?,
            q3: quantile(&values, 0.75)?,
            max: *values.last()?,
        })
    }
}

/// A quantile of sorted values, linear between two of them.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share * last as f64;
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    Some(sorted[low] + (sorted[high] - sorted[low]) * (place - low as f64))
}

/// How well a method does on signals with a period.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Summary {
    /// How many signals it was asked about.
    pub(crate) signals: usize,
    /// The share of them in which it found a period.
    pub(crate) found_fraction: f64,
    /// `|T − T̄|/T̄` where it found one.
    pub(crate) error_of_found: Option<Distribution>,
    /// The same of all, with its best guess where it found none.
    pub(crate) error_of_all: Option<Distribution>,
    /// The median of its confidence where it found one.
    pub(crate) median_confidence: Option<f64>,
}

impl Summary {
    /// `None` where the method was asked about none of the signals.
    pub(crate) fn of(method: Method, answered: &[&Answered]) -> Option<Self> {
        let periodic = answered.iter().filter(|one| one.is_periodic());
        let asked: Vec<(&Answered, Answer)> = periodic
            .filter_map(|one| Some((*one, one.answers[method as usize]?)))
            .collect();
        let signals = asked.len();
        let found: Vec<_> = asked.iter().filter(|(_, a)| a.found.is_some()).collect();
        let mut confidences: Vec<f64> = found.iter().filter_map(|(_, a)| a.confidence).collect();
        confidences.sort_by(f64::total_cmp);
        let errors = |period: fn(&Answer) -> Option<f64>| {
            let errors = asked.iter().filter_map(|(one, a)| one.error(period(a)?));
            Distribution::of(errors.collect())
        };
        (signals > 0).then(|| Self {
            signals,
            found_fraction: found.len() as f64 / signals as f64,
            error_of_found: errors(|answer| answer.found),
            error_of_all: errors(|answer| answer.guess),
            median_confidence: quantile(&confidences, 0.5),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_values() {
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.5), Some(2.0));
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), Some(3.0));
        assert_eq!(quantile(&[], 0.5), None);
        let even = Distribution::of(vec![4.0, 1.0, 2.0, 3.0]).expect("values");
        assert_eq!(
            (even.mean, even.median, even.q3, even.max),
            (2.5, 2.5, 3.25, 4.0)
        );
    }

    #[test]
    fn guesses_count_only_among_all() {
        let of = |found: Option<f64>, guess| Answered {
            truths: vec![10.0, 100.0],
            answers: [
                Some(Answer {
                    found,
                    guess: Some(guess),
                    confidence: Some(0.7),
                }),
                None,
                None,
                None,
            ],
            ..Answered::default()
        };
        let answered = [of(Some(11.0), 11.0), of(None, 5.0)];
        let all: Vec<_> = answered.iter().collect();
        let summary = Summary::of(Method::Iotempo, &all).expect("asked");
        assert_eq!(summary.found_fraction, 0.5);
        assert!((summary.error_of_found.expect("one").max - 0.1).abs() < 1e-12);
        assert!((summary.error_of_all.expect("two").mean - 0.3).abs() < 1e-12);
        assert_eq!(Summary::of(Method::Ftio, &all), None);
    }
}
