//! Colours that people with any kind of colour vision tell apart.

use iotempo_analysis::online::State;
use ratatui::style::{Color, Modifier, Style};

/// What parts of the screen look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Theme {
    /// Without it, only bold, dim and reversed letters.
    pub(super) colour: bool,
}

/// Of the colours that nearly all terminals have, those next to the palette of Okabe and Ito.
const SKY_BLUE: Color = Color::Indexed(74);
const ORANGE: Color = Color::Indexed(214);
const PURPLE: Color = Color::Indexed(175);
const GREEN: Color = Color::Indexed(36);
const VERMILION: Color = Color::Indexed(202);

impl Theme {
    fn painted(self, colour: Color) -> Style {
        if self.colour {
            Style::new().fg(colour)
        } else {
            Style::new()
        }
    }

    pub(super) fn written(self) -> Style {
        self.painted(SKY_BLUE)
    }

    pub(super) fn read(self) -> Style {
        self.painted(ORANGE)
    }

    /// The phase to expect.
    pub(super) fn next(self) -> Style {
        self.painted(PURPLE)
    }

    /// Phases that came.
    pub(super) fn phase(self) -> Style {
        self.painted(GREEN).add_modifier(Modifier::BOLD)
    }

    /// What should not have happened.
    pub(super) fn wrong(self) -> Style {
        self.painted(VERMILION).add_modifier(Modifier::BOLD)
    }

    pub(super) fn state(self, state: State) -> Style {
        let style = match state {
            State::Periodic => self.painted(GREEN),
            State::Overdue => self.painted(ORANGE),
            State::Changed => self.painted(VERMILION),
            State::Learning | State::NotPeriodic | State::Ended => Style::new(),
        };
        style.add_modifier(Modifier::BOLD)
    }

    /// Axes, rules and help.
    pub(super) fn faint(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    pub(super) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    pub(super) fn title(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }
}
