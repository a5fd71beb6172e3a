//! The same log as if it had been written less often: Δ_k = kΔ.

use super::sums::Sums;
use super::system::{Load, Series};

/// The paper goes from 60 s to 1200 s.
pub const COARSEST: usize = 20;

/// Every way to merge up to `most` intervals: how many, and how many are passed over at the start. Where
/// merging begins is arbitrary, so a figure is the mean over all offsets of a factor.
pub fn granularities(most: usize) -> impl Iterator<Item = (usize, usize)> {
    (1..=most).flat_map(|factor| (0..factor).map(move |offset| (factor, offset)))
}

impl Load {
    /// `factor` intervals in a row become one, from interval `offset` on: their mean rate, which is the sum of
    /// their volumes and counts. One with a gap is a gap; what does not fill one at the end is left out.
    /// `None` where `offset` is not below `factor`, or nothing is left.
    #[must_use]
    pub fn coarser(&self, factor: usize, offset: usize) -> Option<Self> {
        if offset >= factor {
            return None;
        }
        let intervals = self.intervals().checked_sub(offset)? / factor;
        let start_s = self.start_s() + offset as f64 * self.step_s();
        let mut coarse = Self::new(start_s, self.step_s() * factor as f64, intervals).ok()?;
        for series in Series::ALL {
            let Some(sums) = self.sums(series) else {
                continue;
            };
            let merged = (0..intervals).map(|at| {
                let first = offset + at * factor;
                let known = sums.missing(first, first + factor) == 0;
                known.then(|| sums.volume(first, first + factor))
            });
            coarse.put(series, Sums::of(merged));
        }
        Some(coarse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(rates: &[Option<f64>]) -> Load {
        let load = Load::new(100.0, 10.0, rates.len()).expect("a log");
        let rates = rates.iter().copied();
        let load = load.with(Series::WriteBytes, rates.clone()).expect("rates");
        load.with(Series::ReadOperations, rates).expect("rates")
    }

    fn rates(load: &Load, series: Series) -> Vec<Option<f64>> {
        let all = 0..load.intervals();
        all.map(|at| load.rate(series, at)).collect()
    }

    #[test]
    fn rates_are_means_and_counts_are_sums_and_gaps_stay() {
        let fine = [1.0, 3.0, 5.0, 7.0, 9.0, 11.0, 13.0].map(Some);
        let coarse = load(&fine).coarser(3, 1).expect("two intervals");
        assert_eq!((coarse.start_s(), coarse.step_s()), (110.0, 30.0));
        assert_eq!(rates(&coarse, Series::WriteBytes), [Some(5.0), Some(11.0)]);
        let counts = coarse.between(Series::ReadOperations, 110.0, 140.0);
        assert_eq!(counts.expect("known").amount, 30.0 + 50.0 + 70.0);
        assert!(!coarse.has(Series::ReadBytes));
        let holes = [Some(1.0), None, Some(2.0), Some(4.0), Some(8.0)];
        let coarse = load(&holes).coarser(2, 0).expect("two intervals");
        assert_eq!(rates(&coarse, Series::WriteBytes), [None, Some(3.0)]);
        assert_eq!(coarse.missing(Series::WriteBytes), Some(1));
    }

    #[test]
    fn one_interval_is_itself() {
        let fine = load(&[Some(1.0), None, Some(2.0)]);
        assert_eq!(fine.coarser(1, 0).expect("itself"), fine);
    }

    #[test]
    fn what_cannot_be_merged_is_none() {
        let fine = load(&[Some(1.0); 4]);
        for (factor, offset) in [(0, 0), (3, 3), (5, 0), (4, 1), (usize::MAX, 0)] {
            assert!(fine.coarser(factor, offset).is_none(), "{factor} {offset}");
        }
    }

    #[test]
    fn every_offset_of_every_factor_is_listed() {
        let all: Vec<_> = granularities(3).collect();
        assert_eq!(all, [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]);
        assert_eq!(granularities(COARSEST).count(), 210);
    }
}
