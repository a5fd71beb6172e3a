//! Every input into a table of its own.

use super::Report;
use super::about::About;
use super::log::{Trouble, convert};
use super::plan::{Plan, extension};
use super::table::{Columns, Rows, create};
use super::target::Target;
use crate::Outcome;
use crate::failure::Failure;
use crate::inputs::{Inputs, Log, Named, Opener};
use crate::pool::{self, Done};
use crate::settings::Settings;
use crate::talk::Talk;
use anyhow::Context;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A table that is written and has no name yet.
struct Written {
    about: About,
    target: Target,
    path: PathBuf,
}

/// Converts every input into a file below `folder`, several at a time.
pub(super) fn run(
    mut inputs: Inputs,
    opener: &Opener,
    plan: &Plan,
    settings: &Settings,
    (folder, threads): (&Path, usize),
    mut report: Report<'_>,
) -> anyhow::Result<Outcome> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    inputs.leave_out(folder);
    let talk = report.talk;
    let named = inputs.named();
    let work = |log: Log| written(log, (folder, &named), plan, settings, talk);
    let mut names = HashMap::new();
    pool::in_order(inputs, opener, threads, work, |done| {
        match done {
            Done::Read(Ok(written)) => match name(written, &mut names)? {
                Ok((about, path)) => report.converted(&about, Some(&path))?,
                Err(failure) => report.refused(failure),
            },
            Done::Read(Err((_, Trouble::Refused(failure)))) => report.refused(failure),
            Done::Read(Err((_, Trouble::Input(failure)))) | Done::Failed(failure) => {
                report.failed(failure);
            }
            Done::Read(Err((path, Trouble::Output(error)))) => {
                return Err(error).with_context(|| path.display().to_string());
            }
            Done::Read(Err((_, Trouble::NoLog(why)))) | Done::NoLog(why) => {
                report.tally.no_log(&why);
            }
        }
        anyhow::Ok(())
    })?;
    report.finish()
}

/// `logs/a/job.darshan` becomes `folder/a/job.darshan.csv`, or `.signal.csv`: the whole name, so that no two files
/// of a folder become one.
fn written(
    log: Log,
    (folder, named): (&Path, &Named),
    plan: &Plan,
    settings: &Settings,
    talk: &Talk,
) -> Result<Written, (PathBuf, Trouble)> {
    let mut path = folder.join(&log.below).into_os_string();
    path.push(match plan.rows() {
        Rows::Requests => ".",
        Rows::Signal => ".signal.",
    });
    path.push(extension(plan.format));
    let path = PathBuf::from(path);
    let write = || {
        if named.holds(&path) {
            let message = format!("its output {} is an input", path.display());
            return Err(Trouble::Refused(Failure::new(log.name, message)));
        }
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        let (file, target) = Target::create(&path)?;
        let columns = Columns {
            rows: plan.rows(),
            input: false,
        };
        let mut table = create(plan.format, Box::new(file), columns)?;
        let about = convert(log, plan, settings, talk, table.as_mut())?;
        table.finish(std::slice::from_ref(&about))?;
        Ok((about, target))
    };
    match write() {
        Ok((about, target)) => Ok(Written {
            about,
            target,
            path,
        }),
        Err(trouble) => Err((path, trouble)),
    }
}

/// Gives a table its name, unless an earlier input took it.
fn name(
    written: Written,
    names: &mut HashMap<PathBuf, String>,
) -> anyhow::Result<Result<(About, PathBuf), Failure>> {
    let Written {
        about,
        target,
        path,
    } = written;
    if let Some(first) = names.get(&path) {
        let message = format!("its output {} is that of {first} already", path.display());
        return Ok(Err(Failure::new(about.input, message)));
    }
    names.insert(path.clone(), about.input.clone());
    target
        .commit()
        .with_context(|| path.display().to_string())?;
    Ok(Ok((about, path)))
}
