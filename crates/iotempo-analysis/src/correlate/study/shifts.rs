//! The same jobs on other days: what a coefficient is where only what is built in is left.
//!
//! ψ is what was moved while a job ran, so that a job that takes longer, for whatever reason, has a larger
//! ψ. Moved by whole days, with the time of day kept, jobs meet traffic that cannot have delayed them, and
//! their ψ still grows with their length. A coefficient is evidence only as far as it differs from these.

use crate::association::{Coefficient, parallel};
use crate::correlate::{JobMetrics, Load, LoadMetric};
use crate::outliers::random::Random;
use serde::Serialize;
use std::borrow::Cow;
use std::num::NonZeroUsize;

const DAY_S: f64 = 86_400.0;

/// Loads of all jobs on other days; `None` where the log has a gap there.
pub type Shifted = Vec<Option<f64>>;

/// What a coefficient is on other days.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShiftNull {
    /// How likely it is to be as far from the mean of all as it is.
    pub p_value: f64,
    /// The mean over other days: the part that is built in.
    pub mean: f64,
    /// What 2.5 % and 97.5 % of the other days do not exceed.
    pub low: f64,
    /// See `low`.
    pub high: f64,
    /// All of them, from small to large.
    pub values: Vec<f64>,
    /// Whether jobs met other traffic for as long as they ran, so that what is built into their loads is still
    /// there: the mean is that part. Of a table loads are only put beside other jobs.
    pub keeps_built_in: bool,
}

/// The loads of the same jobs, had they met other traffic.
pub(super) struct Others<'a> {
    pub(super) count: usize,
    /// See [`ShiftNull::keeps_built_in`].
    pub(super) keeps_built_in: bool,
    pub(super) loads: Box<dyn Fn(usize) -> Cow<'a, [Option<f64>]> + Sync + 'a>,
}

impl<'a> Others<'a> {
    /// Those that are known already.
    pub(super) fn known(shifted: &'a [Shifted]) -> Self {
        Self {
            count: shifted.len(),
            keeps_built_in: true,
            loads: Box::new(|number| Cow::Borrowed(&shifted[number])),
        }
    }
}

/// By how many days jobs can be moved inside a log.
#[must_use]
pub fn days_within(load: &Load) -> i64 {
    ((load.end_s() - load.start_s()) / DAY_S).floor() as i64
}

/// The fewest days of a log whose days can be exchanged.
const FEWEST_DAYS: i64 = FEWEST_SHIFTS as i64 + 1;

/// The loads of jobs on `count` other days, drawn without repetition as long as there are any.
#[must_use]
pub fn shifted(
    jobs: &[&JobMetrics],
    load: &Load,
    metric: LoadMetric,
    count: usize,
    seed: u64,
    threads: Option<NonZeroUsize>,
) -> Vec<Shifted> {
    let days = days_within(load);
    if days < FEWEST_DAYS {
        return Vec::new();
    }
    let mut shifts: Vec<i64> = (1..days).collect();
    Random::stream(seed, u64::MAX).shuffle(&mut shifts);
    shifts.truncate(count);
    let group = load.of_jobs(jobs);
    parallel::map(shifts.len(), threads, |(): &mut (), number| {
        let shift_s = shifts[number] as f64 * DAY_S;
        let one = |job: &&JobMetrics| {
            let hull = job.all.windows.hull()?;
            let shift_s = load.wrapped(hull.start_s(), hull.end_s(), shift_s);
            metric.elsewhere(job, load, &group, shift_s).ok()
        };
        jobs.iter().map(one).collect()
    })
}

/// A shift that so large a share of the jobs has no load on tells nothing.
const MOST_MISSING: f64 = 0.2;
/// Fewer shifts than these make no distribution.
pub const FEWEST_SHIFTS: usize = 19;

impl ShiftNull {
    /// `None` where there are too few other days.
    #[must_use]
    pub fn of(
        coefficient: Coefficient,
        observed: f64,
        time: &[f64],
        shifted: &[Shifted],
        threads: Option<NonZeroUsize>,
    ) -> Option<Self> {
        let others = Others::known(shifted);
        Self::among(coefficient, observed, time, &others, threads)
    }

    pub(super) fn among(
        coefficient: Coefficient,
        observed: f64,
        time: &[f64],
        others: &Others<'_>,
        threads: Option<NonZeroUsize>,
    ) -> Option<Self> {
        let values = parallel::map(others.count, threads, |(): &mut (), number| {
            let loads = (others.loads)(number);
            let met = loads.iter().zip(time);
            let met = met.filter_map(|(load, time)| Some(((*load)?, *time)));
            let (loads, times): (Vec<f64>, Vec<f64>) = met.unzip();
            let missing = time.len() - loads.len();
            let enough = missing as f64 <= MOST_MISSING * time.len() as f64;
            enough
                .then(|| coefficient.of(&loads, &times).ok())
                .flatten()
        });
        let mut values: Vec<f64> = values.into_iter().flatten().collect();
        if values.len() < FEWEST_SHIFTS {
            return None;
        }
        values.sort_unstable_by(f64::total_cmp);
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        // The observed value is one of them if nothing is to be seen, and so has its part in the middle.
        let middle = (mean * count + observed) / (count + 1.0);
        let distance = |value: f64| match coefficient.is_signed() {
            true => (value - middle).abs(),
            false => value,
        };
        let far = values
            .iter()
            .filter(|value| distance(**value) >= distance(observed));
        let quantile = |share: f64| values[((share * count) as usize).min(values.len() - 1)];
        Some(Self {
            p_value: (1 + far.count()) as f64 / (1.0 + count),
            mean,
            low: quantile(0.025),
            high: quantile(0.975),
            values,
            keeps_built_in: others.keeps_built_in,
        })
    }

    /// What is left of a coefficient without what is built in.
    #[must_use]
    pub fn excess(&self, observed: f64) -> f64 {
        observed - self.mean
    }
}
