//! `iotempo inspect`: what is in this file, and what can it tell me?

mod lines;
mod next;
mod summary;

pub(crate) use summary::{evidence, facts, sections};

use crate::Outcome;
use crate::batch::{self, Told};
use crate::cli::{CommonArgs, InspectArgs};
use crate::envelope::Envelope;
use crate::failure::{Failure, Unread};
use crate::inputs::{Inputs, Log, Opener};
use crate::pool;
use crate::settings::{Settings, Stated};
use crate::style::Style;
use crate::talk::Talk;
use iotempo_formats::{Inspection, inspect_part};
use iotempo_model::Warning;
use lines::Lines;
use serde::Serialize;
use std::io::{self, BufWriter, Write};

/// What was found in one input.
#[derive(Serialize)]
pub(crate) struct Inspected {
    pub(crate) input: String,
    pub(crate) sha256: Option<String>,
    /// Whether it is one of several in an archive.
    #[serde(skip)]
    member: bool,
    #[serde(flatten)]
    pub(crate) inspection: Inspection,
}

/// Runs the verb.
pub(crate) fn run(arguments: InspectArgs, common: &CommonArgs) -> anyhow::Result<Outcome> {
    let settings = Settings::new(arguments.select)?;
    let inputs = Inputs::new(arguments.inputs)?;
    let talk = Talk::new(common, "inputs");
    let opener = Opener {
        options: settings.options.clone(),
        hash: common.json,
    };
    let mut printer = Printer::new(common, &settings, inputs.several())?;
    let threads = pool::threads(common.threads);
    let work = |log| inspected(log, &settings);
    let tally = batch::each(inputs, &opener, threads, &talk, work, |told| {
        match told {
            Told::Answer(inspected) => printer.print(&inspected, &talk)?,
            Told::Failure(failure) => printer.fail(failure),
        }
        Ok(None)
    })?;
    printer.finish()?;
    tally.outcome()
}

/// Looks at all of a log.
pub(crate) fn inspected(log: Log, settings: &Settings) -> Result<Inspected, Unread> {
    let Log {
        name,
        input,
        sha256,
        member,
        guessed,
        ..
    } = log;
    let mut inspection = inspect_part(input, &settings.options, &settings.selection)
        .map_err(|error| Unread::of(&name, guessed, &error))?;
    let nothing = inspection.rows == 0 && inspection.sections.iter().all(|part| part.records == 0);
    if inspection.damaged && nothing {
        return Err(Unread::destroyed(
            &name,
            "nothing in it",
            &inspection.warnings,
        ));
    }
    if !settings.stated.selects() {
        forget_lost(&mut inspection);
    } else if inspection.rows == 0 {
        let selected = settings.stated.selected().unwrap_or_default();
        let message = format!("nothing is left of what is selected: {selected}");
        inspection
            .warnings
            .push(Warning::new("nothing-left", message));
    }
    let sha256 = sha256
        .finish()
        .map_err(|error| Unread::Failed(Failure::new(name.clone(), error)))?;
    Ok(Inspected {
        input: name,
        sha256,
        member,
        inspection,
    })
}

/// Volumes are unknown where damage left no request that could tell them: not a number, which is
/// `-` for people and `null` in JSON.
fn forget_lost(inspection: &mut Inspection) {
    if !inspection.damaged {
        return;
    }
    if inspection.rows == 0 {
        (inspection.bytes_read, inspection.bytes_written) = (f64::NAN, f64::NAN);
    }
    for part in &mut inspection.sections {
        if part.damage.is_some() && part.records == 0 {
            (part.requests, part.bytes_read, part.bytes_written) = (None, None, None);
        }
    }
    for source in &mut inspection.sources {
        if source.rows == 0 {
            (source.bytes_read, source.bytes_written) = (f64::NAN, f64::NAN);
        }
    }
}

/// How results are shown.
enum Printer<W: Write> {
    Json(Envelope<W>),
    /// One input at length; a line each where there may be several.
    Human {
        out: W,
        style: Style,
        several: bool,
        lines: Lines,
        stated: Box<Stated>,
    },
}

impl Printer<BufWriter<io::StdoutLock<'static>>> {
    fn new(common: &CommonArgs, settings: &Settings, several: bool) -> io::Result<Self> {
        let out = BufWriter::new(io::stdout().lock());
        if common.json {
            return Ok(Self::Json(Envelope::new(out, "inspect", &settings.stated)?));
        }
        let style = Style::new(common);
        Ok(Self::Human {
            out,
            style,
            several,
            lines: Lines::new(style),
            stated: Box::new(settings.stated.clone()),
        })
    }
}

impl<W: Write> Printer<W> {
    fn print(&mut self, inspected: &Inspected, talk: &Talk) -> io::Result<()> {
        match self {
            Self::Json(envelope) => envelope.result(inspected),
            Self::Human {
                out,
                several,
                lines,
                ..
            } if *several || inspected.member => {
                for warning in &inspected.inspection.warnings {
                    let message = format!("{}: {warning}", inspected.input);
                    if inspected.inspection.damaged || warning.code == "bytes-missing" {
                        talk.warn(message);
                    } else {
                        talk.detail(message);
                    }
                }
                lines.print(out, inspected)
            }
            Self::Human {
                out, style, stated, ..
            } => summary::print(out, inspected, stated, *style),
        }
    }

    fn fail(&mut self, failure: Failure) {
        if let Self::Json(envelope) = self {
            envelope.error(failure);
        }
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::Json(envelope) => envelope.finish(),
            Self::Human {
                mut out,
                lines,
                stated,
                ..
            } => {
                lines.finish(&mut out, &stated)?;
                out.flush()
            }
        }
    }
}
