//! How results are shown.

use super::analysed::Analysed;
use super::lines::Lines;
use super::plan::{Form, Plan};
use super::result::ResultView;
use super::{csv, fields, summary};
use crate::cli::CommonArgs;
use crate::envelope::Envelope;
use crate::failure::Failure;
use crate::settings::{Settings, Stated};
use crate::style::Style;
use crate::talk::Talk;
use std::io::{self, BufWriter, StdoutLock, Write};

/// Shows results as they come.
pub(super) enum Printer<W: Write> {
    Json(Envelope<W>),
    Csv {
        out: W,
        started: bool,
    },
    /// One input at length; a line each where there may be several.
    Human {
        out: W,
        style: Style,
        several: bool,
        lines: Lines,
        stated: Stated,
    },
}

impl Printer<BufWriter<StdoutLock<'static>>> {
    pub(super) fn new(
        common: &CommonArgs,
        settings: &Settings,
        plan: &Plan,
        several: bool,
    ) -> io::Result<Self> {
        let out = BufWriter::new(io::stdout().lock());
        Ok(match plan.shown.form {
            Form::Json => {
                let stated = plan.stated(&settings.stated);
                Self::Json(Envelope::new(out, "period", &stated)?)
            }
            Form::Csv => Self::Csv {
                out,
                started: false,
            },
            Form::Human => {
                let style = Style::new(common);
                Self::Human {
                    out,
                    style,
                    several,
                    lines: Lines::new(style),
                    stated: settings.stated.clone(),
                }
            }
        })
    }
}

impl<W: Write> Printer<W> {
    pub(super) fn print(
        &mut self,
        analysed: &Analysed,
        plan: &Plan,
        talk: &Talk,
    ) -> io::Result<()> {
        match self {
            Self::Json(envelope) => envelope.result(&ResultView::new(analysed, plan.method)),
            Self::Csv { out, started } => {
                tell(analysed, talk);
                start(out, started)?;
                csv::row(out, &fields::row(&ResultView::new(analysed, plan.method)))
            }
            Self::Human {
                out,
                several,
                lines,
                ..
            } if *several || analysed.member => {
                tell(analysed, talk);
                lines.print(out, analysed)
            }
            Self::Human {
                out, style, stated, ..
            } => summary::print(out, analysed, stated, *style),
        }
    }

    pub(super) fn fail(&mut self, failure: Failure) {
        if let Self::Json(envelope) = self {
            envelope.error(failure);
        }
    }

    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::Json(envelope) => envelope.finish(),
            Self::Csv {
                mut out,
                mut started,
            } => {
                start(&mut out, &mut started)?;
                out.flush()
            }
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

/// The heading comes before the first row, and where there is none.
fn start(out: &mut impl Write, started: &mut bool) -> io::Result<()> {
    if std::mem::replace(started, true) {
        return Ok(());
    }
    csv::heading(out)
}

/// Warnings on one of many inputs: on damage always, others for who asks.
fn tell(analysed: &Analysed, talk: &Talk) {
    for warning in &analysed.warnings {
        let message = format!("{}: {warning}", analysed.input);
        if analysed.damaged || warning.code == "bytes-missing" {
            talk.warn(message);
        } else {
            talk.detail(message);
        }
    }
}
