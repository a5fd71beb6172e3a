//! Everything known about one input.

use super::again::Again;
use super::evidence::part;
use super::subject::{Subject, page};
use crate::cli::CommonArgs;
use crate::failure::{Failure, Unread};
use crate::inputs::Log;
use crate::inspect::{self, Inspected};
use crate::period::detect;
use crate::settings::Settings;
use crate::style::Style;
use iotempo_analysis::period::{Detector, Verdict};
use iotempo_analysis::{ftio, sampling};
use iotempo_formats::{Input, read};
use iotempo_model::{
    Bytes, Interval, Op, Origin, SamplingError, Selecting, Selection, Signal, Source, Trace,
    TraceBuilder, Warning,
};
use iotempo_report::{Fact, Part, PeriodPage, Table};
use serde::Serialize;
use std::path::PathBuf;

/// A page that is not written yet.
pub(super) struct Described {
    pub(super) about: About,
    /// The name of the page, below the folder for pages and without its ending.
    pub(super) below: PathBuf,
    pub(super) page: Vec<u8>,
}

/// What a page is about, as JSON states it.
#[derive(Serialize)]
pub(super) struct About {
    pub(super) input: String,
    sha256: Option<String>,
    format: String,
    source: Source,
    resolution_s: Option<f64>,
    damaged: bool,
    pub(super) warnings: Vec<Warning>,
    parts: Vec<Found>,
}

/// What was found in one part.
#[derive(Serialize)]
struct Found {
    name: String,
    verdict: Verdict,
    period_s: Option<f64>,
    confidence: Option<f64>,
}

/// A page that was written.
#[derive(Serialize)]
pub(super) struct Written<'a> {
    #[serde(flatten)]
    about: &'a About,
    output: &'a str,
}

impl About {
    pub(super) fn written<'a>(&'a self, output: &'a str) -> Written<'a> {
        Written {
            about: self,
            output,
        }
    }
}

/// Reads a log twice: once to see what is in it, once to analyse it.
pub(super) fn described(
    log: Log,
    settings: &Settings,
    common: &CommonArgs,
) -> Result<Described, Unread> {
    let (name, below, guessed) = (log.name.clone(), log.below.clone(), log.guessed);
    let unread = |error: &iotempo_formats::Error| Unread::of(&name, guessed, error);
    let failed = |error: std::io::Error| Unread::Failed(Failure::new(name.clone(), error));
    let again = Again::new(log.input, &settings.options.limits).map_err(|error| unread(&error))?;
    let input = again.input().map_err(failed)?;
    let inspected = inspect::inspected(Log { input, ..log }, settings)?;
    let input = again.input().map_err(failed)?;
    let trace = traced(input, settings).map_err(|error| unread(&error))?;
    let mut warnings = inspected.inspection.warnings.clone();
    let parts = parts(&trace, settings, &mut warnings);
    let about = about(&inspected, &warnings, &parts);
    let page = describe(&inspected, &trace.origin, warnings, parts, settings, common);
    let mut bytes = Vec::new();
    page.write_into(&mut bytes).map_err(failed)?;
    Ok(Described {
        about,
        below,
        page: bytes,
    })
}

fn traced(input: Input, settings: &Settings) -> Result<Trace, iotempo_formats::Error> {
    let mut builder = TraceBuilder::default();
    let mut selecting = Selecting::new(&settings.selection, &mut builder);
    let reading = read(input, &settings.options, &mut selecting)?;
    Ok(builder.finish(reading.origin, Vec::new()))
}

fn about(inspected: &Inspected, warnings: &[Warning], parts: &[Part]) -> About {
    let found = &inspected.inspection;
    let parts = parts.iter().map(|part| Found {
        name: part.name.clone(),
        verdict: part.finding.verdict,
        period_s: part.finding.main().map(|main| main.period.value.get()),
        confidence: part.finding.main().map(|main| main.confidence),
    });
    About {
        input: inspected.input.clone(),
        sha256: inspected.sha256.clone(),
        format: found.format.clone(),
        source: found.source,
        resolution_s: found.resolution_s,
        damaged: found.damaged,
        warnings: warnings.to_vec(),
        parts: parts.collect(),
    }
}

/// Both directions together and one by one; one alone where the other moved nothing.
fn parts(trace: &Trace, settings: &Settings, warnings: &mut Vec<Warning>) -> Vec<Part> {
    let [reads, writes] = [Op::Read, Op::Write].map(|op| {
        trace.select(&Selection {
            op: Some(op),
            ..Selection::default()
        })
    });
    let moved = |trace: &Trace| trace.volume() > Bytes::ZERO;
    let parts = match (moved(&reads), moved(&writes)) {
        (true, true) => vec![
            ("read and write", trace),
            ("read", &reads),
            ("write", &writes),
        ],
        (true, false) => vec![("read", &reads)],
        (false, true) => vec![("write", &writes)],
        (false, false) => Vec::new(),
    };
    let analysed = parts.into_iter().filter_map(|(name, trace)| {
        match samples(trace, settings.selection.window) {
            Ok(signal) => Some(analysed(name, trace, signal)),
            Err(error) => {
                warnings.push(Warning::new("not-sampled", format!("{name}: {error}")));
                None
            }
        }
    });
    analysed.collect()
}

fn analysed(name: &str, trace: &Trace, signal: Signal) -> Part {
    let finding = detect(&Detector::default(), trace, &signal);
    let ftio = ftio::Settings::default().detect(trace);
    part(name, signal, finding, Some(&ftio))
}

/// The same samples that `iotempo period` looks at.
fn samples(trace: &Trace, part: Option<Interval>) -> Result<Signal, SamplingError> {
    let bandwidth = trace.bandwidth();
    let window = sampling::window(&bandwidth, trace.origin.observed, part);
    sampling::as_recorded(
        &bandwidth,
        &trace.origin,
        window.ok_or(SamplingError::Empty)?,
    )
}

fn describe(
    inspected: &Inspected,
    origin: &Origin,
    warnings: Vec<Warning>,
    parts: Vec<Part>,
    settings: &Settings,
    common: &CommonArgs,
) -> PeriodPage {
    let found = &inspected.inspection;
    let style = Style::new(common);
    let subject = Subject {
        input: &inspected.input,
        sha256: inspected.sha256.as_deref(),
        format: &found.format,
        origin,
        warnings: &warnings,
        parts,
    };
    let facts = inspect::facts(found, &settings.stated, style);
    let facts = facts
        .into_iter()
        .map(|(name, value)| Fact::new(name, value));
    let hidden = found.sources.iter().map(|source| {
        let hidden = source.cannot_show;
        format!("{} cannot show {hidden}", source.source)
    });
    let layers = found
        .layer_note
        .iter()
        .map(|note| format!("layers: {note}"));
    let notes = hidden.chain(layers).collect();
    PeriodPage {
        facts: facts.collect(),
        tables: vec![
            table(
                "Modules",
                &inspect::sections(&found.sections, style),
                Vec::new(),
            ),
            table("Evidence", &inspect::evidence(found, style), notes),
        ],
        ..page(subject, &settings.stated, common.units)
    }
}

/// Rows, the first of which names the columns.
fn table<const N: usize>(title: &str, rows: &[[String; N]], notes: Vec<String>) -> Table {
    let (columns, rows) = rows
        .split_first()
        .map_or((Vec::new(), &[][..]), |(first, rest)| {
            (first.to_vec(), rest)
        });
    Table {
        title: title.to_owned(),
        columns,
        rows: rows.iter().map(|row| row.to_vec()).collect(),
        notes,
    }
}
