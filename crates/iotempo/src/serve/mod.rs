//! `iotempo serve`: what is expected of many jobs, over HTTP.

mod args;
mod state;

pub(crate) use args::{EXAMPLES, ServeArgs};

use crate::Outcome;
use crate::cli::CommonArgs;
use crate::settings;
use crate::talk::Talk;
use crate::token;
use anyhow::Context;
use iotempo_analysis::online;
use iotempo_serve::{Limits, Server, Settings, Token};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

/// Runs the verb.
pub(crate) fn run(arguments: ServeArgs, common: &CommonArgs) -> anyhow::Result<Outcome> {
    // Before there is anything that a signal could interrupt.
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let talk = Talk::new(common, "jobs");
    let server = Server::start(
        settings(arguments)?,
        Box::new(move |message| talk.warn(message)),
    )?;
    let mut out = io::stdout().lock();
    // A port that was chosen for us is known only now.
    let address = format!("http://{}", server.address());
    if common.json {
        writeln!(out, "{}", serde_json::json!({ "listening": address }))?;
    } else {
        writeln!(out, "listening on {address}")?;
    }
    out.flush()?;
    signals.forever().next();
    // Who is in a hurry says so again.
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let _ = emulate_default_handler(signal);
        }
    });
    server.stop();
    Ok(Outcome::AllRead)
}

fn settings(arguments: ServeArgs) -> anyhow::Result<Settings> {
    if arguments.select.source.is_some() {
        let hint = "--source chooses among what a Darshan log holds, which is written when the job has ended";
        return Err(settings::usage_error(hint).into());
    }
    let roots: Vec<PathBuf> = arguments
        .roots
        .iter()
        .map(canonical)
        .collect::<Result<_, _>>()?;
    let state = arguments.state.map_or_else(|| state::of(&roots), Ok)?;
    let selected = settings::Settings::new(arguments.select)?;
    Ok(Settings {
        roots,
        listen: arguments.listen,
        token: secret(arguments.token_file.as_deref())?,
        every: arguments.every,
        keep: arguments.keep,
        state,
        metrics_jobs: arguments.metrics_jobs,
        online: online::Settings {
            window: arguments.window,
            ..online::Settings::default()
        },
        options: selected.options,
        selection: selected.selection,
        limits: Limits::default(),
    })
}

/// The same path from wherever: a job's id must not depend on where the server was started.
fn canonical(root: &PathBuf) -> anyhow::Result<PathBuf> {
    std::fs::canonicalize(root).with_context(|| {
        let hint = match root.try_exists() {
            Ok(false) => ": make the folder first, or let the first job make it (iotempo trace -o)",
            _ => "",
        };
        format!("{}{hint}", root.display())
    })
}

/// What clients must know, where they must know anything.
fn secret(file: Option<&Path>) -> anyhow::Result<Option<Token>> {
    let Some(text) = token::text(file)? else {
        return Ok(None);
    };
    let place = || {
        file.map_or(token::VARIABLE.to_owned(), |file| {
            file.display().to_string()
        })
    };
    Ok(Some(Token::new(&text).with_context(place)?))
}
