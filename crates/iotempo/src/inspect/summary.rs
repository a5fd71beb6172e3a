//! One input at length.

use super::lines::ranks;
use super::{Inspected, next};
use crate::human;
use crate::settings::Stated;
use crate::style::Style;
use iotempo_formats::{Inspection, Section};
use iotempo_model::Source;
use std::io::{self, Write};

/// Prints what is in an input, and what to ask next.
pub(super) fn print(
    out: &mut impl Write,
    inspected: &Inspected,
    stated: &Stated,
    style: Style,
) -> io::Result<()> {
    let found = &inspected.inspection;
    writeln!(out, "{}", style.bold(&human::printable(&inspected.input)))?;
    let facts = facts(found, stated, style);
    let width = facts.iter().map(|(key, _)| key.len()).max().unwrap_or(0);
    for (key, value) in facts {
        writeln!(out, "  {key:<width$}  {}", human::printable(&value))?;
    }
    heading(out, "modules", style)?;
    table(out, &sections(&found.sections, style))?;
    for damage in untold(found) {
        prose(out, &human::printable(&damage), style, Style::yellow)?;
    }
    heading(out, "evidence", style)?;
    table(out, &evidence(found, style))?;
    for source in &found.sources {
        let text = format!("{} cannot show {}", source.source, source.cannot_show);
        prose(out, &text, style, Style::dim)?;
    }
    if let Some(note) = &found.layer_note {
        prose(out, &format!("layers: {note}"), style, |_, line| {
            line.to_owned()
        })?;
    }
    if !found.warnings.is_empty() {
        heading(out, "warnings", style)?;
    }
    for warning in &found.warnings {
        let text = warning.to_string();
        prose(out, &human::printable(&text), style, Style::yellow)?;
    }
    let next = next::commands(&inspected.input, found, stated);
    if !next.is_empty() {
        heading(out, "ask next", style)?;
    }
    for (command, purpose) in next {
        writeln!(out, "  {}", style.dim(&format!("# {purpose}")))?;
        writeln!(out, "  {}", human::printable(&command))?;
    }
    Ok(())
}

/// Damage of sections that no warning tells of.
fn untold(found: &Inspection) -> impl Iterator<Item = String> {
    let told = |damage: &str| {
        let warnings = &found.warnings;
        warnings
            .iter()
            .any(|warning| warning.message.contains(damage))
    };
    found.sections.iter().filter_map(move |section| {
        let damage = section.damage.as_deref().filter(|damage| !told(damage))?;
        Some(format!("{}: {damage}", section.name))
    })
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

fn heading(out: &mut impl Write, text: &str, style: Style) -> io::Result<()> {
    writeln!(out, "\n{}", style.bold(text))
}

/// What is known of the job and its I/O.
pub(crate) fn facts(found: &Inspection, stated: &Stated, style: Style) -> Vec<(String, String)> {
    let job = &found.job;
    let count = |count: Option<u64>| count.map(human::count);
    let start = job.start_epoch_s.and_then(human::utc);
    let span = found.start_s.zip(found.end_s).map(|(start, end)| {
        let length = human::duration(end - start);
        format!("{} ({length})", human::span(start, end, "to"))
    });
    let (rows, row_count) = rows(found);
    let known = [
        ("format", Some(found.format.clone())),
        ("program", job.exe.clone()),
        ("job", job.id.clone()),
        ("user", job.uid.map(|uid| uid.to_string())),
        ("ranks", count(ranks(found))),
        ("started", start),
        ("run time", job.run_time_s.map(human::duration)),
        ("selected", stated.selected()),
        ("I/O time", span),
        (rows, Some(row_count)),
        ("files", count(found.files)),
        ("read", Some(style.bytes(found.bytes_read))),
        ("written", Some(style.bytes(found.bytes_written))),
    ];
    let known = known
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value?)));
    known.chain(found.details.0.iter().cloned()).collect()
}

/// What the rows are, and how many; some stand for several requests.
fn rows(found: &Inspection) -> (&'static str, String) {
    let rows = human::count(found.rows);
    match found.requests {
        Some(requests) if requests != found.rows => {
            let records = human::plural(found.rows, "record");
            (
                "requests",
                format!("{} in {records}", human::count(requests)),
            )
        }
        None if found.source == Source::Requests => ("records", rows),
        _ => (found.source.rows(), rows),
    }
}

/// The parts of the input, below a row with the names of the columns.
pub(crate) fn sections(sections: &[Section], style: Style) -> Vec<[String; 6]> {
    let names = ["name", "version", "records", "requests", "read", "written"];
    let volume = |bytes: Option<f64>| bytes.map_or("-".to_owned(), |bytes| style.bytes(bytes));
    let row = |section: &Section| {
        let partial = if section.partial { " (partial)" } else { "" };
        let damaged = if section.damage.is_some() {
            " (damaged)"
        } else {
            ""
        };
        [
            format!("{}{partial}{damaged}", section.name),
            section
                .version
                .map_or("-".to_owned(), |version| version.to_string()),
            human::count(section.records),
            section.requests.map_or("-".to_owned(), human::count),
            volume(section.bytes_read),
            volume(section.bytes_written),
        ]
    };
    let heading = names.map(str::to_owned);
    std::iter::once(heading)
        .chain(sections.iter().map(row))
        .collect()
}

/// The kinds of evidence, below a row with the names of the columns.
pub(crate) fn evidence(found: &Inspection, style: Style) -> Vec<[String; 6]> {
    let names = [
        "source",
        "resolution",
        "rows",
        "read",
        "written",
        "from - to",
    ];
    let choice = found.sources.len() > 1;
    let rows = found.sources.iter().map(|source| {
        let used = choice && source.source == found.source;
        let span = source
            .start_s
            .zip(source.end_s)
            .map(|(start, end)| human::span(start, end, "-"));
        [
            format!("{}{}", source.source, if used { " (used)" } else { "" }),
            source.resolution_s.map_or("-".to_owned(), human::duration),
            human::count(source.rows),
            style.bytes(source.bytes_read),
            style.bytes(source.bytes_written),
            span.unwrap_or_else(|| "-".to_owned()),
        ]
    });
    std::iter::once(names.map(str::to_owned))
        .chain(rows)
        .collect()
}

/// Aligned columns: the first to the left, numbers to the right.
fn table<const N: usize>(out: &mut impl Write, rows: &[[String; N]]) -> io::Result<()> {
    let mut widths = [0; N];
    for row in rows {
        for (width, text) in widths.iter_mut().zip(row) {
            *width = text.chars().count().max(*width);
        }
    }
    for row in rows {
        let mut line = format!("  {:<width$}", row[0], width = widths[0]);
        for (text, width) in row.iter().zip(widths).skip(1) {
            line.push_str(&format!("  {text:>width$}"));
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
