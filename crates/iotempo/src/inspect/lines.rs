//! Many inputs, a line each.

use super::Inspected;
use crate::human;
use crate::settings::Stated;
use crate::style::Style;
use iotempo_formats::Inspection;
use std::io::{self, Write};

/// Prints lines as inputs come, and a total. Names come last: they may be of any length.
pub(super) struct Lines {
    style: Style,
    inputs: u64,
    bytes: [f64; 2],
    warnings: u64,
}

impl Lines {
    pub(super) fn new(style: Style) -> Self {
        Self {
            style,
            inputs: 0,
            bytes: [0.0; 2],
            warnings: 0,
        }
    }

    pub(super) fn print(&mut self, out: &mut impl Write, inspected: &Inspected) -> io::Result<()> {
        if self.inputs == 0 {
            let names = [
                "FORMAT", "RANKS", "TIME", "READ", "WRITTEN", "SOURCE", "WARN", "INPUT",
            ];
            writeln!(out, "{}", self.style.bold(&line(names)))?;
        }
        let found = &inspected.inspection;
        self.inputs += 1;
        for (sum, bytes) in self
            .bytes
            .iter_mut()
            .zip([found.bytes_read, found.bytes_written])
        {
            // What is not known is no number.
            *sum += if bytes.is_nan() { 0.0 } else { bytes };
        }
        self.warnings += found.warnings.len() as u64;
        let damaged = found.damaged || found.sections.iter().any(|part| part.damage.is_some());
        let warnings = match (found.warnings.len(), damaged) {
            (count, true) => format!("{count}!"),
            (0, false) => "-".to_owned(),
            (count, false) => count.to_string(),
        };
        let text = line([
            &short(&found.format),
            &ranks(found).map_or("-".to_owned(), human::count),
            &time(found).map_or("-".to_owned(), human::duration),
            &self.style.bytes(found.bytes_read),
            &self.style.bytes(found.bytes_written),
            found.source.name(),
            &warnings,
            &human::printable(&inspected.input),
        ]);
        let text = if damaged {
            self.style.yellow(&text)
        } else {
            text
        };
        writeln!(out, "{text}")
    }

    pub(super) fn finish(&self, out: &mut impl Write, stated: &Stated) -> io::Result<()> {
        if self.inputs == 0 {
            return Ok(());
        }
        let [read, written] = self.bytes.map(|bytes| self.style.bytes(bytes));
        let selected = stated.selected();
        let selected = selected.map_or(String::new(), |text| format!(" (selected: {text})"));
        writeln!(
            out,
            "{}, {read} read, {written} written, {}{selected}",
            human::plural(self.inputs, "input"),
            human::plural(self.warnings, "warning")
        )
    }
}

fn line([format, ranks, time, read, written, source, warnings, input]: [&str; 8]) -> String {
    format!(
        "{format:<12} {ranks:>6} {time:>11} {read:>9} {written:>9}  {source:<8} {warnings:>4}  {input}"
    )
}

/// A format in twelve letters. Of a table, the source says the rest.
fn short(format: &str) -> String {
    const LONGEST: usize = 12;
    let name = match format.split_once(' ') {
        Some(("table", _)) => "table",
        Some(("darshan-dxt-parser", _)) => "dxt-parser",
        Some(("darshan-parser", _)) => "parser",
        _ => format,
    };
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    let begin: String = name.chars().take(LONGEST - 1).collect();
    format!("{}…", begin.trim_end())
}

/// The number of processes, else of ranks that were seen.
pub(super) fn ranks(found: &Inspection) -> Option<u64> {
    found.job.ranks.or(found.ranks)
}

/// The run time, else from the first request to the last.
fn time(found: &Inspection) -> Option<f64> {
    let span = found
        .start_s
        .zip(found.end_s)
        .map(|(start, end)| end - start);
    found.job.run_time_s.or(span)
}
