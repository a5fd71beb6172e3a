//! From a log or a trace to its phases.

use super::agreement::{self, Evidence};
use crate::failure::{Failure, Unread};
use crate::inputs::{Log, Sha256Of};
use iotempo_analysis::phases::{PhaseFinder, Phases, RequestPhases, Settings};
use iotempo_formats::darshan::CountedLog;
use iotempo_formats::{Format, Input, Layer, ReadOptions, detect_with, read};
use iotempo_model::{FileId, Job, Source, Warning};

/// Files of a phase that are named.
const NAMED_FILES: usize = 3;

/// What a log tells.
pub(crate) struct Found {
    pub(crate) input: String,
    pub(crate) sha256: Option<String>,
    /// Whether it is one of several in an archive.
    pub(crate) member: bool,
    pub(crate) format: String,
    /// What phases were made of.
    pub(crate) source: Source,
    pub(crate) job: Job,
    pub(crate) phases: Phases,
    /// Some files of each phase.
    pub(crate) named: Vec<Vec<String>>,
    /// What finer evidence in the same log says.
    pub(super) evidence: Evidence,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) damaged: bool,
    /// Whether the profiler ran out of memory, and dropped files.
    pub(crate) partial: bool,
    /// Whether there is anything that phases could be made of: else nobody knows what was moved.
    pub(super) counted: bool,
}

/// Reads the counters of a log, or the requests of a trace, and makes phases of them.
pub(crate) fn found(log: Log, settings: &Settings, options: &ReadOptions) -> Result<Found, Unread> {
    match holds_counters(&log.input, options) {
        true => of_counters(log, settings),
        false => of_requests(log, settings, options),
    }
}

fn of_counters(log: Log, settings: &Settings) -> Result<Found, Unread> {
    let Log {
        name,
        input,
        sha256,
        member,
        guessed,
        ..
    } = log;
    let mut counted = CountedLog::open(input, &ReadOptions::default())
        .map_err(|error| Unread::of(&name, guessed, &error))?;
    let mut finder = PhaseFinder::new(*settings);
    counted.each_file(|file| finder.push(file));
    let phases = finder.finish();
    let evidence = agreement::evidence(&mut counted, &phases.phases, settings);
    let mut warnings = counted.warnings();
    if counted.records() == 0 {
        if counted.is_damaged() {
            return Err(Unread::destroyed(&name, "no counter in it", &warnings));
        }
        let message = "there are no counters of files in this log";
        warnings.push(Warning::new("no-counters", message));
    }
    warnings.extend(phases.left_out.warnings());
    warnings.extend(evidence.warnings());
    warnings.extend(phases.differ.warnings());
    let some = |files: &[u64]| {
        let files = files.iter().take(NAMED_FILES);
        files.map(|&file| counted.file_name(file)).collect()
    };
    let named = phases.phases.iter().map(|phase| some(&phase.handles));
    let named = named.collect();
    Ok(Found {
        sha256: digest(sha256, &name)?,
        input: name,
        member,
        format: counted.format(),
        source: Source::Counters,
        job: counted.job(),
        phases,
        named,
        evidence,
        warnings,
        damaged: counted.is_damaged(),
        partial: counted.is_partial(),
        counted: counted.records() > 0,
    })
}

fn of_requests(log: Log, settings: &Settings, options: &ReadOptions) -> Result<Found, Unread> {
    let Log {
        name,
        input,
        sha256,
        member,
        named,
        guessed,
        ..
    } = log;
    let options = ReadOptions {
        layer: Layer::All,
        ..options.clone()
    };
    let mut requests = RequestPhases::new(*settings);
    let reading =
        read(input, &options, &mut requests).map_err(|error| Unread::of(&name, guessed, &error))?;
    let source = reading.origin.source;
    if !matches!(source, Source::Requests | Source::Dxt) {
        let message = format!(
            "phases need counters of files or single requests, and it holds {}",
            source.rows()
        );
        let failure = Failure::new(name, message);
        return Err(match named {
            true => Unread::Failed(failure),
            false => Unread::NoLog(failure),
        });
    }
    let mut warnings = reading.warnings;
    if requests.requests() == 0 {
        if reading.damaged {
            return Err(Unread::destroyed(&name, "no request in it", &warnings));
        }
        let message = "there are no requests in this trace";
        warnings.push(Warning::new("no-requests", message));
    }
    let some_requests = requests.requests() > 0;
    let mut job = reading.origin.job;
    job.ranks = job.ranks.or_else(|| requests.processes());
    warnings.extend(requests.warnings());
    let names = requests.names();
    let phases = requests.finish(job.ranks);
    warnings.extend(phases.left_out.warnings());
    warnings.extend(phases.differ.warnings());
    let name_of = |&file: &u64| {
        let id = u32::try_from(file).map(FileId).ok();
        let name = id.and_then(|id| names.name(id)).unwrap_or_default();
        match name {
            "" => "(without a name)".to_owned(),
            name => name.to_owned(),
        }
    };
    let some = |files: &[u64]| files.iter().take(NAMED_FILES).map(name_of).collect();
    let named = phases.phases.iter().map(|phase| some(&phase.handles));
    let named = named.collect();
    Ok(Found {
        sha256: digest(sha256, &name)?,
        input: name,
        member,
        format: reading.format,
        source,
        job,
        phases,
        named,
        evidence: Evidence::default(),
        warnings,
        damaged: reading.damaged,
        partial: false,
        counted: some_requests,
    })
}

fn digest(sha256: Sha256Of, name: &str) -> Result<Option<String>, Unread> {
    let digest = sha256.finish();
    digest.map_err(|error| Unread::Failed(Failure::new(name, error)))
}

/// Whether it is a log of Darshan that could.
fn holds_counters(input: &Input, options: &ReadOptions) -> bool {
    let format = detect_with(input.head(), options).ok();
    format.is_none_or(|format| format.is_darshan() && format != Format::DarshanDxtText)
}
