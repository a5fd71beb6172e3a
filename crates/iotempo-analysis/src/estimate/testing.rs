//! Benchmarks for tests.

use iotempo_model::{Api, Benchmark, FileStrategy, Op, Scenario, Spatiality};

/// Processes that write a shared file, 1 GiB each.
pub(crate) fn scenario(nodes: u64, processes: u64, request_bytes: u64) -> Scenario {
    Scenario {
        op: Op::Write,
        api: Api::Posix,
        files: FileStrategy::Shared,
        spatiality: Spatiality::Consecutive,
        nodes,
        processes,
        bytes_per_process: 1 << 30,
        request_bytes,
    }
}

/// One repetition.
pub(crate) fn benchmark(scenario: Scenario, io_nodes: u32, bandwidth: f64) -> Benchmark {
    Benchmark {
        scenario,
        io_nodes,
        bandwidths: vec![bandwidth],
    }
}

/// Three repetitions that do not differ.
pub(crate) fn repeated(scenario: Scenario, io_nodes: u32, bandwidth: f64) -> Benchmark {
    Benchmark {
        scenario,
        io_nodes,
        bandwidths: vec![bandwidth; 3],
    }
}
