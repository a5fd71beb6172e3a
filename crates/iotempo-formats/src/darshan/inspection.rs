//! What a log holds, and what each kind of its evidence shows.

use super::opened::Opened;
use super::{choice, requests, survey};
use crate::error::Error;
use crate::inspect::{Evidence, Inspection, Summary};
use crate::reading::{ReadOptions, Reading};
use iotempo_model::{Selecting, Selection, Warning};

/// Looks at all modules, and at the requests of every kind of evidence.
pub(crate) fn inspect(
    log: &mut Opened,
    options: &ReadOptions,
    selection: &Selection,
) -> Result<Inspection, Error> {
    let options = &ReadOptions {
        by_file: options.by_file || selection.files.is_some(),
        ..options.clone()
    };
    let (summary, reading) = summarised(log, options, selection)?;
    let mut inspection = summary.inspection(reading);
    inspection.sources = evidence(log, options, selection, inspection.sources.remove(0))?;
    inspection.sections = survey::sections(log);
    inspection.details.0 = details(log);
    for message in inspection
        .sections
        .iter()
        .filter_map(|section| section.damage.as_ref())
    {
        if inspection
            .warnings
            .iter()
            .all(|warning| warning.message != *message)
        {
            inspection
                .warnings
                .push(Warning::new("damaged", message.clone()));
        }
    }
    inspection.damaged = log.is_damaged();
    Ok(inspection)
}

fn summarised(
    log: &mut Opened,
    options: &ReadOptions,
    selection: &Selection,
) -> Result<(Summary, Reading), Error> {
    let mut summary = Summary::default();
    let mut selecting = Selecting::new(selection, &mut summary);
    let mut reading = requests::read(log, options, &mut selecting)?;
    reading.warnings.extend(selecting.warnings());
    Ok((summary, reading))
}

/// All kinds of evidence, best first; the chosen one was looked at already.
fn evidence(
    log: &mut Opened,
    options: &ReadOptions,
    selection: &Selection,
    chosen: Evidence,
) -> Result<Vec<Evidence>, Error> {
    let mut all = Vec::new();
    for source in choice::available(log, options.layer) {
        if source == chosen.source {
            all.push(chosen.clone());
            continue;
        }
        let options = ReadOptions {
            source: Some(source),
            ..options.clone()
        };
        let (summary, reading) = summarised(log, &options, selection)?;
        let resolution = reading.origin.resolution.map(|resolution| resolution.get());
        all.push(summary.evidence(source, resolution));
    }
    if all.is_empty() {
        all.push(chosen);
    }
    Ok(all)
}

/// What only Darshan logs have.
fn details(log: &Opened) -> Vec<(String, String)> {
    let job = log.job();
    let mut details = Vec::new();
    let mut tell = |key: &str, value: String| details.push((key.to_owned(), value));
    if let Some((_, release)) = job.metadata.iter().find(|(key, _)| key == "lib_ver") {
        tell("written by", format!("Darshan {release}"));
    }
    if let Opened::File(reader) = log {
        tell("byte order", reader.byte_order().to_owned());
        tell("compression", reader.compression().to_owned());
    }
    tell("names", log.names().len().to_string());
    tell("mounts", job.mounts.len().to_string());
    details
}
