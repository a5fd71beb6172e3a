//! How much longer jobs take when the system is busy.

use super::measured::enough_days;
use super::{Points, StudySettings};
use crate::association::{Blocks, Bootstrap, Interval, Method, Undetermined};
use serde::Serialize;

/// From which load on a system is busy.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Busy {
    /// In the unit of loads.
    pub from: f64,
    /// Whether these are the busiest hours of the log, and not the busiest runs of the group.
    pub hours: bool,
}

/// Times of jobs on a busy system beside those on one that is not.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Slowdown {
    /// The median time of jobs on a busy system, as a multiple of that of the others.
    pub ratio: f64,
    /// Between which values it would lie, had other days been seen; `None` where they are of too few days.
    pub interval: Option<Interval>,
    /// What busy means.
    pub busy: Busy,
    /// How many jobs ran then.
    pub busy_jobs: usize,
    /// Their median time, in seconds.
    pub busy_median_s: f64,
    /// How many ran at other times.
    pub other_jobs: usize,
    /// Their median time, in seconds.
    pub other_median_s: f64,
}

/// The fewest jobs that a median is taken of.
const FEWEST: usize = 5;
/// The busiest share of hours, or of runs.
pub(super) const BUSIEST: f64 = 0.1;

pub(super) fn slowdown(
    settings: &StudySettings,
    points: &Points,
    blocks: &Blocks,
    busy: Option<Busy>,
) -> Result<Slowdown, Undetermined> {
    settings.enough(points)?;
    let parted = |busy: &Busy| {
        let busies = count_from(points, busy.from);
        busies >= FEWEST && points.time.len() - busies >= FEWEST
    };
    let busy = match busy.filter(parted) {
        Some(busy) => busy,
        None => busiest_runs(points)?,
    };
    let all: Vec<u32> = (0..points.time.len() as u32).collect();
    let parts = |drawn: &[u32]| -> [Vec<f64>; 2] {
        let mut parts = [Vec::new(), Vec::new()];
        for &point in drawn {
            let point = point as usize;
            parts[usize::from(points.load[point] >= busy.from)].push(points.time[point]);
        }
        parts
    };
    let [mut others, mut busies] = parts(&all);
    let found = others.len().min(busies.len());
    if found < FEWEST {
        return Err(Undetermined::TooFew {
            needed: FEWEST,
            found,
        });
    }
    let (other_median_s, busy_median_s) = (median(&mut others), median(&mut busies));
    let ratio = ratio(busy_median_s, other_median_s).ok_or(Undetermined::Setting {
        name: "time that others are held against",
        value: other_median_s,
    })?;
    let bootstrap = Bootstrap {
        count: settings.resamples,
        level: settings.level,
        method: Method::Percentile,
        seed: settings.seed,
        threads: settings.threads,
    };
    let interval = enough_days(points, blocks).and_then(|()| {
        bootstrap.interval_of(ratio, blocks, |drawn| {
            let [mut others, mut busies] = parts(drawn);
            let some = !others.is_empty() && !busies.is_empty();
            some.then(|| self::ratio(median(&mut busies), median(&mut others)))
                .flatten()
        })
    });
    Ok(Slowdown {
        ratio,
        interval: interval.ok(),
        busy,
        busy_jobs: busies.len(),
        busy_median_s,
        other_jobs: others.len(),
        other_median_s,
    })
}

fn count_from(points: &Points, from: f64) -> usize {
    points.load.iter().filter(|load| **load >= from).count()
}

/// The tenth of the runs that met the highest loads.
fn busiest_runs(points: &Points) -> Result<Busy, Undetermined> {
    let mut loads = points.load.clone();
    loads.sort_unstable_by(f64::total_cmp);
    let busiest = ((BUSIEST * loads.len() as f64).ceil() as usize).max(FEWEST);
    let at = loads.len().checked_sub(busiest).filter(|at| *at > 0);
    let from = at.map(|at| loads[at]).ok_or(Undetermined::TooFew {
        needed: 2 * FEWEST,
        found: loads.len(),
    })?;
    Ok(Busy { from, hours: false })
}

fn ratio(busy: f64, other: f64) -> Option<f64> {
    Some(busy / other).filter(|ratio| other > 0.0 && ratio.is_finite())
}

pub(super) fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}
