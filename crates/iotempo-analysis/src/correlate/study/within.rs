//! Jobs beside others of the same weeks.
//!
//! Over a year systems change: IOR's reads of one group of real jobs took 40 s until July and 230 s from August
//! on, whatever others did. Such steps hide a dependence, and where traffic changes over the year as well they
//! make one up. Inside of a few weeks both are as good as constant.

use super::measured::{Measured, measure};
use super::shifts::Shifted;
use super::slowdown::{Slowdown, median, slowdown};
use super::{Points, StudySettings};
use crate::association::{Blocks, Coefficient, Undetermined};
use std::collections::BTreeMap;

/// What is left when jobs are held only against others of the same weeks.
#[derive(Debug, Clone)]
pub struct Within {
    /// How long a stretch is.
    pub days: i64,
    /// How many there are.
    pub stretches: usize,
    /// How many jobs are in them.
    pub jobs: usize,
    /// Spearman's coefficient of times and loads beside the medians of their stretch.
    pub rank: Measured,
    /// How much longer jobs take in the busiest tenth of runs than is usual in their weeks.
    pub slowdown: Result<Slowdown, Undetermined>,
}

/// A verdict rests on no smaller share of the jobs.
const MOST_JOBS: f64 = 0.8;
/// The length of a stretch, in days.
const DAYS: i64 = 30;
/// Fewer stretches than this are one.
const FEWEST_STRETCHES: usize = 3;
/// Fewer jobs have no median to be held against.
const FEWEST_JOBS: usize = 5;

/// `None` where jobs have no dates, or not enough of them, or are all of a few weeks.
pub(super) fn within(
    settings: &StudySettings,
    points: &Points,
    shifted: &[Shifted],
) -> Option<Within> {
    if !points.dated {
        return None;
    }
    let first = *points.day.iter().min()?;
    let mut stretches: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (job, day) in points.day.iter().enumerate() {
        let stretch = day.saturating_sub(first) / DAYS;
        stretches.entry(stretch).or_default().push(job);
    }
    stretches.retain(|_, jobs| jobs.len() >= FEWEST_JOBS);
    let held: usize = stretches.values().map(Vec::len).sum();
    let most = held as f64 >= MOST_JOBS * points.day.len() as f64;
    if stretches.len() < FEWEST_STRETCHES || !most {
        return None;
    }
    let usual = median(&mut points.time.clone());
    let mut beside = Points {
        load: Vec::new(),
        time: Vec::new(),
        day: Vec::new(),
        dated: true,
    };
    for jobs in stretches.values() {
        let middle = |column: &[f64]| {
            let mut values: Vec<f64> = jobs.iter().map(|&job| column[job]).collect();
            median(&mut values)
        };
        let (load, time) = (middle(&points.load), middle(&points.time));
        if !(time > 0.0 && time.is_finite() && load.is_finite()) {
            return None;
        }
        for &job in jobs {
            beside.load.push(points.load[job] - load);
            beside.time.push(points.time[job] / time * usual);
            beside.day.push(points.day[job]);
        }
    }
    let others: Vec<Shifted> = shifted
        .iter()
        .map(|loads| {
            stretches
                .values()
                .flat_map(|jobs| apart(loads, jobs))
                .collect()
        })
        .collect();
    let blocks = Blocks::of(&beside.day);
    let outcome = measure(settings, Coefficient::Spearman, &beside, &blocks, &others);
    Some(Within {
        days: DAYS,
        stretches: stretches.len(),
        jobs: beside.time.len(),
        rank: outcome.value.ok()?,
        slowdown: slowdown(settings, &beside, &blocks, None),
    })
}

/// Loads of another day, beside their median.
fn apart(loads: &[Option<f64>], jobs: &[usize]) -> Vec<Option<f64>> {
    let mut known: Vec<f64> = jobs.iter().filter_map(|&job| loads[job]).collect();
    if known.is_empty() {
        return vec![None; jobs.len()];
    }
    let middle = median(&mut known);
    jobs.iter().map(|&job| Some(loads[job]? - middle)).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::outliers::random::Random;

    /// Half a year of a job a day. From day 90 on jobs take four times as long, and others move half as much.
    fn points(slope: f64) -> Points {
        let mut random = Random::stream(3, 0);
        let mut points = Points {
            load: Vec::new(),
            time: Vec::new(),
            day: Vec::new(),
            dated: true,
        };
        for day in 0..180 {
            let late = day >= 90;
            let load = random.normal().exp() * if late { 0.5 } else { 1.0 };
            let usual = if late { 400.0 } else { 100.0 };
            let noise = 0.1 * random.normal();
            points.load.push(load);
            points.time.push(usual * (1.0 + slope * load + noise));
            points.day.push(19_000 + day);
        }
        points
    }

    #[test]
    fn a_change_of_the_system_neither_hides_nor_makes_up_a_dependence() {
        let settings = StudySettings::default();
        let whole = |points: &Points| {
            Coefficient::Spearman
                .of(&points.load, &points.time)
                .unwrap()
        };
        let slow = points(0.15);
        assert!(whole(&slow) < 0.1, "{}", whole(&slow));
        let within = within(&settings, &slow, &[]).unwrap();
        assert_eq!((within.stretches, within.jobs, within.days), (6, 180, 30));
        assert!(within.rank.value > 0.5, "{:?}", within.rank);
        assert!(within.rank.chance().unwrap() < 0.01);
        let cost = within.slowdown.unwrap();
        assert!((1.2..2.0).contains(&cost.ratio), "{cost:?}");
        let still = points(0.0);
        assert!(whole(&still) < -0.2, "{}", whole(&still));
        let nothing = super::within(&settings, &still, &[]).unwrap();
        assert!(nothing.rank.chance().unwrap() > 0.05, "{:?}", nothing.rank);
    }

    #[test]
    fn a_few_weeks_are_one_stretch_and_dates_are_needed() {
        let settings = StudySettings::default();
        let mut points = points(0.15);
        points.dated = false;
        assert!(within(&settings, &points, &[]).is_none());
        points.dated = true;
        points.day = (0..180).map(|job| job / 10).collect();
        assert!(within(&settings, &points, &[]).is_none());
        points.day = (0..180).map(|job| job * 100).collect();
        assert!(within(&settings, &points, &[]).is_none());
    }
}
