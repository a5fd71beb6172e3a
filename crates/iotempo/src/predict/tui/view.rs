//! What the person in front of the screen has chosen to see.

use super::chart::Zoom;
use super::draw::Scene;
use super::inbox::Message;
use super::known::Known;
use super::theme::Theme;
use crate::human;
use crate::style::Style;
use iotempo_report::Units;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::time::Instant;

/// What is known and what of it is looked at.
pub(super) struct View {
    source: String,
    units: Units,
    theme: Theme,
    keys: bool,
    zoom: Zoom,
    /// Whether the keys are shown.
    helps: bool,
    /// How many forecasts lie above the first one in the table.
    scroll: usize,
    known: Known,
    /// What is shown while the picture stands still.
    frozen: Option<(Known, Instant)>,
}

/// What to do now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    GoOn,
    Quit,
    #[cfg(unix)]
    Die(i32),
}

impl View {
    pub(super) fn new(source: &str, style: &Style, keys: bool) -> Self {
        let name = if source == "-" {
            "standard input"
        } else {
            source
        };
        Self {
            source: human::printable(name).into_owned(),
            units: style.units().into(),
            theme: Theme {
                colour: style.is_coloured(),
            },
            keys,
            zoom: Zoom::default(),
            helps: false,
            scroll: 0,
            known: Known::default(),
            frozen: None,
        }
    }

    /// What is seen at an instant.
    pub(super) fn scene(&self, at: Instant) -> Scene<'_> {
        let (known, at) = match &self.frozen {
            Some((known, then)) => (known, *then),
            None => (&self.known, at),
        };
        Scene {
            source: &self.source,
            units: self.units,
            theme: self.theme,
            keys: self.keys,
            zoom: self.zoom,
            scroll: self.scroll,
            paused: self.frozen.is_some(),
            helps: self.helps,
            known,
            now: known.now(at),
        }
    }

    /// Whether time alone changes what is seen.
    pub(super) fn moves(&self) -> bool {
        self.frozen.is_none() && !self.known.ended
    }

    /// Takes in what happened.
    pub(super) fn take(&mut self, message: Message) -> anyhow::Result<Step> {
        Ok(match message {
            Message::Look(look) => {
                let before = self.known.outcomes.len();
                self.known.learn(*look);
                self.stay(before);
                Step::GoOn
            }
            Message::Idle => Step::Quit,
            Message::Over(result) => {
                result?;
                // Somebody may still look at it, if there is a key to end that.
                if self.keys { Step::GoOn } else { Step::Quit }
            }
            Message::Terminal(Event::Key(key)) => self.key(key),
            Message::Terminal(_) => Step::GoOn,
            Message::NoKeys => {
                self.keys = false;
                if self.known.ended {
                    Step::Quit
                } else {
                    Step::GoOn
                }
            }
            #[cfg(unix)]
            Message::Signal(signal) => Step::Die(signal),
        })
    }

    fn key(&mut self, key: KeyEvent) -> Step {
        const PAGE: usize = 10;
        if key.kind == KeyEventKind::Release {
            return Step::GoOn;
        }
        let last = self.scene(Instant::now()).known.outcomes.len();
        let last = last.saturating_sub(1);
        match key.code {
            KeyCode::Char('?') => self.helps = !self.helps,
            KeyCode::Esc if self.helps => self.helps = false,
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => return Step::Quit,
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return Step::Quit;
            }
            KeyCode::Char('z' | 'Z') => self.zoom = self.zoom.next(),
            KeyCode::Char('p' | 'P' | ' ') => self.pause(),
            KeyCode::Down | KeyCode::Char('j') => self.scroll = (self.scroll + 1).min(last),
            KeyCode::Up | KeyCode::Char('k') => self.scroll = self.scroll.saturating_sub(1),
            KeyCode::PageDown => self.scroll = (self.scroll + PAGE).min(last),
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(PAGE),
            KeyCode::Home => self.scroll = 0,
            KeyCode::End => self.scroll = last,
            _ => {}
        }
        Step::GoOn
    }

    /// Whoever has scrolled down still sees the same forecasts when new ones come.
    fn stay(&mut self, before: usize) {
        let after = self.known.outcomes.len();
        if self.scroll > 0 && self.frozen.is_none() {
            let moved = self.scroll + after.saturating_sub(before);
            self.scroll = moved.min(after.saturating_sub(1));
        }
    }

    /// The picture stands still, or goes on; the job is followed all the while.
    fn pause(&mut self) {
        self.frozen = match self.frozen.take() {
            Some(_) => None,
            None => Some((self.known.clone(), Instant::now())),
        };
        let last = self.known.outcomes.len().saturating_sub(1);
        self.scroll = self.scroll.min(last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Units;

    fn view() -> View {
        View::new("a\u{1b}[31mb", &Style::plain(Units::Iec), true)
    }

    fn press(view: &mut View, code: KeyCode, modifiers: KeyModifiers) -> Step {
        let key = KeyEvent::new(code, modifiers);
        view.take(Message::Terminal(Event::Key(key)))
            .expect("a value")
    }

    #[test]
    fn three_keys_quit() {
        let (none, control) = (KeyModifiers::NONE, KeyModifiers::CONTROL);
        let mut view = view();
        for (code, modifiers) in [
            (KeyCode::Char('q'), none),
            (KeyCode::Esc, none),
            (KeyCode::Char('c'), control),
        ] {
            assert_eq!(press(&mut view, code, modifiers), Step::Quit);
        }
        assert_eq!(press(&mut view, KeyCode::Char('c'), none), Step::GoOn);
    }

    #[test]
    fn escape_closes_the_keys_before_it_quits() {
        let mut view = view();
        let none = KeyModifiers::NONE;
        press(&mut view, KeyCode::Char('?'), none);
        assert!(view.scene(Instant::now()).helps);
        assert_eq!(press(&mut view, KeyCode::Esc, none), Step::GoOn);
        assert!(!view.scene(Instant::now()).helps);
        press(&mut view, KeyCode::Char('?'), none);
        press(&mut view, KeyCode::Char('?'), none);
        assert_eq!(press(&mut view, KeyCode::Esc, none), Step::Quit);
    }

    #[test]
    fn a_picture_that_stands_still_does_not_move() {
        let mut view = view();
        assert!(view.moves());
        press(&mut view, KeyCode::Char('p'), KeyModifiers::NONE);
        assert!(!view.moves() && view.scene(Instant::now()).paused);
        press(&mut view, KeyCode::Char('p'), KeyModifiers::NONE);
        assert!(view.moves());
    }

    #[test]
    fn nobody_scrolls_beyond_the_last_forecast() {
        let mut view = view();
        press(&mut view, KeyCode::Down, KeyModifiers::NONE);
        assert_eq!(view.scroll, 0);
    }

    #[test]
    fn without_keys_the_end_of_the_source_is_the_end() {
        let mut view = view();
        assert_eq!(
            view.take(Message::Over(Ok(()))).expect("a value"),
            Step::GoOn
        );
        view.take(Message::NoKeys).expect("a value");
        assert_eq!(
            view.take(Message::Over(Ok(()))).expect("a value"),
            Step::Quit
        );
        let failed = Message::Over(Err(anyhow::anyhow!("job.csv: gone")));
        assert!(view.take(failed).is_err());
    }

    #[test]
    fn a_name_cannot_paint_the_screen() {
        let view = view();
        assert!(!view.scene(Instant::now()).source.contains('\u{1b}'));
    }
}
