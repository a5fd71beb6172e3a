//! Jobs beside others of the same weeks.
//!
//! Over a year systems change: IOR's reads of one group of real jobs took 40 s until July and 230 s from August
//! on, whatever others did. Such steps hide a dependence, and where traffic changes over the year as well they
//! make one up. Inside of a few weeks both are as good as constant.

use super::measured::{Measured, measure};
use super::memory::follows_the_week;
use super::shifts::{Others, Shifted};
use super::slowdown::{Slowdown, median, slowdown};
use super::{Points, StudySettings};
use crate::association::{Coefficient, Undetermined};
use std::collections::BTreeMap;

/// What is left when jobs are held only against others of the same weeks, and of the same day of the week.
#[derive(Debug, Clone)]
pub struct Within {
    /// How long a stretch is.
    pub days: i64,
    /// How many there are; 1 where jobs are of a few weeks, and only days of the week are told apart.
    pub stretches: usize,
    /// Whether both columns follow the week, and jobs are held against those of their day of the week.
    pub weekly: bool,
    /// How many jobs are in them.
    pub jobs: usize,
    /// Spearman's coefficient of times and loads beside the medians of their stretch.
    pub rank: Measured,
    /// The corrected distance correlation of the same, which sees a dependence that neither rises nor falls.
    pub distance: Option<Measured>,
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

/// Jobs beside what is usual at their time.
pub(super) struct Beside {
    stretches: Vec<Vec<usize>>,
    /// The jobs of each day of the week, among those of all stretches, where both columns follow the week.
    weekdays: Vec<Vec<usize>>,
    points: Points,
}

impl Beside {
    /// `None` where jobs have no dates, or not enough of them, or are all of a few weeks.
    pub(super) fn new(points: &Points) -> Option<Self> {
        if !points.dated {
            return None;
        }
        let stretches = stretches(&points.day)?;
        let usual = median(&mut points.time.clone());
        let mut beside = Points {
            load: Vec::new(),
            time: Vec::new(),
            day: Vec::new(),
            dated: true,
        };
        for jobs in &stretches {
            let (load, time) = (middle(&points.load, jobs), middle(&points.time, jobs));
            if !(time > 0.0 && time.is_finite() && load.is_finite()) {
                return None;
            }
            for &job in jobs {
                beside.load.push(points.load[job] - load);
                beside.time.push(points.time[job] / time * usual);
                beside.day.push(points.day[job]);
            }
        }
        let weekly = [&beside.load, &beside.time]
            .into_iter()
            .all(|column| follows_the_week(column, &beside.day));
        if !weekly && stretches.len() < FEWEST_STRETCHES {
            return None;
        }
        let weekdays = match weekly {
            true => weekdays(&beside.day),
            false => Vec::new(),
        };
        for jobs in &weekdays {
            let (load, time) = (middle(&beside.load, jobs), middle(&beside.time, jobs));
            if time <= 0.0 {
                return None;
            }
            for &job in jobs {
                beside.load[job] -= load;
                beside.time[job] *= usual / time;
            }
        }
        Some(Self {
            stretches,
            weekdays,
            points: beside,
        })
    }

    pub(super) fn points(&self) -> &Points {
        &self.points
    }

    /// Whether jobs are held against those of their day of the week.
    pub(super) fn is_weekly(&self) -> bool {
        !self.weekdays.is_empty()
    }

    /// Other loads of the same jobs, in the same way.
    fn apart(&self, loads: &[Option<f64>]) -> Shifted {
        let mut apart = Vec::new();
        for jobs in &self.stretches {
            let middle = middle_of_known(loads, jobs);
            apart.extend(jobs.iter().map(|&job| Some(loads[job]? - middle?)));
        }
        for jobs in &self.weekdays {
            let middle = middle_of_known(&apart, jobs);
            for &job in jobs {
                apart[job] = apart[job].zip(middle).map(|(load, middle)| load - middle);
            }
        }
        apart
    }

    /// What is left of a dependence. `None` where nothing can be said of it.
    pub(super) fn study(
        &self,
        settings: &StudySettings,
        days_together: usize,
        others: Others<'_>,
    ) -> Option<Within> {
        let blocks = self.points.blocks(days_together);
        let apart = Others {
            count: others.count,
            keeps_built_in: others.keeps_built_in,
            loads: Box::new(|number| self.apart(&(others.loads)(number)).into()),
        };
        let measured = |coefficient| {
            let outcome = measure(settings, coefficient, &self.points, &blocks, &apart);
            outcome.value.ok()
        };
        Some(Within {
            days: DAYS,
            stretches: self.stretches.len(),
            weekly: self.is_weekly(),
            jobs: self.points.time.len(),
            rank: measured(Coefficient::Spearman)?,
            distance: measured(Coefficient::DistanceCorrected),
            slowdown: slowdown(settings, &self.points, &blocks, None),
        })
    }
}

/// Jobs by stretches of 30 days, or as one where there are too few of these.
fn stretches(days: &[i64]) -> Option<Vec<Vec<usize>>> {
    let first = *days.iter().min()?;
    let mut stretches: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (job, day) in days.iter().enumerate() {
        let stretch = day.saturating_sub(first) / DAYS;
        stretches.entry(stretch).or_default().push(job);
    }
    stretches.retain(|_, jobs| jobs.len() >= FEWEST_JOBS);
    let held: usize = stretches.values().map(Vec::len).sum();
    let most = held as f64 >= MOST_JOBS * days.len() as f64;
    Some(match stretches.len() >= FEWEST_STRETCHES && most {
        true => stretches.into_values().collect(),
        false => vec![(0..days.len()).collect()],
    })
}

fn weekdays(days: &[i64]) -> Vec<Vec<usize>> {
    let mut weekdays = vec![Vec::new(); 7];
    for (job, day) in days.iter().enumerate() {
        weekdays[day.rem_euclid(7) as usize].push(job);
    }
    weekdays.retain(|jobs| !jobs.is_empty());
    weekdays
}

fn middle(column: &[f64], jobs: &[usize]) -> f64 {
    let mut values: Vec<f64> = jobs.iter().map(|&job| column[job]).collect();
    median(&mut values)
}

fn middle_of_known(column: &[Option<f64>], jobs: &[usize]) -> Option<f64> {
    let mut known: Vec<f64> = jobs.iter().filter_map(|&job| column[job]).collect();
    (!known.is_empty()).then(|| median(&mut known))
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
        let within = |points: &Points| settings.study(points, &[], None).within;
        let cleared = within(&slow).unwrap();
        assert_eq!(
            (cleared.stretches, cleared.jobs, cleared.days),
            (6, 180, 30)
        );
        assert!(cleared.rank.value > 0.5, "{:?}", cleared.rank);
        assert!(cleared.rank.chance().unwrap() < 0.01);
        let cost = cleared.slowdown.unwrap();
        assert!((1.2..2.0).contains(&cost.ratio), "{cost:?}");
        let still = points(0.0);
        assert!(whole(&still) < -0.2, "{}", whole(&still));
        let nothing = within(&still).unwrap();
        assert!(nothing.rank.chance().unwrap() > 0.05, "{:?}", nothing.rank);
    }

    #[test]
    fn a_few_weeks_are_one_stretch_and_dates_are_needed() {
        let mut points = points(0.15);
        points.dated = false;
        assert!(Beside::new(&points).is_none());
        points.dated = true;
        points.day = (0..180).map(|job| job / 10).collect();
        assert!(Beside::new(&points).is_none());
        points.day = (0..180).map(|job| job * 100).collect();
        assert!(Beside::new(&points).is_none());
    }
}
