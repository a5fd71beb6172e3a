//! Bandwidth over time for a terminal.

mod glyphs;
mod palette;
#[cfg(test)]
mod tests;

pub use glyphs::{Glyphs, Mark};
pub use palette::Palette;

use crate::axis::{Scale, label, row_step, ticks};
use crate::clock::Clock;
use crate::quantity::Units;
use iotempo_analysis::period::Rhythm;
use iotempo_model::Signal;

/// A picture of a signal and of its phases.
#[derive(Debug, Clone, Copy)]
pub struct Chart<'a> {
    /// What to draw: the highest rate of every column, so that no burst is lost.
    pub signal: &'a Signal,
    /// Whose phases to mark on the line of time, and the next one to expect.
    pub rhythm: Option<&'a Rhythm>,
    /// How wide it may be, labels included; at least 24.
    pub columns: usize,
    /// How high the bars may be; three more lines hold the axes.
    pub rows: usize,
    /// Prefixes of bytes.
    pub units: Units,
    /// What it is drawn with.
    pub glyphs: Glyphs,
    /// What colours it has.
    pub palette: Palette,
}

/// Narrower than this there is nothing to see.
const FEWEST_COLUMNS: usize = 24;
/// Columns between two labels of time, at least.
const LABEL_COLUMNS: usize = 8;

impl<'a> Chart<'a> {
    /// A chart of 80 columns, 8 rows, without colour.
    #[must_use]
    pub fn new(signal: &'a Signal) -> Self {
        Self {
            signal,
            rhythm: None,
            columns: 80,
            rows: 8,
            units: Units::Iec,
            glyphs: Glyphs::Braille,
            palette: Palette::PLAIN,
        }
    }

    /// The lines of the picture; none where there is nothing to draw.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let (Some((start, end)), Some(highest)) = (self.span(), self.highest()) else {
            return Vec::new();
        };
        let rows = self.rows.max(1);
        let scale = Scale::of_rates(highest, self.units);
        let (between, step) = row_step(highest / scale.size, rows);
        let labels: Vec<_> = (0..=rows)
            .map(|row| {
                let labelled = row.is_multiple_of(between);
                let value = (rows - row) as f64 / between as f64 * step;
                labelled.then(|| label(value, step))
            })
            .collect();
        let margin = labels.iter().flatten().map(String::len).max().unwrap_or(0);
        let plot = Plot {
            start,
            end,
            top: step * (rows / between) as f64 * scale.size,
            cells: self.columns.max(FEWEST_COLUMNS) - margin - 2,
            rows,
        };
        self.drawn(&plot, &labels, margin, &scale)
    }

    fn drawn(
        &self,
        plot: &Plot,
        labels: &[Option<String>],
        margin: usize,
        scale: &Scale,
    ) -> Vec<String> {
        let paint = |code, text: &str| self.palette.paint(code, text);
        let edge = |row: usize, tick: char, line: char| {
            let label = labels[row].as_deref();
            let bar = if label.is_some() { tick } else { line };
            let text = format!("{:>margin$} {bar}", label.unwrap_or(""));
            paint(self.palette.axis, &text)
        };
        let [tick, line, corner] = self.glyphs.edges();
        let mut lines = vec![paint(self.palette.axis, &scale.unit)];
        let heights = self.heights(plot);
        for row in 0..plot.rows {
            let bars = self.glyphs.row(&heights, plot.rows - 1 - row);
            let bars = paint(self.palette.bars, bars.trim_end());
            lines.push(format!("{}{bars}", edge(row, tick, line)));
        }
        let base = edge(plot.rows, corner, corner);
        lines.push(format!("{base}{}", self.base_line(plot)));
        let times = format!("{}{}", " ".repeat(margin + 1), self.times(plot));
        lines.push(paint(self.palette.axis, &times));
        lines
    }

    /// From the start of the signal to its end, or to that of the next phase.
    fn span(&self) -> Option<(f64, f64)> {
        let len = self.signal.samples().len();
        let start = self.signal.start().get();
        let end = self.signal.time(len).get();
        let next = self.next_phase().map_or(end, |(_, end)| end);
        let end = end.max(next);
        (len > 0 && end > start && (end - start).is_finite()).then_some((start, end))
    }

    /// The next phase to expect; it is as long as the others.
    fn next_phase(&self) -> Option<(f64, f64)> {
        let rhythm = self.rhythm?;
        let start = rhythm.next_start?.value.get();
        Some((start, start + rhythm.phase_length().get()))
    }

    /// `None` where nothing moves.
    fn highest(&self) -> Option<f64> {
        let finite = self.signal.samples().iter().filter(|x| x.is_finite());
        let highest = finite.fold(0.0, |highest: f64, x| x.max(highest));
        (highest > 0.0).then_some(highest)
    }

    /// How high every half column is, in quarters of a row.
    fn heights(&self, plot: &Plot) -> Vec<usize> {
        let samples = self.signal.samples();
        let (start, step) = (self.signal.start().get(), self.signal.step().get());
        let dots = 2 * plot.cells;
        let width = (plot.end - plot.start) / dots as f64;
        let index = |time: f64| ((time - start) / step).max(0.0);
        let height = |dot: usize| {
            let from = plot.start + dot as f64 * width;
            // A sample that only touches the column's edge is not in it.
            let first = (index(from) + 1e-9).floor() as usize;
            let last = ((index(from + width) - 1e-9).ceil() as usize).max(first + 1);
            let inside = samples.get(first..last.min(samples.len())).unwrap_or(&[]);
            let finite = inside.iter().filter(|x| x.is_finite());
            plot.quarters(finite.fold(0.0, |highest, x| x.max(highest)))
        };
        (0..dots).map(height).collect()
    }

    /// The line of time, on which phases are marked.
    fn base_line(&self, plot: &Plot) -> String {
        let mut marks = vec![Mark::Idle; 2 * plot.cells];
        if let Some((start, end)) = self.next_phase() {
            plot.mark(&mut marks, start, end, Mark::Next);
        }
        for phase in self.rhythm.iter().flat_map(|rhythm| &rhythm.phases) {
            plot.mark(&mut marks, phase.start.get(), phase.end.get(), Mark::Phase);
        }
        let cells: Vec<_> = marks
            .chunks(2)
            .map(|pair| self.glyphs.mark(pair[0], pair[pair.len() - 1]))
            .collect();
        let runs = cells.chunk_by(|a, b| a.1 == b.1).map(|run| {
            let text: String = run.iter().map(|(glyph, _)| *glyph).collect();
            self.palette.paint(self.palette.of(run[0].1), &text)
        });
        runs.collect()
    }

    /// The labels of time, each behind the mark of its place; the unit at the end.
    fn times(&self, plot: &Plot) -> String {
        let span = plot.end - plot.start;
        let scale = Scale::of_times(span);
        // Seconds since 1970 would fill the line: then time counts from the start.
        let clock = Clock::of_signal(self.signal);
        let far = clock == Clock::Calendar || plot.start.abs() > 1e3 * span;
        let origin = if far { plot.start } else { 0.0 };
        let after = match far {
            true => format!(" after {}", clock.at(origin)),
            false => String::new(),
        };
        let unit = format!(" {}{after}", scale.unit);
        let room = plot.cells.saturating_sub(after.chars().count());
        let place = |time: f64| (time - origin) / scale.size;
        let most = (plot.cells / LABEL_COLUMNS).max(1);
        let mut line = String::new();
        for (at, text) in ticks(place(plot.start), place(plot.end), most) {
            let share = (at * scale.size + origin - plot.start) / span;
            let column = (share * plot.cells as f64) as usize;
            let used = line.chars().count();
            if column >= used && column + text.len() < room {
                line += &" ".repeat(column + 1 - used);
                line.push(self.glyphs.tick());
                line += &text;
            }
        }
        line + &unit
    }
}

/// Where things lie in the picture.
struct Plot {
    start: f64,
    end: f64,
    /// The rate at the upper edge.
    top: f64,
    cells: usize,
    rows: usize,
}

impl Plot {
    /// A rate in quarters of a row; what is there is seen, however small.
    fn quarters(&self, rate: f64) -> usize {
        let height = (rate / self.top * (4 * self.rows) as f64).round() as usize;
        height.max(usize::from(rate > 0.0))
    }

    fn mark(&self, marks: &mut [Mark], start: f64, end: f64, mark: Mark) {
        let width = (self.end - self.start) / marks.len() as f64;
        let place = |time: f64| ((time - self.start) / width).max(0.0);
        let first = (place(start) + 1e-9).floor() as usize;
        let last = ((place(end) - 1e-9).ceil() as usize).max(first + 1);
        let last = last.min(marks.len());
        if let Some(marks) = marks.get_mut(first..last) {
            marks.fill(mark);
        }
    }
}
