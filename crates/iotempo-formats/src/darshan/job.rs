//! The job record: who ran what, when, with how many processes.

use super::bytes::{ByteOrder, text};
use super::header::LogVersion;
use super::log::{JobRecord, Mount};
use crate::error::{Error, ErrorKind, Place};
use iotempo_model::Warning;

/// Length of the metadata field.
const METADATA: usize = 1024;

/// Decodes the decompressed job region.
pub(crate) fn decode(
    bytes: &[u8],
    version: LogVersion,
    order: ByteOrder,
    warnings: &mut Vec<Warning>,
) -> Result<JobRecord, Error> {
    let fields = if version < LogVersion::V341 { 5 } else { 7 };
    let metadata_at = 8 * fields;
    let text_at = metadata_at + METADATA;
    if bytes.len() < text_at {
        let kind = ErrorKind::UnexpectedEnd("the job record");
        return Err(Error::new(
            "job",
            Place::InflatedByte(bytes.len() as u64),
            kind,
        ));
    }
    let field = |index: usize| order.i64(&bytes[8 * index..]);
    let mut job = JobRecord {
        uid: field(0),
        start_s: field(1),
        nprocs: field(fields - 2),
        jobid: field(fields - 1),
        metadata: metadata(&bytes[metadata_at..text_at]),
        ..JobRecord::default()
    };
    if version < LogVersion::V341 {
        job.end_s = field(2);
        job.run_time_s = (i128::from(job.end_s) - i128::from(job.start_s) + 1) as f64;
    } else {
        (job.start_ns, job.end_s, job.end_ns) = (field(2), field(3), field(4));
        // Associated as in libdarshan, so that the value is the same to the last bit.
        job.run_time_s = (job.end_s as f64 + job.end_ns as f64 / 1e9)
            - (job.start_s as f64 + job.start_ns as f64 / 1e9);
    }
    exe_and_mounts(&bytes[text_at..], &mut job, warnings);
    if !(1..=i64::from(i32::MAX)).contains(&job.nprocs) {
        warnings.push(Warning::new(
            "odd-nprocs",
            format!("the job says that it had {} processes", job.nprocs),
        ));
    }
    if job.run_time_s < 0.0 {
        warnings.push(Warning::new(
            "odd-run-time",
            format!("the job ends {} s before it starts", -job.run_time_s),
        ));
    }
    Ok(job)
}

/// `key=value` lines; a value may hold further `=`, and a line without one says nothing.
fn metadata(field: &[u8]) -> Vec<(String, String)> {
    text(field)
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}

/// The command line, then a mounted file system per line. Logs before 3.4.6 end without a NUL; one
/// whose command line filled the space has no line end and no mounts.
fn exe_and_mounts(tail: &[u8], job: &mut JobRecord, warnings: &mut Vec<Warning>) {
    let tail = text(tail);
    let mut lines = tail.split('\n');
    job.exe = lines.next().unwrap_or_default().to_owned();
    for line in lines.filter(|line| !line.is_empty()) {
        match line.split_once('\t') {
            Some((fs_type, point)) => job.mounts.push(Mount {
                fs_type: fs_type.to_owned(),
                point: point.to_owned(),
                device: None,
            }),
            None => warnings.push(Warning::new(
                "mount-line",
                format!("a line of the mount table has no tab: {line:?}: left out"),
            )),
        }
    }
}
