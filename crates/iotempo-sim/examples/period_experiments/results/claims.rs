//! What the paper says about its experiments, beside what comes out here.

use super::{ByMethod, OneExperiment, by_method};
use crate::cases::{Case, Experiment};
use crate::measure::{Distribution, quantile};
use crate::methods::{Answered, Method};
use serde::Serialize;

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Unit {
    /// A share, of which people see per cent.
    Fraction,
    /// Traces.
    Traces,
}

/// A statement of the paper, and the same of every method.
#[derive(Debug, Serialize)]
pub(crate) struct Claim {
    pub(crate) experiment: &'static str,
    pub(crate) quantity: &'static str,
    /// As the paper states it.
    pub(crate) paper: &'static str,
    pub(crate) unit: Unit,
    pub(crate) values: ByMethod<f64>,
}

/// All that the paper states in numbers.
pub(crate) fn claims(
    experiments: &[OneExperiment],
    cases: &[Case],
    answered: &[Answered],
) -> Vec<Claim> {
    let mut claims = Vec::new();
    for experiment in experiments {
        claims.extend(errors(experiment));
    }
    claims.extend(Variation::new(cases, answered).claims());
    claims
}

fn claim(
    experiment: &'static str,
    quantity: &'static str,
    paper: &'static str,
    values: ByMethod<f64>,
) -> Claim {
    Claim {
        experiment,
        quantity,
        paper,
        unit: Unit::Fraction,
        values,
    }
}

/// The largest value over the points of an experiment.
fn worst(
    experiment: &OneExperiment,
    keep: impl Fn(f64) -> bool,
    value: impl Fn(&Distribution) -> f64,
) -> ByMethod<f64> {
    by_method(|method| {
        let points = experiment.points.iter().filter(|point| keep(point.x));
        let values = points.filter_map(|point| {
            let summary = point.methods.get(method.key())?;
            summary.error_of_all.as_ref().map(&value)
        });
        values.reduce(f64::max)
    })
}

fn errors(experiment: &OneExperiment) -> Vec<Claim> {
    let all = |_: f64| true;
    let id = experiment.id;
    match id {
        "A" => vec![claim(
            id,
            "largest error",
            "< 1 %",
            worst(experiment, all, |d| d.max),
        )],
        "B" => vec![
            claim(
                id,
                "mean error at the worst ϕ",
                "≤ 11 %",
                worst(experiment, all, |d| d.mean),
            ),
            claim(
                id,
                "median error at the worst ϕ",
                "≤ 11 %",
                worst(experiment, all, |d| d.median),
            ),
            claim(
                id,
                "third quartile at the worst ϕ",
                "≤ 17 %",
                worst(experiment, all, |d| d.q3),
            ),
            claim(
                id,
                "largest error",
                "up to 100 %",
                worst(experiment, all, |d| d.max),
            ),
        ],
        "C" => vec![
            claim(
                id,
                "median error at the worst σ/µ ≤ 0.5",
                "< 5.5 %",
                worst(experiment, |x| x <= 0.5, |d| d.median),
            ),
            claim(
                id,
                "median error at the worst σ/µ",
                "< 33 %",
                worst(experiment, all, |d| d.median),
            ),
        ],
        _ => Vec::new(),
    }
}

/// Experiment C, trace by trace.
struct Variation<'a>(Vec<(f64, &'a Answered)>);

impl<'a> Variation<'a> {
    fn new(cases: &'a [Case], answered: &'a [Answered]) -> Self {
        let pairs = cases.iter().zip(answered);
        let here = pairs.filter(|(case, _)| case.experiment == Experiment::C);
        Self(here.map(|(case, answered)| (case.x, answered)).collect())
    }

    fn claims(&self) -> Vec<Claim> {
        let mut claims = vec![
            Claim {
                unit: Unit::Traces,
                ..claim(
                    "C",
                    "traces with an error above 200 %",
                    "26 of 3400",
                    by_method(|method| self.far_off(method, |_| true).map(|(far, _)| far as f64)),
                )
            },
            self.far_off_claim("the same, 1 ≤ σ/µ < 2", "0.4 %", |x| {
                (1.0..2.0).contains(&x)
            }),
            self.far_off_claim("the same, σ/µ ≥ 2", "1.9 %", |x| x >= 2.0),
            self.unsure("confidence below 60 %, 0.5 ≤ σ/µ < 1", "16 %", |x| {
                (0.5..1.0).contains(&x)
            }),
            self.unsure("confidence below 60 %, σ/µ ≥ 1", "27 %", |x| x >= 1.0),
            self.confidence("median confidence, σ/µ < 0.55", "96 %", |x| x < 0.55),
            self.confidence("median confidence, σ/µ ≥ 2", "63 %", |x| x >= 2.0),
        ];
        let of_ftio = |value: Option<f64>| {
            let value = value.map(|value| (Method::Ftio.key(), value));
            value.into_iter().collect::<ByMethod<f64>>()
        };
        let shares = self.0.iter().filter_map(|(_, one)| one.io_share_error);
        claims.push(claim(
            "C",
            "largest error of the time share of I/O",
            "< 10 %",
            of_ftio(shares.reduce(f64::max)),
        ));
        for (quantity, paper, low, high) in [
            ("median periodicity score, σ = 0", "98 %", 0.0, 0.0),
            (
                "median periodicity score, σ/µ = 0.5 and 0.6",
                "67 % (at 0.55)",
                0.5,
                0.6,
            ),
            ("median periodicity score, σ/µ = 2", "57 %", 2.0, 2.0),
        ] {
            let here = self.0.iter().filter(|(x, _)| (low..=high).contains(x));
            let mut scores: Vec<f64> = here.filter_map(|(_, one)| one.score).collect();
            scores.sort_by(f64::total_cmp);
            claims.push(claim("C", quantity, paper, of_ftio(quantile(&scores, 0.5))));
        }
        claims
    }

    /// How many traces have an error above 200 %, and of how many.
    fn far_off(&self, method: Method, keep: impl Fn(f64) -> bool) -> Option<(usize, usize)> {
        let here = self.0.iter().filter(|(x, _)| keep(*x));
        let errors = here.filter_map(|(_, one)| {
            let answer = one.answers[method as usize]?;
            one.error(answer.guess?)
        });
        let errors: Vec<f64> = errors.collect();
        let far = errors.iter().filter(|error| **error > 2.0).count();
        (!errors.is_empty()).then_some((far, errors.len()))
    }

    fn far_off_claim(
        &self,
        quantity: &'static str,
        paper: &'static str,
        keep: impl Fn(f64) -> bool,
    ) -> Claim {
        let share = |(far, all): (usize, usize)| far as f64 / all as f64;
        claim(
            "C",
            quantity,
            paper,
            by_method(|method| self.far_off(method, &keep).map(share)),
        )
    }

    /// The confidences of periods that were found, in order.
    fn confidences(&self, method: Method, keep: impl Fn(f64) -> bool) -> Vec<f64> {
        let here = self.0.iter().filter(|(x, _)| keep(*x));
        let mut confidences: Vec<f64> = here
            .filter_map(|(_, one)| one.answers[method as usize])
            .filter(|answer| answer.found.is_some())
            .filter_map(|answer| answer.confidence)
            .collect();
        confidences.sort_by(f64::total_cmp);
        confidences
    }

    fn unsure(
        &self,
        quantity: &'static str,
        paper: &'static str,
        keep: impl Fn(f64) -> bool,
    ) -> Claim {
        let share = |confidences: Vec<f64>| {
            let below = confidences.iter().filter(|c| **c < 0.6).count();
            (!confidences.is_empty()).then(|| below as f64 / confidences.len() as f64)
        };
        claim(
            "C",
            quantity,
            paper,
            by_method(|method| share(self.confidences(method, &keep))),
        )
    }

    fn confidence(
        &self,
        quantity: &'static str,
        paper: &'static str,
        keep: impl Fn(f64) -> bool,
    ) -> Claim {
        claim(
            "C",
            quantity,
            paper,
            by_method(|method| quantile(&self.confidences(method, &keep), 0.5)),
        )
    }
}
