//! What a job writes while it runs.

mod file;
mod job;

pub use file::{GrowingFile, Growth};
pub use job::GrowingJob;
