//! Where things lie on the screen, and what they look like.

use super::chart::{self, Zoom};
use super::known::Known;
use super::theme::Theme;
use super::words::{self, fitting};
use super::{facts, history, keys};
use crate::human;
use iotempo_analysis::online::State;
use iotempo_report::Units;
use iotempo_report::clock::Clock;
use iotempo_report::quantity::{bytes, duration};
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

/// All that is seen.
#[derive(Debug)]
pub(super) struct Scene<'a> {
    pub(super) source: &'a str,
    pub(super) units: Units,
    pub(super) theme: Theme,
    /// Whether keys are heard.
    pub(super) keys: bool,
    pub(super) zoom: Zoom,
    pub(super) scroll: usize,
    pub(super) paused: bool,
    /// Whether somebody wants to know what keys do.
    pub(super) helps: bool,
    pub(super) known: &'a Known,
    /// The job's time, in seconds; `None` before its first request.
    pub(super) now: Option<f64>,
}

/// The smallest screen that there is a picture on.
const NARROWEST: u16 = 40;
const LOWEST: u16 = 10;
/// From this width on, facts stand beside the table.
const WIDE: u16 = 120;
/// Columns of the facts.
const FACTS: u16 = 54;

/// The parts of the screen; what has no room has no height.
struct Parts {
    title: Rect,
    state: Rect,
    next: Rect,
    chart: Rect,
    accuracy: Rect,
    foot: Rect,
    help: Rect,
}

impl Parts {
    fn of(area: Rect) -> Self {
        let foot = match area.height {
            0..18 => 0,
            18..30 => 6,
            height => height / 3,
        };
        let accuracy = u16::from(area.height >= 14);
        let mut constraints = [1, 1, 1, 5, accuracy, foot, 1].map(Constraint::Length);
        constraints[3] = Constraint::Min(5);
        let [title, state, next, chart, accuracy, foot, help] =
            area.layout(&Layout::vertical(constraints));
        Self {
            title,
            state,
            next,
            chart,
            accuracy,
            foot,
            help,
        }
    }
}

impl Widget for &Scene<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        if area.width < NARROWEST || area.height < LOWEST {
            return too_small(area, buffer);
        }
        let parts = Parts::of(area);
        self.title(parts.title, buffer);
        self.state(parts.state, buffer);
        self.next(parts.next, buffer);
        chart::draw(self, parts.chart, buffer);
        self.accuracy(parts.accuracy, parts.foot, buffer);
        self.foot(parts.foot, buffer);
        self.help(parts.help, buffer);
        if self.helps {
            keys::draw(self, area, buffer);
        }
    }
}

/// Says how large a screen has to be, in one line.
fn too_small(area: Rect, buffer: &mut Buffer) {
    let size = format!("{NARROWEST}×{LOWEST}");
    let texts = vec![
        format!("too small: {size} or more"),
        format!("{size} or more"),
        format!("≥ {size}"),
    ];
    Line::raw(fitting(texts, usize::from(area.width))).render(area, buffer);
}

impl Scene<'_> {
    /// What times count from.
    pub(super) fn clock(&self) -> Clock {
        let extent = self.known.recording.extent();
        extent.map_or(Clock::Run, |(first, last)| words::clock(first, last))
    }

    /// The period in seconds, where something repeats.
    pub(super) fn period(&self) -> Option<f64> {
        let prediction = self.known.prediction.as_ref()?;
        Some(prediction.period?.value.get())
    }

    fn title(&self, area: Rect, buffer: &mut Buffer) {
        buffer.set_style(area, self.theme.title());
        let totals = &self.known.totals;
        let volume = |volume: f64| bytes(volume, self.units);
        let (written, read) = (volume(totals.bytes_written), volume(totals.bytes_read));
        let requests = human::plural(totals.requests, "request");
        let elapsed = self.elapsed().map_or("-".to_owned(), elapsed);
        let right = [
            format!("{elapsed} ▲ {written} written ▼ {read} read  {requests} "),
            format!("{elapsed} ▲ {written} ▼ {read}  {requests} "),
            format!("{elapsed} ▲ {written} ▼ {read} "),
            format!("{elapsed} "),
        ];
        let source = self.source.chars().count().min(24) + 11;
        let room = usize::from(area.width).saturating_sub(source);
        let right = fitting(right.to_vec(), room);
        let room = usize::from(area.width).saturating_sub(right.chars().count() + 11);
        let left = format!(" iotempo  {}", shortened(self.source, room));
        Line::raw(left).render(area, buffer);
        Line::raw(right).right_aligned().render(area, buffer);
    }

    /// For how long the job has run: its time begins with it, unless it counts from 1970.
    fn elapsed(&self) -> Option<f64> {
        let (first, _) = self.known.recording.extent()?;
        let began = match self.clock() {
            Clock::Run => first.min(0.0),
            Clock::Calendar => first,
        };
        Some(self.now? - began)
    }

    fn state(&self, area: Rect, buffer: &mut Buffer) {
        let Some(prediction) = &self.known.prediction else {
            return self.waiting(area, buffer);
        };
        let (state, style) = (prediction.state, self.theme.state(prediction.state));
        let name = format!(" {} {} ", words::symbol(state), words::state(state));
        let room = usize::from(area.width).saturating_sub(name.chars().count() + 1);
        let meaning = fitting(words::meaning(prediction, self.clock()), room);
        Line::from_iter([
            Span::styled(name, style),
            Span::raw(" "),
            Span::raw(meaning),
        ])
        .render(area, buffer);
    }

    fn waiting(&self, area: Rect, buffer: &mut Buffer) {
        let what = if self.known.totals.requests > 0 {
            "the first phase is not over yet"
        } else if self.known.anew {
            "the source was written anew: starting over"
        } else {
            "waiting for the first request"
        };
        let line = format!(" … learning  {what}");
        Line::styled(line, self.theme.strong()).render(area, buffer);
    }

    fn has_ended(&self) -> bool {
        let prediction = self.known.prediction.as_ref();
        prediction.is_some_and(|prediction| prediction.state == State::Ended)
    }

    fn next(&self, area: Rect, buffer: &mut Buffer) {
        let next = self.known.prediction.as_ref().and_then(|p| p.next);
        let room = usize::from(area.width).saturating_sub(3);
        let line = match (next, self.now) {
            _ if self.known.ended => Line::raw("   the source has ended"),
            _ if self.has_ended() => Line::styled(
                "   no more is expected: all who could move data have ended",
                self.theme.faint(),
            ),
            (Some(next), Some(now)) => {
                let text = fitting(
                    words::next_phase(&next, now, self.known.fresh, self.units),
                    room,
                );
                Line::styled(
                    format!(" ▒ {text}"),
                    self.theme.next().patch(self.theme.strong()),
                )
            }
            _ => Line::styled("   no phase can be foretold", self.theme.faint()),
        };
        line.render(area, buffer);
    }

    fn accuracy(&self, area: Rect, foot: Rect, buffer: &mut Buffer) {
        let accuracy = self.known.prediction.as_ref().map(|p| p.accuracy);
        let shown = history::shown(self, foot.height).unwrap_or_default();
        let room = usize::from(area.width).saturating_sub(shown.chars().count() + 8);
        let text = fitting(facts::accuracy(&accuracy.unwrap_or_default()), room);
        self.rule(area, &text, &shown, buffer);
    }

    fn foot(&self, area: Rect, buffer: &mut Buffer) {
        if area.width < WIDE {
            return history::draw(self, area, buffer);
        }
        let halves = Layout::horizontal([Constraint::Length(FACTS), Constraint::Min(0)]);
        let [left, right] = area.layout(&halves);
        facts::draw(self, left, buffer);
        history::draw(self, right, buffer);
    }

    fn help(&self, area: Rect, buffer: &mut Buffer) {
        let paused = if self.paused { "PAUSED  " } else { "" };
        let (paused, help) = match (self.keys, area.width) {
            (false, _) => (
                "",
                "no terminal to read keys from: end it with Ctrl-C or a signal",
            ),
            (_, 60..) => (
                paused,
                "q quit  z zoom  p pause  ↑↓ scroll forecasts  ? keys",
            ),
            _ => (paused, "q quit z zoom p pause ↑↓ scroll ? keys"),
        };
        let warning = self.known.warning.as_deref().map(human::printable);
        Line::from_iter([
            Span::raw(" "),
            Span::styled(paused, self.theme.strong()),
            Span::styled(help, self.theme.faint()),
            Span::raw("  "),
            Span::styled(warning.unwrap_or_default(), self.theme.strong()),
        ])
        .render(area, buffer);
    }

    /// A line across the screen with words at both ends.
    pub(super) fn rule(&self, area: Rect, left: &str, right: &str, buffer: &mut Buffer) {
        if area.is_empty() {
            return;
        }
        let faint = self.theme.faint();
        Line::styled("─".repeat(usize::from(area.width)), faint).render(area, buffer);
        if !right.is_empty() {
            let text = format!(" {right} ──");
            Line::styled(text, faint)
                .right_aligned()
                .render(area, buffer);
        }
        if !left.is_empty() {
            Line::from_iter([Span::styled("── ", faint), Span::raw(left), Span::raw(" ")])
                .render(area, buffer);
        }
    }
}

/// In whole seconds: a fraction would only flicker.
fn elapsed(seconds: f64) -> String {
    duration(seconds.max(0.0).floor())
}

/// The end of a long name tells more than its beginning.
fn shortened(name: &str, room: usize) -> String {
    let many = name.chars().count();
    if many <= room {
        return name.to_owned();
    }
    let skipped = many - room.saturating_sub(1);
    let end: String = name.chars().skip(skipped).collect();
    format!("…{end}")
}
