//! FTIO: the dominant frequency of a spectrum, as the tool of that name finds it.
//!
//! [`Settings`] with FTIO's names and defaults, asked about a trace, give a [`Finding`] with FTIO's
//! numbers. Where FTIO fails or contradicts itself, the finding is undetermined or carries a note.
//!
//! ```
//! use iotempo_analysis::ftio::{Points, Rate, Settings};
//! use iotempo_model::Hertz;
//!
//! // 3 s at 1 GB/s every 10 s, and a last point where the run ends.
//! let bursts = (0..20).map(f64::from).flat_map(|i| [(10.0 * i, 1e9), (10.0 * i + 3.0, 0.0)]);
//! let (times, rates) = bursts.chain([(200.0, 0.0)]).unzip();
//! let points = Points::new(times, rates).unwrap();
//! let settings = Settings {
//!     freq: Rate::Fixed(Hertz::new(1.0).unwrap()),
//!     ..Settings::default()
//! };
//! let finding = settings.detect_points(&points);
//! assert_eq!(finding.period_s, Some(10.0));
//! assert!((finding.confidence.unwrap() - 0.864).abs() < 1e-3);
//! ```

mod autocorrelation;
mod candidates;
mod detect;
mod finding;
mod harmonics;
mod merge;
mod overlap;
mod sampling;
mod settings;
mod stairs;

pub mod online;

pub use finding::{Autocorrelation, Bin, Finding, Sampling, Verdict};
pub use overlap::Points;
pub use settings::{Method, Outlier, Rate, Samples, Settings, UnknownOutlier};
