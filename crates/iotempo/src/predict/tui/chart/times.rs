//! Labels of time.

use super::Plot;
use crate::predict::tui::draw::Scene;
use iotempo_report::axis::{Scale, ticks};
use iotempo_report::chart::Glyphs;
use iotempo_report::clock::Clock;

/// Columns between two labels, at least.
const BETWEEN: usize = 10;

/// A label behind the mark of its place, the unit at the end.
pub(super) fn line(scene: &Scene, plot: &Plot) -> String {
    let (from, length) = (plot.span.from, plot.span.length());
    let scale = Scale::of_times(length);
    // Dates would fill the line: then time counts from the beginning of the picture.
    let far = scene.clock() == Clock::Calendar || from.abs() > 1e5 * length;
    let (origin, after) = match far {
        true => (from, format!(" after {}", scene.clock().at(from.floor()))),
        false => (0.0, String::new()),
    };
    let unit = format!(" {}{after}", scale.unit);
    let room = plot.cells().saturating_sub(unit.chars().count());
    let place = |time: f64| (time - origin) / scale.size;
    let most = (plot.cells() / BETWEEN).max(1);
    let mut line = String::new();
    for (at, text) in ticks(place(from), place(plot.span.to), most) {
        let share = (at * scale.size + origin - from) / length;
        let column = (share * plot.cells() as f64) as usize;
        let used = line.chars().count();
        let fits = column + 1 + text.len() <= room;
        if fits && (line.is_empty() || column > used) {
            line += &" ".repeat(column - used);
            line.push(Glyphs::Braille.tick());
            line += &text;
        }
    }
    line + &unit
}
