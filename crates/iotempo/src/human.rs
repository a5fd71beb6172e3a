//! Numbers as people read them.

use crate::cli::Units;
pub(crate) use iotempo_report::quantity::{count, duration, instant};
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

/// `2020-01-31T23:59:59Z` of seconds since 1970; `None` beyond the years that people write.
pub(crate) fn utc(epoch_s: f64) -> Option<String> {
    // From year 1 to year 9999.
    let seconds = epoch_s.floor();
    if !(-62_135_596_800.0..253_402_300_800.0).contains(&seconds) {
        return None;
    }
    let seconds = seconds as i64;
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = date(days);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    Some(format!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}Z",
        second % 60
    ))
}

/// Year, month and day of a day counted from 1970-01-01, in the Gregorian calendar.
fn date(days: i64) -> (i64, i64, i64) {
    // Counted from 0000-03-01, leap days come last in their year and in their 400 years.
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let leap_days = day_of_era / 1460 - day_of_era / 36_524 + day_of_era / 146_096;
    let year_of_era = (day_of_era - leap_days) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
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
    fn days_are_those_of_the_calendar() {
        for (epoch, expected) in [
            (0.0, "1970-01-01T00:00:00Z"),
            (951_825_599.9, "2000-02-29T11:59:59Z"),
            (1_709_251_200.0, "2024-03-01T00:00:00Z"),
            (-1.0, "1969-12-31T23:59:59Z"),
        ] {
            assert_eq!(utc(epoch).as_deref(), Some(expected));
        }
        assert_eq!(utc(1e18), None);
        assert_eq!(utc(f64::NAN), None);
    }

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
