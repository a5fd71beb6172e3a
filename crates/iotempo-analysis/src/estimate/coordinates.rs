//! Where scenarios of one kind lie: logarithms of their sizes.

use iotempo_model::Scenario;
use serde::Serialize;

/// How many sizes a scenario has.
pub(super) const SIZES: usize = 4;

/// Their names, in order.
pub(super) const NAMES: [&str; SIZES] =
    ["nodes", "processes per node", "bytes", "bytes per request"];

/// How the volume of benchmarks is measured: by what whoever ran them kept the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Volume {
    /// Each process moves about the same.
    PerProcess,
    /// All processes together move about the same.
    InAll,
}

impl Volume {
    /// The one that takes fewer different values; the other one then only repeats the number of processes.
    pub(super) fn of<'a>(scenarios: impl Iterator<Item = &'a Scenario> + Clone) -> Self {
        let different = |volume: Self| {
            let mut values: Vec<f64> = scenarios.clone().map(|one| volume.bytes(one)).collect();
            values.sort_by(f64::total_cmp);
            values.dedup_by(|a, b| *a <= *b * SAME);
            values.len()
        };
        if different(Self::InAll) < different(Self::PerProcess) {
            Self::InAll
        } else {
            Self::PerProcess
        }
    }

    fn bytes(self, scenario: &Scenario) -> f64 {
        match self {
            Self::PerProcess => scenario.bytes_per_process as f64,
            Self::InAll => scenario.bytes(),
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::PerProcess => "bytes per process",
            Self::InAll => "bytes in all",
        }
    }
}

/// Sizes within a percent of each other are the same: bytes are rarely divided evenly.
const SAME: f64 = 1.01;

/// A scenario among others of its kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point(pub(super) [f64; SIZES]);

impl Point {
    pub(super) fn of(scenario: &Scenario, volume: Volume) -> Self {
        let sizes = [
            scenario.nodes as f64,
            scenario.processes_per_node(),
            volume.bytes(scenario),
            scenario.request_bytes as f64,
        ];
        Self(sizes.map(|size| size.max(f64::MIN_POSITIVE).ln()))
    }

    /// How far apart they are: the root of the sum of squares.
    pub(super) fn distance(&self, other: &Self) -> f64 {
        let squares = self.0.iter().zip(other.0).map(|(a, b)| (a - b).powi(2));
        squares.sum::<f64>().sqrt()
    }

    /// Which percent each size lies in, and all percents next to these: what is the same lies in one of them.
    pub(super) fn percents(&self) -> impl Iterator<Item = [i64; SIZES]> {
        let own = self.percent();
        (0..3_i64.pow(SIZES as u32)).map(move |number| {
            std::array::from_fn(|size| own[size] + number / 3_i64.pow(size as u32) % 3 - 1)
        })
    }

    /// Which percent each size lies in.
    pub(super) fn percent(&self) -> [i64; SIZES] {
        self.0.map(|size| (size / SAME.ln()).floor() as i64)
    }

    /// Whether all sizes are the same, within a percent.
    pub(super) fn is(&self, other: &Self) -> bool {
        let mut pairs = self.0.iter().zip(other.0);
        pairs.all(|(a, b)| (a - b).abs() <= SAME.ln())
    }
}

/// A number of I/O nodes on the scale of the model: each doubling is a step, and so is that from none to
/// one, because without forwarding everything takes another way.
pub(super) fn io_node_step(io_nodes: u32) -> f64 {
    match io_nodes {
        0 => -1.0,
        some => f64::from(some).log2(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::testing::scenario;

    #[test]
    fn volume_is_measured_by_what_was_kept_the_same() {
        let fixed_total = [2, 4, 8].map(|processes| {
            let mut one = scenario(1, processes, 1 << 20);
            one.bytes_per_process = (1 << 30) / processes;
            one
        });
        assert_eq!(Volume::of(fixed_total.iter()), Volume::InAll);
        let fixed_share = [2, 4, 8].map(|processes| scenario(1, processes, 1 << 20));
        assert_eq!(Volume::of(fixed_share.iter()), Volume::PerProcess);
    }

    #[test]
    fn doublings_are_equally_far_apart() {
        let at =
            |processes, request| Point::of(&scenario(1, processes, request), Volume::PerProcess);
        let distance = at(8, 1 << 20).distance(&at(16, 1 << 20));
        assert!((distance - 2_f64.ln()).abs() < 1e-12);
        assert!((at(8, 1 << 20).distance(&at(8, 1 << 22)) - 4_f64.ln()).abs() < 1e-12);
        assert!(at(8, 1_000_000).is(&at(8, 1_005_000)));
        assert!(!at(8, 1_000_000).is(&at(8, 1_050_000)));
        let steps = [0, 1, 2, 8].map(io_node_step);
        assert_eq!(steps, [-1.0, 0.0, 1.0, 3.0]);
    }
}
