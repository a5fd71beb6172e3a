//! `iotempo period`: does its I/O repeat, at which period, and how sure is that?

mod analysed;
mod args;
mod chart;
mod csv;
mod fields;
mod figures;
mod fingers;
mod ftio_summary;
mod held;
mod lines;
mod page;
#[cfg(feature = "tables")]
mod parquet;
mod plan;
mod printer;
mod question;
mod rates;
mod result;
mod summary;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use args::PeriodArgs;
pub(crate) use fingers::{as_clap_reads, hint};
pub(crate) use question::detect;

use crate::Outcome;
use crate::batch::{self, Told};
use crate::cli::CommonArgs;
use crate::inputs::{Inputs, Opener};
use crate::pool;
use crate::settings::Settings;
use crate::talk::Talk;
use plan::{Form, Plan};
use printer::Printer;

/// Runs the verb.
pub(crate) fn run(mut arguments: PeriodArgs, common: &CommonArgs) -> anyhow::Result<Outcome> {
    let plan = Plan::new(&mut arguments, common)?;
    let mut settings = Settings::new(arguments.select)?;
    plan.adapt(&mut settings);
    let mut inputs = Inputs::new(arguments.inputs)?;
    plan.shown.check(&mut inputs)?;
    let talk = Talk::new(common, "inputs");
    plan.notes.iter().for_each(|note| talk.warn(note));
    let opener = Opener {
        options: settings.options.clone(),
        hash: plan.shown.form == Form::Json || plan.shown.report.is_some(),
    };
    let stated = &settings.stated;
    let mut printer = Printer::new(common, (&plan, stated), &talk, inputs.several())?;
    let mut periodic = false;
    let threads = pool::threads(common.threads);
    let work = |log| analysed::analysed(log, &settings, &plan);
    let tally = batch::each(inputs, &opener, threads, &talk, work, |told| match told {
        Told::Answer(analysed) => {
            periodic |= analysed.answer.is_periodic();
            Ok(printer.print(&analysed)?.err())
        }
        Told::Failure(failure) => {
            printer.fail(failure);
            Ok(None)
        }
    })?;
    printer.finish()?;
    Ok(match tally.outcome()? {
        Outcome::AllRead if plan.shown.exit_code && !periodic => Outcome::NothingFound,
        outcome => outcome,
    })
}
