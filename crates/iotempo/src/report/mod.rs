//! `iotempo report`: one HTML page with everything known about this input.

mod again;
mod args;
mod described;
mod evidence;
mod named;
mod output;
mod settings;
mod subject;
mod write;

pub(crate) use args::ReportArgs;
pub(crate) use evidence::part;
pub(crate) use named::{check_name, check_page_of_one, several_logs};
pub(crate) use settings::facts as setting_facts;
pub(crate) use subject::{Subject, page};
pub(crate) use write::{write_bytes, write_page};

use crate::Outcome;
use crate::cli::CommonArgs;
use crate::envelope::Envelope;
use crate::failure::{Failure, Unread};
use crate::inputs::{Inputs, Opener};
use crate::pool::{self, Done};
use crate::settings::Settings;
use crate::talk::Talk;
use crate::tally::Tally;
use described::{Described, described};
use output::Output;
use std::io::{self, BufWriter, Write};

/// Runs the verb.
pub(crate) fn run(arguments: ReportArgs, common: &CommonArgs) -> anyhow::Result<Outcome> {
    let settings = Settings::new(arguments.select)?;
    let mut inputs = Inputs::new(arguments.inputs)?;
    let mut output = Output::new(arguments.output, arguments.out_dir, common)?;
    output.check(&mut inputs)?;
    let talk = Talk::new(common, "inputs");
    let mut tally = Tally::new(&talk);
    let opener = Opener {
        options: settings.options.clone(),
        hash: true,
    };
    let mut printer = Printer::new(common, &settings, &output)?;
    let threads = pool::threads(common.threads);
    let work = |log| described(log, &settings, common);
    pool::in_order(inputs, &opener, threads, work, |done| {
        match done {
            Done::Read(Ok(described)) => match output.write(&described)? {
                Ok(path) => {
                    tally.read();
                    talk.done(1);
                    printer.print(&described, &path, &talk)?;
                }
                Err(failure) => {
                    tally.refused(&failure);
                    printer.fail(failure);
                }
            },
            Done::Read(Err(Unread::Failed(failure))) | Done::Failed(failure) => {
                tally.failed(&failure);
                printer.fail(failure);
            }
            Done::Read(Err(Unread::NoLog(why))) | Done::NoLog(why) => tally.no_log(&why),
        }
        anyhow::Ok(())
    })?;
    talk.finish();
    printer.finish()?;
    tally.outcome()
}

/// Tells where pages were written.
enum Printer<W: Write> {
    Json(Envelope<W>),
    /// A name a line.
    Names(W),
    /// The page itself is on standard output.
    Nothing,
}

impl Printer<BufWriter<io::Stdout>> {
    fn new(common: &CommonArgs, settings: &Settings, output: &Output) -> io::Result<Self> {
        let out = BufWriter::new(io::stdout());
        Ok(match output {
            Output::Stdout => Self::Nothing,
            _ if common.json => Self::Json(Envelope::new(out, "report", &settings.stated)?),
            _ => Self::Names(out),
        })
    }
}

impl<W: Write> Printer<W> {
    fn print(&mut self, described: &Described, path: &str, talk: &Talk) -> io::Result<()> {
        if !matches!(self, Self::Json(_)) {
            for warning in &described.about.warnings {
                talk.detail(format!("{}: {warning}", described.about.input));
            }
        }
        match self {
            Self::Json(envelope) => envelope.result(&described.about.written(path)),
            // At once: who waits for many pages may look at the first.
            Self::Names(out) => writeln!(out, "{path}").and_then(|()| out.flush()),
            Self::Nothing => Ok(()),
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
            Self::Names(mut out) => out.flush(),
            Self::Nothing => Ok(()),
        }
    }
}
