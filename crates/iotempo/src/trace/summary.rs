//! What a run did, in a few lines.

use super::run::{Run, busy, moved};
use crate::cli::CommonArgs;
use crate::human;
use crate::style::Style;
use iotempo_formats::Reading;
use iotempo_model::{Hertz, Op, Sampling, Trace};
use iotempo_report::chart::{Chart, Palette};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

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
    let Some(run) = Run::find(folder) else {
        writeln!(
            out,
            "iotempo: no I/O was seen: no log in {}",
            human::printable(&name)
        )?;
        return Ok(());
    };
    let style = Style::new(common);
    writeln!(out, "iotempo: {}", human::printable(&name))?;
    match run.read()? {
        Some((reading, trace)) => {
            facts(&mut out, &reading, &trace, style)?;
            chart(&mut out, &trace, style)?;
        }
        None => {
            let (logs, size) = (
                human::plural(run.logs, "log"),
                style.bytes(run.bytes as f64),
            );
            writeln!(
                out,
                "  {logs}, {size}: too large to be read again for a summary"
            )?;
        }
    }
    let name = human::quoted(&name);
    writeln!(
        out,
        "  iotempo period {name}   # does its I/O repeat, and at which period?"
    )?;
    writeln!(out, "  iotempo inspect {name}  # what is in it")?;
    Ok(())
}

fn facts(out: &mut impl Write, reading: &Reading, trace: &Trace, style: Style) -> io::Result<()> {
    for (op, word) in [(Op::Read, "read"), (Op::Write, "written")] {
        let (count, bytes) = moved(reading, trace, op);
        if count > 0 {
            let requests = human::plural(count, "request");
            writeln!(out, "  {word:<8} {} in {requests}", style.bytes(bytes))?;
        }
    }
    writeln!(out, "  in I/O   {}", share(reading, busy(trace)))?;
    for warning in &reading.warnings {
        writeln!(out, "  note     {}", human::printable(&warning.to_string()))?;
    }
    Ok(())
}

/// For how long there was I/O, of the time in which all of it was seen.
fn share(reading: &Reading, busy: f64) -> String {
    let origin = &reading.origin;
    let length = origin.observed.map(|observed| observed.length().get());
    let whole = match (origin.observed, origin.job.run_time_s) {
        (Some(observed), Some(run)) => observed.start().get() <= 0.0 && observed.end().get() >= run,
        (observed, run) => observed.is_none() && run.is_some(),
    };
    let of = length.or(origin.job.run_time_s).unwrap_or(busy);
    let share = if of > 0.0 { 100.0 * busy / of } else { 0.0 };
    let (busy, of) = (human::duration(busy), human::duration(of));
    let seen = if whole { "" } else { " that the logs cover" };
    // A record of several requests lasts from the first to the last.
    let at_most = if reading.requests.is_some() {
        "at most "
    } else {
        ""
    };
    format!("{at_most}{busy} of {of}{seen} ({share:.1} %)")
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
