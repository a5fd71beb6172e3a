//! For people: one application at length, or many, a line each.

use super::clash::Compared;
use super::logs::Logs;
use super::mined::{Mined, signal};
use super::select::Question;
use crate::human::{plural, printable};
use crate::style::Style;
use iotempo_analysis::period::Detector;
use iotempo_analysis::signature::Signature;
use iotempo_report::chart::{Chart, Glyphs, Palette};
use iotempo_report::figures;
use iotempo_report::quantity::{duration, instant, rate};
use iotempo_report::signature::no_rhythm;
use iotempo_report::words;
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
    match mined.unsure() {
        None => style.green(&text),
        Some(why) => style.yellow(&format!("unsure: {text}\n  {}", printable(why))),
    }
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
    let line = |[burst, begin, length, moved, range, peak, runs]: [&str; 7]| {
        format!(
            "  {burst:>5}  {begin:>9}  {length:>10}  {moved:>9}  {range:>22}  {peak:>11}  {runs}"
        )
    };
    let heading = [
        "BURST",
        "BEGINS AT",
        "LASTS",
        "MOVES",
        "MOST RUNS",
        "PEAK",
        "IN RUNS",
    ];
    writeln!(out, "{}", style.bold(&line(heading)))?;
    for (index, burst) in found.bursts.iter().take(SHOWN).enumerate() {
        let cells = [
            (index + 1).to_string(),
            instant(burst.start_s),
            duration(burst.end_s - burst.start_s),
            style.bytes(burst.bytes),
            format!(
                "{} to {}",
                style.bytes(burst.bytes_low),
                style.bytes(burst.bytes_high)
            ),
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
            Some(main) => {
                let mut text = format!(
                    "every {} (confidence {})",
                    figures::estimate(&main.period),
                    figures::confidence(main.confidence)
                );
                for other in &period.rhythms[1..] {
                    text += &format!(", also every {}", figures::estimate(&other.period));
                }
                if finding
                    .signature()
                    .is_some_and(|found| found.timing.is_none())
                {
                    text += "; that runs differ is not in this interval";
                }
                text
            }
            None => no_rhythm(period, Detector::default().threshold, &finding.warnings),
        };
        facts.push(("repeats", text));
        // A mean may be known well of times that differ much.
        facts.extend(period.main().map(|main| ("jitter", words::jitter(main))));
    }
    facts.push((
        "runs",
        format!(
            "{} of {} are used{}",
            finding.used.len(),
            plural(mined.jobs as u64, "job"),
            match mined.overlapping {
                0 => String::new(),
                some =>
                    format!("; {some} of them ran while another one did, and are seen together"),
            }
        ),
    ));
    let background = match finding.background > 0.0 {
        true => background(mined, style),
        false if finding.used.is_empty() => "not known: no run is used".to_owned(),
        false => "nothing is always there".to_owned(),
    };
    facts.push(("background", background));
    facts.extend(others(mined));
    let filled: u64 = mined.runs.iter().map(|run| run.filled).sum();
    if filled > 0 {
        let steps = plural(filled, "interval");
        facts.push(("filled", format!("{steps} that the servers' log misses")));
    }
    let every = match logs.throughput.step() {
        Some(step) => format!(", every {}", duration(step)),
        None => String::new(),
    };
    facts.push(("logs", logs.heading()));
    facts.push((
        "source",
        format!("server: what all jobs moved ({}){every}", question.op),
    ));
    facts.push(("cannot show", cannot_show(logs)));
    facts
}

/// What was taken for background, and what is known of it around the runs.
fn background(mined: &Mined, style: Style) -> String {
    let finding = &mined.finding;
    let told = |background: f64| rate(background, style.units().into());
    let all_through = format!(
        "{} on average all through the runs",
        told(finding.background)
    );
    match (finding.background_around, mined.others_s) {
        (Some(around), _) => format!("{all_through}, subtracted; {} around them", told(around)),
        (None, Some(_)) => format!("{all_through}, subtracted; unknown around them"),
        // Only one method looks around.
        (None, None) => format!("{all_through}, subtracted"),
    }
}

/// Whether it is known what others do while the application does not run.
fn others(mined: &Mined) -> Option<(&'static str, String)> {
    let known_s = mined.others_s.filter(|_| !mined.runs.is_empty())?;
    let text = match known_s > 0.0 {
        true => format!(
            "known from {} around the runs, in which none that is logged was in progress{}",
            duration(known_s),
            match mined.others_in_pieces {
                true => "; in pieces too short to tell their bursts by",
                false => "",
            }
        ),
        false => "not known: the logs have no time around the runs in which none was in progress"
            .to_owned(),
    };
    Some(("others", text))
}

/// So many intervals of a log are needed to see a burst.
const SEEN: f64 = 4.0;

/// Where bursts of so many seconds are not seen, what writes often seems to write always.
const COARSE_S: f64 = 60.0;

fn cannot_show(logs: &Logs) -> String {
    let shortest = logs.throughput.step().map(|step| SEEN * step);
    let short = shortest.map_or_else(
        || "those shorter than about four intervals".to_owned(),
        |shortest| format!("those shorter than about {}", duration(shortest)),
    );
    let coarse = match shortest.is_some_and(|shortest| shortest > COARSE_S) {
        true => "; what is always there may be the application's, too: the log is coarse",
        false => "",
    };
    format!(
        "bursts that are not in most runs, or that other jobs have at the same times; {short} may be missed{coarse}"
    )
}

/// Jobs that are not in the signature, by reason.
fn left_out(out: &mut impl Write, mined: &Mined, logs: &Logs, style: Style) -> io::Result<()> {
    let reasons = mined.reasons();
    let outliers = &mined.finding.outliers;
    if reasons.is_empty() && outliers.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", style.bold("left out"))?;
    let id = |job: usize| &logs.jobs[job].id;
    for reason in reasons.iter().take(SHOWN) {
        let text = match *reason.jobs.as_slice() {
            [one] => format!("job {}: {}", id(one), reason.text),
            ref many => format!(
                "{} jobs, such as {}: {}",
                many.len(),
                id(many[0]),
                reason.text
            ),
        };
        for line in style.lines(&printable(&text)) {
            writeln!(out, "{line}")?;
        }
    }
    more(out, reasons.len(), "reasons")?;
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
        let (best, worst) = match clash.hours_differ() {
            true => (hour(clash.best_hour()), hour(clash.worst_hour())),
            false => ("all the same".to_owned(), "all the same".to_owned()),
        };
        let cells = [
            rate(clash.met_bytes_per_s, units),
            rate(clash.others_bytes_per_s, units),
            best,
            worst,
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
        let application = match (one.why_not(), one.unsure()) {
            (Some(why), _) => format!("{name}: {why}"),
            (None, Some(_)) => format!("{name} (unsure)"),
            (None, None) => name,
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
    )?;
    all_warnings(out, mined, style)
}

/// What should be known about applications that have a signature.
fn all_warnings(out: &mut impl Write, mined: &[Mined], style: Style) -> io::Result<()> {
    let of = |one: &Mined| -> Vec<String> {
        let warnings = one.finding.warnings.iter();
        let told = warnings.filter(|_| one.finding.signature().is_some());
        told.map(|warning| format!("{}: {}", one.application.label(), warning.message))
            .collect()
    };
    let told: Vec<String> = mined.iter().flat_map(of).collect();
    if !told.is_empty() {
        writeln!(out, "\n{}", style.bold("warnings"))?;
    }
    for text in told.iter().take(SHOWN) {
        for line in style.lines(&printable(text)) {
            writeln!(out, "{}", style.yellow(&line))?;
        }
    }
    more(out, told.len(), "warnings")
}
