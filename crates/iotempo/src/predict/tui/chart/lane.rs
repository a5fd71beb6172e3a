//! One direction of the chart.

use super::{MARGIN, Plot, put};
use crate::predict::tui::draw::Scene;
use iotempo_live::{Bar, Bars};
use iotempo_report::axis::{Scale, label, row_step};
use iotempo_report::chart::Glyphs;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

/// Where data moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Written,
    Read,
}

impl Direction {
    fn name(self) -> &'static str {
        match self {
            Self::Written => "▲ write",
            Self::Read => "▼ read",
        }
    }

    fn of(self, bar: &Bar) -> f64 {
        match self {
            Self::Written => bar.written,
            Self::Read => bar.read,
        }
    }

    fn style(self, scene: &Scene) -> Style {
        match self {
            Self::Written => scene.theme.written(),
            Self::Read => scene.theme.read(),
        }
    }
}

/// How fast data moved in one direction.
pub(super) struct Lane<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) plot: Plot,
    pub(super) direction: Direction,
}

impl Lane<'_> {
    pub(super) fn draw(&self, area: Rect, buffer: &mut Buffer) {
        let area = even(area);
        let rows = usize::from(area.height);
        let rates = self.rates();
        let highest = rates.iter().copied().fold(0.0, f64::max);
        let scale = Scale::of_rates(highest, self.scene.units);
        let (between, step) = row_step(highest / scale.size, rows);
        // One label more than the best fit has, where that is all there would be.
        let halves = between == rows && rows >= 4 && rows.is_multiple_of(2);
        let (between, step) = if halves {
            (between / 2, step / 2.0)
        } else {
            (between, step)
        };
        let top = step * (rows / between) as f64 * scale.size;
        let mut name = Some(self.direction.name());
        for (row, place) in area.rows().enumerate() {
            let value = (rows - row) as f64 / between as f64 * step;
            let value = row.is_multiple_of(between).then(|| label(value, step));
            let text = match value {
                _ if highest == 0.0 && row > 0 => None,
                Some(value) if row == 0 => Some(format!("{value} {}", scale.unit)),
                other => other,
            };
            self.margin(text, &mut name, rows, place, buffer);
        }
        self.background(area, buffer);
        let heights: Vec<_> = rates
            .iter()
            .map(|rate| quarters(*rate, top, rows))
            .collect();
        self.bars(&heights, area, buffer);
    }

    /// The highest rate of every half column.
    fn rates(&self) -> Vec<f64> {
        let (plot, span) = (&self.plot, self.plot.span);
        let bars = self.scene.known.recording.bars(span.from, span.to);
        let mut rates = vec![0.0; 2 * plot.cells()];
        let Some(Bars {
            start_s,
            step_s,
            bars,
        }) = bars
        else {
            return rates;
        };
        for (index, bar) in bars.iter().enumerate() {
            let from = start_s + index as f64 * step_s;
            let rate = self.direction.of(bar) / step_s;
            let columns = plot.columns(from, from + step_s, 2);
            for column in rates.get_mut(columns).into_iter().flatten() {
                *column = rate.max(*column);
            }
        }
        rates
    }

    /// A label of the vertical axis, or where there is none, once, what is drawn.
    fn margin(
        &self,
        text: Option<String>,
        name: &mut Option<&str>,
        rows: usize,
        area: Rect,
        buffer: &mut Buffer,
    ) {
        let faint = self.scene.theme.faint();
        let width = usize::from(MARGIN) - 1;
        // Where every row has a label, one has to go.
        let told = match text {
            Some(text) if rows > 1 => Some(text),
            _ => None,
        };
        let line = match (told, name.take()) {
            (Some(text), rest) => {
                *name = rest;
                Line::from(Span::styled(format!("{text:>width$} ┤"), faint))
            }
            (None, Some(direction)) => Line::from_iter([
                Span::styled(
                    format!("{direction:>width$}"),
                    self.direction
                        .style(self.scene)
                        .patch(self.scene.theme.strong()),
                ),
                Span::styled(" │", faint),
            ]),
            (None, None) => Line::from(Span::styled(format!("{:>width$} │", ""), faint)),
        };
        line.render(area, buffer);
    }

    /// The present, and the phase to expect with its uncertainty.
    fn background(&self, area: Rect, buffer: &mut Buffer) {
        let next = self.scene.known.prediction.as_ref().and_then(|p| p.next);
        if let Some(next) = next {
            let [low, start, high] =
                [next.start.low, next.start.value, next.start.high].map(|at| at.get());
            let style = self.scene.theme.next();
            self.column(low, high, '░', style, area, buffer);
            self.column(start, start + next.length.get(), '▒', style, area, buffer);
        }
        if let Some(now) = self.scene.now {
            self.column(now, now, '┊', self.scene.theme.faint(), area, buffer);
        }
    }

    fn column(
        &self,
        from: f64,
        to: f64,
        glyph: char,
        style: Style,
        area: Rect,
        buffer: &mut Buffer,
    ) {
        for column in self.plot.columns(from, to, 1) {
            for row in area.rows() {
                put(
                    buffer,
                    self.plot.area.x + column as u16,
                    row.y,
                    glyph,
                    style,
                );
            }
        }
    }

    fn bars(&self, heights: &[usize], area: Rect, buffer: &mut Buffer) {
        let style = self.direction.style(self.scene);
        for (row, place) in area.rows().rev().enumerate() {
            let glyphs = Glyphs::Braille.row(heights, row);
            for (column, glyph) in glyphs.chars().enumerate() {
                if glyph != ' ' {
                    put(
                        buffer,
                        self.plot.area.x + column as u16,
                        place.y,
                        glyph,
                        style,
                    );
                }
            }
        }
    }
}

/// A rate in quarters of a row; what is there is seen, however small.
fn quarters(rate: f64, top: f64, rows: usize) -> usize {
    let height = (rate / top * (4 * rows) as f64).round() as usize;
    height.max(usize::from(rate > 0.0))
}

/// As many rows as can be divided by labels; one may stay empty above.
fn even(area: Rect) -> Rect {
    let spare = u16::from(
        area.height > 6 && !area.height.is_multiple_of(2) && !area.height.is_multiple_of(3),
    );
    Rect {
        y: area.y + spare,
        height: area.height - spare,
        ..area
    }
}
