//! How results are shown.

use super::args::PhasesArgs;
use super::found::Found;
use super::lines::Lines;
use super::result::{PhasesResult, Stated};
use super::{csv, summary};
use crate::cli::CommonArgs;
use crate::envelope::Envelope;
use crate::failure::Failure;
use crate::style::Style;
use crate::talk::Talk;
use std::io::{self, BufWriter, StdoutLock, Write};

/// Shows results as they come.
pub(super) enum Printer<'a, W: Write> {
    Json(Envelope<W>),
    Csv {
        out: W,
        compat: bool,
        talk: &'a Talk,
    },
    /// One log at length; a line each where there may be several.
    Human {
        out: W,
        several: bool,
        lines: Lines,
        style: Style,
        ascii: bool,
        talk: &'a Talk,
    },
}

impl<'a> Printer<'a, BufWriter<StdoutLock<'static>>> {
    pub(super) fn new(
        words: &PhasesArgs,
        common: &CommonArgs,
        stated: &Stated<'_>,
        several: bool,
        talk: &'a Talk,
    ) -> io::Result<Self> {
        let mut out = BufWriter::new(io::stdout().lock());
        let style = Style::new(common);
        Ok(match (common.json, words.csv) {
            (true, _) => Self::Json(Envelope::new(out, "phases", stated)?),
            (_, true) => {
                let compat = words.settings().compat;
                csv::heading(&mut out, compat)?;
                Self::Csv { out, compat, talk }
            }
            _ => Self::Human {
                out,
                several,
                lines: Lines::new(style),
                style,
                ascii: words.ascii,
                talk,
            },
        })
    }
}

impl<W: Write> Printer<'_, W> {
    pub(super) fn print(&mut self, found: &Found) -> io::Result<()> {
        match self {
            Self::Json(envelope) => envelope.result(&PhasesResult::new(found)),
            Self::Csv { out, compat, talk } => {
                tell(found, talk);
                csv::rows(out, found, *compat)
            }
            Self::Human {
                out,
                several,
                lines,
                talk,
                ..
            } if *several || found.member => {
                tell(found, talk);
                lines.print(out, found)
            }
            Self::Human {
                out, style, ascii, ..
            } => summary::print(out, found, *style, *ascii),
        }
    }

    pub(super) fn fail(&mut self, failure: Failure) -> io::Result<()> {
        match self {
            Self::Json(envelope) => envelope.error(failure),
            Self::Csv { out, compat, .. } => csv::failed(out, &failure, *compat)?,
            Self::Human { .. } => {}
        }
        Ok(())
    }

    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::Json(envelope) => envelope.finish(),
            Self::Human { mut out, lines, .. } => {
                lines.finish(&mut out)?;
                out.flush()
            }
            Self::Csv { mut out, .. } => out.flush(),
        }
    }
}

/// Warnings that who reads many logs must know, too.
pub(crate) const LOUD: [&str; 3] = ["no-timestamps", "too-many-phases", "mpiio-overflowed"];

/// Warnings on one of many logs: on damage, lost bytes and other answers than were asked for always, others
/// for who asks.
fn tell(found: &Found, talk: &Talk) {
    for warning in &found.warnings {
        let message = format!("{}: {warning}", found.input);
        if found.damaged || LOUD.contains(&warning.code.as_ref()) {
            talk.warn(message);
        } else {
            talk.detail(message);
        }
    }
}
