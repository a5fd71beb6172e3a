//! A group, studied.

use super::args::CorrelateArgs;
use super::group::{Subject, Traced};
use crate::human::plural;
use iotempo_analysis::association::{Coefficient, Undetermined, benjamini_hochberg};
use iotempo_analysis::correlate::study::{
    Busy, Curves, Expected, Grain, Lag, Measured, Points, Study, StudySettings, grains, lags,
    shifted,
};
use iotempo_analysis::correlate::{
    During, JobMetrics, Load, LoadMetric, Measure, TimeMetric, Traffic,
};
use serde::Serialize;

/// What is known of a group.
pub(super) struct Studied {
    pub(super) subject: Subject,
    pub(super) study: Study,
    pub(super) curves: Curves,
    /// The paper's own numbers, φ^D beside ψ^D read and written, or of operations φ^U_M beside ψ^O of all the
    /// job's time, to show what is built into them.
    pub(super) literal: Vec<Literal>,
    pub(super) grains: Vec<Grain>,
    pub(super) lags: Vec<Lag>,
    pub(super) expected: Option<Result<Expected, Undetermined>>,
    /// The chance of its rank correlation, corrected for the number of groups.
    pub(super) adjusted: Option<f64>,
}

/// What a paper's pair of metrics gives.
pub(super) struct Literal {
    pub(super) traffic: Traffic,
    pub(super) time: TimeMetric,
    pub(super) study: Study,
}

/// What is to be said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Verdict {
    SlowsDown,
    SpeedsUp,
    /// It depends on the load, but ranks and the busiest tenth point in opposite directions.
    Mixed,
    NoSign,
    Undetermined,
}

/// A chance that is small enough to speak of a dependence.
const SMALL: f64 = 0.05;
/// A chance, and a corrected distance correlation, from which on a bent dependence is spoken of: nobody corrects
/// these for the number of groups.
const SURE: f64 = 0.005;
const BENT: f64 = 0.1;
/// Times that differ by less than this share are the same.
const NEARLY: f64 = 0.02;

/// Studies all groups, the surest and strongest first.
pub(super) fn study(
    subjects: Vec<Subject>,
    words: &CorrelateArgs,
    settings: &StudySettings,
    done: impl Fn(),
) -> Vec<Studied> {
    let mut all: Vec<Studied> = subjects
        .into_iter()
        .map(|subject| {
            let studied = one(subject, words, settings);
            done();
            studied
        })
        .collect();
    let chances: Vec<Option<f64>> = all
        .iter()
        .map(|studied| studied.study.telling().and_then(|rank| rank.chance()))
        .collect();
    for (studied, adjusted) in all.iter_mut().zip(benjamini_hochberg(&chances)) {
        studied.adjusted = adjusted;
    }
    all.sort_by(|a, b| {
        let key = |studied: &Studied| {
            let strength = studied
                .study
                .telling()
                .map_or(-1.0, |rank| without_built_in(rank).abs());
            (studied.verdict() >= Verdict::NoSign, -strength)
        };
        let (a, b) = (key(a), key(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    all
}

/// What is left of a coefficient without what is built in, where anything is.
fn without_built_in(measured: &Measured) -> f64 {
    let null = measured.shifted.as_ref();
    let null = null.filter(|null| null.keeps_built_in);
    null.map_or(measured.value, |null| null.excess(measured.value))
}

/// Where groups have the least chance that so many tries can give, and that is not small among so many groups.
pub(super) fn floor(groups: &[Studied], of_logs: bool) -> Option<String> {
    let told = groups.iter().filter(|one| one.adjusted.is_some()).count();
    let least = |studied: &&Studied| {
        let rank = studied.study.telling()?;
        let tries = match &rank.shifted {
            Some(null) => null.values.len(),
            None => rank.permuted.as_ref().ok()?.permutations,
        };
        let at_floor = rank.chance()? * (1 + tries) as f64 <= 1.0 + 1e-9;
        let corrected = studied.adjusted.filter(|chance| *chance > SMALL)?;
        at_floor.then_some((tries, rank.shifted.is_some(), corrected))
    };
    let stuck: Vec<(usize, bool, f64)> = groups.iter().filter_map(|one| least(&one)).collect();
    let &(tries, by_days, corrected) = stuck.first()?;
    let needed = (told as f64 / SMALL).ceil() as usize - 1;
    let way = match (by_days, of_logs) {
        (false, _) => format!("--permutations {needed} would tell"),
        (true, true) => format!("--shifts {needed} and a log of as many days would tell"),
        (true, false) => format!("{} days would tell", needed + 1),
    };
    Some(format!(
        "{} with the least chance that {tries} tries can give, which is {} after correction for {}: {way}",
        plural(stuck.len() as u64, "group"),
        super::words::percent(corrected),
        plural(told as u64, "group")
    ))
}

fn one(subject: Subject, words: &CorrelateArgs, settings: &StudySettings) -> Studied {
    let points = &subject.points;
    let mut studied = match &subject.traced {
        None => (
            settings.study(points, &[], None),
            Vec::new(),
            Vec::new(),
            Vec::new(),
        ),
        Some(traced) => of_logs(traced, points, words, settings),
    };
    let expected = words.predict.map(|load| settings.expected(points, load));
    Studied {
        curves: settings.curves(points),
        expected,
        study: studied.0,
        literal: std::mem::take(&mut studied.1),
        grains: studied.2,
        lags: studied.3,
        adjusted: None,
        subject,
    }
}

type OfLogs = (Study, Vec<Literal>, Vec<Grain>, Vec<Lag>);

fn of_logs(
    traced: &Traced,
    points: &Points,
    words: &CorrelateArgs,
    settings: &StudySettings,
) -> OfLogs {
    let load = &*traced.load;
    let looked_at = |during: During| -> Vec<JobMetrics> {
        let jobs = traced.jobs.iter();
        jobs.map(|job| job.during(during)).collect()
    };
    let jobs = looked_at(traced.time.during());
    let jobs: Vec<&JobMetrics> = jobs.iter().collect();
    let elsewhere = |jobs: &[&JobMetrics], metric: LoadMetric| {
        let count = words.sure.shifts;
        shifted(jobs, load, metric, count, settings.seed, settings.threads)
    };
    let busy = busy(load, traced.metric);
    let mut study = settings.study(points, &elsewhere(&jobs, traced.metric), busy);
    if traced.metric.measure == Measure::Volume {
        study.slowdown = Err(Undetermined::BuiltIn);
        if let Some(within) = &mut study.within {
            within.slowdown = Err(Undetermined::BuiltIn);
        }
    }
    let (time, traffic) = match traced.metric.traffic.is_bytes() {
        true => (
            TimeMetric::Touched,
            [Traffic::BytesRead, Traffic::BytesWritten],
        ),
        false => (TimeMetric::Meta, [Traffic::Reads, Traffic::Writes]),
    };
    let of_paper = looked_at(time.during());
    let of_paper: Vec<&JobMetrics> = of_paper.iter().collect();
    let literal = traffic.into_iter().filter_map(|traffic| {
        let metric = LoadMetric {
            traffic,
            measure: Measure::Volume,
            monitored: traced.metric.monitored,
        };
        let points = paired(&of_paper, load, time, metric)?;
        Some(Literal {
            traffic,
            time,
            study: settings.study(&points, &elsewhere(&of_paper, metric), None),
        })
    });
    let literal = literal.collect();
    let pair = (traced.time, traced.metric);
    let most = usize::from(words.sure.grains);
    (
        study,
        literal,
        grains(&jobs, load, pair, most),
        lags(&jobs, load, pair),
    )
}

/// Two columns of the same jobs; `None` where one of them lacks a value.
fn paired(
    jobs: &[&JobMetrics],
    load: &Load,
    time: TimeMetric,
    metric: LoadMetric,
) -> Option<Points> {
    let mut points = Points {
        load: Vec::new(),
        time: Vec::new(),
        day: Vec::new(),
        dated: true,
    };
    for job in jobs {
        points.load.push(metric.of(job, load, 0.0).ok()?);
        points.time.push(time.of(job, load).ok()?);
        points
            .day
            .push((job.span.start_s / 86_400.0).floor() as i64);
    }
    Some(points)
}

/// Whether a coefficient is hardly by chance. With few other days no chance is that small: then it is to be larger
/// than on all of them, and permuted days decide.
fn is_sure(one: &Measured) -> bool {
    let Some(null) = &one.shifted else {
        return one.chance().is_some_and(|chance| chance <= SURE);
    };
    let least = 1.0 / (1.0 + null.values.len() as f64);
    if least <= SURE {
        return null.p_value <= SURE;
    }
    let permuted = one.permuted.as_ref();
    null.p_value <= least && permuted.is_ok_and(|permuted| permuted.p_value <= SURE)
}

const HOUR_S: f64 = 3600.0;
/// Fewer hours have no busiest tenth.
const FEWEST_HOURS: usize = 24;

/// The tenth of all hours of a log in which most was moved.
fn busy(load: &Load, metric: LoadMetric) -> Option<Busy> {
    if metric.measure == Measure::Volume {
        return None;
    }
    let hours = ((load.end_s() - load.start_s()) / HOUR_S).floor() as usize;
    let rates = (0..hours).filter_map(|hour| {
        let from = load.start_s() + HOUR_S * hour as f64;
        metric.traffic.rate(load, from, from + HOUR_S).ok()
    });
    let mut rates: Vec<f64> = rates.collect();
    if rates.len() < FEWEST_HOURS {
        return None;
    }
    rates.sort_unstable_by(f64::total_cmp);
    let from = rates[(0.9 * rates.len() as f64) as usize];
    Some(Busy { from, hours: true })
}

impl Studied {
    /// What is to be said of it.
    pub(super) fn verdict(&self) -> Verdict {
        let Some(rank) = self.study.telling() else {
            return Verdict::Undetermined;
        };
        if self.hides_what_is_built_in() || self.misses_own_traffic() {
            return Verdict::Undetermined;
        }
        let built_in = rank.shifted.as_ref().map_or(0.0, |null| null.mean);
        match self.adjusted {
            None => Verdict::Undetermined,
            Some(chance) if chance > SMALL && self.bends() => Verdict::Mixed,
            Some(chance) if chance > SMALL => Verdict::NoSign,
            Some(_) => {
                let rises = rank.value > built_in;
                match rises {
                    _ if self.is_contradicted(rises) => Verdict::Mixed,
                    true => Verdict::SlowsDown,
                    false => Verdict::SpeedsUp,
                }
            }
        }
    }

    /// Whether loads grow with the length of a job by construction, and nobody knows by how much: permuted days
    /// do not have it.
    pub(super) fn hides_what_is_built_in(&self) -> bool {
        let traced = self.subject.traced.as_ref();
        let grows = traced.is_some_and(|traced| traced.metric.measure == Measure::Volume);
        let unknown = |rank: &Measured| {
            let null = rank.shifted.as_ref();
            null.is_none_or(|null| !null.keeps_built_in)
        };
        grows && self.study.telling().is_some_and(unknown)
    }

    /// Whether the servers' logs count less than most jobs moved, so that what is left without it means nothing.
    pub(super) fn misses_own_traffic(&self) -> bool {
        let traced = self.subject.traced.as_ref();
        let taken_off = traced.is_some_and(|traced| traced.metric.measure == Measure::Others);
        let loads = &self.subject.points.load;
        let negative = loads.iter().filter(|load| **load < 0.0).count();
        taken_off && 2 * negative > loads.len()
    }

    /// Whether times depend on loads, but neither rise nor fall: distances see it, and ranks do not.
    fn bends(&self) -> bool {
        let corrected = |one: &Coefficient| *one == Coefficient::DistanceCorrected;
        let distance = match &self.study.within {
            Some(within) => within.distance.as_ref(),
            None => self.study.of(corrected),
        };
        distance.is_some_and(|one| one.value > BENT && is_sure(one))
    }

    /// Whether the busiest tenth says the opposite.
    fn is_contradicted(&self, rises: bool) -> bool {
        let slowdown = self.study.cost().ok();
        slowdown.is_some_and(|slowdown| match rises {
            true => slowdown.ratio < 1.0 - NEARLY,
            false => slowdown.ratio > 1.0 + NEARLY,
        })
    }

    /// What its times are of.
    pub(super) fn time_of(&self) -> &'static str {
        match self.subject.traced.as_ref().map(|traced| traced.time) {
            None => "jobs",
            Some(TimeMetric::Job) => "jobs",
            Some(TimeMetric::Io) => "I/O",
            Some(TimeMetric::Meta) => "metadata operations",
            Some(TimeMetric::ReadWrite) => "reads and writes",
            Some(TimeMetric::Shared | TimeMetric::SharedSum | TimeMetric::SharedSlowest) => {
                "shared files"
            }
            Some(TimeMetric::Read) => "reads",
            Some(TimeMetric::Write) => "writes",
            Some(TimeMetric::Touched | TimeMetric::Monitored) => "uses of files",
        }
    }
}
