//! One input at length.

use super::Inspected;
use super::lines::ranks;
use crate::human;
use crate::style::Style;
use iotempo_formats::{Inspection, Section};
use std::io::{self, Write};
use std::path::Path;

/// Prints what is in an input, and what to ask next.
pub(super) fn print(out: &mut impl Write, inspected: &Inspected, style: Style) -> io::Result<()> {
    let found = &inspected.inspection;
    writeln!(out, "{}", style.bold(&inspected.input))?;
    for (key, value) in facts(found, style) {
        writeln!(out, "  {key:<11} {value}")?;
    }
    heading(out, "modules", style)?;
    table(out, &sections(&found.sections, style))?;
    for section in &found.sections {
        if let Some(damage) = &section.damage {
            let text = format!("{}: damaged: {damage}", section.name);
            writeln!(out, "  {}", style.yellow(&text))?;
        }
    }
    heading(out, "evidence", style)?;
    table(out, &evidence(found, style))?;
    for source in &found.sources {
        let text = format!("{} cannot show {}", source.source, source.cannot_show);
        writeln!(out, "  {}", style.dim(&text))?;
    }
    if let Some(note) = &found.layer_note {
        writeln!(out, "  {note}")?;
    }
    if !found.warnings.is_empty() {
        heading(out, "warnings", style)?;
    }
    for warning in &found.warnings {
        writeln!(out, "  {}", style.yellow(&warning.to_string()))?;
    }
    heading(out, "ask next", style)?;
    for (command, purpose) in next(&inspected.input) {
        writeln!(out, "  {}", style.dim(&format!("# {purpose}")))?;
        writeln!(out, "  {command}")?;
    }
    Ok(())
}

fn heading(out: &mut impl Write, text: &str, style: Style) -> io::Result<()> {
    writeln!(out, "\n{}", style.bold(text))
}

fn facts(found: &Inspection, style: Style) -> Vec<(String, String)> {
    let job = &found.job;
    let count = |count: Option<u64>| count.map(human::count);
    let start = job.start_epoch_s.and_then(human::utc);
    let span = found.start_s.zip(found.end_s).map(|(start, end)| {
        let length = human::duration(end - start);
        format!(
            "{} to {} ({length})",
            human::instant(start),
            human::instant(end)
        )
    });
    let known = [
        ("format", Some(found.format.clone())),
        ("program", job.exe.clone()),
        ("job", job.id.clone()),
        ("user", job.uid.map(|uid| uid.to_string())),
        ("ranks", count(ranks(found))),
        ("started", start),
        ("run time", job.run_time_s.map(human::duration)),
        ("I/O time", span),
        ("requests", Some(human::count(found.requests))),
        ("files", count(found.files)),
        ("read", Some(style.bytes(found.bytes_read))),
        ("written", Some(style.bytes(found.bytes_written))),
    ];
    let known = known
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value?)));
    known.chain(found.details.0.iter().cloned()).collect()
}

fn sections(sections: &[Section], style: Style) -> Vec<[String; 6]> {
    let names = ["name", "version", "records", "requests", "read", "written"];
    let volume = |bytes: Option<f64>| bytes.map_or("-".to_owned(), |bytes| style.bytes(bytes));
    let row = |section: &Section| {
        let partial = if section.partial { " (partial)" } else { "" };
        [
            format!("{}{partial}", section.name),
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

fn evidence(found: &Inspection, style: Style) -> Vec<[String; 6]> {
    let names = [
        "source",
        "resolution",
        "requests",
        "read",
        "written",
        "from - to",
    ];
    let rows = found.sources.iter().map(|source| {
        let span = source
            .start_s
            .zip(source.end_s)
            .map(|(start, end)| format!("{} - {}", human::instant(start), human::instant(end)));
        [
            source.source.name().to_owned(),
            source.resolution_s.map_or("-".to_owned(), human::duration),
            human::count(source.requests),
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

/// Verbs that go on from here, with what they answer. `IN` is the input, `OUT` a name made from it.
const NEXT: [(&str, &str); 3] = [
    (TABLE, "every request, as a table"),
    (
        "iotempo convert IN --signal --rate 10 -o OUT-signal.csv",
        "bytes per second, ten times a second",
    ),
    ("iotempo inspect IN --json", "this page, for programs"),
];

const TABLE: &str = if cfg!(feature = "tables") {
    "iotempo convert IN -o OUT.parquet"
} else {
    "iotempo convert IN -o OUT-requests.csv"
};

fn next(input: &str) -> impl Iterator<Item = (String, &'static str)> {
    let stem = Path::new(input)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let stem = if input == "-" { "stdin".into() } else { stem };
    NEXT.into_iter().map(move |(command, purpose)| {
        let words = command
            .split(' ')
            .map(|word| match word.strip_prefix("OUT") {
                Some(extension) => human::quoted(&format!("{stem}{extension}")),
                None if word == "IN" => human::quoted(input),
                None => word.to_owned(),
            });
        (words.collect::<Vec<_>>().join(" "), purpose)
    })
}
