//! All results, as `period.json` states them.

use crate::calibration::Calibration;
use crate::cases::{Case, Experiment, Plan};
use crate::measure::Summary;
use crate::methods::{Answered, Method};
use serde::Serialize;
use std::collections::BTreeMap;

mod claims;

pub(crate) use claims::{Claim, Unit};

/// A value for every method that was asked.
pub(crate) type ByMethod<T> = BTreeMap<&'static str, T>;

fn by_method<T>(value: impl Fn(Method) -> Option<T>) -> ByMethod<T> {
    let values = Method::ALL.into_iter();
    values
        .filter_map(|method| Some((method.key(), value(method)?)))
        .collect()
}

/// All results.
#[derive(Debug, Serialize)]
pub(crate) struct Results {
    pub(crate) schema: &'static str,
    pub(crate) rate_hz: f64,
    pub(crate) traces_per_point: u64,
    pub(crate) trials_per_point: u64,
    pub(crate) experiments: Vec<OneExperiment>,
    pub(crate) false_periods: Vec<FalsePeriods>,
    /// Over experiments A to D and all signals without a period.
    pub(crate) calibration: ByMethod<Calibration>,
    pub(crate) claims: Vec<Claim>,
    /// How often our FTIO mode and FTIO itself say the same.
    pub(crate) agreement: Option<Agreement>,
}

/// One experiment.
#[derive(Debug, Serialize)]
pub(crate) struct OneExperiment {
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// What varies.
    pub(crate) varies: &'static str,
    pub(crate) points: Vec<Point>,
    /// All points together.
    pub(crate) all: ByMethod<Summary>,
}

/// One point of an experiment.
#[derive(Debug, Serialize)]
pub(crate) struct Point {
    pub(crate) point: String,
    pub(crate) x: f64,
    pub(crate) methods: ByMethod<Summary>,
}

/// Signals of one kind and length that have no period.
#[derive(Debug, Serialize)]
pub(crate) struct FalsePeriods {
    pub(crate) kind: String,
    pub(crate) samples: f64,
    pub(crate) methods: ByMethod<Found>,
}

/// How often a period was found.
#[derive(Debug, Serialize)]
pub(crate) struct Found {
    pub(crate) trials: usize,
    pub(crate) found_fraction: f64,
    /// Of those found.
    pub(crate) mean_confidence: Option<f64>,
}

/// How often two methods say the same.
#[derive(Debug, Serialize)]
pub(crate) struct Agreement {
    pub(crate) signals: usize,
    pub(crate) same: usize,
    /// How often they differ on a flat spectrum, whose outliers are rounding errors.
    pub(crate) differ_on_flat: usize,
    /// On which other signals they differ, and how often.
    pub(crate) differ: BTreeMap<String, usize>,
}

/// What belongs to an experiment.
fn title(experiment: Experiment) -> Option<(&'static str, &'static str, &'static str)> {
    Some(match experiment {
        Experiment::A => ("A", "Long and short compute phases", "compute time"),
        Experiment::B => ("B", "Ranks out of step", "mean delay ϕ"),
        Experiment::C => ("C", "Compute phases that vary", "σ/µ"),
        Experiment::D => ("D", "Phases of varying volume", "what varies"),
        Experiment::Hard => ("hard", "Hard cases", "case"),
        Experiment::None => return None,
    })
}

/// Cases with what was answered, by point.
type Groups<'a> = Vec<Vec<(&'a Case, &'a Answered)>>;

fn groups<'a>(cases: &'a [Case], answered: &'a [Answered]) -> Groups<'a> {
    let pairs: Vec<_> = cases.iter().zip(answered).collect();
    let same = |a: &(&Case, &Answered), b: &(&Case, &Answered)| a.0.is_beside(b.0);
    pairs.chunk_by(same).map(<[_]>::to_vec).collect()
}

fn answers<'a>(group: &[(&'a Case, &'a Answered)]) -> Vec<&'a Answered> {
    group.iter().map(|(_, answered)| *answered).collect()
}

impl Results {
    pub(crate) fn new(plan: &Plan, cases: &[Case], answered: &[Answered]) -> Self {
        let groups = groups(cases, answered);
        let measured: Vec<&Answered> = cases
            .iter()
            .zip(answered)
            .filter(|(case, _)| case.experiment != Experiment::Hard)
            .map(|(_, answered)| answered)
            .collect();
        let experiments = experiments(&groups);
        Self {
            schema: "iotempo/period-experiments/1",
            rate_hz: crate::cases::rate().get(),
            traces_per_point: plan.traces,
            trials_per_point: plan.trials,
            false_periods: false_periods(&groups),
            calibration: by_method(|method| Calibration::of(method, &measured)),
            claims: claims::claims(&experiments, cases, answered),
            experiments,
            agreement: agreement(cases, answered),
        }
    }
}

fn experiments(groups: &Groups<'_>) -> Vec<OneExperiment> {
    let all = [
        Experiment::A,
        Experiment::B,
        Experiment::C,
        Experiment::D,
        Experiment::Hard,
    ];
    let of = |experiment| {
        let (id, title, varies) = title(experiment)?;
        let here = || groups.iter().filter(|g| g[0].0.experiment == experiment);
        let together: Vec<&Answered> = here().flat_map(|group| answers(group)).collect();
        Some(OneExperiment {
            id,
            title,
            varies,
            points: here().map(|group| point(group)).collect(),
            all: by_method(|method| Summary::of(method, &together)),
        })
    };
    all.into_iter().filter_map(of).collect()
}

fn point(group: &[(&Case, &Answered)]) -> Point {
    let all = answers(group);
    Point {
        point: group[0].0.point.clone(),
        x: group[0].0.x,
        methods: by_method(|method| Summary::of(method, &all)),
    }
}

fn false_periods(groups: &Groups<'_>) -> Vec<FalsePeriods> {
    let none = groups
        .iter()
        .filter(|group| group[0].0.experiment == Experiment::None);
    none.map(|group| FalsePeriods {
        kind: group[0].0.point.clone(),
        samples: group[0].0.x,
        methods: by_method(|method| found(method, &answers(group))),
    })
    .collect()
}

fn found(method: Method, answered: &[&Answered]) -> Option<Found> {
    let asked: Vec<_> = answered
        .iter()
        .filter_map(|one| one.answers[method as usize])
        .collect();
    let found: Vec<_> = asked.iter().filter(|a| a.found.is_some()).collect();
    let confidences: Vec<f64> = found.iter().filter_map(|a| a.confidence).collect();
    let sum: f64 = confidences.iter().sum();
    (!asked.is_empty()).then(|| Found {
        trials: asked.len(),
        found_fraction: found.len() as f64 / asked.len() as f64,
        mean_confidence: (!confidences.is_empty()).then(|| sum / confidences.len() as f64),
    })
}

fn agreement(cases: &[Case], answered: &[Answered]) -> Option<Agreement> {
    let mut agreement = Agreement {
        signals: 0,
        same: 0,
        differ_on_flat: 0,
        differ: BTreeMap::new(),
    };
    for (case, one) in cases.iter().zip(answered) {
        let ours = one.answers[Method::Ftio as usize]?;
        let theirs = one.answers[Method::FtioHpc as usize]?;
        agreement.signals += 1;
        if close(ours.found, theirs.found) && close(ours.confidence, theirs.confidence) {
            agreement.same += 1;
        } else if one.flat {
            agreement.differ_on_flat += 1;
        } else {
            *agreement.differ.entry(case.point.clone()).or_default() += 1;
        }
    }
    Some(agreement)
}

/// Equal but for the last digits.
fn close(one: Option<f64>, other: Option<f64>) -> bool {
    match (one, other) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()),
        (one, other) => one.is_none() && other.is_none(),
    }
}
