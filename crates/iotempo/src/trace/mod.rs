//! `iotempo trace`: runs a program and keeps a log of its I/O.

mod args;
mod child;
mod environment;
mod folder;
mod job;
mod library;
mod program;
mod run;
mod stated;
mod summary;

pub(crate) use args::{EXAMPLES, TraceArgs};

use crate::Outcome;
use crate::cli::CommonArgs;
use crate::failure::Failure;
use crate::human;
use crate::settings::usage_error;
use crate::talk::Talk;
use clap::error::{ContextKind, ContextValue};
use environment::Environment;
use program::Blind;
use run::Run;
use signal_hook::low_level::emulate_default_handler;
use stated::Ended;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

/// What shells answer for a program that cannot be run, and for one that is not there.
const CANNOT_RUN: u8 = 126;
const NOT_FOUND: u8 = 127;

/// Runs the verb.
pub(crate) fn run(arguments: &TraceArgs, common: &CommonArgs) -> anyhow::Result<Outcome> {
    if common.json && arguments.env {
        return Err(usage_error("--env prints words for `env`, which are no JSON").into());
    }
    let environment = Environment::new(arguments, &library::find()?)?;
    if arguments.env {
        io::stdout().write_all(environment.lines()?.as_bytes())?;
        return Ok(Outcome::AllRead);
    }
    let talk = Talk::new(common, "");
    let Some(name) = arguments.command.first() else {
        return Err(usage_error("there is no program to run").into());
    };
    // Of all ranks, the first one speaks.
    let speaks = job::rank().is_none_or(|rank| rank == 0);
    let blind = program::find(name).and_then(|path| program::blind(&path));
    let preload = !blind.as_ref().is_some_and(Blind::breaks);
    let mut failures = obstacles(name, blind.as_ref(), &environment.folder);
    if speaks {
        // Whoever asked for a trace is told that there will be none, be it with -q.
        failures.iter().for_each(|failure| talk.error(failure));
        earlier_logs(&environment.folder, &talk);
    }
    let ran = child::run(&arguments.command, &environment, preload);
    let (ended, outcome) = match &ran {
        Ok(status) => (Ended::with(*status), None),
        Err(error) => {
            let failure = Failure::new(name.to_string_lossy(), error);
            talk.error(&failure);
            failures.push(failure);
            let code = code_of(error);
            (Ended::code(code), Some(Outcome::Program(code)))
        }
    };
    if speaks {
        // The program has run: whatever went wrong here must not change how it ended.
        let teller = Teller {
            arguments,
            common,
            talk: &talk,
            folder: &environment.folder,
        };
        if let Err(error) = teller.tell(ended, failures) {
            talk.warn(format!("{error:#}"));
        }
    }
    Ok(outcome.unwrap_or_else(|| ran.map_or(Outcome::Program(CANNOT_RUN), end_like)))
}

/// A program without `--` before it is told that it needs one.
pub(crate) fn with_hint(mut error: clap::Error) -> clap::Error {
    let traces = std::env::args_os().any(|word| word == "trace");
    let word = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) if traces && !word.starts_with('-') => word.clone(),
        _ => return error,
    };
    let hint = format!("a program is put behind `--`: iotempo trace -- {word}");
    let hint = ContextValue::StyledStrs(vec![hint.into()]);
    error.insert(ContextKind::Suggested, hint);
    error
}

/// What shells answer where a program could not be started.
fn code_of(error: &io::Error) -> u8 {
    match error.kind() {
        io::ErrorKind::NotFound => NOT_FOUND,
        _ => CANNOT_RUN,
    }
}

/// Why nothing of the program will be seen, as far as that is known before it runs.
fn obstacles(name: &OsStr, blind: Option<&Blind>, folder: &Path) -> Vec<Failure> {
    let blind = blind.map(|blind| {
        let why = blind.message();
        Failure::new(
            name.to_string_lossy(),
            format!("it {why}: its own I/O cannot be traced"),
        )
    });
    let refusal = folder::refusal(folder);
    let refusal = refusal.map(|reason| Failure::new(folder.display().to_string(), reason));
    blind.into_iter().chain(refusal).collect()
}

/// Says that a run with a name of the user's choice has another, or joins an earlier one. Among ranks, the logs may
/// be those of a neighbour.
fn earlier_logs(folder: &Path, talk: &Talk) {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    if let Some(chosen) = job::chosen_instead_of(&name) {
        talk.warn(format!(
            "the job is called {name}: '{chosen}' (IOTEMPO_JOB) is too long or has other letters than A-Z, a-z, \
             0-9 and . - _ +"
        ));
    }
    if job::rank().is_none()
        && let Some(run) = Run::find(folder)
    {
        let logs = human::plural(run.logs, "log");
        talk.warn(format!(
            "{}: {logs} of an earlier run are there (IOTEMPO_JOB), and those of this run are added",
            folder.display()
        ));
    }
}

/// Who says afterwards what the program did.
struct Teller<'a> {
    arguments: &'a TraceArgs,
    common: &'a CommonArgs,
    talk: &'a Talk,
    folder: &'a Path,
}

impl Teller<'_> {
    /// A line of JSON, or a few lines for a person.
    fn tell(&self, ended: Ended, mut failures: Vec<Failure>) -> anyhow::Result<()> {
        let no_log = Run::find(self.folder).is_none();
        if no_log && failures.is_empty() {
            failures.extend(self.afterwards());
        }
        match (self.common.json, self.common.quiet) {
            (true, _) => stated::print(self.arguments, self.folder, ended, failures),
            // It has been said why there is none.
            (false, false) if no_log && !failures.is_empty() => Ok(()),
            (false, false) => summary::print(self.folder, self.common),
            (false, true) => Ok(()),
        }
    }

    /// Why there is no log, where that came up while the program ran.
    fn afterwards(&self) -> Option<Failure> {
        let reason = folder::unlisted(self.folder).or_else(|| folder::refusal(self.folder))?;
        let failure = Failure::new(self.folder.display().to_string(), reason);
        self.talk.error(&failure);
        Some(failure)
    }
}

/// Ends as the program did, by the same signal or with the same code.
fn end_like(status: ExitStatus) -> Outcome {
    if let Some(signal) = status.signal() {
        // A core of the program is there; one of ours would replace it.
        let limit = rustix::process::Rlimit {
            current: Some(0),
            maximum: rustix::process::getrlimit(rustix::process::Resource::Core).maximum,
        };
        let _ = rustix::process::setrlimit(rustix::process::Resource::Core, limit);
        let _ = emulate_default_handler(signal);
        return Outcome::Program(u8::try_from(128 + signal).unwrap_or(255));
    }
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Outcome::Program(code.unwrap_or(1))
}
