//! Benchmarks that mimic I/O phases: what was run, and how fast it was.

use crate::access::{FileStrategy, Spatiality};
use crate::request::{Api, Op};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A way of doing I/O that a benchmark can repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Scenario {
    /// The direction.
    pub op: Op,
    /// The layer.
    pub api: Api,
    /// Whether processes share files.
    pub files: FileStrategy,
    /// Where requests lie in them.
    pub spatiality: Spatiality,
    /// Nodes that the processes run on; at least 1.
    pub nodes: u64,
    /// Processes in all; at least 1.
    pub processes: u64,
    /// What each process moves.
    pub bytes_per_process: u64,
    /// What each request moves.
    pub request_bytes: u64,
}

/// What no interpolation can bridge: scenarios of different kinds have nothing to say of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Kind {
    /// The direction.
    pub op: Op,
    /// The layer.
    pub api: Api,
    /// Whether processes share files.
    pub files: FileStrategy,
    /// Where requests lie in them.
    pub spatiality: Spatiality,
}

impl Scenario {
    /// The part of it that is a word rather than a number.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        Kind {
            op: self.op,
            api: self.api,
            files: self.files,
            spatiality: self.spatiality,
        }
    }

    /// What all processes move together.
    #[must_use]
    pub const fn bytes(&self) -> f64 {
        self.bytes_per_process as f64 * self.processes as f64
    }

    /// Processes on each node.
    #[must_use]
    pub const fn processes_per_node(&self) -> f64 {
        self.processes as f64 / self.nodes as f64
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            op,
            api,
            files,
            spatiality,
        } = self;
        write!(f, "{op}, {api}, {files} files, {spatiality}")
    }
}

/// A scenario with a number of I/O nodes, and how fast each repetition was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Benchmark {
    /// What was run.
    pub scenario: Scenario,
    /// I/O nodes between the compute nodes and the file system; 0 is without such a layer.
    pub io_nodes: u32,
    /// Bytes per second of every repetition: finite, above 0.
    pub bandwidths: Vec<f64>,
}

/// Gathers repetitions, in any order, into benchmarks.
#[derive(Debug, Clone, Default)]
pub struct BenchmarkGatherer(BTreeMap<(Scenario, u32), Vec<f64>>);

impl BenchmarkGatherer {
    /// Adds a repetition. `false` where its bandwidth is none: not finite, or not above 0.
    pub fn push(&mut self, scenario: Scenario, io_nodes: u32, bandwidth: f64) -> bool {
        let sound = bandwidth.is_finite() && bandwidth > 0.0;
        if sound {
            let repetitions = self.0.entry((scenario, io_nodes)).or_default();
            repetitions.push(bandwidth);
        }
        sound
    }

    /// Adds all repetitions of another one.
    pub fn extend(&mut self, benchmarks: Vec<Benchmark>) {
        for benchmark in benchmarks {
            let key = (benchmark.scenario, benchmark.io_nodes);
            self.0.entry(key).or_default().extend(benchmark.bandwidths);
        }
    }

    /// The benchmarks, ordered by scenario and I/O nodes; repetitions as they came.
    #[must_use]
    pub fn finish(self) -> Vec<Benchmark> {
        let benchmark = |((scenario, io_nodes), bandwidths)| Benchmark {
            scenario,
            io_nodes,
            bandwidths,
        };
        self.0.into_iter().map(benchmark).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenario(processes: u64) -> Scenario {
        Scenario {
            op: Op::Write,
            api: Api::Posix,
            files: FileStrategy::Shared,
            spatiality: Spatiality::Consecutive,
            nodes: 2,
            processes,
            bytes_per_process: 1 << 30,
            request_bytes: 1 << 20,
        }
    }

    #[test]
    fn repetitions_of_one_scenario_are_one_benchmark() {
        let mut gatherer = BenchmarkGatherer::default();
        assert!(gatherer.push(scenario(8), 1, 5.0));
        assert!(gatherer.push(scenario(4), 1, 7.0));
        assert!(gatherer.push(scenario(8), 1, 6.0));
        assert!(gatherer.push(scenario(8), 0, 9.0));
        let benchmarks = gatherer.finish();
        let bandwidths: Vec<_> = benchmarks.iter().map(|b| b.bandwidths.clone()).collect();
        assert_eq!(bandwidths, [vec![7.0], vec![9.0], vec![5.0, 6.0]]);
    }

    #[test]
    fn what_is_no_bandwidth_is_not_taken() {
        let mut gatherer = BenchmarkGatherer::default();
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(!gatherer.push(scenario(8), 1, wrong));
        }
        assert_eq!(gatherer.finish(), []);
    }
}
