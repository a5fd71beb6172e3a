//! How long jobs took for their I/O, and how busy the file system was meanwhile.
//!
//! After Madireddy et al., *Analysis and Correlation of Application I/O Performance and System-Wide I/O
//! Activity* (NAS 2017), section III: times of a job (φ, [`JobMetrics`]), what the whole system moved
//! meanwhile (ψ, [`Load`]), both at coarser grains ([`Load::coarser`]), and which jobs may be compared with
//! each other ([`groups`]).
//!
//! ```
//! use iotempo_analysis::correlate::{Load, Series, Window, Windows};
//!
//! // Three minutes of a log that looks every minute; nothing is known of the third.
//! let rates = [Some(10.0), Some(20.0), None];
//! let load = Load::new(0.0, 60.0, 3)?.with(Series::ReadBytes, rates)?;
//! // Eq. 2: half of the first minute, and half of the second.
//! assert_eq!(load.between(Series::ReadBytes, 30.0, 90.0)?.amount, 900.0);
//! // Eqs. 4 and 5: a file that is used for a second only touches its minute.
//! let windows: Windows = [Window::new(65.0, 66.0)].into_iter().flatten().collect();
//! assert_eq!(load.over(Series::ReadBytes, &windows, 0.0)?.amount, 20.0);
//! assert_eq!(load.touched_s(&windows, 0.0)?, 60.0);
//! let why = load.between(Series::ReadBytes, 100.0, 130.0).unwrap_err();
//! assert!(why.to_string().starts_with("nothing is known of bytes read from 120 to 180"), "{why}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clocks;
mod error;
mod granularity;
pub mod groups;
mod job;
mod jobs_load;
mod layers;
mod metrics;
pub mod study;
mod sums;
mod system;
mod throughput;
mod windows;

pub use clocks::{ClockDoubt, ServerClocks};
pub use error::{LoadError, Unknown};
pub use granularity::{COARSEST, granularities};
pub use job::{JobMetrics, JobSpan, Oddities, Place, Share, SharedTime, SharedTimes, UniqueTimes};
pub use metrics::{LoadMetric, Measure, TimeMetric, Traffic};
pub use system::{Amount, Load, MOST_INTERVALS, Series};
pub use windows::{During, Window, Windows};
