//! Job logs of every kind, sound and damaged.

mod damage;
mod gathered;
mod others;
mod slurm;
mod tables;

use super::*;

fn utc() -> JobOptions {
    JobOptions {
        zone: TimeZone::utc(),
        ..JobOptions::default()
    }
}

/// All that a log holds.
fn read_with(log: impl Into<Vec<u8>>, options: &JobOptions) -> (JobReading, Vec<JobRecord>) {
    let mut jobs = Vec::new();
    let reading = read_jobs(Input::bytes(log), options, &mut |job| jobs.push(job));
    (reading.expect("readable"), jobs)
}

fn read(log: impl Into<Vec<u8>>) -> (JobReading, Vec<JobRecord>) {
    read_with(log, &utc())
}

/// Why a log cannot be read.
fn refused(log: impl Into<Vec<u8>>, options: &JobOptions) -> String {
    let reading = read_jobs(Input::bytes(log), options, &mut |_| {});
    reading.expect_err("not readable").to_string()
}

fn said(reading: &JobReading) -> Vec<String> {
    reading.warnings.iter().map(ToString::to_string).collect()
}

fn ids(jobs: &[JobRecord]) -> Vec<&str> {
    jobs.iter().map(|job| job.id.as_str()).collect()
}
