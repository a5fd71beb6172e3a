//! One log at length.

use super::found::Found;
use super::{timeline, words};
use crate::cli::Units;
use crate::human;
use crate::style::Style;
use iotempo_analysis::phases::{Flags, IoPhase};
use iotempo_report::phases::{Instants, ranks};
use iotempo_report::quantity::duration;
use std::io::{self, Write};

/// Phases that a terminal shows.
const MOST_ROWS: usize = 40;

/// Prints the phases of a log.
pub(super) fn print(
    out: &mut impl Write,
    found: &Found,
    style: Style,
    ascii: bool,
) -> io::Result<()> {
    writeln!(out, "{}", style.bold(&human::printable(&found.input)))?;
    for (key, value) in facts(found, style.units()) {
        writeln!(out, "  {key:<9} {}", human::printable(&value))?;
    }
    let phases = &found.phases.phases;
    if !phases.is_empty() {
        writeln!(out, "\n{}", style.bold("phases"))?;
        table(out, found, style)?;
        let lines = timeline::lines(phases, found.job.run_time_s, style.columns(), ascii);
        if !lines.is_empty() {
            writeln!(out, "\n{}", style.bold("timeline"))?;
        }
        for line in lines {
            writeln!(out, "{line}")?;
        }
    }
    let agreement = words::agreement(found);
    if !agreement.is_empty() {
        writeln!(out, "\n{}", style.bold("finer evidence in this log"))?;
    }
    for sentence in agreement {
        prose(out, &sentence, style, |_, line| line.to_owned())?;
    }
    if !found.warnings.is_empty() {
        writeln!(out, "\n{}", style.bold("warnings"))?;
    }
    for warning in &found.warnings {
        let text = warning.to_string();
        prose(out, &human::printable(&text), style, Style::yellow)?;
    }
    writeln!(out)?;
    for flag in Flags::ALL {
        let up = |phase: &IoPhase| phase.flags.up().any(|one| one == flag);
        if phases.iter().any(up) {
            let text = format!("{}: {}", flag.name, flag.meaning);
            prose(out, &text, style, Style::dim)?;
        }
    }
    let text = words::says_what_is_hidden(found.source);
    prose(out, &text, style, Style::dim)
}

fn prose(
    out: &mut impl Write,
    text: &str,
    style: Style,
    dressed: impl Fn(Style, &str) -> String,
) -> io::Result<()> {
    for line in style.lines(text) {
        writeln!(out, "{}", dressed(style, &line))?;
    }
    Ok(())
}

/// What is known of the job, and what phases come to. Shadows are not added up.
pub(super) fn facts(found: &Found, units: Units) -> Vec<(&'static str, String)> {
    let job = &found.job;
    let phases = &found.phases.phases;
    let unknown = || "not known: nothing was counted".to_owned();
    let known = [
        ("format", Some(found.format.clone())),
        ("program", job.exe.clone()),
        ("job", job.id.clone()),
        ("ranks", job.ranks.map(human::count)),
        ("run time", job.run_time_s.map(duration)),
        ("phases", Some(human::count(phases.len() as u64))),
        ("moved", Some(moved(found, units).unwrap_or_else(unknown))),
    ];
    let known = known.into_iter();
    known
        .filter_map(|(key, value)| Some((key, value?)))
        .collect()
}

/// `2 GiB read, 80 GiB written`; no more than what is known, and `None` where that is nothing.
pub(super) fn moved(found: &Found, units: Units) -> Option<String> {
    if !found.counted {
        return None;
    }
    let moved = super::bytes(&found.phases.phases);
    let [read, written] = moved.map(|bytes| human::bytes(bytes, units));
    let least = match found.damaged || found.partial {
        true => "at least ",
        false => "",
    };
    Some(format!("{least}{read} read, {written} written"))
}

/// Phases below the names of columns; numbers to the right.
fn table(out: &mut impl Write, found: &Found, style: Style) -> io::Result<()> {
    const NAMES: [&str; 12] = [
        "",
        "start",
        "end",
        "op",
        "layer",
        "ranks",
        "files",
        "bytes",
        "I/O time",
        "requests",
        "of",
        "spatiality",
    ];
    // Columns of words; all others are numbers.
    const WORDS: [usize; 3] = [3, 4, 11];
    let phases = &found.phases.phases;
    let instants = Instants::of(phases, found.job.run_time_s);
    let row = |(place, phase): (usize, &IoPhase)| cells(place, phase, instants, style);
    let rows: Vec<[String; 12]> = phases.iter().enumerate().take(MOST_ROWS).map(row).collect();
    let mut widths = NAMES.map(|name| name.chars().count());
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let line = |cells: &[String; 12]| {
        let cells = cells.iter().enumerate().map(|(column, cell)| {
            let width = widths[column];
            match WORDS.contains(&column) {
                true => format!("{cell:<width$}"),
                false => format!("{cell:>width$}"),
            }
        });
        cells.collect::<Vec<_>>().join("  ")
    };
    writeln!(out, "  {}", line(&NAMES.map(str::to_owned)).trim_end())?;
    for (row, phase) in rows.iter().zip(phases) {
        let flags = words::flags(phase.flags, ", ");
        let flags = match flags.is_empty() {
            true => flags,
            false => style.yellow(&format!("  {flags}")),
        };
        writeln!(out, "  {}{flags}", line(row).trim_end())?;
    }
    let more = phases.len().saturating_sub(MOST_ROWS);
    if more > 0 {
        writeln!(
            out,
            "  … and {} more (--csv prints all)",
            human::count(more as u64)
        )?;
    }
    Ok(())
}

fn cells(place: usize, phase: &IoPhase, instants: Instants, style: Style) -> [String; 12] {
    let (files, strategy) = (human::count(phase.files), phase.strategy);
    let [start, end] = instants.span(phase);
    [
        (place + 1).to_string(),
        start,
        end,
        phase.op.to_string(),
        words::layer(phase.api).to_owned(),
        ranks(phase),
        format!("{files} {strategy}"),
        style.bytes(phase.bytes as f64),
        duration(phase.time_s),
        human::count(phase.requests),
        style.bytes(phase.mean_request_bytes()),
        phase.spatiality.to_string(),
    ]
}
