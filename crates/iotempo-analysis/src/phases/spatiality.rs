//! Where the requests of a phase lie in files.

use super::Settings;
use super::one_file::Counts;
use iotempo_model::{Api, Spatiality};

/// Up to so many requests a process, the first one is too large a share to be counted.
const FEW_REQUESTS: u64 = 5;

/// What most requests are; `streams` is the number of (file, process) pairs that made them.
pub(super) fn spatiality(
    api: Api,
    counts: Counts,
    streams: u64,
    settings: &Settings,
) -> Spatiality {
    let most = |part: u64, of: u64| part as f64 >= (1.0 - settings.threshold) * of as f64;
    match api {
        Api::Posix => match judged(counts.requests, streams, settings) {
            0 => Spatiality::Consecutive,
            judged if most(counts.consecutive, judged) => Spatiality::Consecutive,
            judged if most(counts.sequential, judged) => Spatiality::Sequential,
            _ => Spatiality::Random,
        },
        Api::MpiIo if counts.requests > 0 && most(counts.collective, counts.requests) => {
            Spatiality::Collective
        }
        _ => Spatiality::Unknown,
    }
}

/// The requests that could be consecutive. The first of a process has none before it: where it lies
/// at the start of the file it counts as neither consecutive nor sequential, so that a file written
/// with one request would be random.
fn judged(requests: u64, streams: u64, settings: &Settings) -> u64 {
    let few = requests <= streams.saturating_mul(FEW_REQUESTS);
    if settings.compat || !few {
        return requests;
    }
    requests.saturating_sub(streams)
}
