//! How results are shown.

use super::args::EstimateArgs;
use super::estimated::{Estimated, IO_NODES_LEFT_OUT, MEAN_SIZE};
use super::lines::Lines;
use super::result::{EstimateResult, Stated};
use super::stores::Stores;
use super::{csv, summary};
use crate::cli::CommonArgs;
use crate::envelope::Envelope;
use crate::failure::Failure;
use crate::phases::LOUD;
use crate::style::Style;
use crate::talk::Talk;
use std::io::{self, BufWriter, StdoutLock, Write};

/// Shows results as they come.
pub(super) enum Printer<'a, W: Write> {
    Json(Envelope<W>),
    Csv {
        out: W,
        talk: &'a Talk,
    },
    /// One log at length; a line each where there may be several.
    Human {
        out: W,
        several: bool,
        lines: Lines,
        stores: &'a Stores,
        style: Style,
        ascii: bool,
        talk: &'a Talk,
    },
}

impl<'a> Printer<'a, BufWriter<StdoutLock<'static>>> {
    pub(super) fn new(
        words: &EstimateArgs,
        common: &CommonArgs,
        stores: &'a Stores,
        several: bool,
        talk: &'a Talk,
    ) -> io::Result<Self> {
        let mut out = BufWriter::new(io::stdout().lock());
        let style = Style::new(common);
        Ok(match (common.json, words.csv) {
            (true, _) => {
                let mut envelope = Envelope::new(out, "estimate", &Stated::new(words, stores))?;
                for failure in &stores.failures {
                    envelope.error(failure.clone());
                }
                Self::Json(envelope)
            }
            (_, true) => {
                csv::heading(&mut out)?;
                Self::Csv { out, talk }
            }
            _ => Self::Human {
                out,
                several,
                lines: Lines::new(style),
                stores,
                style,
                ascii: words.ascii,
                talk,
            },
        })
    }
}

impl<W: Write> Printer<'_, W> {
    pub(super) fn print(&mut self, estimated: &Estimated) -> io::Result<()> {
        match self {
            Self::Json(envelope) => envelope.result(&EstimateResult::new(estimated)),
            Self::Csv { out, talk } => {
                tell(estimated, talk);
                csv::rows(out, estimated)
            }
            Self::Human {
                out,
                several,
                lines,
                talk,
                ..
            } if *several || estimated.member => {
                tell(estimated, talk);
                lines.print(out, estimated)
            }
            Self::Human {
                out,
                stores,
                style,
                ascii,
                talk,
                ..
            } => {
                for warning in &estimated.warnings {
                    talk.warn(warning);
                }
                summary::print(out, estimated, stores, *style, *ascii)
            }
        }
    }

    pub(super) fn fail(&mut self, failure: Failure) -> io::Result<()> {
        match self {
            Self::Json(envelope) => envelope.error(failure),
            Self::Csv { out, .. } => csv::failed(out, &failure)?,
            Self::Human { .. } => {}
        }
        Ok(())
    }

    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::Json(envelope) => envelope.finish(),
            Self::Csv { mut out, .. } | Self::Human { mut out, .. } => out.flush(),
        }
    }
}

/// Warnings on one of many logs: on damage, lost bytes and other answers than were asked for always, others
/// for who asks.
fn tell(estimated: &Estimated, talk: &Talk) {
    if let ([], Some((number, why))) = (
        estimated.combined.curve.as_slice(),
        summary::unmatched(estimated).first(),
    ) {
        let input = &estimated.input;
        talk.warn(format!("{input}: no estimate: phase {number}: {why}"));
    }
    for warning in &estimated.warnings {
        let message = format!("{}: {warning}", estimated.input);
        let code = warning.code.as_ref();
        let loud = LOUD.contains(&code) || [MEAN_SIZE, IO_NODES_LEFT_OUT].contains(&code);
        if estimated.damaged || loud {
            talk.warn(message);
        } else {
            talk.detail(message);
        }
    }
}
