//! How good estimates are on a store of benchmarks: each of its scenarios in turn is the application.

mod estimator;
mod held_out;
mod split;

pub use estimator::Estimator;
pub use held_out::{CurveScore, HeldOut, Scores, Truth, held_out};
pub use split::{SplitScores, split};
