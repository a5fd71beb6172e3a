//! `iotempo estimate`: how fast would its I/O be with other numbers of I/O nodes?

mod args;
mod csv;
mod estimated;
mod evaluation;
#[cfg(feature = "tables")]
mod guarded;
mod ior;
mod lines;
mod page;
#[cfg(feature = "tables")]
mod parquet;
mod plan;
mod printer;
mod result;
mod stores;
mod summary;

pub(crate) use args::EstimateArgs;

use crate::Outcome;
use crate::batch::{self, Told};
use crate::cli::CommonArgs;
use crate::failure::{Failure, Unread};
use crate::inputs::{Inputs, Log, Opener};
use crate::phases::found;
use crate::pool::{self, Done};
use crate::report::several_logs;
use crate::settings::usage_error;
use crate::talk::Talk;
use crate::tally::Tally;
use estimated::{Estimated, Phased};
use iotempo_analysis::phases::Settings;
use iotempo_formats::ReadOptions;
use iotempo_report::estimate::percent;
use printer::Printer;
use std::io::{self, Write};
use stores::Stores;

pub(crate) const EXAMPLES: &str = "\
Examples:
  iotempo estimate job.darshan --nodes 8 --plan > benchmarks.sh     benchmarks like its phases
  iotempo estimate job.darshan --nodes 8 --benchmarks ior.out       how fast, by number of I/O nodes
  iotempo estimate logs/ --nodes 8 --benchmarks store.csv --csv     many logs
  iotempo estimate --evaluate --benchmarks store.csv                how good that is";

/// Runs the verb.
pub(crate) fn run(arguments: EstimateArgs, common: &CommonArgs) -> anyhow::Result<Outcome> {
    let talk = Talk::new(common, "logs");
    if arguments.evaluate {
        let stores = Stores::read(&arguments, &talk)?;
        stores
            .warnings
            .iter()
            .for_each(|warning| talk.warn(warning));
        let reach = arguments.how.reach();
        evaluation::run(&stores, reach, common)?;
        return Ok(stores.outcome());
    }
    let mut inputs = Inputs::new(arguments.inputs())?;
    if arguments.plan {
        return plan(&arguments, inputs, common, &talk);
    }
    if let Some(path) = &arguments.output {
        page::check(path, &mut inputs, &arguments)?;
    }
    let stores = Stores::read(&arguments, &talk)?;
    stores
        .warnings
        .iter()
        .for_each(|warning| talk.warn(warning));
    each(&arguments, inputs, &stores, common, &talk)
}

/// Estimates one log after the other, on all cores.
fn each(
    arguments: &EstimateArgs,
    inputs: Inputs,
    stores: &Stores,
    common: &CommonArgs,
    talk: &Talk,
) -> anyhow::Result<Outcome> {
    let mut printer = Printer::new(arguments, common, stores, inputs.several(), talk)?;
    let threads = pool::threads(common.threads);
    let opener = opener(arguments);
    let work = |log| {
        let phased = phased(log, arguments, &opener.options)?;
        Ok(phased.estimated(arguments, &stores.store))
    };
    let tally = batch::each(inputs, &opener, threads, talk, work, |told| match told {
        Told::Answer(estimated) => {
            printer.print(&estimated)?;
            Ok(write_page(arguments, &estimated, stores, common)?.err())
        }
        Told::Failure(failure) => {
            printer.fail(failure)?;
            Ok(None)
        }
    })?;
    printer.finish()?;
    Ok(match tally.outcome()? {
        Outcome::AllRead => stores.outcome(),
        failed => failed,
    })
}

fn opener(words: &EstimateArgs) -> Opener {
    Opener {
        options: ReadOptions {
            columns: words.columns.clone(),
            ..ReadOptions::default()
        },
        hash: false,
    }
}

fn phased(log: Log, words: &EstimateArgs, options: &ReadOptions) -> Result<Phased, Unread> {
    let found = found(log, &Settings::default(), options)?;
    Phased::of(found, words.how.partial).map_err(Unread::Failed)
}

/// Writes the page that was asked for: an answer is not lost with it.
fn write_page(
    words: &EstimateArgs,
    estimated: &Estimated,
    stores: &Stores,
    common: &CommonArgs,
) -> Result<Result<(), Failure>, clap::Error> {
    let Some(path) = &words.output else {
        return Ok(Ok(()));
    };
    if estimated.member {
        return Err(several_logs());
    }
    let written = page::write(path, estimated, stores, words, common.units);
    Ok(written.map_err(|error| Failure::new(&estimated.input, format!("{error:#}"))))
}

/// Prints the script of benchmarks that are like a log.
fn plan(
    words: &EstimateArgs,
    inputs: Inputs,
    common: &CommonArgs,
    talk: &Talk,
) -> anyhow::Result<Outcome> {
    const ONE_LOG: &str = "--plan: a script is about one log";
    if inputs.several() {
        return Err(usage_error(ONE_LOG).into());
    }
    let mut tally = Tally::new(talk);
    let opener = opener(words);
    pool::one_by_one(inputs, &opener, |done| match done {
        Done::Read(log) if log.member => Err(usage_error(ONE_LOG).into()),
        Done::Read(log) => match phased(log, words, &opener.options) {
            Ok(phased) => {
                phased
                    .warnings
                    .iter()
                    .for_each(|warning| talk.warn(warning));
                let script = plan::script(&phased, words, common.units)?;
                if script.covered < 0.5 {
                    talk.warn(format_args!(
                        "{}: the script is about {} % of the bytes only; its head names the phases that it lacks",
                        phased.input,
                        percent(script.covered)
                    ));
                }
                io::stdout().write_all(script.text.as_bytes())?;
                tally.read();
                anyhow::Ok(())
            }
            Err(Unread::Failed(failure)) => {
                tally.failed(&failure);
                Ok(())
            }
            Err(Unread::NoLog(why)) => {
                tally.no_log(&why);
                Ok(())
            }
        },
        Done::Failed(failure) => {
            tally.failed(&failure);
            Ok(())
        }
        Done::NoLog(why) => {
            tally.no_log(&why);
            Ok(())
        }
    })?;
    tally.outcome()
}
