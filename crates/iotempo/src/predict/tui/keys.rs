//! What keys do, over the picture.

use super::draw::Scene;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Padding, Widget};

const KEYS: [(&str, &str); 7] = [
    ("q Esc Ctrl-C", "quit"),
    ("z", "16 periods, all, minute"),
    ("p Space", "pause, go on"),
    ("↑ ↓  k j", "newer, older forecasts"),
    ("PgUp PgDn", "ten at a time"),
    ("Home End", "newest, oldest forecast"),
    ("?", "open and close this"),
];
/// Columns of the names of keys.
const NAMES: usize = 12;
/// Columns of the box: it fits the smallest screen that there is a picture on.
const WIDTH: u16 = 40;

/// Draws a box in the middle.
pub(super) fn draw(scene: &Scene, area: Rect, buffer: &mut Buffer) {
    let height = KEYS.len() as u16 + 2;
    let area = area.centered(Constraint::Length(WIDTH), Constraint::Length(height));
    Clear.render(area, buffer);
    let frame = Block::bordered()
        .title(" keys ")
        .padding(Padding::horizontal(1));
    let inside = frame.inner(area);
    frame.render(area, buffer);
    for (row, (name, what)) in inside.rows().zip(KEYS) {
        let name = format!("{name:NAMES$} ");
        Line::from_iter([Span::styled(name, scene.theme.strong()), Span::raw(what)])
            .render(row, buffer);
    }
}
