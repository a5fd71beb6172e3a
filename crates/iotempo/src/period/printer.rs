//! How results are shown.

use super::analysed::Analysed;
use super::lines::Lines;
#[cfg(feature = "tables")]
use super::parquet::Parquet;
use super::plan::{Form, ONE_INPUT, Plan};
use super::result::ResultView;
use super::{csv, fields, page, summary};
use crate::cli::CommonArgs;
use crate::envelope::Envelope;
#[cfg(feature = "tables")]
use crate::envelope::json;
use crate::failure::Failure;
use crate::human;
use crate::settings::{Stated, usage_error};
use crate::style::Style;
use crate::talk::Talk;
use std::io::{self, BufWriter, StdoutLock, Write};

/// Shows results as they come, and writes what was asked for besides.
pub(super) struct Printer<'a> {
    plan: &'a Plan,
    stated: &'a Stated,
    talk: &'a Talk,
    style: Style,
    printed: Printed<Out>,
    #[cfg(feature = "tables")]
    parquet: Option<Parquet>,
}

type Out = BufWriter<StdoutLock<'static>>;

/// What is printed.
enum Printed<W: Write> {
    Json(Envelope<W>),
    Csv {
        out: W,
        started: bool,
    },
    /// One input at length; a line each where there may be several.
    Human {
        out: W,
        several: bool,
        lines: Lines,
    },
}

impl<'a> Printer<'a> {
    pub(super) fn new(
        common: &CommonArgs,
        (plan, stated): (&'a Plan, &'a Stated),
        talk: &'a Talk,
        several: bool,
    ) -> io::Result<Self> {
        let out = BufWriter::new(io::stdout().lock());
        let style = Style::new(common);
        #[cfg(feature = "tables")]
        let parquet = plan.shown.parquet.as_deref().map(|path| {
            Parquet::create(path, json(&plan.stated(stated))?).map_err(|error| {
                io::Error::new(error.kind(), format!("{}: {error}", path.display()))
            })
        });
        Ok(Self {
            plan,
            stated,
            talk,
            style,
            printed: match plan.shown.form {
                Form::Json => Printed::Json(Envelope::new(out, "period", &plan.stated(stated))?),
                Form::Csv => Printed::Csv {
                    out,
                    started: false,
                },
                Form::Human => Printed::Human {
                    out,
                    several,
                    lines: Lines::new(style),
                },
            },
            #[cfg(feature = "tables")]
            parquet: parquet.transpose()?,
        })
    }

    /// Prints an answer, then writes the report about it: an answer is not lost with a report.
    pub(super) fn print(&mut self, analysed: &Analysed) -> anyhow::Result<Result<(), Failure>> {
        if self.plan.shown.report.is_some() && analysed.member {
            return Err(usage_error(ONE_INPUT).into());
        }
        self.print_answer(analysed)?;
        self.write_report(analysed)
    }

    fn write_report(&mut self, analysed: &Analysed) -> anyhow::Result<Result<(), Failure>> {
        let Some(path) = &self.plan.shown.report else {
            return Ok(Ok(()));
        };
        let settings = self.plan.stated(self.stated);
        let written = page::write(path, analysed, &settings, self.style.units());
        if let Err(error) = written {
            return Ok(Err(Failure::new(&analysed.input, format!("{error:#}"))));
        }
        if let Printed::Human { out, .. } = &mut self.printed {
            let path = path.to_string_lossy();
            writeln!(out, "\nreport written to {}", human::printable(&path))?;
        }
        Ok(Ok(()))
    }

    fn print_answer(&mut self, analysed: &Analysed) -> anyhow::Result<()> {
        let result = || ResultView::new(analysed, self.plan.method);
        #[cfg(feature = "tables")]
        if let Some(table) = &mut self.parquet {
            table.row(fields::row(&result()))?;
        }
        match &mut self.printed {
            Printed::Json(envelope) => envelope.result(&result())?,
            Printed::Csv { out, started } => {
                tell(analysed, self.talk);
                start(out, started)?;
                csv::row(out, &fields::row(&result()))?;
            }
            Printed::Human {
                out,
                several,
                lines,
            } if *several || analysed.member => {
                tell(analysed, self.talk);
                lines.print(out, analysed)?;
            }
            Printed::Human { out, .. } => {
                let look = (self.style, self.plan.shown.chart);
                summary::print(out, analysed, self.stated, look)?;
            }
        }
        Ok(())
    }

    pub(super) fn fail(&mut self, failure: Failure) {
        #[cfg(feature = "tables")]
        if let Some(table) = &mut self.parquet {
            table.error(&failure);
        }
        if let Printed::Json(envelope) = &mut self.printed {
            envelope.error(failure);
        }
    }

    pub(super) fn finish(self) -> io::Result<()> {
        #[cfg(feature = "tables")]
        self.parquet.map_or(Ok(()), Parquet::finish)?;
        match self.printed {
            Printed::Json(envelope) => envelope.finish(),
            Printed::Csv {
                mut out,
                mut started,
            } => {
                start(&mut out, &mut started)?;
                out.flush()
            }
            Printed::Human { mut out, lines, .. } => {
                lines.finish(&mut out, self.stated)?;
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
