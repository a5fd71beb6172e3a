//! Relative errors, and how they are distributed.

use crate::estimate::numbers::{mean, quantile, sorted};
use serde::Serialize;

/// `|estimated − actual| / actual`.
#[must_use]
pub fn relative_error(estimated: f64, actual: f64) -> f64 {
    (estimated - actual).abs() / actual
}

/// Errors as the report on I/O forwarding tabulates them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Errors {
    /// How many there are.
    pub count: usize,
    /// The smallest.
    pub min: f64,
    /// Their mean.
    pub mean: f64,
    /// Half of them are smaller.
    pub median: f64,
    /// The largest.
    pub max: f64,
}

impl Errors {
    /// `None` of nothing.
    #[must_use]
    pub fn of(errors: &[f64]) -> Option<Self> {
        let errors = sorted(errors);
        Some(Self {
            count: errors.len(),
            min: *errors.first()?,
            mean: mean(&errors),
            median: quantile(&errors, 0.5)?,
            max: *errors.last()?,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// RR-9366, table 9, in MB/s, without I/O nodes.
    const APPLICATION: [f64; 5] = [488.3, 526.2, 331.5, 41971.4, 409.7];

    fn errors(estimated: f64) -> [f64; 5] {
        APPLICATION.map(|actual| relative_error(estimated, actual))
    }

    #[test]
    fn the_errors_of_hacc_are_those_of_the_report() {
        // The mean of the benchmark with requests of 3 MB, from the text of section 5.
        let first = errors(564.0);
        for (got, expected) in first.into_iter().zip([0.155, 0.072, 0.701, 0.987, 0.377]) {
            assert!((got - expected).abs() < 5e-4, "{got} is not {expected}");
        }
        // Table 8: 0.99 and 61.47 are the largest errors of the two benchmarks.
        assert!((Errors::of(&first).unwrap().max - 0.99).abs() < 5e-3);
        let second = [370.1, 287.1, 52145.5, 50370.5, 383.0];
        let second = errors(second.iter().sum::<f64>() / 5.0);
        assert!((Errors::of(&second).unwrap().max - 61.477).abs() < 1e-3);
    }

    #[test]
    fn medians_serve_hacc_better_than_means() {
        assert!((relative_error(383.0, 488.3) - 0.2156).abs() < 1e-4);
        assert!((relative_error(20711.24, 8745.42) - 1.368).abs() < 1e-3);
        assert_eq!(Errors::of(&[]), None);
    }
}
