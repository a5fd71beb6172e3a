//! What a run did, for programs: standard output is the traced program's, so it is one line of JSON
//! at the end of standard error.

use super::args::TraceArgs;
use super::run::{Run, busy, moved};
use crate::envelope::Envelope;
use crate::failure::Failure;
use iotempo_model::{Op, Warning};
use serde::Serialize;
use std::io::{self, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;

/// How the program ended.
#[derive(Clone, Copy)]
pub(super) struct Ended {
    code: Option<i32>,
    signal: Option<i32>,
}

impl Ended {
    pub(super) fn with(status: ExitStatus) -> Self {
        Self {
            code: status.code(),
            signal: status.signal(),
        }
    }

    pub(super) fn code(code: u8) -> Self {
        Self {
            code: Some(code.into()),
            signal: None,
        }
    }
}

/// All settings in force.
#[derive(Serialize)]
struct Stated<'a> {
    layers: &'static str,
    include: &'a [String],
    exclude: &'a [String],
    pipes: bool,
    max_size_bytes: Option<u64>,
    coalesce_ns: Option<u64>,
}

/// What the program did and what was seen of it.
#[derive(Serialize)]
struct Ran {
    command: Vec<String>,
    folder: String,
    exit_code: Option<i32>,
    signal: Option<i32>,
    logs: u64,
    log_bytes: u64,
    /// `None` where no log was made, or where they are too large to be read again.
    io: Option<Io>,
}

#[derive(Serialize)]
struct Io {
    reads: u64,
    bytes_read: f64,
    writes: u64,
    bytes_written: f64,
    busy_s: f64,
    run_time_s: Option<f64>,
    warnings: Vec<Warning>,
    damaged: bool,
}

/// Prints the line. Logs that cannot be read are one more failure in it.
///
/// # Errors
/// Where nobody listens.
pub(super) fn print(
    arguments: &TraceArgs,
    folder: &Path,
    ended: Ended,
    mut failures: Vec<Failure>,
) -> anyhow::Result<()> {
    let settings = Stated {
        layers: arguments.layers(),
        include: &arguments.include,
        exclude: &arguments.exclude,
        pipes: arguments.pipes,
        max_size_bytes: arguments.max_size,
        coalesce_ns: arguments.coalesce,
    };
    let mut text = Vec::new();
    let mut envelope = Envelope::new(&mut text, "trace", &settings)?;
    envelope.result(&ran(arguments, folder, ended, &mut failures))?;
    failures
        .into_iter()
        .for_each(|failure| envelope.error(failure));
    envelope.finish()?;
    // Within strings, line ends are escaped.
    text.retain(|byte| *byte != b'\n');
    text.push(b'\n');
    io::stderr().lock().write_all(&text)?;
    Ok(())
}

fn ran(arguments: &TraceArgs, folder: &Path, ended: Ended, failures: &mut Vec<Failure>) -> Ran {
    let run = Run::find(folder);
    let seen = run.as_ref().map_or(Ok(None), io_of);
    if let Err(error) = &seen {
        let error = format!("{error:#}");
        failures.push(Failure::new(folder.display().to_string(), error));
    }
    let words = arguments.command.iter();
    Ran {
        command: words
            .map(|word| word.to_string_lossy().into_owned())
            .collect(),
        folder: folder.display().to_string(),
        exit_code: ended.code,
        signal: ended.signal,
        logs: run.as_ref().map_or(0, |run| run.logs),
        log_bytes: run.as_ref().map_or(0, |run| run.bytes),
        io: seen.ok().flatten(),
    }
}

fn io_of(run: &Run) -> anyhow::Result<Option<Io>> {
    let Some((reading, trace)) = run.read()? else {
        return Ok(None);
    };
    let [(reads, bytes_read), (writes, bytes_written)] =
        [Op::Read, Op::Write].map(|op| moved(&reading, &trace, op));
    Ok(Some(Io {
        reads,
        bytes_read,
        writes,
        bytes_written,
        busy_s: busy(&trace),
        run_time_s: reading.origin.job.run_time_s,
        warnings: reading.warnings,
        damaged: reading.damaged,
    }))
}
