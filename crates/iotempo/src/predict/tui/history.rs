//! Forecasts against what came.

use super::draw::Scene;
use super::words::{instant, rough};
use iotempo_analysis::online::Outcome;
use iotempo_report::quantity::bytes;
use ratatui::buffer::Buffer;
use ratatui::layout::{Alignment, Constraint, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Cell, Row, Table, Widget};

const TITLES: [&str; 6] = ["expected at", "came at", "late by", "", "to move", "moved"];
const WIDTHS: [Constraint; 6] = [
    Constraint::Length(12),
    Constraint::Length(12),
    Constraint::Length(10),
    Constraint::Length(10),
    Constraint::Length(10),
    Constraint::Length(10),
];

/// Draws the newest forecasts, the newest first.
pub(super) fn draw(scene: &Scene, area: Rect, buffer: &mut Buffer) {
    let outcomes = &scene.known.outcomes;
    let newest = outcomes.iter().rev().skip(scene.scroll);
    let rows = newest.take(usize::from(area.height)).map(|outcome| {
        let cells = cells(scene, outcome);
        Row::new(cells)
    });
    let titles = TITLES.map(|title| Cell::from(right(Span::from(title))));
    let header = Row::new(titles).style(scene.theme.faint());
    let table = Table::new(rows, WIDTHS).header(header).column_spacing(1);
    Widget::render(table, area, buffer);
    if outcomes.is_empty() && area.height > 1 {
        let rest = Rect {
            y: area.y + 1,
            height: 1,
            ..area
        };
        let none = " no forecast was judged yet";
        Line::styled(none, scene.theme.faint()).render(rest, buffer);
    }
}

/// Which forecasts are shown, where not all are: `3 to 7 of 12`.
pub(super) fn shown(scene: &Scene, height: u16) -> Option<String> {
    let all = scene.known.outcomes.len();
    let rows = usize::from(height.saturating_sub(1));
    let last = (scene.scroll + rows).min(all);
    let some = last > scene.scroll && (scene.scroll > 0 || last < all);
    some.then(|| format!("{} to {last} of {all} ↑↓", scene.scroll + 1))
}

fn cells(scene: &Scene, outcome: &Outcome) -> [Cell<'static>; 6] {
    let at = |instant_s| instant(instant_s, scene.clock(), scene.period());
    let volume = |volume: f64| bytes(volume, scene.units);
    let theme = scene.theme;
    let late = outcome.late_s.map_or("-".to_owned(), signed);
    let judged = match (outcome.start, outcome.within) {
        (None, _) => Span::styled("✗ missed", theme.wrong()),
        (Some(_), true) => Span::styled("✓ within", theme.phase()),
        (Some(_), false) => Span::styled("✗ outside", theme.wrong()),
    };
    let came = outcome.start.map_or("-".to_owned(), at);
    let moved = outcome.bytes.map_or("-".to_owned(), |b| volume(b.get()));
    [
        right(Span::from(at(outcome.expected_start))).into(),
        right(Span::from(came)).into(),
        right(Span::from(late)).into(),
        Line::from_iter([Span::from(" "), judged]).into(),
        right(Span::from(volume(outcome.expected_bytes.get()))).into(),
        right(Span::from(moved)).into(),
    ]
}

fn right(span: Span<'static>) -> Text<'static> {
    Text::from(Line::from(span)).alignment(Alignment::Right)
}

/// `+80 ms` late, `-1.2 s` early.
fn signed(seconds: f64) -> String {
    let sign = if seconds < 0.0 { '-' } else { '+' };
    format!("{sign}{}", rough(seconds.abs()))
}
