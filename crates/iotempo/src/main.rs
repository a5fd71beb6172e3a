//! The tempo of an application's I/O: what is in its logs, and what they can tell.

mod batch;
mod cli;
mod convert;
mod correlate;
mod envelope;
mod estimate;
mod failure;
mod generate;
mod human;
mod inputs;
mod inspect;
mod period;
mod phases;
mod pool;
mod predict;
mod report;
#[cfg(feature = "tables")]
mod row_groups;
#[cfg(unix)]
mod serve;
mod servers;
mod settings;
mod sha256;
mod signature;
mod style;
mod talk;
mod tally;
mod token;
#[cfg(unix)]
mod trace;

use clap::{CommandFactory, Parser};
use cli::{Cli, Verb};
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().collect();
    if let Some(hint) = period::hint(&words) {
        return usage(&settings::usage_error(hint));
    }
    let cli = match Cli::try_parse_from(period::as_clap_reads(words)) {
        Ok(cli) => cli,
        #[cfg(unix)]
        Err(error) => return usage(&trace::with_hint(error)),
        #[cfg(not(unix))]
        Err(error) => return usage(&error),
    };
    let result = match cli.verb {
        Verb::Inspect(arguments) => inspect::run(arguments, &cli.common),
        Verb::Convert(arguments) => convert::run(arguments, &cli.common),
        Verb::Period(arguments) => period::run(*arguments, &cli.common),
        Verb::Phases(arguments) => phases::run(arguments, &cli.common),
        Verb::Predict(arguments) => predict::run(*arguments, &cli.common),
        #[cfg(unix)]
        Verb::Serve(arguments) => serve::run(*arguments, &cli.common),
        Verb::Signature(arguments) => signature::run(*arguments, &cli.common),
        Verb::Estimate(arguments) => estimate::run(*arguments, &cli.common),
        Verb::Correlate(arguments) => correlate::run(*arguments, &cli.common),
        Verb::Report(arguments) => report::run(arguments, &cli.common),
        Verb::Generate(arguments) => generate::run(&arguments, &cli.common),
        #[cfg(unix)]
        Verb::Trace(arguments) => trace::run(&arguments, &cli.common),
        Verb::Completions { shell } => completions(shell),
    };
    match result {
        Ok(Outcome::AllRead) => ExitCode::SUCCESS,
        Ok(Outcome::SomeFailed) => ExitCode::FAILURE,
        Ok(Outcome::NothingFound) => ExitCode::from(3),
        #[cfg(unix)]
        Ok(Outcome::Program(code)) => ExitCode::from(code),
        Err(error) => failed(&error),
    }
}

/// How a verb ended.
enum Outcome {
    AllRead,
    /// Some inputs could not be read, and the user was told.
    SomeFailed,
    /// All were read, and what was looked for is in none; only for who asks with `--exit-code`.
    NothingFound,
    /// A program that was run ended with this code.
    #[cfg(unix)]
    Program(u8),
}

fn completions(shell: clap_complete::Shell) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "iotempo", &mut script);
    io::stdout().write_all(&script)?;
    Ok(Outcome::AllRead)
}

fn failed(error: &anyhow::Error) -> ExitCode {
    if let Some(error) = error.downcast_ref::<clap::Error>() {
        return usage(error);
    }
    // Whoever read our output has seen enough.
    if failure::is_broken_pipe(error) {
        return ExitCode::SUCCESS;
    }
    talk::fatal(&format!("{error:#}"));
    ExitCode::FAILURE
}

/// Help and the version are answers, not mistakes: clap knows which exit code they have.
fn usage(error: &clap::Error) -> ExitCode {
    match error.print() {
        Ok(()) => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
        Err(_) => ExitCode::SUCCESS,
    }
}
