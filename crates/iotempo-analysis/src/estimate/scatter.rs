//! How runs of one benchmark differ, and runs drawn from that.

use super::numbers::{median, sorted, variance};
use crate::outliers::random::Random;

/// Fewer repetitions than this do not tell by how much they differ.
pub const FEW_REPETITIONS: usize = 3;
/// By how much runs differ, in ln, where nothing was repeated often enough: 10 %.
pub(super) const UNKNOWN_SCATTER: f64 = 0.1;
/// Repetitions that agree better than this (1 %) were lucky.
const LEAST_SCATTER: f64 = 0.01;

/// Normal quantiles at the middles of nine equal shares: uncertainty in nine equally likely cases.
pub(super) const CASES: [f64; 9] = [
    -1.593_218_818,
    -0.967_421_566,
    -0.589_455_798,
    -0.282_216_147,
    0.0,
    0.282_216_147,
    0.589_455_798,
    0.967_421_566,
    1.593_218_818,
];

/// By how much runs differ from their median, in ln.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Scatter {
    /// As repetitions did, from slow to fast.
    Repeated(Vec<f64>),
    /// Too few to tell: as runs of their kind usually do, with this standard deviation.
    Usual(f64),
}

impl Scatter {
    /// Of bandwidths, where those of their kind usually differ by `usual`. `None` of none.
    pub(super) fn of(bandwidths: &[f64], usual: f64) -> Option<Self> {
        let level = median(bandwidths)?.ln();
        let logs: Vec<f64> = bandwidths.iter().map(|one| one.ln() - level).collect();
        if bandwidths.len() >= FEW_REPETITIONS {
            return Some(Self::Repeated(sorted(&logs)));
        }
        let own = variance(&logs).unwrap_or(0.0).sqrt();
        Some(Self::Usual(usual.max(own)))
    }

    /// How sure the median of so many repetitions is, in ln: of enough, it is taken for the truth.
    pub(super) fn of_median(&self, repetitions: usize) -> f64 {
        match self {
            Self::Repeated(_) => 0.0,
            Self::Usual(deviation) => deviation / (repetitions.max(1) as f64).sqrt(),
        }
    }

    /// Equally likely cases.
    pub(super) fn cases(&self) -> Vec<f64> {
        match self {
            Self::Repeated(logs) => logs.clone(),
            Self::Usual(deviation) => CASES.map(|case| case * deviation).to_vec(),
        }
    }

    /// One run.
    pub(super) fn draw(&self, chance: &mut Chance) -> f64 {
        match self {
            Self::Repeated(logs) => logs[chance.below(logs.len())],
            Self::Usual(deviation) => deviation * chance.normal(),
        }
    }
}

/// By how much runs usually differ, in ln: the typical standard deviation of what was repeated often enough.
pub(super) fn usual_scatter<'a>(repeated: impl Iterator<Item = &'a Vec<f64>>) -> f64 {
    let enough = repeated.filter(|bandwidths| bandwidths.len() >= FEW_REPETITIONS);
    let variances: Vec<f64> = enough
        .filter_map(|bandwidths| {
            let logs: Vec<f64> = bandwidths.iter().map(|one| one.ln()).collect();
            variance(&logs)
        })
        .collect();
    let usual = median(&variances).map_or(UNKNOWN_SCATTER, f64::sqrt);
    usual.max(LEAST_SCATTER)
}

/// Chance, or its mirror image: what was high is low. Runs that are drawn in such pairs have the median of what
/// they are drawn from.
pub(super) struct Chance {
    random: Random,
    mirrored: bool,
}

impl Chance {
    /// A run and its mirror image.
    pub(super) fn pair(seed: u64, number: u64) -> [Self; 2] {
        [false, true].map(|mirrored| Self {
            random: Random::stream(seed, number),
            mirrored,
        })
    }

    pub(super) fn normal(&mut self) -> f64 {
        let normal = self.random.normal();
        if self.mirrored { -normal } else { normal }
    }

    fn below(&mut self, bound: usize) -> usize {
        let number = self.random.below(bound);
        match self.mirrored {
            true => bound - 1 - number,
            false => number,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn few_repetitions_differ_as_others_do_and_never_not_at_all() {
        assert_eq!(Scatter::of(&[5e9], 0.2), Some(Scatter::Usual(0.2)));
        let Some(Scatter::Usual(apart)) = Scatter::of(&[1e9, 4e9], 0.2) else {
            panic!("two are few")
        };
        assert!(apart > 0.9, "{apart}");
        let three = Scatter::of(&[1e9, 2e9, 4e9], 0.2).unwrap();
        assert_eq!(three.of_median(3), 0.0);
        assert_eq!(Scatter::Usual(0.2).of_median(1), 0.2);
        assert_eq!(Scatter::of(&[], 0.2), None);
        assert_eq!(usual_scatter([].into_iter()), 0.1);
        let same = vec![2e9; 5];
        assert_eq!(usual_scatter([&same, &vec![1.0]].into_iter()), 0.01);
    }

    #[test]
    fn a_pair_of_runs_lies_on_both_sides_of_the_middle() {
        let scatter = Scatter::of(&[1e9, 2e9, 8e9], 0.1).unwrap();
        for number in 0..50 {
            let [mut one, mut other] = Chance::pair(1, number);
            let both = [&mut one, &mut other].map(|chance| scatter.draw(chance));
            let expected = [[-0.7, 1.4], [0.0, 0.0], [1.4, -0.7]];
            let near = |[a, b]: &[f64; 2]| (a - both[0]).abs() < 0.1 && (b - both[1]).abs() < 0.1;
            assert!(expected.iter().any(near), "{both:?}");
            assert_eq!(one.normal(), -other.normal());
        }
    }
}
