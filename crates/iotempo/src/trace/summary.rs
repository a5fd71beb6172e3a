//! What a run did, in a few lines.

use crate::cli::CommonArgs;
use crate::human;
use crate::inputs::{Found, Log, Opened, Opener};
use crate::style::Style;
use iotempo_formats::{ReadOptions, Reading, read_trace};
use iotempo_model::{Hertz, Op, Sampling, Trace};
use iotempo_report::chart::{Chart, Palette};
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Logs larger than this are not read again just for a summary, in bytes.
const LARGEST: u64 = 256 << 20;
/// Samples of the chart.
const SAMPLES: f64 = 2000.0;
/// A shorter run has nothing to look at, in seconds.
const SHORTEST: f64 = 0.01;
/// Lines of bars.
const ROWS: usize = 5;

/// Tells what is in the logs of a run, and what to ask next.
///
/// # Errors
/// Where the logs cannot be read, or nobody listens.
pub(super) fn print(folder: &Path, common: &CommonArgs) -> anyhow::Result<()> {
    let mut out = io::stderr().lock();
    let name = folder.display().to_string();
    let logs = logs(folder);
    if logs.is_empty() {
        writeln!(
            out,
            "iotempo: no I/O was seen: no log in {}",
            human::printable(&name)
        )?;
        return Ok(());
    }
    let style = Style::new(common);
    let sizes = logs.iter().filter_map(|log| log.metadata().ok());
    writeln!(out, "iotempo: {}", human::printable(&name))?;
    if sizes.map(|about| about.len()).sum::<u64>() > LARGEST {
        writeln!(out, "  {}", human::plural(logs.len() as u64, "log"))?;
    } else if let Some(Log { input, .. }) = opened(folder, logs)? {
        let (reading, trace) = read_trace(input, &ReadOptions::default())?;
        facts(&mut out, &reading, &trace, style)?;
        chart(&mut out, &trace, style)?;
    }
    let name = human::quoted(&name);
    writeln!(
        out,
        "  iotempo period {name}   # does its I/O repeat, and at which period?"
    )?;
    writeln!(out, "  iotempo inspect {name}  # what is in it")?;
    Ok(())
}

fn logs(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut logs: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "iot"))
        .collect();
    logs.sort();
    logs
}

fn opened(folder: &Path, logs: Vec<PathBuf>) -> anyhow::Result<Option<Log>> {
    let opener = Opener {
        options: ReadOptions::default(),
        hash: false,
    };
    let found = Found::Traced {
        folder: folder.to_owned(),
        logs,
        below: PathBuf::new(),
    };
    match opener.open(found) {
        Ok(Opened::Log(log)) => Ok(Some(log)),
        Ok(_) => Ok(None),
        Err(failure) => Err(anyhow::anyhow!("{failure}")),
    }
}

fn facts(out: &mut impl Write, reading: &Reading, trace: &Trace, style: Style) -> io::Result<()> {
    for (op, word) in [(Op::Read, "read"), (Op::Write, "written")] {
        let of = trace.iter().filter(|request| request.op == op);
        let (count, bytes) = of.fold((0, 0.0), |(count, bytes), request| {
            (count + 1, bytes + request.bytes.get())
        });
        if count > 0 {
            let requests = human::plural(count, "request");
            writeln!(out, "  {word:<8} {} in {requests}", style.bytes(bytes))?;
        }
    }
    let busy = busy(trace);
    let job = &reading.origin.job;
    let (busy_text, run) = (human::duration(busy), job.run_time_s.unwrap_or(busy));
    let share = if run > 0.0 { 100.0 * busy / run } else { 0.0 };
    let run = human::duration(run);
    writeln!(out, "  in I/O   {busy_text} of {run} ({share:.1} %)")?;
    for warning in &reading.warnings {
        writeln!(out, "  note     {}", human::printable(&warning.to_string()))?;
    }
    Ok(())
}

/// For how long at least one request was under way, in seconds.
fn busy(trace: &Trace) -> f64 {
    let mut stretches: Vec<_> = trace
        .iter()
        .map(|request| (request.when.start().get(), request.when.end().get()))
        .collect();
    stretches.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut busy, mut until) = (0.0, f64::NEG_INFINITY);
    for (start, end) in stretches {
        busy += (end - start.max(until)).max(0.0);
        until = until.max(end);
    }
    busy
}

fn chart(out: &mut impl Write, trace: &Trace, style: Style) -> io::Result<()> {
    let length = trace.span().map_or(0.0, |span| span.length().get());
    if length < SHORTEST {
        return Ok(());
    }
    let signal = Hertz::new(SAMPLES / length)
        .and_then(|rate| trace.bandwidth().sample(Sampling::Rate(rate)).ok());
    let Some(signal) = signal else {
        return Ok(());
    };
    let coloured = style.is_coloured() && io::stderr().is_terminal();
    let chart = Chart {
        columns: style.columns().saturating_sub(2),
        rows: ROWS,
        units: style.units().into(),
        palette: if coloured {
            Palette::ANSI
        } else {
            Palette::PLAIN
        },
        ..Chart::new(&signal)
    };
    for line in chart.lines() {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}
