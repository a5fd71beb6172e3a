//! Points in time as logs write them, with or without a zone.

use crate::table::clock::{compact_date, day_number, days, digits, split_offset, time_of_day};
use std::borrow::Cow;

/// A time as a wall clock shows it: which instant that was depends on where the clock hung.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Civil {
    /// Days since 1970-01-01.
    pub days: i64,
    /// Seconds since midnight; a leap second counts.
    pub seconds: f64,
}

/// What a text says about time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Written {
    /// An instant, in seconds since 1970-01-01 UTC.
    Epoch(f64),
    /// What a wall clock showed.
    Civil(Civil),
}

/// Which comes first where a date is three numbers between strokes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DateOrder {
    /// `12/31/2026`, as schedulers and the C locale write it.
    #[default]
    MonthFirst,
    /// `31/12/2026`.
    DayFirst,
}

/// The least number that is an instant: 1973. Below, it may as well be a duration.
const FIRST_EPOCH: f64 = 1e8;
/// From here on, a number of seconds is one of milliseconds: the year 5138.
const LAST_EPOCH: f64 = 1e11;

impl Written {
    /// Reads a time in any of the forms that can be told apart by their looks:
    ///
    /// * seconds since 1970, whole or decimal
    /// * `2026-12-31T23:59:59`, with a space or `-` for the `T`, with a fraction, with `Z`, `UTC` or
    ///   an offset; `2026/12/31 23:59:59`; `20261231 23:59:59`; a day alone is its first instant
    /// * `12/31/2026 23:59:59`, also with a year of two digits, and with `AM` or `PM`; `order` tells
    ///   which number is the month
    /// * `31.12.2026 23:59:59`
    /// * `Thu Dec 31 23:59:59 2026`, `31 Dec 2026 23:59:59`, `31-Dec-2026 23:59:59`
    ///
    /// ```
    /// use iotempo_formats::zone::{DateOrder, Written};
    /// let read = |text| Written::parse(text, DateOrder::MonthFirst);
    /// assert_eq!(read("1794728761"), Some(Written::Epoch(1_794_728_761.0)));
    /// assert_eq!(read("2026-11-15T08:46:01+01:00"), Some(Written::Epoch(1_794_728_761.0)));
    /// assert_eq!(read("2026-11-15T07:46:01"), read("11/15/2026 07:46:01 AM"));
    /// assert_eq!(read("Unknown"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str, order: DateOrder) -> Option<Self> {
        let text = text.trim();
        if text.len() > LONGEST {
            return None;
        }
        if text.len() > 8
            && let Some(epoch) = epoch(text)
        {
            return Some(Self::Epoch(epoch));
        }
        let (date, rest) = split_date(text, order)?;
        let rest = rest.trim_start();
        if rest.is_empty() {
            return Some(Self::Civil(Civil {
                days: date,
                seconds: 0.0,
            }));
        }
        let (clock, offset) = split_zone(rest)?;
        let civil = Civil {
            days: date,
            seconds: half_days(clock)?,
        };
        Some(match offset {
            Some(offset) => Self::Epoch(civil.as_utc() - offset as f64),
            None => Self::Civil(civil),
        })
    }
}

impl Civil {
    /// Seconds since 1970-01-01 UTC, had the clock shown UTC.
    #[must_use]
    pub fn as_utc(self) -> f64 {
        (self.days * 86_400) as f64 + self.seconds
    }
}

/// A wall clock's time, and the name of its zone, which stands behind it or, as `date` writes it, before
/// the year: `CET`, or `-03` where a zone has no name of letters.
pub(super) fn named(text: &str, order: DateOrder) -> Option<(Civil, &str)> {
    // A word beside a day alone is any word.
    if text.len() > LONGEST || !text.contains(':') {
        return None;
    }
    let words = || text.split_ascii_whitespace();
    let name = words().rfind(|word| is_zone_name(word))?;
    let others: Vec<&str> = words().filter(|word| *word != name).collect();
    match Written::parse(&others.join(" "), order)? {
        Written::Civil(civil) => Some((civil, name)),
        Written::Epoch(_) => None,
    }
}

fn is_zone_name(word: &str) -> bool {
    match word.strip_prefix(['+', '-']) {
        Some(offset) => {
            matches!(offset.len(), 2 | 4) && offset.bytes().all(|byte| byte.is_ascii_digit())
        }
        None => (3..=5).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_uppercase()),
    }
}

/// No time is written with more bytes.
const LONGEST: usize = 64;

fn epoch(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let number: f64 = plain.then(|| text.parse().ok()).flatten()?;
    (FIRST_EPOCH..LAST_EPOCH)
        .contains(&number)
        .then_some(number)
}

/// The day that a text begins with, and what follows it.
fn split_date(text: &str, order: DateOrder) -> Option<(i64, &str)> {
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return named_month_first(text);
    }
    let digits_first = text.bytes().take_while(u8::is_ascii_digit).count();
    match (digits_first, text.as_bytes().get(digits_first)) {
        (4, Some(b'-' | b'/')) => {
            let (date, rest) = text.split_at_checked(10)?;
            let day = match date.contains('/') {
                true => days(&date.replace('/', "-"))?,
                false => days(date)?,
            };
            Some((day, rest.strip_prefix(['T', 't', '-']).unwrap_or(rest)))
        }
        (8, None | Some(b' ' | b'T')) => {
            let (date, rest) = text.split_at(8);
            let day = compact_date(date)? / 86_400.0;
            Some((day as i64, rest.strip_prefix('T').unwrap_or(rest)))
        }
        (1 | 2, Some(b'/')) => numbers(text, '/', order),
        (1 | 2, Some(b'.')) => numbers(text, '.', DateOrder::DayFirst),
        (1 | 2, Some(b' ' | b'-')) => named_month_second(text),
        _ => None,
    }
}

/// `12/31/2026 rest`.
fn numbers(text: &str, between: char, order: DateOrder) -> Option<(i64, &str)> {
    let (date, rest) = text.split_once(' ').unwrap_or((text, ""));
    let mut parts = date.split(between);
    let (first, second, year) = (parts.next()?, parts.next()?, parts.next()?);
    let (first, second) = (one_or_two(first)?, one_or_two(second)?);
    let (month, day) = match order {
        DateOrder::MonthFirst => (first, second),
        DateOrder::DayFirst => (second, first),
    };
    let none_left = parts.next().is_none();
    let day = none_left.then(|| day_number(year_of(year)?, month, day))??;
    Some((day, rest))
}

/// `Thu Dec 31 23:59:59 2026`, as `ctime` writes it: the year stands behind the time, so the two
/// change places. The weekday says nothing that the date does not.
fn named_month_first(text: &str) -> Option<(i64, &str)> {
    let mut words = text.split_ascii_whitespace();
    let first = words.next()?;
    let month = match month(first) {
        Some(month) => month,
        None if is_weekday(first) => month(words.next()?)?,
        None => return None,
    };
    let day = one_or_two(words.next()?)?;
    let (third, fourth) = (words.next()?, words.next()?);
    let (year, clock) = match third.contains(':') {
        // `date` writes halves of days where the locale is American.
        true if is_half(fourth) => {
            let begin = text.find(third)?;
            let length = text[begin..].find(fourth)? + fourth.len();
            (words.next()?, &text[begin..begin + length])
        }
        true => (fourth, third),
        false => (third, fourth),
    };
    let none_left = words.next().is_none();
    let day = none_left.then(|| day_number(digits(year, 4)?, month, day))??;
    Some((day, clock))
}

fn is_half(word: &str) -> bool {
    word.eq_ignore_ascii_case("am") || word.eq_ignore_ascii_case("pm")
}

/// `31 Dec 2026 23:59:59` and `31-Dec-2026 23:59:59`.
fn named_month_second(text: &str) -> Option<(i64, &str)> {
    let mut parts = text.splitn(3, [' ', '-']);
    let (day, name, rest) = (parts.next()?, parts.next()?, parts.next()?);
    let (year, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let day = day_number(year_of(year)?, month(name)?, one_or_two(day)?)?;
    Some((day, rest))
}

fn one_or_two(text: &str) -> Option<i64> {
    digits(text, text.len().clamp(1, 2))
}

/// A year of two digits is of this century: no log is older.
fn year_of(text: &str) -> Option<i64> {
    digits(text, 4).or_else(|| digits(text, 2).map(|year| 2000 + year))
}

fn month(text: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let text = text.to_ascii_lowercase();
    let found = MONTHS.iter().position(|month| text == *month)?;
    i64::try_from(found + 1).ok()
}

fn is_weekday(text: &str) -> bool {
    const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let text = text.trim_end_matches(',').to_ascii_lowercase();
    DAYS.contains(&text.as_str())
}

/// Takes a zone off the end of a time of day; the offset in seconds.
fn split_zone(clock: &str) -> Option<(&str, Option<i64>)> {
    for name in ["UTC", "GMT"] {
        if let Some(clock) = clock.strip_suffix(name) {
            return Some((clock.trim_end(), Some(0)));
        }
    }
    if !clock.contains(['Z', 'z', '+', '-']) {
        return Some((clock, None));
    }
    let (clock, offset) = split_offset(clock)?;
    Some((clock.trim_end(), Some(offset)))
}

/// Seconds since midnight, with or without `AM` and `PM`.
fn half_days(clock: &str) -> Option<f64> {
    // Most clocks have 24 hours, and logs millions of times.
    if clock.ends_with(|c: char| c.is_ascii_digit()) {
        return time_of_day(&padded(clock));
    }
    let lower = clock.to_ascii_lowercase();
    let afternoon = match (lower.strip_suffix("am"), lower.strip_suffix("pm")) {
        (Some(_), _) => false,
        (_, Some(_)) => true,
        _ => return None,
    };
    let seconds = time_of_day(&padded(clock[..clock.len() - 2].trim_end()))?;
    // The twelfth hour is the first one.
    let of_half = match seconds {
        3600.0..43_200.0 => seconds,
        43_200.0..46_800.0 => seconds - 43_200.0,
        _ => return None,
    };
    Some(of_half + if afternoon { 43_200.0 } else { 0.0 })
}

/// `7:46:02` as `07:46:02`.
fn padded(clock: &str) -> Cow<'_, str> {
    match clock.find(':') {
        Some(1) => Cow::Owned(format!("0{clock}")),
        _ => Cow::Borrowed(clock),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_wall_clock_is_the_same_time() {
        let expected = Written::Civil(Civil {
            days: 20_772,
            seconds: 27_962.0,
        });
        for text in [
            "2026-11-15T07:46:02",
            " 2026-11-15 07:46:02 ",
            "2026-11-15-07:46:02",
            "2026/11/15 07:46:02",
            "20261115 07:46:02",
            "20261115T07:46:02",
            "11/15/2026 07:46:02",
            "11/15/26 07:46:02",
            "11/15/2026 7:46:02 AM",
            "11/15/2026 07:46:02 am",
            "15.11.2026 07:46:02",
            "Sun Nov 15 07:46:02 2026",
            "Nov 15 2026 07:46:02",
            "Sun Nov 15  7:46:02 AM 2026",
            "15 Nov 2026 07:46:02",
            "15-Nov-2026 07:46:02",
        ] {
            let found = Written::parse(text, DateOrder::MonthFirst);
            assert_eq!(found, Some(expected), "{text}");
        }
        let day_first = Written::parse("15/11/2026 07:46:02", DateOrder::DayFirst);
        assert_eq!(day_first, Some(expected));
    }

    #[test]
    fn instants_need_no_zone() {
        for text in [
            "1794728762",
            "1794728762.0",
            "2026-11-15T07:46:02Z",
            "2026-11-15 07:46:02 UTC",
            "2026-11-15T08:46:02+0100",
            "2026-11-14 23:46:02-08:00",
        ] {
            let found = Written::parse(text, DateOrder::MonthFirst);
            assert_eq!(found, Some(Written::Epoch(1_794_728_762.0)), "{text}");
        }
    }

    #[test]
    fn halves_of_a_day_begin_with_their_twelfth_hour() {
        let seconds = |text: &str| match Written::parse(text, DateOrder::MonthFirst)? {
            Written::Civil(civil) => Some(civil.seconds),
            Written::Epoch(_) => None,
        };
        assert_eq!(seconds("01/02/2026 12:00:01 AM"), Some(1.0));
        assert_eq!(seconds("01/02/2026 12:00:01 PM"), Some(43_201.0));
        assert_eq!(seconds("01/02/2026 11:59:59.5 PM"), Some(86_399.5));
        assert_eq!(seconds("01/02/2026 13:00:00 PM"), None);
        assert_eq!(seconds("01/02/2026 00:00:00 AM"), None);
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "",
            "Unknown",
            "None",
            "N/A",
            "07:46:02",
            "12",
            "99999999",
            "-1794728762",
            "1e9",
            "100000000000",
            "2026-13-15T07:46:02",
            "2026-11-15T07:46:02 CET",
            "2026-11-15T25:46:02",
            "15/11/2026 07:46:02",
            "11/15/2026/1 07:46:02",
            "Sun Nov 15 07:46:02 CET 2026",
            "Sun",
            "Nov 15",
            "15 Foo 2026 07:46:02",
            "2026-11-1é 07:46:02",
            "é/11/2026",
            "1/é/2026",
            "20261115 é",
            "2026-11-15T07:46:02+é",
            "amé",
            "2026-11-15 é am",
        ] {
            assert_eq!(Written::parse(text, DateOrder::MonthFirst), None, "{text}");
        }
    }
}
