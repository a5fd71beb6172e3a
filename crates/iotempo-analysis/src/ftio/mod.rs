//! FTIO: the dominant frequency of a spectrum, as the tool of that name finds it.
//!
//! [`Settings`] with FTIO's names and defaults, asked about a trace, give a [`Finding`] with FTIO's
//! numbers. Where FTIO fails or contradicts itself, the finding is undetermined or carries a note.

mod autocorrelation;
mod candidates;
mod detect;
mod finding;
mod harmonics;
mod merge;
mod overlap;
mod sampling;
mod settings;

pub use finding::{Autocorrelation, Bin, Finding, Sampling, Verdict};
pub use overlap::{Points, PointsView};
pub use settings::{Method, Outlier, Rate, Samples, Settings, UnknownOutlier};
