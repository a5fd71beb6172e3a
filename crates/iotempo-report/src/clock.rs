//! Points in time as people read them: seconds of the run, or dates.

use crate::figures::Written;
use crate::quantity::{duration, instant};
use iotempo_analysis::period::Estimate;
use iotempo_model::Signal;

/// What times count from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// From a start of their own.
    Run,
    /// From 1970-01-01 UTC.
    Calendar,
}

/// From 2001-09-09 on, in seconds: no run is as long.
const DATES: std::ops::Range<f64> = 1e9..4.1e9;
/// Before 1966-11-01: no run begins as early.
const EARLY: f64 = -1e8;

impl Clock {
    /// That of times from `start` to `end`: dates where nothing else could be so far from 0.
    #[must_use]
    pub fn of(start: f64, end: f64) -> Self {
        let dates = DATES.contains(&start) || start < EARLY;
        if dates && utc(start).and(utc(end)).is_some() {
            Self::Calendar
        } else {
            Self::Run
        }
    }

    /// That of a signal.
    #[must_use]
    pub fn of_signal(signal: &Signal) -> Self {
        let end = signal.time(signal.samples().len());
        Self::of(signal.start().get(), end.get())
    }

    /// To the millisecond: `12.25 s`, `2023-11-14T22:13:20Z`.
    #[must_use]
    pub fn at(self, seconds: f64) -> String {
        let date = (self == Self::Calendar).then(|| utc(seconds)).flatten();
        let rounded = (seconds * 1e3).round() / 1e3;
        let seconds = if rounded.is_finite() {
            rounded
        } else {
            seconds
        };
        date.unwrap_or_else(|| instant(seconds))
    }

    /// With half of its interval: `515.4 s` and `1.9 s`.
    #[must_use]
    pub fn estimate(self, estimate: &Estimate) -> (String, Option<String>) {
        let written = Written::new(estimate);
        if self == Self::Run {
            return (written.value, written.error);
        }
        let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(|end| end.get());
        let half = (high - value).max(value - low);
        (
            self.rounded(value, half),
            written.error.map(|_| duration(half)),
        )
    }

    /// A date with no more digits than its error supports: `2023-11-14T22:23Z`.
    fn rounded(self, seconds: f64, error: f64) -> String {
        let (unit, letters) = match error {
            86_400.0.. => (86_400.0, "2023-11-14".len()),
            60.0.. => (60.0, "2023-11-14T22:23".len()),
            1.0.. => (1.0, "2023-11-14T22:23:20".len()),
            _ => return self.at(seconds),
        };
        let date = self.at((seconds / unit).round() * unit);
        let zone = if unit < 86_400.0 { "Z" } else { "" };
        format!("{}{zone}", date.get(..letters).unwrap_or(&date))
    }

    /// `515.4 s ± 1.9 s`.
    #[must_use]
    pub fn short_estimate(self, estimate: &Estimate) -> String {
        let (value, error) = self.estimate(estimate);
        error.map_or(value.clone(), |error| format!("{value} ± {error}"))
    }
}

/// `2020-01-31T23:59:59Z` of seconds since 1970, to the millisecond; `None` beyond the years that
/// people write.
#[must_use]
pub fn utc(epoch_s: f64) -> Option<String> {
    let milliseconds = (epoch_s * 1e3).round();
    // From year 1 to year 9999.
    if !(-62_135_596_800e3..253_402_300_800e3).contains(&milliseconds) {
        return None;
    }
    let milliseconds = milliseconds as i64;
    let (seconds, fraction) = (milliseconds.div_euclid(1000), milliseconds.rem_euclid(1000));
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = date(days);
    let (hour, minute) = (second / 3600, second / 60 % 60);
    let fraction = match fraction {
        0 => String::new(),
        fraction => format!(".{fraction:03}"),
    };
    Some(format!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}{fraction}Z",
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

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_model::Seconds;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (epoch, expected) in [
            (0.0, "1970-01-01T00:00:00Z"),
            (951_825_599.5, "2000-02-29T11:59:59.500Z"),
            (1_709_251_200.0, "2024-03-01T00:00:00Z"),
            (-1.0, "1969-12-31T23:59:59Z"),
            (1_080_000_000.001, "2004-03-23T00:00:00.001Z"),
            (1_079_999_999.999_7, "2004-03-23T00:00:00Z"),
        ] {
            assert_eq!(utc(epoch).as_deref(), Some(expected));
        }
        assert_eq!(utc(1e18), None);
        assert_eq!(utc(f64::NAN), None);
    }

    #[test]
    fn times_that_no_run_has_are_dates() {
        let clock = Clock::of(1_700_000_000.0, 1_700_000_600.0);
        assert_eq!(clock.at(1_700_000_000.25), "2023-11-14T22:13:20.250Z");
        assert_eq!(clock.at(1_080_000_000.001), "2004-03-23T00:00:00.001Z");
        // A series from 1958 on crosses 1970.
        assert_eq!(Clock::of(-3.7e8, 1.0e9).at(0.0), "1970-01-01T00:00:00Z");
        for (start, end) in [(0.0, 5e9), (-5.0, 5.0), (1e5, 1e6), (1e18, 1e19)] {
            assert_eq!(Clock::of(start, end), Clock::Run);
        }
        assert_eq!(Clock::Run.at(12.250_04), "12.25 s");
    }

    #[test]
    fn a_date_has_the_digits_of_its_interval() {
        let estimate = |value: f64, half: f64| {
            let [value, low, high] =
                [value, value - half, value + half].map(|v| Seconds::new(v).expect("finite"));
            Estimate { value, low, high }
        };
        let next = estimate(1_700_000_600.3, 1.9);
        let (run, calendar) = (Clock::Run, Clock::Calendar);
        assert_eq!(
            calendar.short_estimate(&next),
            "2023-11-14T22:23:20Z ± 1.9 s"
        );
        let next = |half| calendar.short_estimate(&estimate(1_700_000_640.3, half));
        assert_eq!(next(0.25), "2023-11-14T22:24:00.300Z ± 250 ms");
        assert_eq!(next(12_600.0), "2023-11-14T22:24Z ± 3 h 30 min");
        assert_eq!(next(2e5), "2023-11-15 ± 2 d 8 h");
        assert_eq!(
            run.short_estimate(&estimate(515.38, 1.9)),
            "515.4 s ± 1.9 s"
        );
    }
}
