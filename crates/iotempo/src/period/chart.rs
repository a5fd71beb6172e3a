//! The bandwidth, with its phases marked.

use crate::style::Style;
use iotempo_analysis::period::Rhythm;
use iotempo_model::Signal;
use iotempo_report::chart::{Chart, Glyphs, Palette};
use std::io::{self, Write};

/// Lines of bars.
const ROWS: usize = 6;

/// How far in it stands, like everything below the name of the input.
const INDENT: &str = "  ";

/// Prints the chart and a blank line; nothing where there is nothing to draw.
pub(super) fn print(
    out: &mut impl Write,
    signal: &Signal,
    rhythm: Option<&Rhythm>,
    (style, glyphs): (Style, Glyphs),
) -> io::Result<()> {
    let palette = if style.is_coloured() {
        Palette::ANSI
    } else {
        Palette::PLAIN
    };
    let chart = Chart {
        rhythm,
        columns: style.columns().saturating_sub(INDENT.len()),
        rows: ROWS,
        units: style.units().into(),
        glyphs,
        palette,
        ..Chart::new(signal)
    };
    let lines = chart.lines();
    for line in &lines {
        writeln!(out, "{INDENT}{line}")?;
    }
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out)
}
