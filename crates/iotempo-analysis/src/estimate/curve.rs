//! Bandwidth over I/O nodes.

use super::cholesky::dot;
use super::distribution::{Distribution, TwoModes};
use super::kriging::Kriged;
use super::numbers::{mean, quantile, sorted};
use super::scatter::{CASES, Chance, Scatter};
use iotempo_model::Scenario;
use serde::Serialize;
use std::collections::BTreeSet;

/// What a curve was made of.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "how")]
pub enum Match {
    /// Of a benchmark of the same sizes.
    Exact {
        /// That benchmark.
        nearest: Scenario,
    },
    /// Of several, by interpolation.
    Interpolated {
        /// The nearest of them.
        nearest: Scenario,
        /// How far it is, in ln of sizes.
        distance: f64,
        /// How many scenarios took part.
        scenarios: usize,
    },
}

impl Match {
    /// The nearest benchmark.
    #[must_use]
    pub const fn nearest(&self) -> &Scenario {
        match self {
            Self::Exact { nearest } | Self::Interpolated { nearest, .. } => nearest,
        }
    }
}

/// How fast a scenario is with some numbers of I/O nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// What it was made of.
    pub matched: Match,
    /// By number of I/O nodes, from few to many.
    pub points: Vec<CurvePoint>,
    /// Numbers of I/O nodes that were benchmarked, but nowhere near.
    pub far: BTreeSet<u32>,
}

impl Curve {
    /// The point of the highest median.
    #[must_use]
    pub fn best(&self) -> Option<&CurvePoint> {
        let median = |point: &&CurvePoint| point.distribution.median;
        // Of equals the fewest I/O nodes.
        let points = self.points.iter().rev();
        points.max_by(|a, b| median(a).total_cmp(&median(b)))
    }

    /// The point of a number of I/O nodes.
    #[must_use]
    pub fn at(&self, io_nodes: u32) -> Option<&CurvePoint> {
        self.points.iter().find(|point| point.io_nodes == io_nodes)
    }
}

/// How fast a scenario is with a number of I/O nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct CurvePoint {
    /// The number of I/O nodes.
    pub io_nodes: u32,
    /// In bytes per second.
    pub distribution: Distribution,
    /// Whether a benchmark of the same sizes ran with this number; else it is interpolated.
    pub measured: bool,
    /// ln of the point estimate.
    level: f64,
    error: LevelError,
    scatter: Scatter,
}

/// How far the level may be off, as a sum of standard normal numbers times these. All points of a curve share the
/// numbers, so that levels that are off together are drawn off together.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct LevelError {
    /// The first of the numbers.
    pub(super) first: usize,
    pub(super) weights: Vec<f64>,
}

impl LevelError {
    fn deviation(&self) -> f64 {
        dot(&self.weights, &self.weights).sqrt()
    }

    /// How many numbers there must be.
    pub(super) fn width(&self) -> usize {
        self.first + self.weights.len()
    }

    fn of(&self, normal: &[f64]) -> f64 {
        let own = normal.get(self.first..).unwrap_or_default();
        dot(&self.weights, own)
    }
}

impl CurvePoint {
    /// Measured, in one place of the curve; `None` where there is no repetition. Where there are few, they are taken
    /// to differ as is `usual` for their kind.
    pub(super) fn measured(
        io_nodes: u32,
        place: usize,
        bandwidths: &[f64],
        usual: f64,
    ) -> Option<Self> {
        let scatter = Scatter::of(bandwidths, usual)?;
        let mut distribution = Distribution::of(bandwidths)?;
        let level = distribution.median.ln();
        let mut error = LevelError::default();
        let unsure = scatter.of_median(bandwidths.len());
        if unsure > 0.0 {
            error = LevelError {
                first: place,
                weights: vec![unsure],
            };
            [distribution.low, distribution.high] = most(level, &scatter, unsure)?;
        }
        Some(Self {
            io_nodes,
            distribution,
            measured: true,
            level,
            error,
            scatter,
        })
    }

    /// Interpolated; repetitions are taken to differ as those of the nearest benchmark.
    pub(super) fn interpolated(
        io_nodes: u32,
        first: usize,
        at: Kriged,
        nearest: &[f64],
        usual: f64,
    ) -> Option<Self> {
        let scatter = Scatter::of(nearest, usual)?;
        let [low, high] = most(at.level, &scatter, at.deviation)?;
        let typical: Vec<f64> = match &scatter {
            Scatter::Repeated(logs) => logs
                .iter()
                .map(|differ| (at.level + differ).exp())
                .collect(),
            Scatter::Usual(_) => vec![at.level.exp()],
        };
        Some(Self {
            io_nodes,
            distribution: Distribution {
                repetitions: nearest.len(),
                mean: mean(&typical),
                median: at.level.exp(),
                low,
                high,
                modes: TwoModes::of(&typical),
            },
            measured: false,
            level: at.level,
            error: LevelError {
                first,
                weights: at.error,
            },
            scatter,
        })
    }

    /// How sure the point estimate is: the standard deviation of its ln; 0 where it was measured often enough.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        self.error.deviation()
    }

    pub(super) const fn error(&self) -> &LevelError {
        &self.error
    }

    /// The bandwidth of a typical run, where levels are off by `normal` numbers.
    pub(super) fn typical(&self, normal: &[f64]) -> f64 {
        (self.level + self.error.of(normal)).exp()
    }

    /// How many times as fast as a typical one a run is, drawn at random.
    pub(super) fn draw(&self, chance: &mut Chance) -> f64 {
        self.scatter.draw(chance).exp()
    }
}

/// What a tenth of runs is slower than, and what a tenth is faster than.
fn most(level: f64, scatter: &Scatter, unsure: f64) -> Option<[f64; 2]> {
    let cases = scatter.cases().into_iter();
    let cases: Vec<f64> = cases
        .flat_map(|differ| CASES.map(|case| (level + differ + case * unsure).exp()))
        .collect();
    let cases = sorted(&cases);
    Some([quantile(&cases, 0.1)?, quantile(&cases, 0.9)?])
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::estimate::numbers::{median, variance};

    #[test]
    fn draws_of_what_was_measured_are_its_repetitions() {
        let point = CurvePoint::measured(2, 0, &[1e9, 2e9, 4e9], 0.1).unwrap();
        for number in 0..100 {
            let [mut chance, _] = Chance::pair(1, number);
            let drawn = point.typical(&[3.0]) * point.draw(&mut chance);
            assert!(
                [1e9, 2e9, 4e9]
                    .iter()
                    .any(|one| (drawn / one - 1.0).abs() < 1e-9)
            );
        }
        assert_eq!(CurvePoint::measured(2, 0, &[], 0.1), None);
    }

    #[test]
    fn one_repetition_is_no_certainty() {
        let point = CurvePoint::measured(2, 1, &[1e9], 0.1).unwrap();
        let distribution = point.distribution;
        assert_eq!(distribution.median, 1e9);
        // A deviation of 0.1 of the run, and as much of what is known of it.
        let width = (distribution.high / distribution.low).ln();
        assert!(width > 0.28 && width < 0.4, "{width}");
        assert!((point.typical(&[9.0, 1.0]) / 1e9 - 0.1_f64.exp()).abs() < 1e-9);
    }

    #[test]
    fn draws_of_what_is_interpolated_scatter_as_it_is_unsure() {
        let at = Kriged {
            level: 20.0,
            deviation: 0.5,
            error: vec![0.3, 0.4],
        };
        let point = CurvePoint::interpolated(2, 1, at, &[7.0; 3], 0.1).unwrap();
        assert!((point.deviation() - 0.5).abs() < 1e-12);
        let logs: Vec<f64> = (0..10_000)
            .flat_map(|number| Chance::pair(1, number))
            .map(|mut chance| {
                let normal = [0; 3].map(|_| chance.normal());
                (point.typical(&normal) * point.draw(&mut chance)).ln()
            })
            .collect();
        let deviation = variance(&logs).unwrap().sqrt();
        assert!((median(&logs).unwrap() - 20.0).abs() < 1e-3 && (deviation - 0.5).abs() < 0.01);
        let width = (point.distribution.high / point.distribution.low).ln();
        assert!(width > 0.9 && width < 1.4, "{width}");
    }
}
