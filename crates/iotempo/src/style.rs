//! How results look: colour and units.

use crate::cli::{CommonArgs, Units, When};
use crate::human;
use std::io::{self, IsTerminal};

/// How text on standard output is dressed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    colour: bool,
    units: Units,
    /// Columns of the terminal; `None` where there is none, and nothing is wrapped.
    width: Option<usize>,
    /// How wide a picture may be.
    columns: usize,
    /// How wide rows of a table may be, where somebody says.
    limit: Option<usize>,
}

/// How wide a terminal is that does not say.
const WIDTH: usize = 80;
/// Beyond this, nobody looks at a picture.
const WIDEST: usize = 1000;

impl Style {
    pub(crate) fn new(common: &CommonArgs) -> Self {
        let colour = match common.color {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                !refused && io::stdout().is_terminal()
            }
        };
        let width = width();
        Self {
            colour,
            units: common.units,
            width,
            columns: chosen_columns().or(width).unwrap_or(WIDTH),
            limit: chosen_columns().or(width),
        }
    }

    /// Without colour, as wide as it gets.
    #[cfg(test)]
    pub(crate) fn plain(units: Units) -> Self {
        Self {
            colour: false,
            units,
            width: None,
            columns: WIDTH,
            limit: None,
        }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    pub(crate) fn yellow(self, text: &str) -> String {
        self.wrap("33", text)
    }

    pub(crate) fn green(self, text: &str) -> String {
        self.wrap("1;32", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.colour {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// A text as lines that fit the terminal, each of them indented; all but the first a bit more.
    pub(crate) fn lines(self, text: &str) -> Vec<String> {
        let mut lines = vec![String::from(" ")];
        for word in text.split(' ') {
            let last = lines.last().map_or(0, |line| line.chars().count());
            let fits = self
                .width
                .is_none_or(|width| last + 1 + word.chars().count() <= width);
            match lines.last_mut() {
                // A word alone on its line stays there, however long.
                Some(line) if fits || line.trim().is_empty() => line.push_str(&format!(" {word}")),
                _ => lines.push(format!("    {word}")),
            }
        }
        lines
    }

    /// How wide a picture may be.
    pub(crate) fn columns(self) -> usize {
        self.columns
    }

    /// How wide rows of a table may be; `None` where nobody says, and nothing is cut.
    pub(crate) fn limit(self) -> Option<usize> {
        self.limit
    }

    pub(crate) fn is_coloured(self) -> bool {
        self.colour
    }

    pub(crate) fn units(self) -> Units {
        self.units
    }

    /// A volume in the units of choice; what is not known is no number.
    pub(crate) fn bytes(self, bytes: f64) -> String {
        if bytes.is_nan() {
            return "-".to_owned();
        }
        human::bytes(bytes, self.units)
    }
}

/// What `COLUMNS` says: who sets it means it, also where standard output is no terminal.
fn chosen_columns() -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok()?.trim().parse().ok()?;
    (1..=WIDEST).contains(&columns).then_some(columns)
}

fn width() -> Option<usize> {
    let stdout = io::stdout();
    let size = terminal_size::terminal_size_of(&stdout);
    let width = size.map_or(WIDTH, |(width, _)| usize::from(width.0));
    stdout.is_terminal().then_some(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_wrapped_where_there_is_a_width() {
        let mut style = Style {
            colour: false,
            units: Units::Iec,
            width: Some(20),
            columns: 20,
            limit: Some(20),
        };
        let text = "dxt cannot show what was not intercepted: /a/name/that/is/long";
        let lines = style.lines(text);
        let expected = [
            "  dxt cannot show",
            "    what was not",
            "    intercepted:",
            "    /a/name/that/is/long",
        ];
        assert_eq!(lines, expected);
        style.width = None;
        assert_eq!(style.lines(text), [format!("  {text}")]);
    }
}
