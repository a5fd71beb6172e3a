//! `iotempo period`: does its I/O repeat, at which period, and how sure is that?

mod analysed;
mod args;
mod chart;
mod csv;
mod fields;
mod figures;
mod fingers;
mod ftio_summary;
mod lines;
mod page;
#[cfg(feature = "tables")]
mod parquet;
mod plan;
mod printer;
mod question;
mod result;
mod summary;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use args::PeriodArgs;
pub(crate) use fingers::as_clap_reads;

use crate::Outcome;
use crate::cli::CommonArgs;
use crate::failure::Unread;
use crate::inputs::{Inputs, Opener};
use crate::pool::{self, Done};
use crate::settings::Settings;
use crate::talk::Talk;
use crate::tally::Tally;
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
    let mut tally = Tally::new(&talk);
    let opener = Opener {
        options: settings.options.clone(),
        hash: plan.shown.form == Form::Json || plan.shown.report.is_some(),
    };
    let stated = &settings.stated;
    let mut printer = Printer::new(common, (&plan, stated), &talk, inputs.several())?;
    let mut periodic = false;
    let threads = pool::threads(common.threads);
    let work = |log| analysed::analysed(log, &settings, &plan);
    pool::in_order(inputs, &opener, threads, work, |done| match done {
        Done::Read(Ok(analysed)) => {
            tally.read();
            talk.done(1);
            periodic |= analysed.answer.is_periodic();
            printer.print(&analysed)
        }
        Done::Read(Err(Unread::Failed(failure))) | Done::Failed(failure) => {
            tally.failed(&failure);
            printer.fail(failure);
            Ok(())
        }
        Done::Read(Err(Unread::NoLog(why))) | Done::NoLog(why) => {
            tally.no_log(&why);
            Ok(())
        }
    })?;
    talk.finish();
    printer.finish()?;
    Ok(match tally.outcome()? {
        Outcome::AllRead if plan.shown.exit_code && !periodic => Outcome::NothingFound,
        outcome => outcome,
    })
}
