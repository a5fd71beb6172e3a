//! Colours of a picture on a terminal.

use super::glyphs::Mark;

/// Codes of ECMA-48's "select graphic rendition", a part of the picture each; empty for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Palette {
    /// The bars.
    pub bars: &'static str,
    /// Marks of phases.
    pub phases: &'static str,
    /// The mark of the next phase to expect.
    pub next: &'static str,
    /// Axes and their labels.
    pub axis: &'static str,
}

impl Palette {
    /// No colours.
    pub const PLAIN: Self = Self {
        bars: "",
        phases: "",
        next: "",
        axis: "",
    };
    /// The colours that every terminal has.
    pub const ANSI: Self = Self {
        bars: "36",
        phases: "1;32",
        next: "1;33",
        axis: "2",
    };

    pub(super) fn of(&self, mark: Mark) -> &'static str {
        match mark {
            Mark::Phase => self.phases,
            Mark::Next => self.next,
            Mark::Idle => self.axis,
        }
    }

    pub(super) fn paint(&self, code: &str, text: &str) -> String {
        if code.is_empty() || text.is_empty() {
            return text.to_owned();
        }
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}
