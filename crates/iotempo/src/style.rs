//! How results look: colour and units.

use crate::cli::{CommonArgs, Units, When};
use crate::human;
use std::io::{self, IsTerminal};

/// How text on standard output is dressed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    colour: bool,
    units: Units,
}

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
        Self {
            colour,
            units: common.units,
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

    fn wrap(self, code: &str, text: &str) -> String {
        if self.colour {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// A volume in the units of choice; what is not known is no number.
    pub(crate) fn bytes(self, bytes: f64) -> String {
        if bytes.is_nan() {
            return "-".to_owned();
        }
        human::bytes(bytes, self.units)
    }
}
