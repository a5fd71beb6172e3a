//! What a reader repaired or left out. Libraries never print: warnings are data.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// Something that a person should know about a result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// A short, stable word to match on, such as `clock-backwards`.
    pub code: Cow<'static, str>,
    /// A sentence for a person, with the values that caused it.
    pub message: String,
}

impl Warning {
    /// A warning of kind `code`.
    #[must_use]
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code: Cow::Borrowed(code),
            message: message.into(),
        }
    }
}

/// `1 request`, `2 requests`: what a warning counts.
#[must_use]
pub fn counted(count: u64, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.code)
    }
}
