//! `iotempo phases`: when did it read and write, how much, and how?

mod agreement;
mod args;
mod csv;
mod found;
mod lines;
mod page;
mod printer;
mod result;
mod summary;
mod timeline;
mod words;

pub(crate) use args::PhasesArgs;
pub(crate) use found::{Found, found};
pub(crate) use printer::LOUD;

use crate::Outcome;
use crate::batch::{self, Told};
use crate::cli::CommonArgs;
use crate::failure::Failure;
use crate::inputs::{Inputs, Opener};
use crate::pool;
use crate::report::{check_page_of_one, several_logs};
use crate::talk::Talk;
use iotempo_analysis::phases::IoPhase;
use iotempo_formats::ReadOptions;
use iotempo_model::Op;
use printer::Printer;
use result::Stated;

pub(crate) const EXAMPLES: &str = "\
Examples:
  iotempo phases job.darshan                     one log, at length
  iotempo phases job.darshan -o phases.html
  iotempo phases iotempo-trace/job               a run under iotempo trace
  iotempo phases logs/ --csv > phases.csv        many logs, a row per phase
  iotempo phases logs/ --csv --compat            as SummarIO does it";

/// Runs the verb.
pub(crate) fn run(arguments: PhasesArgs, common: &CommonArgs) -> anyhow::Result<Outcome> {
    let settings = arguments.settings();
    let stated = Stated::new(settings, &arguments.columns);
    let mut inputs = Inputs::new(arguments.inputs())?;
    if let Some(path) = &arguments.output {
        check_page_of_one(path, &mut inputs)?;
    }
    let talk = Talk::new(common, "logs");
    let opener = Opener {
        options: ReadOptions {
            columns: arguments.columns.clone(),
            ..ReadOptions::default()
        },
        hash: common.json || arguments.output.is_some(),
    };
    let mut printer = Printer::new(&arguments, common, &stated, inputs.several(), &talk)?;
    let threads = pool::threads(common.threads);
    let work = |log| found(log, &settings, &opener.options);
    let tally = batch::each(inputs, &opener, threads, &talk, work, |told| match told {
        Told::Answer(found) => {
            printer.print(&found)?;
            Ok(write_page(&arguments, &found, &stated, common)?.err())
        }
        Told::Failure(failure) => {
            printer.fail(failure)?;
            Ok(None)
        }
    })?;
    printer.finish()?;
    tally.outcome()
}

/// Writes the page that was asked for: an answer is not lost with it.
fn write_page(
    words: &PhasesArgs,
    found: &Found,
    stated: &Stated<'_>,
    common: &CommonArgs,
) -> Result<Result<(), Failure>, clap::Error> {
    let Some(path) = &words.output else {
        return Ok(Ok(()));
    };
    if found.member {
        return Err(several_logs());
    }
    let written = page::write(path, found, stated, common.units);
    Ok(written.map_err(|error| Failure::new(&found.input, format!("{error:#}"))))
}

/// What phases read and wrote. Shadows are the bytes of others, with `--compat` too.
fn bytes(phases: &[IoPhase]) -> [f64; 2] {
    Op::ALL.map(|op| {
        let counted = phases.iter().filter(|phase| phase.op == op);
        counted
            .map(|phase| phase.own_bytes() as f64)
            .fold(0.0, |sum, bytes| sum + bytes)
    })
}
