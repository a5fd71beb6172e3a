//! Ways of guessing a curve from others.

use super::super::coordinates::{Point, Volume};
use super::super::numbers::median;
use super::super::reach::{Reach, Unmatched};
use super::super::store::{Place, Store};
use iotempo_model::Scenario;
use serde::Serialize;
use std::collections::BTreeMap;

/// A way of guessing the curve of a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Estimator {
    /// [`Store::estimate`].
    Ours,
    /// The nearest benchmarks of the kind, each with the inverse square of its distance as its weight.
    Nearest(usize),
    /// The same number of I/O nodes for everybody: no curve, but a choice.
    Always(u32),
}

impl Estimator {
    /// The curve, by number of I/O nodes.
    pub(super) fn curve(
        self,
        scenario: &Scenario,
        store: &Store,
        reach: &Reach,
    ) -> Result<BTreeMap<u32, f64>, Unmatched> {
        match self {
            Self::Ours => {
                let curve = store.estimate(scenario, reach)?;
                let points = curve.points.iter();
                Ok(points
                    .map(|p| (p.io_nodes, p.distribution.median))
                    .collect())
            }
            Self::Nearest(count) => Ok(nearest(scenario, store, count)),
            Self::Always(chosen) => {
                let all = store.io_nodes().into_iter();
                Ok(all
                    .map(|n| (n, if n == chosen { 2.0 } else { 1.0 }))
                    .collect())
            }
        }
    }

    /// Whether it says how fast, or only which is fastest.
    pub(super) const fn has_levels(self) -> bool {
        !matches!(self, Self::Always(_))
    }
}

fn nearest(scenario: &Scenario, store: &Store, count: usize) -> BTreeMap<u32, f64> {
    let alike = store
        .places()
        .filter(|place| place.scenario.kind() == scenario.kind());
    let at = |scenario: &Scenario| Point::of(scenario, Volume::PerProcess);
    let here = at(scenario);
    let mut near: Vec<(f64, &Place)> = alike
        .map(|place| (at(&place.scenario).distance(&here), place))
        .collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sums: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for (distance, place) in near.into_iter().take(count) {
        let weight = distance.max(1e-9).powi(-2);
        for (&io_nodes, bandwidths) in &place.repetitions {
            if let Some(median) = median(bandwidths) {
                let sum = sums.entry(io_nodes).or_default();
                *sum = (sum.0 + weight * median.ln(), sum.1 + weight);
            }
        }
    }
    let mean = |(io_nodes, (sum, weights)): (u32, (f64, f64))| (io_nodes, (sum / weights).exp());
    sums.into_iter().map(mean).collect()
}
