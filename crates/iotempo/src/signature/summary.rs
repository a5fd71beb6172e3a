//! For people: one application at length, or many, a line each.

use super::clash::Compared;
use super::logs::Logs;
use super::mined::{Mined, signal};
use super::select::Question;
use crate::human::{plural, printable};
use crate::style::Style;
use iotempo_analysis::signature::Signature;
use iotempo_report::chart::{Chart, Glyphs, Palette};
use iotempo_report::figures;
use iotempo_report::quantity::{duration, instant, rate};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Lines of the chart's bars.
const ROWS: usize = 6;

/// Bursts, runs and applications that are told one by one.
const SHOWN: usize = 20;

/// Prints what was found.
pub(super) fn print(
    out: &mut impl Write,
    mined: &[Mined],
    logs: &Logs,
    compared: &[Compared],
    style: Style,
    question: &Question,
) -> io::Result<()> {
    match mined {
        [one] if !question.all => at_length(out, one, logs, compared, style, question),
        many => lines(out, many, logs, style),
    }
}

fn at_length(
    out: &mut impl Write,
    mined: &Mined,
    logs: &Logs,
    compared: &[Compared],
    style: Style,
    question: &Question,
) -> io::Result<()> {
    writeln!(
        out,
        "{}",
        style.bold(&printable(&mined.application.label()))
    )?;
    writeln!(out, "  {}\n", headline(mined, style))?;
    if let Some(found) = mined.finding.signature() {
        chart(out, found, mined, style, question)?;
        bursts(out, found, mined, style)?;
    }
    let facts = facts(mined, logs, style, question);
    let width = facts.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    for (key, value) in facts {
        writeln!(out, "  {key:<width$}  {}", printable(&value))?;
    }
    left_out(out, mined, logs, style)?;
    beside(out, compared, style)?;
    let warnings = &mined.finding.warnings;
    if !warnings.is_empty() {
        writeln!(out, "\n{}", style.bold("warnings"))?;
    }
    for warning in warnings {
        for line in style.lines(&printable(&warning.to_string())) {
            writeln!(out, "{}", style.yellow(&line))?;
        }
    }
    Ok(())
}

fn headline(mined: &Mined, style: Style) -> String {
    let Some(found) = mined.finding.signature() else {
        let why = mined.why_not().unwrap_or_default();
        return style.bold(&format!("no signature: {}", printable(&why)));
    };
    let bursts = plural(found.bursts.len() as u64, "burst");
    let text = format!(
        "{bursts}, {} in all, in {}",
        style.bytes(found.bytes()),
        duration(found.step_s * found.rates.len() as f64)
    );
    style.green(&text)
}

fn chart(
    out: &mut impl Write,
    found: &Signature,
    mined: &Mined,
    style: Style,
    question: &Question,
) -> io::Result<()> {
    let Some(signal) = signal(&found.rates, found.step_s) else {
        return Ok(());
    };
    let chart = Chart {
        rhythm: mined.period.as_ref().and_then(|period| period.main()),
        columns: style.columns().saturating_sub(2),
        rows: ROWS,
        units: style.units().into(),
        glyphs: if question.ascii {
            Glyphs::Ascii
        } else {
            Glyphs::Braille
        },
        palette: if style.is_coloured() {
            Palette::ANSI
        } else {
            Palette::PLAIN
        },
        ..Chart::new(&signal)
    };
    for line in chart.lines() {
        writeln!(out, "  {line}")?;
    }
    writeln!(out)
}

fn bursts(out: &mut impl Write, found: &Signature, mined: &Mined, style: Style) -> io::Result<()> {
    let line = |[burst, begin, length, moved, peak, runs]: [&str; 6]| {
        format!("  {burst:>5}  {begin:>12}  {length:>10}  {moved:>10}  {peak:>12}  {runs}")
    };
    let heading = ["BURST", "BEGINS AT", "LASTS", "MOVES", "PEAK", "IN RUNS"];
    writeln!(out, "{}", style.bold(&line(heading)))?;
    for (index, burst) in found.bursts.iter().take(SHOWN).enumerate() {
        let cells = [
            (index + 1).to_string(),
            instant(burst.start_s),
            duration(burst.end_s - burst.start_s),
            style.bytes(burst.bytes),
            rate(burst.peak, style.units().into()),
            format!("{} of {}", burst.support, mined.finding.used.len()),
        ];
        writeln!(out, "{}", line(cells.each_ref().map(String::as_str)))?;
    }
    more(out, found.bursts.len(), "bursts")?;
    writeln!(out)
}

fn more(out: &mut impl Write, all: usize, what: &str) -> io::Result<()> {
    match all.saturating_sub(SHOWN) {
        0 => Ok(()),
        more => writeln!(out, "  and {more} more {what}: --json tells all"),
    }
}

fn facts(
    mined: &Mined,
    logs: &Logs,
    style: Style,
    question: &Question,
) -> Vec<(&'static str, String)> {
    let finding = &mined.finding;
    let mut facts = Vec::new();
    if let Some(period) = &mined.period {
        let text = match period.main() {
            Some(main) => format!(
                "every {} (confidence {})",
                figures::estimate(&main.period),
                figures::confidence(main.confidence)
            ),
            None => format!("no: {}", period.verdict),
        };
        facts.push(("repeats", text));
    }
    facts.push((
        "runs",
        format!(
            "{} of {} are used{}",
            finding.used.len(),
            plural(mined.jobs as u64, "job"),
            match mined.overlapping {
                0 => String::new(),
                some => format!("; {some} ran while another one did, and are seen together"),
            }
        ),
    ));
    facts.push((
        "background",
        format!(
            "{} that are always there were taken away",
            rate(finding.background, style.units().into())
        ),
    ));
    let step = logs.throughput.step().map(duration).unwrap_or_default();
    facts.push(("logs", logs.heading()));
    facts.push((
        "source",
        format!(
            "server: what all jobs moved ({}), every {step}",
            question.op
        ),
    ));
    facts.push((
        "cannot show",
        "bursts that are not in most runs, that last less than about four intervals, or that other jobs \
         have at the same times"
            .to_owned(),
    ));
    facts
}

/// Jobs that are not in the signature, by reason.
fn left_out(out: &mut impl Write, mined: &Mined, logs: &Logs, style: Style) -> io::Result<()> {
    let mut reasons: BTreeMap<String, (String, Vec<&str>)> = BTreeMap::new();
    for (job, why) in &mined.rejected {
        // Holes and lengths differ from job to job; how jobs ended does not.
        let reason = match why.code() {
            "state" => why.text(),
            code => code.to_owned(),
        };
        let entry = reasons
            .entry(reason)
            .or_insert_with(|| (why.text(), Vec::new()));
        entry.1.push(&logs.jobs[*job].id);
    }
    let outliers = &mined.finding.outliers;
    if reasons.is_empty() && outliers.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", style.bold("left out"))?;
    for (text, jobs) in reasons.values() {
        let text = match jobs.as_slice() {
            [one] => format!("job {one}: {text}"),
            many => format!("{} jobs, such as {}: {text}", many.len(), many[0]),
        };
        for line in style.lines(&printable(&text)) {
            writeln!(out, "{line}")?;
        }
    }
    for outlier in outliers.iter().take(SHOWN) {
        let text = format!("job {}: {}", outlier.id, outlier.reason);
        for line in style.lines(&printable(&text)) {
            writeln!(out, "{line}")?;
        }
    }
    more(out, outliers.len(), "runs")
}

/// What the signature would meet in other logs.
fn beside(out: &mut impl Write, compared: &[Compared], style: Style) -> io::Result<()> {
    if compared.is_empty() {
        return Ok(());
    }
    let units = style.units().into();
    let line = |[met, others, best, worst, log]: [&str; 5]| {
        format!("  {met:>12}  {others:>12}  {best:>22}  {worst:>22}  {log}")
    };
    writeln!(
        out,
        "\n{}",
        style.bold("beside others, least in the way first")
    )?;
    let heading = [
        "MEETS",
        "MEAN LOAD",
        "BEST HOUR (UTC)",
        "WORST HOUR (UTC)",
        "LOG",
    ];
    writeln!(out, "{}", style.bold(&line(heading)))?;
    for one in compared {
        let Some(clash) = &one.clash else {
            writeln!(
                out,
                "  {}: nowhere whole for as long as the signature",
                printable(&one.input)
            )?;
            continue;
        };
        let hour = |hour: Option<iotempo_analysis::signature::HourClash>| {
            hour.map_or_else(String::new, |hour| {
                format!("{:02} h: {}", hour.hour, rate(hour.met_bytes_per_s, units))
            })
        };
        let cells = [
            rate(clash.met_bytes_per_s, units),
            rate(clash.others_bytes_per_s, units),
            hour(clash.best_hour()),
            hour(clash.worst_hour()),
            printable(&one.input).into_owned(),
        ];
        writeln!(out, "{}", line(cells.each_ref().map(String::as_str)))?;
    }
    Ok(())
}

fn lines(out: &mut impl Write, mined: &[Mined], logs: &Logs, style: Style) -> io::Result<()> {
    let line = |[bursts, moved, period, runs, application]: [&str; 5]| {
        format!("{bursts:>7} {moved:>10} {period:>20} {runs:>9}  {application}")
    };
    let heading = ["BURSTS", "MOVES", "PERIOD", "RUNS", "APPLICATION"];
    writeln!(out, "{}", style.bold(&line(heading)))?;
    for one in mined {
        let found = one.finding.signature();
        let main = one.period.as_ref().and_then(|period| period.main());
        let none = || "-".to_owned();
        let name = one.application.label();
        let application = match one.why_not() {
            Some(why) => format!("{name}: {why}"),
            None => name,
        };
        let cells = [
            found.map_or_else(none, |found| found.bursts.len().to_string()),
            found.map_or_else(none, |found| style.bytes(found.bytes())),
            main.map_or_else(none, |main| figures::short_estimate(&main.period)),
            format!("{}/{}", one.finding.used.len(), one.jobs),
            printable(&application).into_owned(),
        ];
        let text = line(cells.each_ref().map(String::as_str));
        match found {
            Some(_) => writeln!(out, "{text}")?,
            None => writeln!(out, "{}", style.dim(&text))?,
        }
    }
    let found = mined
        .iter()
        .filter(|one| one.finding.signature().is_some())
        .count();
    writeln!(
        out,
        "{} with enough runs, {found} with a signature; {}",
        plural(mined.len() as u64, "application"),
        logs.heading()
    )
}
