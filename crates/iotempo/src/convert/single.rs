//! All inputs into one table.

use super::Report;
use super::about::About;
use super::log::{Trouble, convert};
use super::plan::Plan;
use super::table::{Columns, Table, create};
use super::target::Target;
use crate::Outcome;
use crate::inputs::{Inputs, Log, Opener};
use crate::pool::{self, Done};
use crate::settings::{Settings, usage_error};
use anyhow::Context;
use iotempo_formats::{Format, Input, detect};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// A table being written, and the file it will be.
struct Output {
    table: Box<dyn Table>,
    target: Option<Target>,
}

/// Converts all inputs into `path`, or to standard output.
pub(super) fn run(
    mut inputs: Inputs,
    opener: &Opener,
    plan: &Plan,
    settings: &Settings,
    path: Option<&Path>,
    mut report: Report<'_>,
) -> anyhow::Result<Outcome> {
    let name = || {
        path.map_or("standard output".to_owned(), |path| {
            path.display().to_string()
        })
    };
    if let Some(path) = path {
        check(path, &mut inputs)?;
        inputs.leave_out(path);
    }
    let several = inputs.several();
    let mut output = None;
    let mut all = Vec::new();
    pool::one_by_one(inputs, opener, |done| {
        match done {
            Done::NoLog(why) => report.tally.no_log(&why),
            Done::Failed(failure) => report.failed(failure),
            Done::Read(log) => {
                // Made for the first log: who names nothing readable overwrites nothing.
                let table = match &mut output {
                    Some(output) => output,
                    none => none.insert(open(plan, path, several || log.member)?),
                };
                match add(log, plan, settings, table, &report) {
                    Ok(about) => {
                        report.converted(&about, path)?;
                        all.push(about);
                    }
                    Err(Trouble::Input(failure)) => report.failed(failure),
                    Err(Trouble::Refused(failure)) => report.refused(failure),
                    Err(Trouble::NoLog(why)) => report.tally.no_log(&why),
                    Err(Trouble::Output(error)) => return Err(error.into()),
                }
            }
        }
        anyhow::Ok(())
    })
    .with_context(name)?;
    if let Some(output) = output.filter(|_| report.tally.any_read()) {
        output.finish(&all).with_context(name)?;
    }
    report.finish()
}

/// Refuses to replace an input, or any other log that could not be had again.
pub(crate) fn check(path: &Path, inputs: &mut Inputs) -> Result<(), clap::Error> {
    if !path.is_file() {
        return Ok(());
    }
    let what = if inputs.named().holds(path) {
        "the output is an input".to_owned()
    } else if let Some(log) = is_log(path) {
        format!("the output is {log}, and would be overwritten")
    } else {
        return Ok(());
    };
    Err(usage_error(format!("{}: {what}", path.display())))
}

/// Refuses a folder that is not there before any work is done.
pub(crate) fn check_folder(path: &Path) -> anyhow::Result<()> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let (path, name) = (path.display(), folder.display());
    let there = folder.as_os_str().is_empty() || folder.is_dir();
    anyhow::ensure!(there, "{path}: the folder {name} does not exist");
    Ok(())
}

/// What a file is if it is the log of a run, which could not be had again.
pub(crate) fn is_log(path: &Path) -> Option<&'static str> {
    if !path.is_file() {
        return None;
    }
    let input = File::open(path).and_then(Input::file);
    match input.ok().and_then(|input| detect(input.head()).ok())? {
        Format::Darshan | Format::DarshanLegacy => Some("a Darshan log"),
        Format::Iot => Some("a log of the tracer"),
        _ => None,
    }
}

fn add(
    log: Log,
    plan: &Plan,
    settings: &Settings,
    output: &mut Output,
    report: &Report<'_>,
) -> Result<About, Trouble> {
    convert(log, plan, settings, report.talk, output.table.as_mut())
}

fn open(plan: &Plan, path: Option<&Path>, input: bool) -> io::Result<Output> {
    let (out, target): (Box<dyn Write + Send>, _) = match path {
        None => (Box::new(io::stdout()), None),
        Some(path) => {
            let (file, target) = Target::create(path)?;
            (Box::new(file), Some(target))
        }
    };
    let rows = plan.rows();
    let table = create(plan.format, out, Columns { rows, input })?;
    Ok(Output { table, target })
}

impl Output {
    fn finish(self, about: &[About]) -> io::Result<()> {
        self.table.finish(about)?;
        self.target.map_or(Ok(()), Target::commit)
    }
}
