//! Darshan logs of a run, with all of the evidence or some of it.

use super::heat3d::Run;
use iotempo_formats::darshan::writer::{LogWriter, record_id};
use iotempo_formats::darshan::{LogVersion, LustreComponent, LustreRecord};

/// The job, and nothing else.
fn job(run: &Run) -> LogWriter {
    LogWriter::new(LogVersion::V341).job(run.job.clone())
}

/// Counters only: what Darshan wrote before it had heatmaps.
pub(crate) fn counters(run: &Run) -> LogWriter {
    job(run)
        .records(run.runtime.counters())
        .records(lustre(run))
}

/// Counters and heatmap: what Darshan writes unless told otherwise.
pub(crate) fn heatmap(run: &Run) -> LogWriter {
    counters(run).records(run.runtime.heatmaps(run.run_time_s))
}

/// The heatmap and no other module.
pub(crate) fn heatmap_only(run: &Run) -> LogWriter {
    job(run).records(run.runtime.heatmaps(run.run_time_s))
}

/// Counters, heatmap and extended tracing.
pub(crate) fn everything(run: &Run) -> LogWriter {
    heatmap(run).records(run.runtime.dxt())
}

/// How the files on Lustre are striped: over eight of 32 targets each.
fn lustre(run: &Run) -> Vec<LustreRecord> {
    let checkpoints = run.checkpoints.iter().map(|checkpoint| &checkpoint.file);
    let files = std::iter::once(&run.mesh).chain(checkpoints);
    (0..)
        .zip(files)
        .map(|(at, file): (i64, _)| LustreRecord {
            id: record_id(file),
            rank: -1,
            components: vec![LustreComponent {
                stripe_size: 16 << 20,
                stripe_count: 8,
                stripe_pattern: 0,
                // The component is in use.
                flags: 0x10,
                ext_start: 0,
                ext_end: -1,
                mirror_id: 0,
                pool_name: "scratch".to_owned(),
            }],
            osts: (0..8).map(|stripe| (5 * at + stripe) % 32).collect(),
            targets: None,
        })
        .collect()
}
