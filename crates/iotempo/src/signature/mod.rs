//! `iotempo signature`: what does this application's I/O look like in the server's log?

mod args;
mod caveats;
mod clash;
mod clockwork;
mod company;
mod csv;
mod edges;
mod hours;
mod kinds;
mod logs;
mod mined;
mod outputs;
mod page;
mod prometheus;
mod records;
mod result;
mod select;
mod summary;
mod told_run;

pub(crate) use args::SignatureArgs;

use crate::Outcome;
use crate::cli::CommonArgs;
use crate::envelope::Envelope;
use crate::failure::Failure;
use crate::human::plural;
use crate::settings::usage_error;
use crate::style::Style;
use crate::talk::Talk;
use logs::Logs;
use mined::{Mined, Miner};
use result::{SignatureResult, Stated};
use select::Question;
use std::io::{self, BufWriter, Write};

pub(crate) const EXAMPLES: &str = "\
Examples:
  iotempo signature --jobs sacct.txt --log iostat.json --user alice --name s3d
  iotempo signature --jobs sacct.txt --log lmt/*.csv --user alice --nodes 64 -o s3d.html
  iotempo signature --jobs jobs.swf --log servers.csv --all --csv > applications.csv
  sacct -P -S 2026-10-01 -o JobID,User,JobName,NNodes,State,Start,End > sacct.txt";

/// Runs the verb.
pub(crate) fn run(arguments: SignatureArgs, common: &CommonArgs) -> anyhow::Result<Outcome> {
    let question = Question::new(&arguments)?;
    outputs::check(&arguments)?;
    let talk = Talk::new(common, "rows");
    let mut logs = Logs::default();
    if let Err(why) = logs.read(&arguments, &question, &talk) {
        let missing = match logs.sources.is_empty() {
            true => "--jobs",
            false => "--log",
        };
        return match common.json {
            true => nothing(why, missing, &question, &logs),
            false => Err(why),
        };
    }
    let applications = match question.applications(&logs.jobs, logs.rows_of_jobs()) {
        Ok(applications) => applications,
        Err(why) if common.json => {
            return nothing(why, "--jobs", &question, &logs);
        }
        Err(why) => {
            // Jobs that nobody finds may be those that a log tells badly.
            for message in logs.told() {
                talk.warn(message);
            }
            return Err(why);
        }
    };
    let miner = Miner::new(&logs, &question);
    let threads = crate::pool::threads(common.threads);
    let mut mined = miner.mine(&applications, threads, &talk);
    talk.finish();
    for warning in logs.told() {
        talk.warn(warning);
    }
    let clashes = clash::clashes(&arguments, &question, &mined, &mut logs, &talk)?;
    // Of all applications, logs are told of once.
    if let ([one], false) = (mined.as_mut_slice(), question.all) {
        let caveats = caveats::of_logs(one, &logs, &question);
        one.finding.warnings.extend(caveats);
    }
    if let Some(path) = &arguments.output {
        let one = one(&mined, "--output")?;
        page::write(path, one, &logs, &clashes, &question, common.units)?;
    }
    if let Some(path) = &arguments.series {
        let written = csv::write_series(path, one(&mined, "--series")?, question.op);
        match written {
            // Whoever asks for an exit code is told by that.
            Err(why) if arguments.exit_code && !any_found(&mined) => talk.warn(why),
            written => written?,
        }
    }
    let stated = Stated::new(&question, &logs);
    let mut out = BufWriter::new(io::stdout().lock());
    if common.json {
        let mut envelope = Envelope::new(&mut out, "signature", &stated)?;
        for mined in &mined {
            envelope.result(&SignatureResult::new(mined, &logs, &clashes, question.all))?;
        }
        for failure in &logs.failures {
            envelope.error(failure.clone());
        }
        envelope.finish()?;
    } else if arguments.csv {
        csv::write_bursts(&mut out, &mined)?;
    } else {
        let style = Style::new(common);
        summary::print(&mut out, &mined, &logs, &clashes, style, &question)?;
    }
    out.flush()?;
    Ok(match (logs.failures.is_empty(), any_found(&mined)) {
        (false, _) => Outcome::SomeFailed,
        (true, false) if arguments.exit_code => Outcome::NothingFound,
        _ => Outcome::AllRead,
    })
}

fn any_found(mined: &[Mined]) -> bool {
    mined
        .iter()
        .any(|mined| mined.finding.signature().is_some())
}

/// Tells programs, too, that no log could be read, that no job is meant, or jobs of several applications.
fn nothing(
    why: anyhow::Error,
    input: &str,
    question: &Question,
    logs: &Logs,
) -> anyhow::Result<Outcome> {
    let out = BufWriter::new(io::stdout().lock());
    let mut envelope = Envelope::new(out, "signature", &Stated::new(question, logs))?;
    for failure in &logs.failures {
        envelope.error(failure.clone());
    }
    envelope.error(Failure::new(input, &why));
    envelope.finish()?;
    Err(why)
}

/// The application, where the options chose one.
fn one<'a>(mined: &'a [Mined], option: &str) -> Result<&'a Mined, clap::Error> {
    match mined {
        [one] => Ok(one),
        several => Err(usage_error(format!(
            "{option} is about one application, and there are {}: choose with --user, --name and --nodes",
            plural(several.len() as u64, "application")
        ))),
    }
}
