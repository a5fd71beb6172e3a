//! Bandwidth so far, and the phase to expect.

mod lane;
mod span;
mod times;

pub(super) use span::Zoom;

use super::draw::Scene;
use super::words::fitting;
use iotempo_live::Bars;
use iotempo_report::chart::{Glyphs, Mark};
use lane::{Direction, Lane};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;
use ratatui::widgets::Widget;
use span::Span;

/// Columns left of the vertical axis.
const MARGIN: u16 = 11;

/// What the signs mean, the longest first.
const LEGENDS: [&str; 3] = [
    "━ phase   ▒ next phase   ░ where it may begin (95 %)   ┊ now",
    "━ phase ▒ next ░ its start",
    "",
];

/// Where the plot lies, and which time each of its columns stands for.
#[derive(Debug, Clone, Copy)]
struct Plot {
    /// All but the labels.
    area: Rect,
    span: Span,
}

impl Plot {
    fn cells(&self) -> usize {
        usize::from(self.area.width)
    }

    /// The columns that a stretch of time touches, at `per_cell` columns a cell.
    fn columns(&self, from: f64, to: f64, per_cell: usize) -> std::ops::Range<usize> {
        let many = per_cell * self.cells();
        let width = self.span.length() / many as f64;
        let place = |time: f64| (time - self.span.from) / width;
        if place(to) < 0.0 || place(from) >= many as f64 {
            return 0..0;
        }
        let first = (place(from) + 1e-9).floor().max(0.0) as usize;
        let last = ((place(to) - 1e-9).ceil().max(0.0) as usize).max(first + 1);
        first..last.min(many)
    }
}

/// Draws the chart under a rule that says what it shows.
pub(super) fn draw(scene: &Scene, area: Rect, buffer: &mut Buffer) {
    let Some((title, rest)) = split(area, 1) else {
        return;
    };
    let plot = scene.now.and_then(|now| plot(scene, now, rest));
    let shown = plot.and_then(|plot| {
        let Span { from, to } = plot.span;
        scene.known.recording.bars(from, to)
    });
    heading(scene, shown.as_ref(), title, buffer);
    let Some(plot) = plot else {
        return nothing_yet(scene, rest, buffer);
    };
    let inner = plot.area;
    let lanes = lanes(shown.as_ref(), rest.height - 2);
    let mut y = rest.y;
    for (index, (direction, height)) in lanes.iter().enumerate() {
        let rows = Rect {
            y,
            height: *height,
            ..rest
        };
        Lane {
            scene,
            plot,
            direction: *direction,
        }
        .draw(rows, buffer);
        y += height;
        let last = index + 1 == lanes.len();
        base_line(
            scene,
            plot,
            Rect {
                y,
                height: 1,
                ..rest
            },
            last,
            buffer,
        );
        y += 1;
    }
    let row = Rect {
        y,
        height: 1,
        ..inner
    };
    Line::styled(times::line(scene, &plot), scene.theme.faint()).render(row, buffer);
}

/// Where there is room for one.
fn plot(scene: &Scene, now: f64, rest: Rect) -> Option<Plot> {
    if rest.width <= MARGIN + 4 || rest.height < 3 {
        return None;
    }
    let area = Rect {
        x: rest.x + MARGIN + 1,
        width: rest.width - MARGIN - 1,
        ..rest
    };
    let span = Span::of(scene, now, area.width);
    Some(Plot { area, span })
}

/// What is shown, and what the signs mean as far as there is room for that.
fn heading(scene: &Scene, shown: Option<&Bars>, area: Rect, buffer: &mut Buffer) {
    let words = scene
        .zoom
        .words(scene.period(), shown.map(|bars| bars.step_s));
    let width = usize::from(area.width);
    let words = fitting(words, width.saturating_sub(4));
    let room = width.saturating_sub(words.chars().count() + 10);
    let legend = fitting(LEGENDS.map(str::to_owned).to_vec(), room);
    scene.rule(area, &words, &legend, buffer);
}

fn nothing_yet(scene: &Scene, area: Rect, buffer: &mut Buffer) {
    let middle = area.rows().nth(usize::from(area.height / 2));
    let words = Line::styled("nothing has moved yet", scene.theme.faint());
    words.centered().render(middle.unwrap_or_default(), buffer);
}

fn split(area: Rect, rows: u16) -> Option<(Rect, Rect)> {
    let rest = area.height.checked_sub(rows)?;
    let upper = Rect {
        height: rows,
        ..area
    };
    let lower = Rect {
        y: area.y + rows,
        height: rest,
        ..area
    };
    (area.width > 0).then_some((upper, lower))
}

/// Which directions are drawn, and how high: only those that moved something in the time that is shown, where
/// there is room for them.
fn lanes(shown: Option<&Bars>, rows: u16) -> Vec<(Direction, u16)> {
    let bars = shown.map_or(&[][..], |shown| &shown.bars);
    let written: f64 = bars.iter().map(|bar| bar.written).sum();
    let read: f64 = bars.iter().map(|bar| bar.read).sum();
    if written > 0.0 && read > 0.0 && rows >= 5 {
        let each = (rows - 1) / 2;
        return vec![
            (Direction::Written, rows - 1 - each),
            (Direction::Read, each),
        ];
    }
    let more = if read > written {
        Direction::Read
    } else {
        Direction::Written
    };
    vec![(more, rows)]
}

/// The foot of a lane; under the last one, phases are marked on it.
fn base_line(scene: &Scene, plot: Plot, area: Rect, marked: bool, buffer: &mut Buffer) {
    let mut marks = vec![Mark::Idle; 2 * plot.cells()];
    if marked {
        let prediction = scene.known.prediction.as_ref();
        if let Some(next) = prediction.and_then(|prediction| prediction.next) {
            let start = next.start.value.get();
            fill(
                &mut marks,
                plot.columns(start, start + next.length.get(), 2),
                Mark::Next,
            );
        }
        for phase in &scene.known.phases {
            let columns = plot.columns(phase.start.get(), phase.end.get(), 2);
            fill(&mut marks, columns, Mark::Phase);
        }
    }
    let label = format!("{:>1$} ┼", "0", usize::from(MARGIN) - 1);
    Line::styled(label, scene.theme.faint()).render(area, buffer);
    for (column, pair) in marks.chunks(2).enumerate() {
        let (glyph, mark) = Glyphs::Braille.mark(pair[0], pair[pair.len() - 1]);
        let style = match mark {
            Mark::Idle => scene.theme.faint(),
            Mark::Phase => scene.theme.phase(),
            Mark::Next => scene.theme.next(),
        };
        put(buffer, plot.area.x + column as u16, area.y, glyph, style);
    }
}

fn fill(marks: &mut [Mark], columns: std::ops::Range<usize>, mark: Mark) {
    if let Some(marks) = marks.get_mut(columns) {
        marks.fill(mark);
    }
}

/// One letter, where there is a place for it.
fn put(buffer: &mut Buffer, x: u16, y: u16, glyph: char, style: Style) {
    if let Some(cell) = buffer.cell_mut(Position { x, y }) {
        cell.set_char(glyph).set_style(style);
    }
}
