//! Between which values a coefficient lies, had other jobs been seen.

use super::blocks::Blocks;
use super::coefficient::Coefficient;
use super::columns::mean;
use super::quantile::quantile;
use super::undetermined::Undetermined;
use super::{normal, parallel};
use crate::outliers::random::Random;
use serde::Serialize;
use std::num::NonZeroUsize;

/// How an interval is made of the coefficients of samples drawn anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// The middle of them: [`percentile_interval`].
    Percentile,
    /// The same, less what their median is above the value itself. Points that are drawn twice have no distance,
    /// which adds to a corrected distance correlation: of independent columns 95 % of the middle held 0 in half of
    /// all cases, and without what is added in nearly all (80 points; where columns depend, in 93 % either way).
    Unbiased,
    /// Corrected for bias and skew: [`bca_interval`].
    Bca,
}

/// A confidence interval by resampling.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// How many samples are drawn.
    pub count: usize,
    /// How sure the interval is to be, such as 0.95.
    pub level: f64,
    /// How it is made.
    pub method: Method,
    /// What samples are drawn from.
    pub seed: u64,
    /// How many threads share the work; as many as the machine runs at once where nobody says. The
    /// result does not depend on it.
    pub threads: Option<NonZeroUsize>,
}

impl Default for Bootstrap {
    /// 95 % of 1999 samples, corrected for bias and skew.
    fn default() -> Self {
        Self {
            count: 1999,
            level: 0.95,
            method: Method::Bca,
            seed: 0,
            threads: None,
        }
    }
}

/// A confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Where it begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// How sure it is.
    pub level: f64,
    /// How it was made: the percentile interval where the corrected one does not exist, because all
    /// samples lie on one side of the coefficient.
    pub method: Method,
    /// How many samples have a coefficient.
    pub samples: usize,
    /// How many have none, for example because only equal values were drawn.
    pub left_out: usize,
}

/// At most so many are left out in turn to find the skew; more are left out several at a time.
const JACKKNIFE: usize = 200;

impl Bootstrap {
    /// Draws whole blocks with replacement, as many as there are, and takes their points' coefficient;
    /// without `blocks`, draws points.
    ///
    /// # Errors
    /// Where the columns have no coefficient, there are not two blocks, or no sample has a coefficient: see
    /// [`Undetermined`]. The mutual information has no such interval: points that are drawn twice are each
    /// other's nearest neighbours.
    pub fn interval(
        &self,
        coefficient: Coefficient,
        x: &[f64],
        y: &[f64],
        blocks: Option<&Blocks>,
    ) -> Result<Interval, Undetermined> {
        if matches!(coefficient, Coefficient::Information { .. }) {
            return Err(Undetermined::Repeats);
        }
        let observed = coefficient.of(x, y)?;
        let single;
        let blocks = match blocks {
            Some(blocks) => blocks,
            None => {
                single = Blocks::single(x.len());
                &single
            }
        };
        blocks.check(x.len())?;
        self.interval_of(observed, blocks, |points| {
            let [x, y] = [x, y].map(|column| taken(column, points));
            coefficient.of(&x, &y).ok()
        })
    }

    /// The same of any number that can be told from some of the points.
    ///
    /// # Errors
    /// Where no sample has such a number.
    pub fn interval_of(
        &self,
        observed: f64,
        blocks: &Blocks,
        of: impl Fn(&[u32]) -> Option<f64> + Sync,
    ) -> Result<Interval, Undetermined> {
        if !(self.level > 0.0 && self.level < 1.0) {
            return Err(Undetermined::Setting {
                name: "level between 0 and 1",
                value: self.level,
            });
        }
        if blocks.len() < 2 {
            return Err(Undetermined::OneBlock);
        }
        let mut replicates = self.replicates(blocks, &of);
        let left_out = self.count - replicates.len();
        replicates.sort_unstable_by(f64::total_cmp);
        let mut method = self.method;
        let mut ends = None;
        if method == Method::Bca {
            ends = bca_interval(
                observed,
                &replicates,
                &self.jackknife(blocks, &of),
                self.level,
            );
        }
        if method == Method::Unbiased {
            let middle = super::quantile::quantile(&replicates, 0.5);
            ends = percentile_interval(&replicates, self.level)
                .zip(middle)
                .map(|((low, high), middle)| (low + observed - middle, high + observed - middle));
        }
        if ends.is_none() {
            method = Method::Percentile;
            ends = percentile_interval(&replicates, self.level);
        }
        let (low, high) = ends.ok_or(Undetermined::TooFew {
            needed: 1,
            found: 0,
        })?;
        Ok(Interval {
            low,
            high,
            level: self.level,
            method,
            samples: replicates.len(),
            left_out,
        })
    }

    fn replicates(&self, blocks: &Blocks, of: impl Fn(&[u32]) -> Option<f64> + Sync) -> Vec<f64> {
        let members = blocks.members();
        let drawn = parallel::map(self.count, self.threads, |(): &mut (), number| {
            let mut random = Random::stream(self.seed, number as u64);
            let draws = (0..members.len()).map(|_| &members[random.below(members.len())]);
            of(&draws.flatten().copied().collect::<Vec<u32>>())
        });
        drawn.into_iter().flatten().collect()
    }

    /// The coefficients without each block in turn, or without some neighbours where there are many.
    fn jackknife(&self, blocks: &Blocks, of: impl Fn(&[u32]) -> Option<f64> + Sync) -> Vec<f64> {
        let members = blocks.members();
        let groups = members.len().min(JACKKNIFE);
        let left = parallel::map(groups, self.threads, |(): &mut (), group| {
            let kept = |(place, _): &(usize, _)| place * groups / members.len() != group;
            let kept = members.iter().enumerate().filter(kept);
            let kept = kept.flat_map(|(_, block)| block);
            of(&kept.copied().collect::<Vec<u32>>())
        });
        left.into_iter().flatten().collect()
    }
}

fn taken(column: &[f64], points: &[u32]) -> Vec<f64> {
    points.iter().map(|&point| column[point as usize]).collect()
}

/// Between which of the replicates, from small to large, the share `level` of them lies. `None` of nothing.
#[must_use]
pub fn percentile_interval(sorted: &[f64], level: f64) -> Option<(f64, f64)> {
    let outside = 0.5 * (1.0 - level);
    Some((quantile(sorted, outside)?, quantile(sorted, 1.0 - outside)?))
}

/// The bias-corrected and accelerated interval (Efron, J. Am. Stat. Assoc. 82, 1987): of replicates from
/// small to large, those at `Φ(z₀ + (z₀ + z_α) / (1 − a(z₀ + z_α)))`, where `Φ(z₀)` of them lie below the
/// coefficient, equal ones by half, and `a = Σd³ / (6 (Σd²)^{3/2})` with `d` how far the mean of the
/// jackknife's values lies above each. As SciPy's `bootstrap(method="BCa")`.
///
/// `None` where all replicates lie on one side, or the jackknife's values do not differ.
#[must_use]
pub fn bca_interval(
    observed: f64,
    sorted: &[f64],
    jackknife: &[f64],
    level: f64,
) -> Option<(f64, f64)> {
    let below = sorted.partition_point(|value| *value < observed);
    let up_to = sorted.partition_point(|value| *value <= observed);
    let share = (below + up_to) as f64 / (2 * sorted.len().max(1)) as f64;
    if !(share > 0.0 && share < 1.0) {
        return None;
    }
    let bias = normal::quantile(share);
    let centre = mean(jackknife);
    let power = |exponent| -> f64 { jackknife.iter().map(|v| (centre - v).powi(exponent)).sum() };
    let squares = power(2);
    if squares <= 0.0 {
        return None;
    }
    let skew = power(3) / (6.0 * squares.powf(1.5));
    let end = |share: f64| {
        let moved = bias + normal::quantile(share);
        quantile(
            sorted,
            normal::cumulative(bias + moved / (1.0 - skew * moved)),
        )
    };
    let outside = 0.5 * (1.0 - level);
    Some((end(outside)?, end(1.0 - outside)?))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn columns(seed: u64, length: usize, rho: f64) -> (Vec<f64>, Vec<f64>) {
        let mut random = Random::new(seed);
        let pair = |_| {
            let (a, b) = (random.normal(), random.normal());
            (a, rho * a + (1.0 - rho * rho).sqrt() * b)
        };
        (0..length).map(pair).unzip()
    }

    fn settings(method: Method) -> Bootstrap {
        Bootstrap {
            count: 199,
            level: 0.9,
            method,
            ..Bootstrap::default()
        }
    }

    #[test]
    fn nine_of_ten_intervals_hold_the_truth() {
        for method in [Method::Percentile, Method::Bca] {
            let holds = |seed: &u64| {
                let (x, y) = columns(*seed, 60, 0.6);
                let found = settings(method).interval(Coefficient::Pearson, &x, &y, None);
                let Interval { low, high, .. } = found.unwrap();
                low <= 0.6 && 0.6 <= high
            };
            let held = (0..200).filter(holds).count();
            // 180 with a standard deviation of 4, and somewhat fewer, because samples are small.
            assert!((160..=195).contains(&held), "{method:?}: {held} of 200");
        }
    }

    #[test]
    fn blocks_that_repeat_themselves_make_wider_intervals() {
        let (x, y) = columns(4, 20, 0.5);
        let five_times = |v: &[f64]| -> Vec<f64> { v.iter().flat_map(|v| [*v; 5]).collect() };
        let (x, y) = (five_times(&x), five_times(&y));
        let labels: Vec<usize> = (0..100).map(|i| i / 5).collect();
        let width = |blocks: Option<&Blocks>| {
            let found = settings(Method::Bca).interval(Coefficient::Pearson, &x, &y, blocks);
            let Interval { low, high, .. } = found.unwrap();
            high - low
        };
        assert!(width(Some(&Blocks::of(&labels))) > 1.6 * width(None));
    }

    #[test]
    fn an_interval_without_skew_or_bias_is_that_of_percentiles() {
        let replicates: Vec<f64> = (0..=100).map(f64::from).collect();
        let (low, high) = bca_interval(50.0, &replicates, &[1.0, 2.0, 3.0], 0.9).unwrap();
        assert!((low - 5.0).abs() < 1e-9 && (high - 95.0).abs() < 1e-9);
        assert_eq!(
            percentile_interval(&replicates, 0.9).unwrap().0.round(),
            5.0
        );
        assert_eq!(bca_interval(-1.0, &replicates, &[1.0, 2.0], 0.9), None);
        assert_eq!(bca_interval(50.0, &replicates, &[1.0, 1.0], 0.9), None);
        assert_eq!(bca_interval(50.0, &[], &[], 0.9), None);
        assert_eq!(percentile_interval(&[], 0.9), None);
    }

    #[test]
    fn threads_change_nothing_and_what_has_no_interval_says_why() {
        let (x, y) = columns(1, 300, 0.3);
        let by = |threads| {
            let settings = Bootstrap {
                threads: NonZeroUsize::new(threads),
                ..settings(Method::Bca)
            };
            settings
                .interval(Coefficient::Distance, &x, &y, None)
                .unwrap()
        };
        assert_eq!(by(1), by(3));
        let information = Coefficient::Information {
            neighbours: 3,
            seed: 0,
        };
        let of = |level, coefficient| {
            let settings = Bootstrap {
                level,
                ..settings(Method::Bca)
            };
            settings.interval(coefficient, &x, &y, None).unwrap_err()
        };
        assert_eq!(of(0.9, information), Undetermined::Repeats);
        for level in [0.0, 1.0, f64::NAN] {
            assert!(matches!(
                of(level, Coefficient::Pearson),
                Undetermined::Setting { .. }
            ));
        }
    }

    #[test]
    fn samples_without_a_coefficient_are_counted() {
        let (x, y) = ([0.0, 0.0, 0.0, 1.0], [1.0, 2.0, 3.0, 4.0]);
        let found = settings(Method::Percentile).interval(Coefficient::Pearson, &x, &y, None);
        let found = found.unwrap();
        assert!(found.left_out > 0);
        assert_eq!(found.samples + found.left_out, 199);
    }
}
