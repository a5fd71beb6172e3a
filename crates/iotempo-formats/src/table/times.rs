//! Times that cannot be what they seem.

use iotempo_model::Warning;

/// A year of the Gregorian calendar, on average.
const YEAR: f64 = 365.2425 * 86_400.0;

/// From when to when times since 1970 are those of computers that ran: 2001 to 2099.
const DATES: std::ops::Range<f64> = 1e9..4.1e9;

/// A time this many times as far from the others as these are from each other is not one of them.
const FAR: f64 = 10.0;

/// The first two and the last two of many times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    count: u64,
    first: [f64; 2],
    last: [f64; 2],
}

impl Default for Spread {
    fn default() -> Self {
        Self {
            count: 0,
            first: [f64::INFINITY; 2],
            last: [f64::NEG_INFINITY; 2],
        }
    }
}

impl Spread {
    pub(super) fn add(&mut self, time: f64) {
        self.count += 1;
        if time < self.first[1] {
            self.first[1] = time.max(self.first[0]);
            self.first[0] = time.min(self.first[0]);
        }
        if time > self.last[1] {
            self.last[1] = time.min(self.last[0]);
            self.last[0] = time.max(self.last[0]);
        }
    }

    /// What is odd about these times of requests.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let unit = odd_unit(self.last[0]);
        unit.into_iter().chain(self.stray()).collect()
    }

    /// One request that lies years from all others: a time that was never set, or one of another
    /// clock.
    fn stray(&self) -> Option<Warning> {
        let Self { first, last, .. } = self;
        let far = |gap: f64, others: f64| gap > YEAR.max(FAR * others);
        let (time, gap, side) = if self.count < 3 {
            return None;
        } else if far(first[1] - first[0], last[0] - first[1]) {
            (first[0], first[1] - first[0], "before")
        } else if far(last[0] - last[1], last[1] - first[0]) {
            (last[0], last[0] - last[1], "after")
        } else {
            return None;
        };
        let message = format!(
            "one request, at {time} s, lies {:.1} years {side} all others: what is between counts \
             as idle, unless --start and --end leave it out",
            gap / YEAR
        );
        Some(Warning::new("stray-time", message))
    }
}

/// Times without a unit that are none of this millennium in seconds, and are in another unit.
pub(super) fn odd_unit(time: f64) -> Option<Warning> {
    let units = [
        (1e3, "milliseconds", "ms"),
        (1e6, "microseconds", "us"),
        (1e9, "nanoseconds", "ns"),
    ];
    let (_, unit, short) = units
        .into_iter()
        .find(|(scale, ..)| DATES.contains(&(time / scale)))?;
    let message = format!(
        "times up to {time} s lie in the year {:.0}: are they {unit}? A heading that ends in \
         _{short} says so, and so does --columns",
        (1970.0 + time / YEAR).floor()
    );
    Some(Warning::new("odd-unit", message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(times: &[f64]) -> Vec<String> {
        let mut spread = Spread::default();
        times.iter().for_each(|time| spread.add(*time));
        let warnings = spread.warnings().into_iter();
        warnings.map(|warning| warning.code.to_string()).collect()
    }

    #[test]
    fn a_request_years_from_all_others_is_told() {
        assert_eq!(codes(&[1.7e9, 0.0, 1.7e9 + 5.0]), ["stray-time"]);
        assert_eq!(codes(&[5.0, 1.7e9, 0.0, 1.0]), ["stray-time"]);
        for fine in [
            &[][..],
            &[0.0],
            &[0.0, 1.7e9],
            &[0.0, 0.0, 1.7e9, 1.7e9],
            &[0.0, 1e6, 1e6 + 1.0],
            &[0.0, 1e9, 2e9, 3e9],
        ] {
            assert_eq!(codes(fine), [""; 0], "{fine:?}");
        }
    }

    #[test]
    fn times_of_another_unit_are_told_and_dates_are_not() {
        for (time, unit) in [
            (
                1.7e12,
                "year 55840: are they milliseconds? A heading that ends in _ms",
            ),
            (1.7e15, "microseconds"),
            (1.7e18, "nanoseconds"),
        ] {
            let message = odd_unit(time).expect("odd").message;
            assert!(message.contains(unit), "{message}");
        }
        for time in [0.0, 5e8, 1.7e9, 1e11, -1e12, f64::NEG_INFINITY] {
            assert_eq!(odd_unit(time), None, "{time}");
        }
    }
}
