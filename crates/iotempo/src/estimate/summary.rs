//! An estimate for people.

use super::estimated::Estimated;
use super::stores::Stores;
use crate::cli::Units;
use crate::human::{duration, plural, printable};
use crate::style::Style;
use iotempo_analysis::estimate::{CombinedPoint, Match, MatchedPart, PhaseEstimate};
use iotempo_analysis::phases::IoPhase;
use iotempo_report::estimate::{headline, no_estimate, percent, second_thought};
use iotempo_report::quantity::{bytes, rate};
use std::collections::BTreeSet;
use std::io::{self, Write};

/// Columns of the longest bar.
const BAR: usize = 40;
/// Phases that are listed one by one.
const LISTED: usize = 20;

pub(super) fn print(
    out: &mut impl Write,
    estimated: &Estimated,
    stores: &Stores,
    style: Style,
    ascii: bool,
) -> io::Result<()> {
    let combined = &estimated.combined;
    let units = style.units().into();
    writeln!(out, "{}", style.bold(&printable(&estimated.input)))?;
    match combined.best() {
        Some(best) => writeln!(
            out,
            "  {}: {}; {}",
            plural(u64::from(best.io_nodes), "I/O node"),
            headline(combined, best, units),
            match combined.curve.len() {
                1 => "no other number of I/O nodes can be compared".to_owned(),
                _ => format!(
                    "whoever always takes it loses {} % on average",
                    percent(best.expected_regret)
                ),
            }
        )?,
        None => writeln!(out, "  {}", no_estimate(combined))?,
    }
    if let Some(text) = second_thought(combined) {
        for line in style.lines(&text) {
            writeln!(out, "{line}")?;
        }
    }
    if !combined.curve.is_empty() {
        writeln!(out)?;
        curve(out, &combined.curve, style, ascii)?;
    }
    writeln!(out)?;
    let rows = rows(estimated, style.units());
    let listed = &rows[..rows.len().min(LISTED)];
    let wide = listed.iter().map(|[.., how, _]| how.chars().count()).max();
    let wide = wide.unwrap_or(0);
    let heading = format!("   PHASE      OP      MOVES  {:<wide$}  MATCH", "HOW");
    writeln!(out, "{}", style.dim(&heading))?;
    for [number, op, moved, how, found] in listed {
        writeln!(
            out,
            "{number:>8}  {op:>6}  {moved:>9}  {how:<wide$}  {found}"
        )?;
    }
    more(out, estimated.phases.len())?;
    writeln!(out)?;
    let moved = bytes(combined.bytes, units);
    let matched = percent(combined.matched_bytes / combined.bytes.max(1.0));
    writeln!(
        out,
        "  moved        {moved}, of which {matched} % have a match"
    )?;
    let scenarios = plural(stores.store.scenarios().count() as u64, "scenario");
    let repetitions = plural(stores.store.repetitions() as u64, "repetition");
    writeln!(out, "  benchmarks   {scenarios}, {repetitions}")?;
    let unmatched = unmatched(estimated);
    if !unmatched.is_empty() {
        writeln!(out, "\n{}", style.bold("no match"))?;
        for (number, why) in unmatched.iter().take(LISTED) {
            for line in style.lines(&format!("phase {number}: {why}")) {
                writeln!(out, " {line}")?;
            }
        }
        more(out, unmatched.len())?;
    }
    Ok(())
}

/// Says how many phases are not listed.
fn more(out: &mut impl Write, phases: usize) -> io::Result<()> {
    match phases.saturating_sub(LISTED) {
        0 => Ok(()),
        more => writeln!(
            out,
            "  and {} more (--json lists all)",
            plural(more as u64, "phase")
        ),
    }
}

/// A bar per number of I/O nodes, with what most runs reach.
fn curve(
    out: &mut impl Write,
    points: &[CombinedPoint],
    style: Style,
    ascii: bool,
) -> io::Result<()> {
    let units = style.units().into();
    let heading = format!(
        "   I/O NODES  {:<BAR$}  {:>12}  {:>27}  {:>12}  {:>6}",
        "BANDWIDTH", "", "4 OF 5 RUNS", "TIME", "LOSS"
    );
    writeln!(out, "{}", style.dim(&heading))?;
    let most = points.iter().map(|point| point.high_bytes_per_s);
    let most = most.fold(0.0, f64::max);
    let (full, range) = if ascii { ('#', '-') } else { ('█', '─') };
    for point in points {
        let columns = |value: f64| ((value / most) * BAR as f64).round() as usize;
        let (bar, high) = (columns(point.bytes_per_s), columns(point.high_bytes_per_s));
        let mut drawn: String = std::iter::repeat_n(full, bar.max(1)).collect();
        drawn.extend(std::iter::repeat_n(range, high.saturating_sub(bar.max(1))));
        let spread = format!(
            "{} to {}",
            rate(point.low_bytes_per_s, units),
            rate(point.high_bytes_per_s, units)
        );
        let line = format!(
            "{:>12}  {drawn:<BAR$}  {:>12}  {spread:>27}  {:>12}  {:>6}",
            point.io_nodes,
            rate(point.bytes_per_s, units),
            duration(point.time_s),
            match points.len() {
                1 => "-".to_owned(),
                _ => format!("{} %", percent(point.expected_regret)),
            }
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    let overlap = points
        .iter()
        .any(|point| point.overlapping_time_s < point.time_s);
    if overlap {
        writeln!(
            out,
            "  Phases overlap; times are of one after the other, and at best:"
        )?;
        for point in points {
            let best = duration(point.overlapping_time_s);
            writeln!(out, "{:>12}  {best}", point.io_nodes)?;
        }
    }
    Ok(())
}

/// A row per phase: number, direction, bytes, how, match.
pub(super) fn rows(estimated: &Estimated, units: Units) -> Vec<[String; 5]> {
    let phases = estimated.phases.iter().zip(&estimated.estimates);
    phases
        .zip(&estimated.numbers)
        .map(|((phase, estimate), number)| row(*number, phase, estimate, units))
        .collect()
}

/// Phases without a match, and why.
pub(super) fn unmatched(estimated: &Estimated) -> Vec<(usize, String)> {
    let estimates = estimated.estimates.iter().zip(&estimated.numbers);
    let why = |(one, number): (&PhaseEstimate, &usize)| {
        Some((*number, one.parts.as_ref().err()?.to_string()))
    };
    estimates.filter_map(why).collect()
}

fn row(number: usize, phase: &IoPhase, estimate: &PhaseEstimate, units: Units) -> [String; 5] {
    let scenario = &estimate.demand.whole;
    let how = format!(
        "{} {} {}, {} × {}",
        scenario.api.name(),
        scenario.files,
        scenario.spatiality,
        scenario.processes,
        bytes(scenario.request_bytes as f64, units.into())
    );
    let found = match (&estimate.parts, &estimate.averaged) {
        (Err(_), _) => "none".to_owned(),
        (Ok(parts), Some(_)) => format!("{}, by mean request size", matched(parts)),
        (Ok(parts), None) => matched(parts),
    };
    [
        number.to_string(),
        phase.op.to_string(),
        bytes(phase.bytes as f64, units.into()),
        how,
        found,
    ]
}

fn matched(parts: &[MatchedPart]) -> String {
    let exact = |part: &MatchedPart| matches!(part.curve.matched, Match::Exact { .. });
    let how = match parts.iter().all(exact) {
        true => measured(parts),
        false => "interpolated".to_owned(),
    };
    match parts.len() {
        1 => how,
        parts => format!("{how}, {parts} request sizes"),
    }
}

/// `exact`, and at which numbers of I/O nodes where it is not at all.
fn measured(parts: &[MatchedPart]) -> String {
    let numbers = |measured: bool| -> BTreeSet<u32> {
        let points = parts.iter().flat_map(|part| &part.curve.points);
        let points = points.filter(|point| point.measured == measured);
        points.map(|point| point.io_nodes).collect()
    };
    let interpolated = numbers(false);
    if interpolated.is_empty() {
        return "exact".to_owned();
    }
    let exact = numbers(true);
    let exact = exact.difference(&interpolated).map(u32::to_string);
    match exact.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => "interpolated".to_owned(),
        exact => format!("exact at {exact}; else interpolated"),
    }
}
