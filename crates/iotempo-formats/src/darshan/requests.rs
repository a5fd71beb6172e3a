//! From a log to requests, by the best evidence that it holds.

use super::coverage::{Counted, shown_by_dxt};
use super::dxt_text::{DxtTextRecord, DxtTextRequest, for_each_dxt_request};
use super::emitter::Emitter;
use super::layers;
use super::log::Damage;
use super::module::Module;
use super::opened::Opened;
use super::totals::COUNTING;
use crate::detect::Format;
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::reading::{Layer, ReadOptions, Reading};
use iotempo_model::{Interval, Job, Origin, RequestSink, Seconds, Source};

/// Pushes the requests of a log into `sink`.
pub(crate) fn read(
    log: &mut Opened,
    options: &ReadOptions,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    let counted = Counted::of(log);
    let source = choose(log, options, &counted)?;
    let plan = layers::plan(log, source, options.layer);
    let mut emitter = Emitter::new(log, sink, plan);
    match source {
        Source::Dxt => emitter.dxt(log),
        Source::Heatmap => emitter.heatmap(log),
        _ => emitter.counters(log),
    }
    if let Some(error) = emitter.error.take() {
        return Err(error.into());
    }
    let shown = emitter.bytes;
    let mut reading = finish(log, source, emitter, &log.damages());
    if options.layer == Layer::Auto {
        reading.warnings.extend(counted.missing(source, shown));
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
    let empty = Opened::Memory {
        log: Box::default(),
        format,
    };
    let plan = layers::plan(&empty, Source::Dxt, options.layer);
    let mut emitter = Emitter::new(&empty, sink, plan);
    let mut visit =
        |record: &DxtTextRecord, request: &DxtTextRequest| emitter.text_request(record, request);
    let text = for_each_dxt_request(input.into_reader(), &options.limits, &mut visit)?;
    let damages: Vec<Damage> = text
        .modules
        .into_iter()
        .filter_map(|module| module.damage)
        .collect();
    let log = Opened::Memory {
        log: Box::new(text.log),
        format,
    };
    let mut reading = finish(&log, Source::Dxt, emitter, &damages);
    reading.damaged = !damages.is_empty();
    Ok(reading)
}

/// Says where the requests came from, and what went wrong on the way.
fn finish(log: &Opened, source: Source, emitter: Emitter<'_>, damages: &[Damage]) -> Reading {
    let mut warnings = log.warnings().to_vec();
    warnings.extend(damages.iter().map(Damage::warning));
    warnings.extend(emitter.intake.warnings());
    warnings.extend(emitter.oddities());
    Reading {
        format: log.format(),
        origin: Origin {
            source,
            resolution: emitter.resolution(source),
            observed: observed(log),
            job: job(log),
            layers: Some(emitter.plan.note),
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
    Job {
        exe: Some(job.exe.clone()).filter(|exe| !exe.is_empty()),
        id: Some(job.jobid.to_string()),
        uid: Some(job.uid),
        ranks: u64::try_from(job.nprocs).ok().filter(|&ranks| ranks > 0),
        start_epoch_s: Some(job.start_s as f64 + job.start_ns as f64 / 1e9),
        run_time_s: Some(job.run_time_s).filter(|length| length.is_finite()),
    }
}

/// The kinds of evidence that a log holds about a layer, best first. DXT does not trace STDIO.
pub(crate) fn available(log: &Opened, layer: Layer) -> Vec<Source> {
    let has_any = |modules: &[Module]| modules.iter().any(|&module| log.has(module));
    let counting: Vec<Module> = COUNTING.iter().map(|&(module, _)| module).collect();
    let mut sources = Vec::new();
    if layer != Layer::Stdio && has_any(&[Module::DxtPosix, Module::DxtMpiio]) {
        sources.push(Source::Dxt);
    }
    if has_any(&[Module::Heatmap]) {
        sources.push(Source::Heatmap);
    }
    if has_any(&counting) {
        sources.push(Source::Counters);
    }
    sources
}

/// Which evidence to use: what was asked for, or the finest that shows at least half of the bytes.
fn choose(log: &mut Opened, options: &ReadOptions, counted: &Counted) -> Result<Source, Error> {
    let mut sources = available(log, options.layer);
    if let Some(asked) = options.source {
        if sources.contains(&asked) {
            return Ok(asked);
        }
        let held: Vec<_> = sources.iter().map(|source| source.name()).collect();
        let held = if held.is_empty() {
            "nothing".to_owned()
        } else {
            held.join(", ")
        };
        let message = format!("no {asked} data in this log; it holds: {held}");
        return Err(Error::new(
            "",
            Place::Whole,
            ErrorKind::Unsupported(message),
        ));
    }
    if sources.first() == Some(&Source::Dxt) && sources.len() > 1 {
        let all = counted.bytes(Source::Counters);
        let shown = shown_by_dxt(log, counted);
        let too_little = shown == 0.0 || sources.contains(&Source::Heatmap) && shown < 0.5 * all;
        if too_little && all > 0.0 {
            sources.remove(0);
        }
    }
    Ok(sources.first().copied().unwrap_or(Source::Counters))
}
