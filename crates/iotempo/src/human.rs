//! Numbers as people read them.

use crate::cli::Units;
use iotempo_report::clock::Clock;
pub(crate) use iotempo_report::clock::utc;
use iotempo_report::quantity::instant;
pub(crate) use iotempo_report::quantity::{count, duration};
use std::borrow::Cow;

/// `1.5 GiB`, `1.6 GB`, `12 B`.
pub(crate) fn bytes(bytes: f64, units: Units) -> String {
    iotempo_report::quantity::bytes(bytes, units.into())
}

/// `1 input`, `2 inputs`.
pub(crate) fn plural(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", count(number))
}

/// `0 s to 12.25 s`, or dates; `between` stands between them.
pub(crate) fn span(start: f64, end: f64, between: &str) -> String {
    let clock = Clock::of(start, end);
    let [start, end] = [start, end].map(|at| match clock {
        Clock::Run => instant(at),
        Clock::Calendar => clock.at(at),
    });
    format!("{start} {between} {end}")
}

/// Text of an input that is safe to show: a name with an escape sequence in it must not reach the
/// terminal as one.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_control) {
        let shown = text.chars().flat_map(|c| {
            let escaped = c.is_control().then(|| c.escape_default());
            let plain = (!c.is_control()).then_some(c);
            escaped.into_iter().flatten().chain(plain)
        });
        Cow::Owned(shown.collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:,=@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        assert_eq!(plural(1, "input"), "1 input");
        assert_eq!(plural(1000, "input"), "1,000 inputs");
    }

    #[test]
    fn names_are_quoted_for_a_shell() {
        assert_eq!(quoted("a/b.log"), "a/b.log");
        assert_eq!(quoted("my log's"), "'my log'\\''s'");
    }
}
