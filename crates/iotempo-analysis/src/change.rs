//! Whether the time from phase to phase has changed for good.
//!
//! Periods are compared as ratios, so that a change from 1 s to 2 s and one from 1 h to 2 h are the
//! same change.
//!
//! ```
//! use iotempo_analysis::change::ChangeDetector;
//! use iotempo_model::Seconds;
//!
//! let mut detector = ChangeDetector::default();
//! let periods = [3600.0, 3650.0, 3570.0, 3610.0, 3590.0, 7200.0, 7150.0, 7240.0];
//! let changes = periods.map(|period| detector.push(Seconds::new(period).unwrap()));
//! let change = changes[7].expect("three of the new period suffice");
//! assert!((change.ratio - 2.0).abs() < 0.02);
//! assert!(changes[..7].iter().all(Option::is_none));
//! ```

use iotempo_model::Seconds;
use serde::Serialize;

/// How many new periods may make a change, and the sum of their scores that does: one or two are
/// late or missed phases, and what three do not tell, six may.
///
/// Chosen with the tests of this module for less than one false alarm in 1000 periods. A steady
/// drift makes 5.3 and 10.4 at most.
const ALARMS: [(usize, f64); 2] = [(3, 6.2), (6, 11.0)];
/// Fewest periods that they are compared with.
const FEWEST: usize = 3;
/// Most periods that are remembered: older ones are forgotten, so that a slow drift is no change.
const MOST: usize = 64;
/// How much one period can count, in standard deviations: two of three can never be enough.
const MOST_SCORE: f64 = 2.6;
/// Scatter is never known to be less than this share of a period.
const LEAST_SCATTER: f64 = 0.05;
/// The scatter that is assumed before anything is known, and how many periods that is worth.
const ASSUMED_SCATTER: (f64, f64) = (0.17, 6.0);
/// Makes the median absolute deviation estimate σ of a normal distribution: `1/Φ⁻¹(3/4)`.
const MAD_TO_SIGMA: f64 = 1.4826;
/// Periods further from the median than this many σ count as if they were that far.
const TAIL: f64 = 2.0;
/// Makes the variance of a normal distribution without its tails that of the whole.
const TAILS: f64 = 1.1;

/// A period that has become another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Change {
    /// The new period as a multiple of the old one.
    pub ratio: f64,
    /// How many of the last periods are new ones.
    pub new_periods: usize,
}

/// Watches one period after the other and tells when they have become longer or shorter.
///
/// A cumulative sum over the last three, and over the last six: by how many standard deviations
/// each is off the mean of those before. Mean and standard deviation are without tails, and after a
/// change the scatter, as a share of the period, is expected to stay as it was.
///
/// ×0.5, ×1.5, ×2 and ×5 are found with the third new period where the scatter is up to 5 %; 95 %
/// of ×1.5 at 10 %. At 20 % it is all of ×5, nine in ten of ×0.5 and ×2, and four in ten of ×1.5:
/// there no test of three periods with one false alarm in 1000 finds more than two thirds. Of six,
/// it finds 97 % and 70 %.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangeDetector {
    /// Logarithms of the last periods.
    logs: Vec<f64>,
    expected_scatter: f64,
}

impl Default for ChangeDetector {
    fn default() -> Self {
        Self {
            logs: Vec::new(),
            expected_scatter: ASSUMED_SCATTER.0,
        }
    }
}

impl ChangeDetector {
    /// Takes the next period. After a change, only its new periods are remembered. What is not
    /// positive is no period.
    pub fn push(&mut self, period: Seconds) -> Option<Change> {
        if period.get() <= 0.0 {
            return None;
        }
        if self.logs.len() == MOST {
            self.logs.remove(0);
        }
        self.logs.push(period.get().ln());
        ALARMS
            .iter()
            .find_map(|&(new, alarm)| self.compare(new, alarm))
    }

    /// Compares the last few periods with those before.
    fn compare(&mut self, new: usize, alarm: f64) -> Option<Change> {
        let old = self.logs.len().checked_sub(new).filter(|&n| n >= FEWEST)?;
        let middle = median(self.logs[..old].to_vec());
        let deviations: Vec<f64> = self
            .logs
            .iter()
            .map(|log| deviation(log - middle))
            .collect();
        let (mean, scatter) = self.usual(&deviations[..old]);
        // The mean of a few periods is itself uncertain, and is so for all new ones at once.
        let scale = scatter * (1.0 + new as f64 / old as f64).sqrt();
        let scores = deviations[old..].iter().map(|d| (d - mean) / scale);
        let sum: f64 = scores.map(|z| z.clamp(-MOST_SCORE, MOST_SCORE)).sum();
        (sum.abs() > alarm).then(|| self.restart(old, middle, scatter))
    }

    /// Forgets the old periods. Their scatter is what is expected of the new ones.
    fn restart(&mut self, old: usize, middle: f64, scatter: f64) -> Change {
        self.logs.drain(..old);
        self.expected_scatter = scatter;
        let new = self.logs.iter().sum::<f64>() / self.logs.len() as f64;
        Change {
            ratio: (new - middle).exp(),
            new_periods: self.logs.len(),
        }
    }

    /// Mean and standard deviation without tails; the fewer periods, the more the expected scatter
    /// counts.
    fn usual(&self, deviations: &[f64]) -> (f64, f64) {
        let n = deviations.len() as f64;
        let weight = ASSUMED_SCATTER.1;
        let with_expected = |squares: f64| {
            let expected = weight * self.expected_scatter.powi(2);
            ((expected + squares) / (weight + n)).sqrt()
        };
        let sizes = deviations.iter().map(|d| d.abs()).collect();
        let first = with_expected(n * (MAD_TO_SIGMA * median(sizes)).powi(2));
        let bound = TAIL * first;
        let kept = || deviations.iter().map(|d| d.clamp(-bound, bound));
        let mean = kept().sum::<f64>() / n;
        let squares: f64 = kept().map(|d| (d - mean).powi(2)).sum();
        (mean, with_expected(TAILS * squares).max(LEAST_SCATTER))
    }
}

/// How far a period is off, of the difference of logarithms: `2(√r − 1)` of a ratio `r`. As likely
/// up as down both where periods scatter and where their logarithms do, or nearly so.
fn deviation(log_ratio: f64) -> f64 {
    const FURTHEST: f64 = 1e6;
    (2.0 * (log_ratio / 2.0).exp_m1()).min(FURTHEST)
}

/// The middle of at least one number.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let n = numbers.len();
    f64::midpoint(numbers[(n - 1) / 2], numbers[n / 2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::f64::consts::TAU;

    /// How periods of 1 s scatter.
    #[derive(Debug, Clone, Copy)]
    enum Jitter {
        /// Their lengths are normally distributed.
        Normal(f64),
        /// Their logarithms are.
        LogNormal(f64),
    }

    fn normal(random: &mut ChaCha8Rng) -> f64 {
        let (a, b): (f64, f64) = (random.random(), random.random());
        (-2.0 * (1.0 - a).ln()).sqrt() * (TAU * b).cos()
    }

    fn period(jitter: Jitter, random: &mut ChaCha8Rng) -> f64 {
        match jitter {
            Jitter::Normal(share) => (1.0 + share * normal(random)).max(0.05),
            Jitter::LogNormal(share) => (share * normal(random)).exp(),
        }
    }

    fn push(detector: &mut ChangeDetector, period: f64) -> Option<Change> {
        detector.push(Seconds::new(period).expect("finite"))
    }

    /// The share of changes that are found within so many new periods, after 6 to 39 old ones.
    fn found(jitter: Jitter, ratio: f64, within: usize) -> f64 {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut one = |old: usize| {
            let mut detector = ChangeDetector::default();
            for _ in 0..old {
                push(&mut detector, period(jitter, &mut random));
            }
            let mut new =
                (0..within).map(|_| push(&mut detector, ratio * period(jitter, &mut random)));
            new.any(|change| change.is_some())
        };
        let runs = 1000;
        let hits = (0..runs).filter(|run| one(6 + run % 34)).count();
        hits as f64 / runs as f64
    }

    fn false_alarms_in_1000(jitter: Jitter) -> f64 {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        let mut detector = ChangeDetector::default();
        let periods = (0..200_000).map(|_| period(jitter, &mut random));
        periods
            .filter(|&p| push(&mut detector, p).is_some())
            .count() as f64
            / 200.0
    }

    #[test]
    fn there_is_less_than_one_false_alarm_in_1000_periods() {
        for share in [0.02, 0.1, 0.2] {
            for jitter in [Jitter::Normal(share), Jitter::LogNormal(share)] {
                let alarms = false_alarms_in_1000(jitter);
                assert!(alarms < 1.0, "{jitter:?}: {alarms} in 1000");
            }
        }
    }

    #[test]
    fn changes_are_found_with_the_third_new_period() {
        // The least share that is found, by jitter, of ×0.5, ×1.5, ×2 and ×5.
        let least = [
            (0.05, [1.0, 1.0, 1.0, 1.0]),
            (0.1, [1.0, 0.94, 1.0, 1.0]),
            (0.2, [0.9, 0.4, 0.9, 1.0]),
        ];
        for (share, least) in least {
            for (ratio, least) in [0.5, 1.5, 2.0, 5.0].into_iter().zip(least) {
                for jitter in [Jitter::Normal(share), Jitter::LogNormal(share)] {
                    let found = found(jitter, ratio, 3);
                    assert!(found >= least, "{jitter:?}, ×{ratio}: {found}");
                }
            }
        }
    }

    #[test]
    fn what_the_third_does_not_tell_later_ones_do() {
        for jitter in [Jitter::Normal(0.2), Jitter::LogNormal(0.2)] {
            for (ratio, within, least) in [
                (0.5, 6, 0.97),
                (2.0, 6, 0.97),
                (1.5, 6, 0.7),
                (1.5, 10, 0.78),
            ] {
                let found = found(jitter, ratio, within);
                assert!(found >= least, "{jitter:?}, ×{ratio}: {found}");
            }
        }
    }

    #[test]
    fn a_missed_phase_is_no_change() {
        let mut detector = ChangeDetector::default();
        for i in 0..100 {
            let period = if i % 10 == 9 { 20.0 } else { 10.0 };
            assert_eq!(push(&mut detector, period), None, "period {i}");
        }
    }

    #[test]
    fn a_period_that_drifts_by_a_hundredth_each_time_is_no_change() {
        let mut detector = ChangeDetector::default();
        let mut period = 10.0;
        for _ in 0..50 {
            period *= 1.01;
            assert_eq!(push(&mut detector, period), None);
        }
    }

    #[test]
    fn every_change_of_several_is_found_and_none_twice() {
        let mut detector = ChangeDetector::default();
        for (ratio, period) in [(None, 10.0), (Some(0.5), 5.0), (Some(5.0), 25.0)] {
            let changes: Vec<Change> = (0..8).filter_map(|_| push(&mut detector, period)).collect();
            let ratios: Vec<f64> = changes.iter().map(|change| change.ratio).collect();
            assert_eq!(ratios.len(), usize::from(ratio.is_some()), "{period}");
            assert!(ratios.iter().zip(ratio).all(|(a, b)| (a - b).abs() < 1e-9));
        }
    }

    #[test]
    fn nonsense_is_no_period() {
        let mut detector = ChangeDetector::default();
        for period in [
            0.0,
            -1.0,
            1e-300,
            1e300,
            1.0,
            1e-300,
            1e300,
            1e300,
            5e-324,
            f64::MAX,
        ] {
            push(&mut detector, period);
        }
        assert!(detector.expected_scatter.is_finite());
        assert!(detector.logs.iter().all(|log| log.is_finite()));
    }

    proptest! {
        #[test]
        fn an_hour_is_answered_as_a_second_is(
            periods in prop::collection::vec(0.2_f64..5.0, 0..120),
            unit in prop::sample::select(vec![1e-6, 60.0, 3600.0, 1e7]),
        ) {
            let (mut small, mut large) = (ChangeDetector::default(), ChangeDetector::default());
            for period in periods {
                let (a, b) = (push(&mut small, period), push(&mut large, unit * period));
                prop_assert_eq!(a.is_some(), b.is_some());
                if let Some((a, b)) = a.zip(b) {
                    prop_assert!((a.ratio / b.ratio - 1.0).abs() < 1e-9);
                }
            }
        }
    }
}
