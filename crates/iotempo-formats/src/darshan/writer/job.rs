//! The job region.

use super::super::header::LogVersion;
use super::super::log::JobRecord;
use super::error::WriteError;
use super::put::Put;

/// Length of the metadata field, and of the whole region in a log that was never compressed.
const METADATA: usize = 1024;
const MAPPED: usize = 4096;

/// Numbers and metadata; the text of [`text`] follows.
pub(super) fn encode(
    put: &mut Put,
    version: LogVersion,
    job: &JobRecord,
) -> Result<(), WriteError> {
    if version < LogVersion::V341 {
        put.i64s(&[job.uid, job.start_s, job.end_s, job.nprocs, job.jobid]);
    } else {
        put.i64s(&[job.uid, job.start_s, job.start_ns, job.end_s, job.end_ns]);
        put.i64s(&[job.nprocs, job.jobid]);
    }
    let metadata: String = job
        .metadata
        .iter()
        .map(|(key, value)| format!("{key}={value}\n"))
        .collect();
    if metadata.len() > METADATA {
        return Err(WriteError::TooLong {
            what: "the job's metadata",
            bytes: metadata.len(),
            room: METADATA,
        });
    }
    put.text(&metadata, METADATA);
    Ok(())
}

/// The command line and the mounted file systems, a line each. As in real logs the last line has
/// no end, and since Darshan 3.4.6 a NUL.
pub(super) fn text(version: LogVersion, job: &JobRecord) -> Vec<u8> {
    let mut text = job.exe.clone();
    for mount in &job.mounts {
        text += &format!("\n{}\t{}", mount.fs_type, mount.point);
    }
    if job.mounts.is_empty() {
        // libdarshan finds no command line without it.
        text.push('\n');
    }
    if version >= LogVersion::V341 {
        text.push('\0');
    }
    text.into_bytes()
}

/// A mapped log has a fixed place for the job.
pub(super) fn pad_mapped(put: &mut Put) {
    put.zeros(MAPPED.saturating_sub(put.bytes.len()));
}
