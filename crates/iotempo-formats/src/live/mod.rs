//! What a job writes while it runs.

mod batch;
mod file;
mod folder;
mod job;
mod jobs;
mod pieces;
mod tally;

pub use file::{GrowingFile, Growth};
pub use folder::{a_log_of, holds_logs, is_log};
pub use job::GrowingJob;
pub use jobs::jobs_in;
pub use pieces::Pieces;
