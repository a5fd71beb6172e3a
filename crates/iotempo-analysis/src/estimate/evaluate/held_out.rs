//! Each scenario is estimated from the others.

use super::super::metrics::{Errors, best, kendall_tau_b, regret, relative_error, shape_error};
use super::super::numbers::{mean, median};
use super::super::reach::Reach;
use super::super::store::Store;
use super::estimator::Estimator;
use iotempo_model::Scenario;
use serde::Serialize;

/// A choice of I/O nodes that loses no more than this is as good as the best: repetitions of one run
/// differ by more.
const GOOD_CHOICE: f64 = 0.05;

/// What the bandwidth of a scenario is taken to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Truth {
    /// The median of its repetitions.
    Median,
    /// Their mean.
    Mean,
}

/// Which scenarios an estimate may not see.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct HeldOut {
    /// Besides the scenario itself, all whose requests differ from its own by less than this factor. With
    /// 1 it is only itself; larger ones tell what coarser benchmarks would cost.
    pub request_ratio: f64,
    /// What the truth is.
    pub truth: Truth,
    /// How far estimates go.
    pub reach: Reach,
}

/// A scenario that was estimated.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CurveScore {
    /// The scenario.
    pub scenario: Scenario,
    /// The number of I/O nodes that the estimate chooses.
    pub chosen: u32,
    /// The best one.
    pub best: u32,
    /// What the choice loses.
    pub regret: f64,
    /// Errors of bandwidth, by number of I/O nodes.
    pub errors: Vec<f64>,
    /// How far the shape is off.
    pub shape_error: f64,
    /// Whether numbers of I/O nodes are ordered alike.
    pub tau_b: Option<f64>,
}

/// How good an estimator is on a store.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scores {
    /// The way of estimating.
    pub estimator: Estimator,
    /// Scenarios that were estimated.
    pub scenarios: usize,
    /// Scenarios that the estimator refused.
    pub refused: usize,
    /// Relative errors of bandwidth; `None` where it gives none.
    pub errors: Option<Errors>,
    /// What its choices lose, on the average.
    pub mean_regret: f64,
    /// The share of choices that lose at most 5 %.
    pub good_choices: f64,
    /// The share of choices that are the best.
    pub top_1: f64,
    /// The mean error of shape.
    pub shape_error: Option<f64>,
    /// The mean of Kendall's τ-b.
    pub tau_b: Option<f64>,
    /// Every scenario.
    #[serde(skip)]
    pub curves: Vec<CurveScore>,
}

/// Estimates every scenario that has a curve from the others. `None` where there is none to estimate.
#[must_use]
pub fn held_out(store: &Store, estimator: Estimator, how: HeldOut) -> Option<Scores> {
    let mut curves = Vec::new();
    let mut refused = 0;
    for place in store.places().filter(|place| place.repetitions.len() > 1) {
        let own = place.scenario;
        let hidden = |other: &Scenario| {
            let ratio = other.request_bytes as f64 / own.request_bytes as f64;
            *other == own || (ratio.max(ratio.recip()) < how.request_ratio)
        };
        let Ok(estimate) = estimator.curve(&own, &store.without(hidden), &how.reach) else {
            refused += 1;
            continue;
        };
        let (mut io_nodes, mut actual, mut estimated) = (Vec::new(), Vec::new(), Vec::new());
        for (n, repetitions) in &place.repetitions {
            let truth = match how.truth {
                Truth::Median => median(repetitions),
                Truth::Mean => Some(mean(repetitions)),
            };
            if let (Some(truth), Some(guess)) = (truth, estimate.get(n)) {
                io_nodes.push(*n);
                actual.push(truth);
                estimated.push(*guess);
            }
        }
        match score(own, &io_nodes, &estimated, &actual) {
            Some(score) => curves.push(score),
            None => refused += 1,
        }
    }
    summary(estimator, curves, refused)
}

fn score(
    scenario: Scenario,
    io_nodes: &[u32],
    estimated: &[f64],
    actual: &[f64],
) -> Option<CurveScore> {
    let pairs = estimated.iter().zip(actual);
    Some(CurveScore {
        scenario,
        chosen: io_nodes[best(estimated)?],
        best: io_nodes[best(actual)?],
        regret: regret(estimated, actual)?,
        errors: pairs.map(|(e, a)| relative_error(*e, *a)).collect(),
        shape_error: shape_error(estimated, actual)?,
        tau_b: kendall_tau_b(estimated, actual),
    })
}

fn summary(estimator: Estimator, curves: Vec<CurveScore>, refused: usize) -> Option<Scores> {
    if curves.is_empty() {
        return None;
    }
    let count = curves.len() as f64;
    let share = |test: &dyn Fn(&CurveScore) -> bool| {
        curves.iter().filter(|curve| test(curve)).count() as f64 / count
    };
    let errors: Vec<f64> = curves
        .iter()
        .flat_map(|curve| curve.errors.clone())
        .collect();
    let regrets: Vec<f64> = curves.iter().map(|curve| curve.regret).collect();
    let shapes: Vec<f64> = curves.iter().map(|curve| curve.shape_error).collect();
    let taus: Vec<f64> = curves.iter().filter_map(|curve| curve.tau_b).collect();
    let levels = estimator.has_levels();
    Some(Scores {
        estimator,
        scenarios: curves.len(),
        refused,
        errors: Errors::of(&errors).filter(|_| levels),
        mean_regret: mean(&regrets),
        good_choices: share(&|curve| curve.regret <= GOOD_CHOICE),
        top_1: share(&|curve| curve.regret <= 0.0),
        shape_error: levels.then(|| mean(&shapes)),
        tau_b: levels.then(|| mean(&taus)),
        curves,
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::estimate::testing::{benchmark, scenario};

    const PLAIN: HeldOut = HeldOut {
        request_ratio: 1.0,
        truth: Truth::Median,
        reach: Reach { cells: 1.0 },
    };

    /// Bandwidth grows with requests and with I/O nodes, and nothing scatters.
    fn smooth() -> Store {
        let mut benchmarks = Vec::new();
        for power in 0..8 {
            for io_nodes in [1, 2, 4] {
                let bandwidth = 1e9 * 1.5_f64.powi(power) * f64::from(io_nodes);
                benchmarks.push(benchmark(
                    scenario(4, 64, 1 << (15 + power)),
                    io_nodes,
                    bandwidth,
                ));
            }
        }
        Store::new(benchmarks)
    }

    #[test]
    fn what_is_smooth_is_estimated_well() {
        let scores = held_out(&smooth(), Estimator::Ours, PLAIN).unwrap();
        assert_eq!((scores.scenarios, scores.refused), (8, 0));
        assert!(scores.errors.unwrap().median < 0.05, "{:?}", scores.errors);
        assert_eq!((scores.mean_regret, scores.top_1), (0.0, 1.0));
        assert!(scores.tau_b.unwrap() > 0.99);
    }

    #[test]
    fn always_the_same_number_gives_no_errors_but_regret() {
        let scores = held_out(&smooth(), Estimator::Always(1), PLAIN).unwrap();
        assert_eq!(scores.errors, None);
        assert!((scores.mean_regret - 0.75).abs() < 1e-12);
        assert_eq!(scores.good_choices, 0.0);
    }

    #[test]
    fn coarser_benchmarks_err_more() {
        let coarse = HeldOut {
            request_ratio: 3.0,
            ..PLAIN
        };
        let fine = held_out(&smooth(), Estimator::Ours, PLAIN).unwrap();
        let coarse = held_out(&smooth(), Estimator::Ours, coarse).unwrap();
        // The two smallest and the two largest requests are more than a cell away from what is left.
        assert_eq!((coarse.scenarios, coarse.refused), (4, 4));
        let error = |scores: &Scores, scenario: Scenario| {
            let found = scores
                .curves
                .iter()
                .find(|curve| curve.scenario == scenario);
            mean(&found.unwrap().errors)
        };
        let both = coarse.curves.iter().map(|curve| curve.scenario);
        let (fine, coarse): (Vec<f64>, Vec<f64>) = both
            .map(|scenario| (error(&fine, scenario), error(&coarse, scenario)))
            .unzip();
        assert!(mean(&coarse) > mean(&fine), "{coarse:?} {fine:?}");
    }

    #[test]
    fn an_empty_store_and_one_with_a_single_row_have_no_scores() {
        assert_eq!(held_out(&Store::default(), Estimator::Ours, PLAIN), None);
        let one = Store::new(vec![benchmark(scenario(4, 64, 1 << 20), 2, 1e9)]);
        assert_eq!(held_out(&one, Estimator::Ours, PLAIN), None);
    }
}
