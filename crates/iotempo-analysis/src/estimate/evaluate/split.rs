//! Repetitions of a scenario are dealt out at random: some are the application, the others its benchmark.
//!
//! This is the protocol of the report's first case study. It tells how well the best benchmark there can
//! be estimates an application, whose runs differ as the benchmark's do.

use super::super::distribution::TwoModes;
use super::super::metrics::{Errors, dunn, relative_error, wasserstein_of_logs};
use super::super::numbers::{mean, median};
use super::super::store::Store;
use crate::outliers::random::Random;
use serde::Serialize;

/// The level of Dunn's test.
const ALPHA: f64 = 0.05;

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SplitScores {
    /// How often repetitions were dealt out.
    pub repeats: usize,
    /// Benchmarks with at least two repetitions.
    pub benchmarks: usize,
    /// The share of these whose repetitions are of two kinds.
    pub bimodal_benchmarks: f64,
    /// The share of scenarios with at least one of these.
    pub bimodal_scenarios: f64,
    /// Every run of the application beside the mean of the benchmark, as the report has it.
    pub of_mean: Errors,
    /// Every run beside the median of the benchmark.
    pub of_median: Errors,
    /// Every run beside that kind of the benchmark's runs that it is like.
    pub of_modes: Errors,
    /// The median of runs beside the median of the benchmark.
    pub typical: Errors,
    /// Errors of single runs beside the mean, where runs are not of two kinds.
    pub of_mean_unimodal: Option<Errors>,
    /// The mean distance of the two distributions of ln B.
    pub wasserstein: f64,
    /// The share of pairs that Dunn's test calls different.
    pub different: f64,
}

#[derive(Default)]
struct Tally {
    of_mean: Vec<f64>,
    of_median: Vec<f64>,
    of_modes: Vec<f64>,
    typical: Vec<f64>,
    unimodal: Vec<f64>,
    distances: Vec<f64>,
    tests: usize,
    different: usize,
}

/// Deals repetitions out `repeats` times. `None` where nothing was repeated.
#[must_use]
pub fn split(store: &Store, repeats: usize, seed: u64) -> Option<SplitScores> {
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    let (mut benchmarks, mut bimodal, mut scenarios, mut touched) = (0, 0, 0, 0);
    for place in store.places() {
        let curves: Vec<&Vec<f64>> = place.repetitions.values().filter(|r| r.len() > 1).collect();
        let two: Vec<bool> = curves.iter().map(|r| TwoModes::of(r).is_some()).collect();
        benchmarks += curves.len();
        bimodal += two.iter().filter(|&&two| two).count();
        scenarios += usize::from(!curves.is_empty());
        touched += usize::from(two.contains(&true));
        for _ in 0..repeats {
            let dealt: Vec<_> = curves.iter().map(|all| deal(all, &mut random)).collect();
            for ((application, benchmark), &two) in dealt.iter().zip(&two) {
                tally.add(application, benchmark, two);
            }
            tally.test(&dealt);
        }
    }
    Some(SplitScores {
        repeats,
        benchmarks,
        bimodal_benchmarks: bimodal as f64 / benchmarks.max(1) as f64,
        bimodal_scenarios: f64::from(touched as u32) / f64::from(scenarios.max(1) as u32),
        of_mean: Errors::of(&tally.of_mean)?,
        of_median: Errors::of(&tally.of_median)?,
        of_modes: Errors::of(&tally.of_modes)?,
        typical: Errors::of(&tally.typical)?,
        of_mean_unimodal: Errors::of(&tally.unimodal),
        wasserstein: mean(&tally.distances),
        different: tally.different as f64 / tally.tests.max(1) as f64,
    })
}

/// Half for the application; of an odd number the benchmark gets one more.
fn deal(all: &[f64], random: &mut Random) -> (Vec<f64>, Vec<f64>) {
    let mut shuffled = all.to_vec();
    for last in (1..shuffled.len()).rev() {
        shuffled.swap(last, random.below(last + 1));
    }
    let benchmark = shuffled.split_off(shuffled.len() / 2);
    (shuffled, benchmark)
}

impl Tally {
    fn add(&mut self, application: &[f64], benchmark: &[f64], two: bool) {
        let (Some(middle), Some(own)) = (median(benchmark), median(application)) else {
            return;
        };
        let average = mean(benchmark);
        let modes = TwoModes::of(benchmark).map_or([middle; 2], |modes| [modes.slow, modes.fast]);
        for &run in application {
            let error = relative_error(average, run);
            self.of_mean.push(error);
            if !two {
                self.unimodal.push(error);
            }
            self.of_median.push(relative_error(middle, run));
            let like = modes.map(|mode| relative_error(mode, run));
            self.of_modes.push(like[0].min(like[1]));
        }
        self.typical.push(relative_error(middle, own));
        self.distances
            .extend(wasserstein_of_logs(application, benchmark));
    }

    /// Ranks are over all numbers of I/O nodes of a scenario.
    fn test(&mut self, dealt: &[(Vec<f64>, Vec<f64>)]) {
        let groups: Vec<&[f64]> = dealt
            .iter()
            .flat_map(|(application, benchmark)| [application.as_slice(), benchmark.as_slice()])
            .collect();
        for pair in 0..dealt.len() {
            if let Some(found) = dunn(&groups, 2 * pair, 2 * pair + 1) {
                self.tests += 1;
                self.different += usize::from(found.differ(ALPHA));
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::estimate::testing::{benchmark, scenario};

    #[test]
    fn runs_that_never_differ_are_estimated_without_error() {
        let mut one = benchmark(scenario(4, 64, 1 << 20), 2, 1e9);
        one.bandwidths = vec![1e9; 6];
        let scores = split(&Store::new(vec![one]), 5, 1).unwrap();
        assert_eq!((scores.of_mean.max, scores.typical.max), (0.0, 0.0));
        assert_eq!((scores.wasserstein, scores.bimodal_benchmarks), (0.0, 0.0));
    }

    #[test]
    fn two_kinds_of_runs_fool_the_mean_and_not_their_description() {
        let mut one = benchmark(scenario(4, 64, 1 << 20), 0, 1e9);
        one.bandwidths = [1e9, 1e9, 1e9, 1e9, 1e11, 1e11, 1e11, 1e11].to_vec();
        let scores = split(&Store::new(vec![one]), 50, 1).unwrap();
        assert!(scores.of_mean.mean > 5.0, "{scores:?}");
        assert!(scores.of_modes.median < 1e-9, "{scores:?}");
        assert_eq!(
            (scores.bimodal_benchmarks, scores.bimodal_scenarios),
            (1.0, 1.0)
        );
        assert_eq!(scores.of_mean_unimodal, None);
    }

    #[test]
    fn what_was_never_repeated_cannot_be_dealt_out() {
        let one = Store::new(vec![benchmark(scenario(4, 64, 1 << 20), 2, 1e9)]);
        assert_eq!(split(&one, 5, 1), None);
        assert_eq!(split(&Store::default(), 5, 1), None);
    }
}
