//! The I/O signature of an application, dug out of what servers saw while it ran: their throughput,
//! with the I/O of all others in it. What is in most of its runs is its own (Liu et al., *Automatic
//! Identification of Application I/O Signatures from Noisy Server-Side Traces*, FAST 2014).
//!
//! ```
//! use iotempo_analysis::signature::{Sample, SignatureMiner};
//! use iotempo_model::Seconds;
//!
//! // Three runs that wrote twice, each beside somebody else.
//! let run = |foreign: usize| -> Vec<f64> {
//!     let busy = |i: usize| (50..60).contains(&(i % 100));
//!     let rate = |i| if busy(i) { 2e9 } else { 1e7 };
//!     let noise = |i: usize| if i.abs_diff(foreign) < 4 { 1e9 } else { 0.0 };
//!     (0..200).map(|i| rate(i) + noise(i)).collect()
//! };
//! let runs = [run(20), run(90), run(170)];
//! let samples: Vec<Sample> = ["1", "2", "3"]
//!     .iter()
//!     .zip(&runs)
//!     .map(|(id, rates)| Sample { id, rates, step: Seconds::new(2.0).unwrap() })
//!     .collect();
//! let finding = SignatureMiner::default().mine(&samples);
//! let signature = finding.signature().expect("three runs are enough");
//! assert_eq!(signature.bursts.len(), 2);
//! assert!((signature.bursts[0].start_s - 100.0).abs() < 6.0);
//! ```

pub mod accuracy;
mod alignment;
mod alone;
mod baselines;
mod belonging;
mod beside;
mod bursts;
mod chance;
mod clash;
mod clusters;
mod doubts;
mod finding;
mod grouping;
mod merging;
mod miner;
mod numbers;
mod outliers;
mod outside;
mod points;
mod repetition;
mod samples;
mod scatter;
mod search;
mod settings;
mod template;
mod timeline;
mod warp;

pub use alone::alone;
pub use clash::{Clash, HourClash};
pub use doubts::BURSTS_LEFT_OUT;
pub use finding::{
    Grid, Outcome, Outlier, SampleBurst, Signature, SignatureBurst, SignatureFinding, Timing,
    Undetermined,
};
pub use miner::SignatureMiner;
pub use outside::Shared;
pub use samples::Sample;
pub use settings::{
    BurstEdges, BurstShape, BurstTime, Mapping, Method, Preprocessing, Settings, Warping,
};
