//! What repetitions of one benchmark tell: their median, their spread, and whether they are of two kinds.
//!
//! Caches make repetitions bimodal: the same run takes hundreds of MB/s, or tens of GB/s. A mean lies
//! where no run ever was; so the point estimate is the median, and the two kinds are described apart.

use super::numbers::{mean, quantile, sorted};
use serde::Serialize;

/// Neighbours among sorted repetitions that differ by more than this factor are of different kinds.
pub const BIMODAL_RATIO: f64 = 5.0;

/// Repetitions in a few numbers, in bytes per second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Distribution {
    /// How many repetitions there are.
    pub repetitions: usize,
    /// The mean, as the paper has it.
    pub mean: f64,
    /// Half of the repetitions are slower.
    pub median: f64,
    /// A tenth of them is slower.
    pub low: f64,
    /// A tenth of them is faster.
    pub high: f64,
    /// Where they are of two kinds.
    pub modes: Option<TwoModes>,
}

/// Repetitions of two kinds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TwoModes {
    /// The median of the slow ones.
    pub slow: f64,
    /// The median of the fast ones.
    pub fast: f64,
    /// The share of the fast ones.
    pub fast_share: f64,
}

impl Distribution {
    /// Of bandwidths that are finite and above 0; `None` where there are none.
    #[must_use]
    pub fn of(bandwidths: &[f64]) -> Option<Self> {
        let sorted = sorted(bandwidths);
        Some(Self {
            repetitions: sorted.len(),
            mean: mean(&sorted),
            median: quantile(&sorted, 0.5)?,
            low: quantile(&sorted, 0.1)?,
            high: quantile(&sorted, 0.9)?,
            modes: TwoModes::of_sorted(&sorted),
        })
    }
}

impl TwoModes {
    /// Splits at the widest gap on a logarithmic scale, where that is wide enough.
    #[must_use]
    pub fn of(bandwidths: &[f64]) -> Option<Self> {
        Self::of_sorted(&sorted(bandwidths))
    }

    fn of_sorted(sorted: &[f64]) -> Option<Self> {
        let gap = |split: &usize| sorted[*split] / sorted[split - 1];
        let split = (1..sorted.len()).max_by(|a, b| gap(a).total_cmp(&gap(b)))?;
        if gap(&split) <= BIMODAL_RATIO {
            return None;
        }
        let (slow, fast) = sorted.split_at(split);
        Some(Self {
            slow: quantile(slow, 0.5)?,
            fast: quantile(fast, 0.5)?,
            fast_share: fast.len() as f64 / sorted.len() as f64,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// RR-9366, table 9, in MB/s: no I/O nodes.
    const APPLICATION: [f64; 5] = [488.3, 526.2, 331.5, 41971.4, 409.7];
    const BENCHMARK: [f64; 5] = [370.1, 287.1, 52145.5, 50370.5, 383.0];

    #[test]
    fn the_means_and_medians_of_hacc_are_those_of_the_report() {
        let application = Distribution::of(&APPLICATION).unwrap();
        let benchmark = Distribution::of(&BENCHMARK).unwrap();
        assert!((application.mean - 8745.42).abs() < 0.01);
        assert!((benchmark.mean - 20711.24).abs() < 0.01);
        assert_eq!((application.median, benchmark.median), (488.3, 383.0));
    }

    #[test]
    fn runs_of_hacc_are_of_two_kinds() {
        let modes = TwoModes::of(&BENCHMARK).unwrap();
        assert_eq!((modes.slow, modes.fast), (370.1, 51258.0));
        assert_eq!(modes.fast_share, 0.4);
        assert_eq!(TwoModes::of(&APPLICATION).unwrap().fast_share, 0.2);
    }

    #[test]
    fn a_gap_of_just_five_is_no_second_kind() {
        assert_eq!(TwoModes::of(&[1.0, 5.0]), None);
        assert!(TwoModes::of(&[1.0, 5.1]).is_some());
        assert_eq!(TwoModes::of(&[1.0]), None);
        assert_eq!(TwoModes::of(&[]), None);
        assert_eq!(Distribution::of(&[]), None);
    }
}
