//! `iotempo trace`: runs a program and keeps a log of its I/O.

mod args;
mod child;
mod environment;
mod job;
mod library;
mod program;
mod run;
mod stated;
mod summary;

pub(crate) use args::{EXAMPLES, TraceArgs};

use crate::Outcome;
use crate::cli::CommonArgs;
use crate::settings::usage_error;
use crate::talk::Talk;
use environment::Environment;
use signal_hook::low_level::emulate_default_handler;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
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
    let preload = can_preload(name, &talk);
    let status = match child::run(&arguments.command, &environment, preload) {
        Ok(status) => status,
        Err(error) => {
            talk.error(format!("{}: {error}", name.to_string_lossy()));
            let missing = error.kind() == io::ErrorKind::NotFound;
            return Ok(Outcome::Program(if missing {
                NOT_FOUND
            } else {
                CANNOT_RUN
            }));
        }
    };
    // Of all ranks, the first one speaks.
    if job::rank().is_none_or(|rank| rank == 0) {
        // The program has run: whatever went wrong here must not change how it ended.
        if let Err(error) = tell(arguments, &environment, status, common) {
            talk.warn(format!("{error:#}"));
        }
    }
    Ok(end_like(status))
}

/// Says what the program did: a line of JSON, or a few lines for a person.
fn tell(
    arguments: &TraceArgs,
    environment: &Environment,
    status: ExitStatus,
    common: &CommonArgs,
) -> anyhow::Result<()> {
    match (common.json, common.quiet) {
        (true, _) => stated::print(arguments, &environment.folder, status),
        (false, false) => summary::print(&environment.folder, common),
        (false, true) => Ok(()),
    }
}

/// Tells where nothing will be seen; whether the library may be preloaded at all.
fn can_preload(name: &OsStr, talk: &Talk) -> bool {
    let blind = program::find(name).and_then(|path| program::blind(&path));
    if let Some(blind) = &blind {
        let name = name.to_string_lossy();
        talk.warn(format!(
            "{name} {}: its own I/O cannot be traced",
            blind.message()
        ));
    }
    !blind.is_some_and(|blind| blind.breaks())
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
