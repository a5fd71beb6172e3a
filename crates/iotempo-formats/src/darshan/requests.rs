//! From a log to requests, by the best evidence that it holds.

use super::choice::Choice;
use super::dxt_text::{DxtTextRecord, DxtTextRequest, for_each_dxt_request};
use super::emitter::Emitter;
use super::layers;
use super::log::{Damage, Log};
use super::opened::{Opened, partial_warning};
use crate::detect::Format;
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::reading::{Layer, ReadOptions, Reading};
use iotempo_model::{Interval, Job, Origin, RequestSink, Seconds, Source, Warning};

/// Pushes the requests of a log into `sink`.
pub(crate) fn read(
    log: &mut Opened,
    options: &ReadOptions,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    let choice = Choice::make(log, options)?;
    let source = choice.source;
    let plan = layers::plan(log, source, options.layer);
    let mut emitter = Emitter::new(log, sink, plan);
    emitter.walk(log, source);
    if let Some(error) = emitter.error.take() {
        return Err(error.into());
    }
    let (shown, requests) = (emitter.shown, emitter.intake.accepted());
    let mut reading = finish(log, source, emitter, &log.damages());
    reading.warnings.extend(choice.warnings());
    reading
        .warnings
        .extend(shown.missing(source, choice.counted));
    if requests == 0 && !matches!(options.layer, Layer::Auto | Layer::All) {
        let message = "nothing in this log is about the layer asked for (--api)";
        reading.warnings.push(Warning::new("no-data", message));
    }
    Ok(reading)
}

/// Pushes the requests of `darshan-dxt-parser`'s text into `sink`, line by line.
pub(crate) fn read_dxt_text(
    input: Input,
    options: &ReadOptions,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    if options.source.is_some_and(|source| source != Source::Dxt) || options.layer == Layer::Stdio {
        let message = "the text of darshan-dxt-parser holds nothing but DXT data".to_owned();
        return Err(Error::new(
            "",
            Place::Whole,
            ErrorKind::Unsupported(message),
        ));
    }
    let format = Format::DarshanDxtText;
    let empty = Opened::memory(Log::default(), format);
    let plan = layers::plan(&empty, Source::Dxt, options.layer);
    let mut emitter = Emitter::new(&empty, sink, plan);
    let mut visit =
        |record: &DxtTextRecord, request: &DxtTextRequest| emitter.text_request(record, request);
    let text = for_each_dxt_request(input.into_reader(), &options.limits, &mut visit)?;
    let partial = text.modules.iter().filter(|module| module.partial);
    let partial: Vec<Warning> = partial
        .map(|module| partial_warning(module.module.name()))
        .collect();
    let damages: Vec<Damage> = text
        .modules
        .into_iter()
        .filter_map(|module| module.damage)
        .collect();
    let log = Opened::memory(text.log, format);
    let mut reading = finish(&log, Source::Dxt, emitter, &damages);
    reading.damaged = !damages.is_empty();
    reading.warnings.extend(partial);
    Ok(reading)
}

/// Says where the requests came from, and what went wrong on the way.
fn finish(log: &Opened, source: Source, emitter: Emitter<'_>, damages: &[Damage]) -> Reading {
    let mut warnings = log.warnings().to_vec();
    warnings.extend(damages.iter().map(Damage::warning));
    warnings.extend(emitter.intake.warnings());
    warnings.extend(emitter.oddities());
    Reading {
        requests: None,
        format: log.format(),
        origin: Origin {
            source,
            resolution: emitter.resolution(source),
            observed: observed(log),
            job: job(log),
            layers: Some(emitter.layers_note()),
        },
        sections: Vec::new(),
        warnings,
        damaged: log.is_damaged(),
    }
}

/// The stretch from start to end of the job.
fn observed(log: &Opened) -> Option<Interval> {
    let end = Seconds::new(log.job().run_time_s)?;
    Interval::new(Seconds::ZERO, end).ok()
}

/// The job in the words of every format.
pub(crate) fn job(log: &Opened) -> Job {
    let job = log.job();
    if (job.start_s, job.end_s, job.nprocs) == (0, 0, 0) {
        // A text without its heading: zeros would be facts that nobody stated.
        return Job::default();
    }
    Job {
        exe: Some(job.exe.clone()).filter(|exe| !exe.is_empty()),
        id: Some(job.jobid.to_string()),
        uid: Some(job.uid),
        ranks: u32::try_from(job.nprocs)
            .ok()
            .filter(|&ranks| ranks > 0)
            .map(u64::from),
        start_epoch_s: Some(job.start_s as f64 + job.start_ns as f64 / 1e9),
        run_time_s: Some(job.run_time_s).filter(|length| length.is_finite() && *length >= 0.0),
    }
}
