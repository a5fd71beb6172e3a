//! Units, requests, traces, bandwidth and signals: what every part of iotempo speaks.
//!
//! A [`Trace`] holds requests; [`Trace::bandwidth`] is the exact step function of overlapping
//! requests; [`Bandwidth::sample`] spreads it over equal steps without losing a byte and gives a
//! [`Signal`].
//!
//! ```
//! use iotempo_model::*;
//!
//! let mut builder = TraceBuilder::default();
//! let file = builder.file("checkpoint.0");
//! let seconds = |s| Seconds::new(s).unwrap();
//! for start in [0.0, 10.0, 20.0] {
//!     builder.push(Request {
//!         rank: Rank(0),
//!         op: Op::Write,
//!         api: Api::Posix,
//!         file,
//!         when: Interval::new(seconds(start), seconds(start + 2.0)).unwrap(),
//!         bytes: Bytes::from(1 << 30),
//!     })?;
//! }
//! let trace = builder.finish(Origin::new(Source::Requests), Vec::new());
//! let signal = trace.bandwidth().sample(Sampling::Rate(Hertz::new(1.0).unwrap())).unwrap();
//! assert_eq!(signal.samples().len(), 22);
//! assert_eq!(signal.volume(), trace.volume());
//! # Ok::<(), std::io::Error>(())
//! ```

mod access;
mod bandwidth;
mod benchmark;
mod bins;
mod counters;
mod files;
mod job;
mod merge;
mod order;
mod origin;
pub mod pattern;
mod request;
mod sampler;
mod selection;
mod signal;
mod sink;
mod throughput;
mod trace;
mod units;
mod warning;
pub mod wire;

pub use access::{FileStrategy, Spatiality};
pub use bandwidth::{Bandwidth, Impulse, Step};
pub use benchmark::{Benchmark, BenchmarkGatherer, Kind, Scenario};
pub use counters::{FileCounters, OpCounters, SIZE_BINS, SIZE_BOUNDS, SizeCount, size_bin};
pub use files::FileTable;
pub use job::{ExitCode, JobRecord, JobState, MOST_NODES, NodeListError, expand_nodes};
pub use order::sort_by_time;
pub use origin::{Job, Origin, Source};
pub use request::{Api, Backwards, FileId, Interval, Op, Rank, Request, UnknownWord};
pub use sampler::Sampler;
pub use selection::{FileTest, Selecting, Selection};
pub use signal::{MAX_SAMPLES, Sampling, SamplingError, Signal};
pub use sink::{Intake, Manner, RawRequest, RequestSink};
pub use throughput::{
    Binned, Expected, Hole, Moved, Seldom, Target, TargetId, TargetKind, ThroughputSink, Unseen,
};
pub use trace::{Trace, TraceBuilder};
pub use units::{Bytes, BytesPerSecond, Hertz, NotAUnit, Seconds};
pub use warning::{Warning, counted};
