//! What an application's phases ask for.

use iotempo_model::Scenario;
use serde::Serialize;

/// The share of a phase's bytes that may be taken for requests of other sizes.
const NEGLIGIBLE_BYTES: f64 = 0.01;
/// The share of its requests, likewise.
const NEGLIGIBLE_REQUESTS: f64 = 0.02;

/// A phase, as benchmarks see it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Demand {
    /// When it begins, in seconds since the job did.
    pub start_s: f64,
    /// When it ends.
    pub end_s: f64,
    /// What it moves.
    pub bytes: f64,
    /// The same by the size of requests. Empty where it moves nothing.
    pub parts: Vec<Part>,
    /// The phase with all requests of their mean size: taken where a part has no match.
    pub whole: Scenario,
}

/// The requests of one size in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Part {
    /// How they are made.
    pub scenario: Scenario,
    /// What they move.
    pub bytes: f64,
}

impl Demand {
    /// A phase with requests of one size.
    #[must_use]
    pub fn even(scenario: Scenario, start_s: f64, end_s: f64) -> Self {
        let bytes = scenario.bytes();
        let part = Part { scenario, bytes };
        Self {
            start_s,
            end_s,
            bytes,
            parts: if bytes > 0.0 { vec![part] } else { Vec::new() },
            whole: scenario,
        }
    }

    /// Splits it by the sizes of its requests, given as size and bytes. Small requests are the slow ones:
    /// what is left to the others is no more than a hundredth of the bytes and a fiftieth of the requests,
    /// all such sizes together, which as long as no request takes longer than a larger one is at most that
    /// share of the time. Requests that move nothing have no size.
    #[must_use]
    pub fn of_sizes(mut self, sizes: impl Iterator<Item = (f64, f64)>) -> Self {
        let moving = sizes.filter(|(size, bytes)| *size > 0.0 && *bytes > 0.0);
        let parts: Vec<Part> = without_the_negligible(moving.collect())
            .into_iter()
            .map(|(size, bytes)| Part {
                scenario: Scenario {
                    request_bytes: size.round().max(1.0) as u64,
                    ..self.whole
                },
                bytes,
            })
            .collect();
        let sum: f64 = parts.iter().map(|part| part.bytes).sum();
        if sum > 0.0 && self.bytes > 0.0 {
            let scaled = |part: Part| Part {
                bytes: part.bytes * self.bytes / sum,
                ..part
            };
            self.parts = parts.into_iter().map(scaled).collect();
        }
        self
    }

    /// The same with processes that make whole requests, as those of benchmarks do.
    #[must_use]
    pub(super) fn in_whole_requests(mut self) -> Self {
        let parts = self.parts.iter_mut().map(|part| &mut part.scenario);
        for scenario in parts.chain([&mut self.whole]) {
            let request = scenario.request_bytes.max(1) as f64;
            let requests = (scenario.bytes_per_process as f64 / request).round();
            if scenario.bytes_per_process > 0 {
                scenario.bytes_per_process = (requests.max(1.0) * request) as u64;
            }
        }
        self
    }
}

/// Leaves out those that move least, as long as hardly any bytes and hardly any requests are lost.
fn without_the_negligible(mut sizes: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    sizes.sort_by(|one, other| one.1.total_cmp(&other.1).then(one.0.total_cmp(&other.0)));
    let requests = |(size, bytes): (f64, f64)| bytes / size;
    let (mut bytes_left, mut requests_left) = (
        NEGLIGIBLE_BYTES * sizes.iter().map(|size| size.1).sum::<f64>(),
        NEGLIGIBLE_REQUESTS * sizes.iter().copied().map(requests).sum::<f64>(),
    );
    let mut kept = Vec::new();
    for size in sizes {
        let negligible = size.1 <= bytes_left && requests(size) <= requests_left;
        if negligible {
            bytes_left -= size.1;
            requests_left -= requests(size);
        } else {
            kept.push(size);
        }
    }
    kept.sort_by(|one, other| one.0.total_cmp(&other.0));
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::testing::scenario;

    #[test]
    fn sizes_split_a_phase_without_losing_a_byte() {
        // HACC-IO with 100,000 particles: arrays of three sizes, and a header.
        let whole = Scenario {
            processes: 64,
            bytes_per_process: 28_965_824,
            ..scenario(8, 64, 2_896_582)
        };
        let sizes = [
            (400_000.0, 64.0 * 2_800_000.0),
            (800_000.0, 64.0 * 800_000.0),
            (200_000.0, 64.0 * 200_000.0),
            (25_165_824.0, 64.0 * 25_165_824.0),
        ];
        let demand = Demand::even(whole, 0.0, 1.0).of_sizes(sizes.into_iter());
        assert_eq!(demand.bytes, 1_853_812_736.0);
        // 200,000 bytes are less than a hundredth, but one request in ten.
        assert_eq!(demand.parts.len(), 4);
        let sum: f64 = demand.parts.iter().map(|part| part.bytes).sum();
        assert!((sum - demand.bytes).abs() < 1e-3);
        assert_eq!(demand.parts[3].scenario.request_bytes, 25_165_824);
    }

    #[test]
    fn many_small_requests_stay_however_little_they_move() {
        let whole = scenario(8, 64, 1 << 20);
        let bytes = whole.bytes();
        // Half of the requests are of 4 KiB, and move less than half a percent.
        let count = bytes / 1_052_672.0;
        let sizes = [(4096.0, 4096.0 * count), (1_048_576.0, 1_048_576.0 * count)];
        let demand = Demand::even(whole, 0.0, 1.0).of_sizes(sizes.into_iter());
        let sizes: Vec<u64> = demand
            .parts
            .iter()
            .map(|part| part.scenario.request_bytes)
            .collect();
        assert_eq!(sizes, [4096, 1 << 20]);
    }

    #[test]
    fn what_is_left_to_others_is_little_also_in_sum() {
        // A header among many, and sizes of which each is little and all are much.
        let whole = scenario(8, 64, 1 << 20);
        let header = [(2048.0, 2048.0), (1_048_576.0, 999.0 * 1_048_576.0)];
        let demand = Demand::even(whole, 0.0, 1.0).of_sizes(header.into_iter());
        assert_eq!(demand.parts.len(), 1);
        let many = (0..200).map(|at| (1000.0 + f64::from(at), 10_000.0));
        let demand = Demand::even(whole, 0.0, 1.0).of_sizes(many);
        assert!(demand.parts.len() > 190, "{}", demand.parts.len());
    }

    #[test]
    fn a_phase_that_moves_nothing_has_no_parts() {
        let nothing = Scenario {
            bytes_per_process: 0,
            ..scenario(8, 64, 1)
        };
        let demand = Demand::even(nothing, 0.0, 1.0).of_sizes([(1.0, 0.0)].into_iter());
        assert_eq!(demand.parts, []);
    }
}
