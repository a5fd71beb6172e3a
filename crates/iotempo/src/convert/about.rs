//! What an output says about the input it was made from.

use iotempo_formats::Reading;
use iotempo_model::{Job, Source, Warning};
use serde::Serialize;

/// Where rows came from.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct About {
    pub(super) input: String,
    sha256: Option<String>,
    format: String,
    pub(super) source: Source,
    resolution_s: Option<f64>,
    job: Job,
    /// Requests in it, before any selection.
    pub(super) requests: u64,
    /// Rows of the output that were made from it.
    pub(super) rows: u64,
    damaged: bool,
    pub(super) warnings: Vec<Warning>,
}

impl About {
    /// What is known before rows are counted.
    pub(super) fn new(
        input: String,
        sha256: Option<String>,
        reading: Reading,
        requests: u64,
    ) -> Self {
        let origin = reading.origin;
        Self {
            input,
            sha256,
            format: reading.format,
            source: origin.source,
            resolution_s: origin.resolution.map(|resolution| resolution.get()),
            job: origin.job,
            requests,
            rows: 0,
            damaged: reading.damaged,
            warnings: reading.warnings,
        }
    }
}
