//! Many logs, a line each.

use super::estimated::Estimated;
use crate::human;
use crate::style::Style;
use iotempo_report::estimate::percent;
use iotempo_report::quantity::{duration, rate};
use std::io::{self, Write};

/// Prints lines as logs come. Names come last: they may be of any length.
pub(super) struct Lines {
    style: Style,
    logs: u64,
}

impl Lines {
    pub(super) fn new(style: Style) -> Self {
        Self { style, logs: 0 }
    }

    pub(super) fn print(&mut self, out: &mut impl Write, estimated: &Estimated) -> io::Result<()> {
        if self.logs == 0 {
            let names = [
                "BEST",
                "BANDWIDTH",
                "TIME",
                "LOSS",
                "LEAST LOSS",
                "MATCHED",
                "PHASES",
                "WARN",
                "INPUT",
            ];
            writeln!(out, "{}", self.style.bold(&line(names)))?;
        }
        self.logs += 1;
        let combined = &estimated.combined;
        let dash = || "-".to_owned();
        let best = combined.best();
        let least = combined.least_loss();
        let warnings = match (estimated.warnings.len(), estimated.damaged) {
            (count, true) => format!("{count}!"),
            (0, false) => dash(),
            (count, false) => count.to_string(),
        };
        let units = self.style.units().into();
        let text = line([
            &best.map_or_else(dash, |best| best.io_nodes.to_string()),
            &best.map_or_else(dash, |best| rate(best.bytes_per_s, units)),
            &best.map_or_else(dash, |best| duration(best.time_s)),
            &best
                .filter(|_| combined.curve.len() > 1)
                .map_or_else(dash, |best| format!("{} %", percent(best.expected_regret))),
            &least.map_or_else(dash, |least| least.io_nodes.to_string()),
            &format!(
                "{} %",
                percent(combined.matched_bytes / combined.bytes.max(1.0))
            ),
            &human::count(estimated.phases.len() as u64),
            &warnings,
            &human::printable(&estimated.input),
        ]);
        match estimated.damaged {
            true => writeln!(out, "{}", self.style.yellow(&text)),
            false => writeln!(out, "{text}"),
        }
    }
}

fn line(
    [
        best,
        bandwidth,
        time,
        loss,
        least,
        matched,
        phases,
        warn,
        input,
    ]: [&str; 9],
) -> String {
    format!(
        "{best:>4} {bandwidth:>11} {time:>12} {loss:>6} {least:>10} {matched:>7} {phases:>6} {warn:>4}  {input}"
    )
}
