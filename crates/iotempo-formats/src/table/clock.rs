//! Points in time as people write them: ISO 8601.

/// Seconds since 1970-01-01 UTC of `2020-01-31 23:59:59`, with `T` for the space, without seconds,
/// with a fraction, with `Z` or an offset such as `+01:00`. Without an offset it is UTC. A day
/// (`2020-01-31`) is its first instant, and so is a month (`2020-01`).
#[must_use]
pub fn iso8601(text: &str) -> Option<f64> {
    if text.len() == "YYYY-MM".len() {
        return iso8601(&format!("{text}-01"));
    }
    let (date, rest) = text.split_at_checked(10)?;
    if rest.is_empty() {
        return Some((days(date)? * 86_400) as f64);
    }
    let time = rest.strip_prefix(['T', 't', ' '])?;
    let (time, offset) = split_offset(time)?;
    Some((days(date)? * 86_400 - offset) as f64 + time_of_day(time)?)
}

/// Seconds since 1970-01-01 UTC of the first instant of a day such as `20200131`.
pub(crate) fn compact_date(text: &str) -> Option<f64> {
    let (year, rest) = text.split_at_checked(4)?;
    let (month, day) = rest.split_at_checked(2)?;
    Some((days(&format!("{year}-{month}-{day}"))? * 86_400) as f64)
}

/// Days since 1970-01-01 of `YYYY-MM-DD`.
pub(crate) fn days(date: &str) -> Option<i64> {
    let (year, rest) = date.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    day_number(digits(year, 4)?, digits(month, 2)?, digits(day, 2)?)
}

/// Days since 1970-01-01 of a day of the calendar; `None` where there is no such day.
pub(crate) fn day_number(year: i64, month: i64, day: i64) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [
        31,
        28 + i64::from(leap),
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    let index = usize::try_from(month - 1).ok()?;
    if !(1..=*lengths.get(index)?).contains(&day) {
        return None;
    }
    let before = year - 1;
    let years = before * 365 + before / 4 - before / 100 + before / 400;
    let months: i64 = lengths[..index].iter().sum();
    // 719,162 days lie between 0001-01-01 and 1970-01-01.
    Some(years + months + day - 1 - 719_162)
}

/// Seconds since midnight of `HH:MM` or `HH:MM:SS.fff`; a leap second counts.
pub(crate) fn time_of_day(time: &str) -> Option<f64> {
    let (hours, rest) = time.split_once(':')?;
    let (minutes, seconds) = rest.split_once(':').unwrap_or((rest, "00"));
    let (whole, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
    let (hours, minutes, whole) = (digits(hours, 2)?, digits(minutes, 2)?, digits(whole, 2)?);
    if hours > 24 || minutes > 59 || whole > 60 || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let fraction: f64 = match fraction {
        "0" => 0.0,
        _ => format!("0.{fraction}").parse().ok()?,
    };
    Some((hours * 3600 + minutes * 60 + whole) as f64 + fraction)
}

/// Takes `Z`, `+HH:MM`, `+HHMM` or `+HH` off the end; the offset in seconds.
pub(crate) fn split_offset(time: &str) -> Option<(&str, i64)> {
    if let Some(time) = time.strip_suffix(['Z', 'z']) {
        return Some((time, 0));
    }
    let Some(at) = time.find(['+', '-']) else {
        return Some((time, 0));
    };
    let (time, offset) = time.split_at(at);
    let sign = if offset.starts_with('-') { -1 } else { 1 };
    let offset = offset[1..].replace(':', "");
    let (hours, minutes) = offset.split_at_checked(2)?;
    let minutes = if minutes.is_empty() {
        0
    } else {
        digits(minutes, 2)?
    };
    Some((time, sign * (digits(hours, 2)? * 3600 + minutes * 60)))
}

pub(crate) fn digits(text: &str, count: usize) -> Option<i64> {
    let right = text.len() == count && text.bytes().all(|b| b.is_ascii_digit());
    right.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds_since_1970() {
        for (text, expected) in [
            ("1970-01-01 00:00:00", 0.0),
            ("2014-04-01 00:05:00", 1_396_310_700.0),
            ("2000-02-29T12:00", 951_825_600.0),
            ("2020-01-01T00:00:00.25Z", 1_577_836_800.25),
            ("2020-01-01T01:00:00+01:00", 1_577_836_800.0),
            ("2019-12-31 19:00:00-0500", 1_577_836_800.0),
            ("1969-12-31 23:59:59", -1.0),
            ("1970-01-03", 172_800.0),
            ("1949-01", -662_688_000.0),
        ] {
            assert_eq!(iso8601(text), Some(expected), "{text}");
        }
        assert_eq!(compact_date("19580329"), iso8601("1958-03-29"));
    }

    #[test]
    fn what_is_no_time_is_none() {
        for text in [
            "",
            "2020-13",
            "2020-1-01",
            "2020-02-30",
            "1234567",
            "2021-02-29 00:00:00",
            "2020-13-01 00:00:00",
            "2020-01-01 00:61:00",
            "2020-01-01 00:00:00.1x",
            "2020-01-01 00:00:00+",
            "20-01-2020 00:00:00",
            "2020-01-0é 00:00:00",
        ] {
            assert_eq!(iso8601(text), None, "{text}");
        }
        for text in [
            "",
            "1958",
            "19581329",
            "19580230",
            "1958032",
            "195803291",
            "1958é29",
        ] {
            assert_eq!(compact_date(text), None, "{text}");
        }
    }
}
