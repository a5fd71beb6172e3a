//! How fast an application's I/O would be with other numbers of I/O nodes, from benchmarks that mimic it.
//!
//! After Boito, *Estimation of the impact of I/O forwarding on application performance*, RR-9366: each
//! I/O phase is matched with a benchmark of the same kind; what the phases move over how fast the
//! benchmarks were is the time that the application would take. Beyond the report, benchmarks need not
//! be of the very sizes of a phase ([`Store::estimate`] interpolates), repetitions are kept as a
//! distribution, and requests of several sizes are matched one by one.
//!
//! ```
//! use iotempo_analysis::estimate::{Reach, Store};
//! use iotempo_model::{Api, Benchmark, FileStrategy, Op, Scenario, Spatiality};
//!
//! let scenario = |request_bytes| Scenario {
//!     op: Op::Write,
//!     api: Api::Posix,
//!     files: FileStrategy::Shared,
//!     spatiality: Spatiality::Consecutive,
//!     nodes: 8,
//!     processes: 96,
//!     bytes_per_process: 1 << 30,
//!     request_bytes,
//! };
//! let benchmark = |request_bytes, io_nodes, bandwidth| Benchmark {
//!     scenario: scenario(request_bytes),
//!     io_nodes,
//!     bandwidths: vec![bandwidth],
//! };
//! let store = Store::new(vec![
//!     benchmark(1 << 20, 1, 1e9),
//!     benchmark(1 << 20, 4, 3e9),
//!     benchmark(4 << 20, 1, 2e9),
//!     benchmark(4 << 20, 4, 6e9),
//! ]);
//! let curve = store.estimate(&scenario(2 << 20), &Reach::default()).unwrap();
//! assert_eq!(curve.best().unwrap().io_nodes, 4);
//! ```

mod cholesky;
mod combine;
mod coordinates;
mod curve;
mod demand;
mod distribution;
pub mod evaluate;
mod kriging;
mod matching;
pub mod metrics;
mod numbers;
mod phase;
mod reach;
mod runs;
mod scatter;
mod store;
#[cfg(test)]
pub(crate) mod testing;

pub use combine::{Combined, CombinedPoint, LeftOut, combine};
pub use coordinates::Volume;
pub use curve::{Curve, CurvePoint, Match};
pub use demand::{Demand, Part};
pub use distribution::{BIMODAL_RATIO, Distribution, TwoModes};
pub use kriging::Prior;
pub use matching::{Lookup, MatchedPart, PhaseEstimate};
pub use phase::Mimicry;
pub use reach::{Reach, Unmatched};
pub use runs::{DRAWS, SEED};
pub use scatter::FEW_REPETITIONS;
pub use store::Store;
