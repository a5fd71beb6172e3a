//! What a job writes while it runs.

mod file;
mod folder;
mod job;
mod pieces;

pub use file::{GrowingFile, Growth};
pub use job::GrowingJob;
pub use pieces::Pieces;
