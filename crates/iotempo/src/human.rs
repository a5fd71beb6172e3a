//! Numbers as people read them.

use crate::cli::Units;
use std::borrow::Cow;

/// `1.5 GiB`, `1.6 GB`, `12 B`.
pub(crate) fn bytes(bytes: f64, units: Units) -> String {
    let (base, names) = match units {
        Units::Iec => (1024.0, ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]),
        Units::Si => (1000.0, ["B", "kB", "MB", "GB", "TB", "PB", "EB"]),
    };
    let mut value = bytes;
    let mut index = 0;
    // 999.95 and more would be printed as 1000.0.
    while value >= base - 0.05 && index + 1 < names.len() {
        value /= base;
        index += 1;
    }
    format!("{} {}", short(value, 1), names[index])
}

/// A length of time: `250 ms`, `42.5 s`, `2 min 5 s`, `1 h 2 min`, `14 d 3 h`.
pub(crate) fn duration(seconds: f64) -> String {
    let whole = seconds.round();
    if seconds < 0.001 && seconds > 0.0 {
        format!("{} µs", short(seconds * 1e6, 1))
    } else if seconds < 1.0 && seconds > 0.0 {
        format!("{} ms", short(seconds * 1e3, 1))
    } else if whole < 120.0 {
        format!("{} s", short(seconds, 2))
    } else if whole < 3600.0 {
        format!("{} min {} s", (whole / 60.0).floor(), whole % 60.0)
    } else if whole < 172_800.0 {
        let minutes = (seconds / 60.0).round();
        format!("{} h {} min", (minutes / 60.0).floor(), minutes % 60.0)
    } else {
        let hours = (seconds / 3600.0).round();
        format!("{} d {} h", (hours / 24.0).floor(), hours % 24.0)
    }
}

/// A point in time: `12.25 s`.
pub(crate) fn instant(seconds: f64) -> String {
    format!("{} s", short(seconds, 6))
}

/// At most so many decimals, and no zeros at the end.
fn short(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// `1 input`, `2 inputs`.
pub(crate) fn plural(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", count(number))
}

/// `1,234,567`.
pub(crate) fn count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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
    fn bytes_have_the_prefix_that_fits() {
        assert_eq!(bytes(0.0, Units::Iec), "0 B");
        assert_eq!(bytes(1023.0, Units::Iec), "1023 B");
        assert_eq!(bytes(1536.0, Units::Iec), "1.5 KiB");
        assert_eq!(bytes(1_048_575.9, Units::Iec), "1 MiB");
        assert_eq!(bytes(999_999.0, Units::Si), "1 MB");
        assert_eq!(bytes(1e30, Units::Si), "1000000000000 EB");
    }

    #[test]
    fn times_are_short() {
        for (seconds, expected) in [
            (0.0, "0 s"),
            (0.000_25, "250 µs"),
            (0.25, "250 ms"),
            (42.5, "42.5 s"),
            (125.0, "2 min 5 s"),
            (3_599.9, "1 h 0 min"),
            (7_380.0, "2 h 3 min"),
            (1_220_400.0, "14 d 3 h"),
        ] {
            assert_eq!(duration(seconds), expected);
        }
        assert_eq!(instant(1_396_310_700.25), "1396310700.25 s");
    }

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
    fn large_counts_are_grouped() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(plural(1, "input"), "1 input");
        assert_eq!(plural(1000, "input"), "1,000 inputs");
    }

    #[test]
    fn names_are_quoted_for_a_shell() {
        assert_eq!(quoted("a/b.log"), "a/b.log");
        assert_eq!(quoted("my log's"), "'my log'\\''s'");
    }
}
