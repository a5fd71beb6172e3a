//! Many logs, a line each.

use super::found::Found;
use super::words;
use crate::human;
use crate::style::Style;
use iotempo_analysis::phases::Flags;
use iotempo_model::Source;
use std::io::{self, Write};

/// Prints lines as logs come, and a total. Names come last: they may be of any length.
pub(super) struct Lines {
    style: Style,
    logs: u64,
    phases: u64,
    bytes: [f64; 2],
    /// What phases were made of.
    sources: Vec<Source>,
}

impl Lines {
    pub(super) fn new(style: Style) -> Self {
        Self {
            style,
            logs: 0,
            phases: 0,
            bytes: [0.0; 2],
            sources: Vec::new(),
        }
    }

    pub(super) fn print(&mut self, out: &mut impl Write, found: &Found) -> io::Result<()> {
        if self.logs == 0 {
            let names = [
                "PHASES", "RANKS", "TIME", "READ", "WRITTEN", "WARN", "FLAGS", "INPUT",
            ];
            writeln!(out, "{}", self.style.bold(&line(names)))?;
        }
        let phases = &found.phases.phases;
        let bytes = super::bytes(phases);
        self.logs += 1;
        self.phases += phases.len() as u64;
        let known =
            |source: &Source| words::cannot_show(*source) == words::cannot_show(found.source);
        if !self.sources.iter().any(known) {
            self.sources.push(found.source);
        }
        self.bytes[0] += bytes[0];
        self.bytes[1] += bytes[1];
        let up = phases
            .iter()
            .fold(Flags::default(), |all, phase| all.or(phase.flags));
        let flags = words::flags(up, ",");
        let dash = || "-".to_owned();
        let warnings = match (found.warnings.len(), found.damaged) {
            (count, true) => format!("{count}!"),
            (0, false) => dash(),
            (count, false) => count.to_string(),
        };
        let moved = |bytes: f64| match found.counted {
            true => self.style.bytes(bytes),
            false => dash(),
        };
        let text = line([
            &human::count(phases.len() as u64),
            &found.job.ranks.map_or_else(dash, human::count),
            &found.job.run_time_s.map_or_else(dash, human::duration),
            &moved(bytes[0]),
            &moved(bytes[1]),
            &warnings,
            if flags.is_empty() { "-" } else { &flags },
            &human::printable(&found.input),
        ]);
        match found.damaged {
            true => writeln!(out, "{}", self.style.yellow(&text)),
            false => writeln!(out, "{text}"),
        }
    }

    pub(super) fn finish(&self, out: &mut impl Write) -> io::Result<()> {
        if self.logs == 0 {
            return Ok(());
        }
        let [read, written] = self.bytes.map(|bytes| self.style.bytes(bytes));
        writeln!(
            out,
            "{}, {}, {read} read, {written} written",
            human::plural(self.logs, "log"),
            human::plural(self.phases, "phase")
        )?;
        for source in &self.sources {
            let text = words::says_what_is_hidden(*source);
            writeln!(out, "{}", self.style.dim(&text))?;
        }
        Ok(())
    }
}

fn line([phases, ranks, time, read, written, warnings, flags, input]: [&str; 8]) -> String {
    format!(
        "{phases:>6} {ranks:>6} {time:>11} {read:>9} {written:>9} {warnings:>4}  {flags:<20}  {input}"
    )
}
