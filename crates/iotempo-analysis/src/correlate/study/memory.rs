//! Whether days resemble the next ones, or those of the week before.
//!
//! Two columns that both remember go the same way now and then without having anything to do with each other:
//! to exchange single days would forget what they remember, and be too sure. Days are then kept in their order,
//! and one column is moved along the other.

use super::Points;
use super::shifts::{FEWEST_SHIFTS, Shifted};
use crate::association::{Blocks, ranks};
use crate::autocorrelation::autocorrelation;
use crate::outliers::random::Random;
use statrs::distribution::{ChiSquared, ContinuousCDF};
use std::collections::BTreeMap;

/// A correlation of days with later ones, in standard deviations of what chance gives, from which on they
/// remember: one in ten that do not is taken for one that does, and one in a hundred pairs.
const REMEMBERED: f64 = 1.3;
/// Nobody looks farther back.
const FARTHEST_DAYS: usize = 30;
/// A block is never so long that fewer of them than this are left.
const FEWEST_BLOCKS: usize = 6;
/// How sure one is to be that days of the week differ: not much, because to take them for different costs little.
const DIFFER: f64 = 0.8;
/// The fewest days of each kind.
const FEWEST_WEEKS: usize = 4;

/// How many days are to stay together, so that what both columns remember lies within: 1 where one of them
/// remembers nothing.
pub(super) fn days_together(points: &Points) -> usize {
    if !points.dated || !is_finite(&points.load) || !is_finite(&points.time) {
        return 1;
    }
    let [load, time] = [&points.load, &points.time].map(|column| daily(column, &points.day));
    let days = load.len();
    if days <= FEWEST_SHIFTS {
        return 1;
    }
    let both = reach(&load).min(reach(&time));
    (1 + 2 * both).min(days / FEWEST_BLOCKS).max(1)
}

/// Whether a column differs between days of the week.
pub(super) fn follows_the_week(column: &[f64], day: &[i64]) -> bool {
    if !is_finite(column) {
        return false;
    }
    let daily = daily(column, day);
    let values: Vec<f64> = daily.iter().map(|(_, value)| *value).collect();
    let mut of_weekday = [(0.0, 0); 7];
    for ((day, _), rank) in daily.iter().zip(ranks(&values)) {
        let (sum, count) = &mut of_weekday[day.rem_euclid(7) as usize];
        *sum += rank;
        *count += 1;
    }
    let seen = of_weekday.iter().filter(|(_, count)| *count > 0);
    let kinds = seen.clone().count();
    if kinds < 2 || seen.clone().any(|(_, count)| *count < FEWEST_WEEKS) {
        return false;
    }
    // The statistic of Kruskal and Wallis.
    let count = values.len() as f64;
    let middle = (count + 1.0) / 2.0;
    let apart = seen
        .map(|(sum, of)| f64::from(*of as u32) * (sum / f64::from(*of as u32) - middle).powi(2));
    let statistic = 12.0 / (count * (count + 1.0)) * apart.sum::<f64>();
    let chance = ChiSquared::new((kinds - 1) as f64).map(|one| one.cdf(statistic));
    chance.is_ok_and(|below| below > DIFFER)
}

/// The loads of other days, in their order: `number` says by how many days all were moved, those of the last
/// days to the first.
pub(super) struct Moved {
    blocks: Blocks,
    by: Vec<usize>,
}

impl Moved {
    /// At most `most` ways to move days; none where there are too few days.
    pub(super) fn new(points: &Points, most: usize, seed: u64) -> Option<Self> {
        let blocks = Blocks::of(&points.day);
        let mut by: Vec<usize> = (1..blocks.len()).collect();
        Random::stream(seed, u64::MAX).shuffle(&mut by);
        by.truncate(most);
        (by.len() >= FEWEST_SHIFTS).then_some(Self { blocks, by })
    }

    pub(super) fn count(&self) -> usize {
        self.by.len()
    }

    pub(super) fn loads(&self, load: &[f64], number: usize) -> Shifted {
        let days = self.blocks.members();
        let (before, behind) = days.split_at(self.by[number]);
        let mut loads = vec![None; load.len()];
        for (day, other) in days.iter().zip(behind.iter().chain(before)) {
            for (point, met) in Blocks::met(day, other) {
                loads[point] = Some(load[met]);
            }
        }
        loads
    }
}

/// The mean rank of the jobs of each day: outliers do not rule it.
fn daily(column: &[f64], day: &[i64]) -> Vec<(i64, f64)> {
    let mut days: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
    for (rank, day) in ranks(column).into_iter().zip(day) {
        let (sum, count) = days.entry(*day).or_default();
        *sum += rank;
        *count += 1.0;
    }
    let means = days
        .into_iter()
        .map(|(day, (sum, count))| (day, sum / count));
    means.collect()
}

fn is_finite(column: &[f64]) -> bool {
    column.iter().all(|value| value.is_finite())
}

/// How many days back a day is remembered.
fn reach(daily: &[(i64, f64)]) -> usize {
    let values: Vec<f64> = daily.iter().map(|(_, value)| *value).collect();
    let limit = REMEMBERED / (values.len() as f64).sqrt();
    let farthest = FARTHEST_DAYS.min(values.len() / 4);
    let Some(lags) = autocorrelation(&values) else {
        return 0;
    };
    let remembered = lags.iter().skip(1).take(farthest);
    remembered.take_while(|lag| **lag > limit).count()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn points(memory: f64, days: i64, seed: u64) -> Points {
        let mut random = Random::stream(seed, 0);
        let mut column = || -> Vec<f64> {
            let fresh = (1.0 - memory * memory).sqrt();
            let mut state = random.normal();
            let mut next = || {
                state = memory * state + fresh * random.normal();
                state
            };
            (0..days).map(|_| next()).collect()
        };
        Points {
            load: column(),
            time: column(),
            day: (0..days).collect(),
            dated: true,
        }
    }

    #[test]
    fn days_that_remember_stay_together() {
        let together = |memory: f64, days| -> Vec<usize> {
            let mut all: Vec<usize> = (0..40)
                .map(|seed| days_together(&points(memory, days, seed)))
                .collect();
            all.sort_unstable();
            all
        };
        let nothing = together(0.0, 200);
        assert!(nothing[35] == 1, "{nothing:?}");
        let some = together(0.5, 200);
        assert!(some[8] >= 3 && some[20] <= 9, "{some:?}");
        let much = together(0.9, 200);
        assert!(much[4] >= 9 && much[39] <= 33, "{much:?}");
        assert!(together(0.9, 19).iter().all(|days| *days == 1));
        let mut undated = points(0.9, 200, 1);
        undated.dated = false;
        assert_eq!(days_together(&undated), 1);
    }

    #[test]
    fn a_week_is_seen_where_there_is_one() {
        let days: Vec<i64> = (0..84).collect();
        let mut random = Random::stream(3, 0);
        let noise: Vec<f64> = days.iter().map(|_| random.normal()).collect();
        let week = |day: &i64| if day % 7 >= 5 { 2.0 } else { 0.0 };
        let weekly: Vec<f64> = noise
            .iter()
            .zip(&days)
            .map(|(x, day)| x + week(day))
            .collect();
        assert!(follows_the_week(&weekly, &days));
        assert!(!follows_the_week(&weekly[..21], &days[..21]), "three weeks");
        let seen = (0..50).filter(|seed| {
            let points = points(0.0, 84, *seed);
            follows_the_week(&points.load, &points.day)
        });
        let seen = seen.count();
        assert!(
            (4..=17).contains(&seen),
            "{seen} of 50, and a fifth is meant"
        );
        assert!(!follows_the_week(&[], &[]));
        assert!(!follows_the_week(&vec![1.0; 84], &days), "always the same");
    }

    #[test]
    fn moved_days_keep_their_order() {
        let points = Points {
            load: (0..40).map(f64::from).collect(),
            time: vec![0.0; 40],
            // Two jobs on each of twenty days.
            day: (0..40).map(|job| job / 2).collect(),
            dated: true,
        };
        let moved = Moved::new(&points, 999, 1).unwrap();
        assert_eq!(moved.count(), 19);
        let mut first: Vec<f64> = (0..19)
            .map(|number| {
                let loads = moved.loads(&points.load, number);
                let loads: Vec<f64> = loads.into_iter().map(Option::unwrap).collect();
                for (job, load) in loads.iter().enumerate() {
                    assert_eq!(*load, (loads[0] + job as f64) % 40.0);
                }
                loads[0]
            })
            .collect();
        first.sort_unstable_by(f64::total_cmp);
        assert_eq!(
            first,
            (1..20).map(|day| f64::from(2 * day)).collect::<Vec<_>>()
        );
        assert!(Moved::new(&points, 18, 1).is_none());
    }
}
