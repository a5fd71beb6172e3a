//! What a study says, for a person at a terminal.

use super::group::Jobs;
use super::studied::{Studied, Verdict};
use super::words;
use crate::human::{plural, printable};
use crate::style::Style;
use iotempo_analysis::correlate::study::Measured;
use std::io::{self, Write};

/// How wide names of groups may be, and what stands behind them.
const WIDEST: usize = 40;
const NARROWEST: usize = 12;
const BEHIND: usize = 66;

/// Groups that are told at length.
const AT_LENGTH: usize = 3;

/// Prints all groups as a table, and the first at length.
pub(super) fn print(
    out: &mut impl Write,
    jobs: &Jobs,
    groups: &[Studied],
    style: Style,
) -> io::Result<()> {
    heading(out, jobs, groups, style)?;
    if groups.is_empty() {
        return writeln!(
            out,
            "\nNo group has enough jobs to be studied (--min-jobs)."
        );
    }
    writeln!(out)?;
    table(out, groups, style)?;
    for studied in groups.iter().take(AT_LENGTH) {
        at_length(out, studied, style)?;
    }
    if groups.len() > AT_LENGTH {
        let rest = format!(
            "\n{} more in the table; --json, --csv and -o FILE.html tell of all at length.",
            plural((groups.len() - AT_LENGTH) as u64, "group")
        );
        writeln!(out, "{}", style.dim(&rest))?;
    }
    Ok(())
}

fn heading(out: &mut impl Write, jobs: &Jobs, groups: &[Studied], style: Style) -> io::Result<()> {
    let studied: usize = groups.iter().map(|group| group.study.jobs).sum();
    let heading = format!(
        "{} read, {} in {}",
        plural(jobs.read, "job"),
        studied,
        plural(groups.len() as u64, "group")
    );
    writeln!(out, "{}", style.bold(&heading))?;
    if jobs.too_few > 0 {
        let few = format!(
            "{} in {} with too few to be studied",
            plural(jobs.too_few_jobs, "job"),
            plural(jobs.too_few, "group")
        );
        writeln!(out, "{}", style.dim(&few))?;
    }
    for reason in jobs.left_out.reasons() {
        writeln!(out, "{}", style.dim(&reason.words()))?;
    }
    Ok(())
}

fn table(out: &mut impl Write, groups: &[Studied], style: Style) -> io::Result<()> {
    let names: Vec<String> = groups
        .iter()
        .map(|group| printable(&group.subject.label).into_owned())
        .collect();
    let width = names.iter().map(|name| name.chars().count()).max();
    let most = style.limit().map_or(WIDEST, |limit| {
        limit.saturating_sub(BEHIND).clamp(NARROWEST, WIDEST)
    });
    let width = width.unwrap_or(0).clamp("group".len(), most);
    let head = format!(
        "{:width$}  {:>5} {:>5}  {:>8}  {:>15}  {:>9}  when busiest",
        "group", "jobs", "days", "rank cor", "95 % interval", "by chance"
    );
    writeln!(out, "{}", style.dim(&head))?;
    for (studied, name) in groups.iter().zip(&names) {
        let study = &studied.study;
        let rank = study.telling();
        let value = rank.map_or_else(|| "–".to_owned(), |rank| format!("{:.2}", rank.value));
        let interval = rank.and_then(|rank| rank.interval.as_ref().ok());
        let interval = interval.map_or_else(
            || "–".to_owned(),
            |range| format!("{:.2} to {:.2}", range.low, range.high),
        );
        let chance = studied
            .adjusted
            .map_or_else(|| "–".to_owned(), words::percent);
        let slow = study.cost().ok();
        let slow = slow.map_or_else(|| "–".to_owned(), |slow| format!("{:.2} ×", slow.ratio));
        let name = shortened(name, width);
        let days = study
            .days
            .map_or_else(|| "–".to_owned(), |days| days.to_string());
        let row = format!(
            "{name:width$}  {:>5} {:>5}  {value:>8}  {interval:>15}  {chance:>9}  {slow}",
            study.jobs, days
        );
        let row = match studied.verdict() {
            Verdict::SlowsDown => style.yellow(&row),
            _ => row,
        };
        writeln!(out, "{row}")?;
    }
    Ok(())
}

/// A name that fits, and says where it was cut.
fn shortened(name: &str, width: usize) -> String {
    match name.chars().count() > width {
        true => name.chars().take(width - 1).chain(['…']).collect(),
        false => name.to_owned(),
    }
}

fn at_length(out: &mut impl Write, studied: &Studied, style: Style) -> io::Result<()> {
    writeln!(out)?;
    for line in style.lines(&words::sentence(studied)) {
        writeln!(out, "{line}")?;
    }
    for reason in studied.subject.left_out.reasons() {
        writeln!(out, "{}", style.dim(&format!("  {}", reason.words())))?;
    }
    if studied.verdict() == Verdict::Undetermined {
        return Ok(());
    }
    if let Some(load) = words::load_of(studied) {
        writeln!(out, "{}", style.dim(&format!("  The load: {load}.")))?;
    }
    let exchanged = studied.study.exchanged();
    for outcome in &studied.study.measured {
        let said = match &outcome.value {
            Err(why) => format!("undetermined: {why}"),
            Ok(measured) => said(measured, exchanged),
        };
        writeln!(out, "  {:26} {said}", words::title(outcome.coefficient))?;
    }
    if let Some(within) = &studied.study.within {
        let title = match (within.stretches > 1, within.weekly) {
            (true, false) => format!("ranks within {} days", within.days),
            (true, true) => format!("within {} days, weekdays", within.days),
            (false, _) => "ranks within weekdays".to_owned(),
        };
        writeln!(out, "  {title:26} {}", said(&within.rank, exchanged))?;
    }
    if let Ok(forest) = &studied.curves.forest
        && let Some(r2) = forest.oob_r2
    {
        let share = match r2 > 0.0 {
            true => words::percent(r2),
            false => "nothing".to_owned(),
        };
        writeln!(
            out,
            "  {:26} {share} of the variance of runs it has not seen",
            "random forest"
        )?;
    }
    if let Some(clocks) = words::clocks(studied) {
        writeln!(out, "  {clocks}")?;
    }
    if let Some(expected) = words::expected(studied, style.units()) {
        writeln!(out, "  {expected}")?;
    }
    Ok(())
}

/// A coefficient with all that tells whether to believe it, where days or jobs were exchanged.
fn said(measured: &Measured, exchanged: &str) -> String {
    let interval = measured.interval.as_ref().map_or_else(
        |_| String::new(),
        |range| format!("  {:.2} to {:.2}", range.low, range.high),
    );
    let chance = measured.permuted.as_ref().map_or_else(
        |why| format!("  no test: {why}"),
        |permuted| {
            format!(
                "  permuted {exchanged} {}",
                words::percent(permuted.p_value)
            )
        },
    );
    let shifted = measured.shifted.as_ref().map_or_else(String::new, |null| {
        let built_in = match null.keeps_built_in {
            true => format!(" (built in {:.2})", null.mean),
            false => String::new(),
        };
        format!("  other days {}{built_in}", words::percent(null.p_value))
    });
    format!("{:>6.2}{interval}{chance}{shifted}", measured.value)
}
