//! Axes that people can read: round numbers, one unit.

use crate::quantity::{Units, short};

/// A unit and how much of the base unit it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// Its name.
    pub unit: String,
    /// How much of the base unit it is.
    pub size: f64,
}

impl Scale {
    /// For bandwidths up to `highest` bytes per second.
    #[must_use]
    pub fn of_rates(highest: f64, units: Units) -> Self {
        let names = units.names();
        let mut size = 1.0;
        let mut index = 0;
        while highest >= size * units.base() && index + 1 < names.len() {
            size *= units.base();
            index += 1;
        }
        let unit = format!("{}/s", names[index]);
        Self { unit, size }
    }

    /// For a stretch of time of `span` seconds.
    #[must_use]
    pub fn of_times(span: f64) -> Self {
        const UNITS: [(f64, &str, f64); 6] = [
            (1e-3, "µs", 1e-6),
            (1.0, "ms", 1e-3),
            (1_200.0, "s", 1.0),
            (10_800.0, "min", 60.0),
            (259_200.0, "h", 3_600.0),
            (f64::INFINITY, "d", 86_400.0),
        ];
        let fits = UNITS.iter().find(|(longest, _, _)| span < *longest);
        let (_, unit, size) = fits.unwrap_or(&UNITS[2]);
        Self {
            unit: (*unit).to_owned(),
            size: *size,
        }
    }
}

/// The smallest of `digits` times a power of ten that is not below `least`.
fn rounded_up(least: f64, digits: &[f64]) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let fits = |digit: &&f64| **digit * power >= least * (1.0 - 1e-9);
    digits.iter().find(fits).map_or(10.0, |digit| *digit) * power
}

/// Where to put labels: `(place, text)`, at most `most` of them, both in the unit of the axis.
#[must_use]
pub fn ticks(from: f64, to: f64, most: usize) -> Vec<(f64, String)> {
    let span = to - from;
    if !(span > 0.0 && span.is_finite()) {
        return Vec::new();
    }
    let step = rounded_up(span / most.max(1) as f64, &[1.0, 2.0, 5.0]);
    let first = (from / step - 1e-9).ceil();
    let places = (0..=most).map(|index| (first + index as f64) * step);
    let inside = places.take_while(|place| *place <= to + step * 1e-9);
    // What should be 0 may be the rest of a subtraction.
    let place = |place: f64| {
        if place.abs() < step * 1e-6 {
            0.0
        } else {
            place
        }
    };
    inside
        .map(|at| (place(at), short(place(at), decimals(step))))
        .collect()
}

/// How many decimals tell neighbours apart that lie a round `step` apart.
fn decimals(step: f64) -> usize {
    (1..=12)
        .find(|decimals| {
            let scaled = step * 10_f64.powi(*decimals - 1);
            (scaled - scaled.round()).abs() < 1e-6 * scaled
        })
        .map_or(12, |decimals| decimals as usize - 1)
}

/// A vertical axis of `rows` rows whose labels sit on edges of rows: how many rows lie between two
/// labels, and how much more the upper one is.
#[must_use]
pub fn row_step(highest: f64, rows: usize) -> (usize, f64) {
    const DIGITS: [f64; 9] = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0];
    let rows = rows.max(1);
    let highest = if highest > 0.0 { highest } else { 1.0 };
    let fits = |intervals: &usize| rows.is_multiple_of(*intervals);
    let choices = (1..=(rows / 2).max(1)).filter(fits).map(|intervals| {
        let step = rounded_up(highest / intervals as f64, &DIGITS);
        (intervals, step)
    });
    // The one that leaves least room above the data; of equals, the one with most labels.
    let best = choices.reduce(|best, next| {
        let top = |(intervals, step): (usize, f64)| intervals as f64 * step;
        if top(next) <= top(best) * (1.0 + 1e-9) {
            next
        } else {
            best
        }
    });
    let (intervals, step) = best.unwrap_or((1, highest));
    (rows / intervals, step)
}

/// A number on an axis whose steps are `step` apart.
#[must_use]
pub fn label(value: f64, step: f64) -> String {
    // Beyond the last prefix.
    if value >= 1e7 {
        return format!("{value:.1e}");
    }
    short(value, decimals(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(from: f64, to: f64, most: usize) -> Vec<String> {
        let ticks = ticks(from, to, most);
        ticks.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(labels(0.0, 472.0, 5), ["0", "100", "200", "300", "400"]);
        assert_eq!(labels(0.3, 0.9, 4), ["0.4", "0.6", "0.8"]);
        assert_eq!(labels(-0.2, 0.21, 4), ["-0.2", "0", "0.2"]);
        assert_eq!(
            labels(1e6, 1e6 + 1.0, 2),
            ["1000000", "1000000.5", "1000001"]
        );
        assert_eq!(labels(1.0, 1.0, 5), [""; 0]);
        assert_eq!(labels(0.0, f64::INFINITY, 5), [""; 0]);
        assert_eq!(labels(f64::NAN, 1.0, 5), [""; 0]);
    }

    #[test]
    fn units_fit_what_they_measure() {
        assert_eq!(Scale::of_rates(0.0, Units::Iec).unit, "B/s");
        assert_eq!(Scale::of_rates(1024.0, Units::Iec).unit, "KiB/s");
        assert_eq!(Scale::of_rates(2.5e9, Units::Si).unit, "GB/s");
        assert_eq!(Scale::of_rates(f64::MAX, Units::Si).unit, "EB/s");
        for (span, unit) in [
            (5e-4, "µs"),
            (0.5, "ms"),
            (472.0, "s"),
            (3_600.0, "min"),
            (86_400.0, "h"),
            (1e7, "d"),
            (f64::NAN, "s"),
        ] {
            assert_eq!(Scale::of_times(span).unit, unit);
        }
    }

    #[test]
    fn labels_of_rows_sit_on_their_edges() {
        assert_eq!(row_step(8.0, 8), (2, 2.0));
        assert_eq!(row_step(8.6, 8), (2, 2.5));
        assert_eq!(row_step(1.9, 6), (3, 1.0));
        assert_eq!(row_step(0.0, 1), (1, 1.0));
        assert_eq!(label(7.5, 2.5), "7.5");
        assert_eq!(label(10.0, 5.0), "10");
        assert_eq!(label(1.5e290, 5e289), "1.5e290");
    }
}
