//! Many inputs, a line each.

use super::analysed::{Analysed, Answer};
use super::figures;
use super::result::word;
use crate::human;
use crate::settings::Stated;
use crate::style::Style;
use std::io::{self, Write};

/// Prints lines as inputs come, and a total. Names come last: they may be of any length.
pub(super) struct Lines {
    style: Style,
    inputs: u64,
    periodic: u64,
    warnings: u64,
    bytes: f64,
}

impl Lines {
    pub(super) fn new(style: Style) -> Self {
        Self {
            style,
            inputs: 0,
            periodic: 0,
            warnings: 0,
            bytes: 0.0,
        }
    }

    pub(super) fn print(&mut self, out: &mut impl Write, analysed: &Analysed) -> io::Result<()> {
        if self.inputs == 0 {
            let names = [
                "PERIOD", "SURE", "PHASES", "MOVED", "VERDICT", "WARN", "INPUT",
            ];
            writeln!(out, "{}", self.style.bold(&line(names)))?;
        }
        let periodic = analysed.answer.is_periodic();
        let bytes = analysed.bytes;
        self.inputs += 1;
        self.periodic += u64::from(periodic);
        self.warnings += analysed.warnings.len() as u64;
        self.bytes += bytes;
        let answer = Cells::of(&analysed.answer);
        let warnings = match (analysed.warnings.len(), analysed.damaged) {
            (count, true) => format!("{count}!"),
            (0, false) => "-".to_owned(),
            (count, false) => count.to_string(),
        };
        let text = line([
            &answer.period,
            &answer.confidence,
            &answer.phases,
            &self.style.bytes(bytes),
            &answer.verdict,
            &warnings,
            &human::printable(&analysed.input),
        ]);
        let text = match (analysed.damaged, periodic) {
            (true, _) => self.style.yellow(&text),
            (false, true) => text,
            (false, false) => self.style.dim(&text),
        };
        writeln!(out, "{text}")
    }

    pub(super) fn finish(&self, out: &mut impl Write, stated: &Stated) -> io::Result<()> {
        if self.inputs == 0 {
            return Ok(());
        }
        let selected = stated.selected();
        let selected = selected.map_or(String::new(), |text| format!(" (selected: {text})"));
        writeln!(
            out,
            "{}, {} periodic, {} moved, {}{selected}",
            human::plural(self.inputs, "input"),
            human::count(self.periodic),
            self.style.bytes(self.bytes),
            human::plural(self.warnings, "warning"),
        )
    }
}

/// What is said about an answer.
struct Cells {
    period: String,
    confidence: String,
    phases: String,
    verdict: String,
}

impl Cells {
    fn of(answer: &Answer) -> Self {
        let none = || "-".to_owned();
        match answer {
            Answer::Ours(finding) => Self {
                period: finding
                    .main()
                    .map_or_else(none, |main| figures::short_estimate(&main.period)),
                confidence: finding
                    .main()
                    .map_or_else(none, |main| figures::confidence(main.confidence)),
                phases: finding
                    .main()
                    .map_or_else(none, |main| human::count(main.phases.len() as u64)),
                verdict: word(&finding.verdict),
            },
            Answer::Ftio(finding) => Self {
                period: finding.period_s.map_or_else(none, |period| {
                    format!("{} s", figures::significant(period, 5))
                }),
                confidence: finding.confidence.map_or_else(none, figures::confidence),
                phases: none(),
                verdict: word(&finding.verdict),
            },
        }
    }
}

fn line([period, sure, phases, moved, verdict, warnings, input]: [&str; 7]) -> String {
    format!("{period:>20} {sure:>6} {phases:>6} {moved:>9}  {verdict:<14} {warnings:>4}  {input}")
}
