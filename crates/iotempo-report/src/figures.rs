//! Numbers with as many digits as are known.

use crate::quantity::duration;
use iotempo_analysis::period::Estimate;

/// From two minutes on, people count in minutes, hours and days.
const LONG: f64 = 120.0;

/// An estimate as text: every number with the digits that its interval supports, and its unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// `47.02 s`.
    pub value: String,
    /// Half of the interval, `0.12 s`; `None` where it has no length.
    pub error: Option<String>,
    /// `46.90 s to 47.14 s`.
    pub interval: String,
    /// The same in other words, where it is long: `20 min 35 s`.
    pub words: Option<String>,
}

impl Written {
    /// With a unit that suits it.
    #[must_use]
    pub fn new(estimate: &Estimate) -> Self {
        let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(|end| end.get());
        let (scale, unit) = unit(value);
        let half = (high - value).max(value - low) * scale;
        let known = half > 0.0 && half.is_finite();
        // However wide the interval, the value keeps its first digit.
        let first = match value * scale {
            0.0 => 0,
            value => -value.abs().log10().floor() as i32,
        };
        let text = |number: f64| match known {
            true => format!("{} {unit}", rounded(number, decimals(half).max(first))),
            false => format!("{} {unit}", significant(number, 6)),
        };
        Self {
            value: text(value * scale),
            error: known.then(|| text(half)),
            interval: format!("{} to {}", text(low * scale), text(high * scale)),
            words: (value >= LONG).then(|| duration(value)),
        }
    }

    /// `47.02 s ± 0.12 s`.
    #[must_use]
    pub fn short(&self) -> String {
        match &self.error {
            Some(error) => format!("{} ± {error}", self.value),
            None => self.value.clone(),
        }
    }
}

/// `47.02 s ± 0.12 s`; with a unit that suits it, and in other words where it is long.
#[must_use]
pub fn estimate(estimate: &Estimate) -> String {
    let written = Written::new(estimate);
    let words = written.words.as_ref();
    let words = words.map_or(String::new(), |words| format!(", about {words}"));
    format!("{}{words}", written.short())
}

/// `47.02 s ± 0.12 s`.
#[must_use]
pub fn short_estimate(estimate: &Estimate) -> String {
    Written::new(estimate).short()
}

/// The unit for a length of time, and how many of it are in a second.
fn unit(seconds: f64) -> (f64, &'static str) {
    match seconds.abs() {
        length if length == 0.0 || length >= 1.0 => (1.0, "s"),
        length if length >= 1e-3 => (1e3, "ms"),
        _ => (1e6, "µs"),
    }
}

/// The decimals of an uncertainty: two digits where it begins with 1 or 2, else one. Negative for
/// tens and hundreds.
fn decimals(half: f64) -> i32 {
    let power = half.log10().floor();
    let first = half / 10_f64.powf(power);
    // 2.96 is rounded to 3, which is one digit.
    let digits = if first < 2.95 { 2 } else { 1 };
    (digits - 1 - power as i32).clamp(-300, 9)
}

fn rounded(number: f64, decimals: i32) -> String {
    if decimals >= 0 {
        return format!("{number:.*}", decimals as usize);
    }
    let step = 10_f64.powi(-decimals);
    format!("{:.0}", (number / step).round() * step)
}

/// So many digits, and no zeros at the end of a fraction.
#[must_use]
pub fn significant(number: f64, digits: i32) -> String {
    if number == 0.0 || !number.is_finite() {
        return "0".to_owned();
    }
    let power = number.abs().log10().floor() as i32;
    let text = rounded(number, (digits - 1 - power).clamp(-300, 12));
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A share of one: `98 %`, `> 99 %`. Nothing that is not certain is 100 %.
#[must_use]
pub fn confidence(share: f64) -> String {
    match share * 100.0 {
        percent if percent.is_nan() => "-".to_owned(),
        percent if percent >= 99.5 => "> 99 %".to_owned(),
        percent if percent >= 0.5 => format!("{percent:.0} %"),
        _ => "< 1 %".to_owned(),
    }
}

/// A share of one: `98.2 %`, `3 %`, `0.04 %`; less than that is `< 0.01 %`, and 0 where only rounding
/// keeps it from being so.
#[must_use]
pub fn percent(share: f64) -> String {
    if (1e-12..1e-4).contains(&share) {
        return "< 0.01 %".to_owned();
    }
    let share = if share < 1e-12 { 0.0 } else { share };
    let digits = if share >= 0.1 { 3 } else { 2 };
    format!("{} %", significant(share * 100.0, digits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_model::Seconds;

    fn of(value: f64, low: f64, high: f64) -> String {
        let [value, low, high] = [value, low, high].map(|v| Seconds::new(v).expect("finite"));
        estimate(&Estimate { value, low, high })
    }

    #[test]
    fn a_value_has_the_digits_of_its_interval() {
        for (value, half, expected) in [
            (47.0215, 0.1234, "47.02 s ± 0.12 s"),
            (47.0215, 0.4, "47.0 s ± 0.4 s"),
            (47.0215, 0.0296, "47.02 s ± 0.03 s"),
            (47.0215, 0.0999, "47.02 s ± 0.10 s"),
            (47.0215, 3.4, "47 s ± 3 s"),
            (0.25, 0.000_31, "250.0 ms ± 0.3 ms"),
            (2.5e-5, 1e-6, "25.0 µs ± 1.0 µs"),
            (1234.5, 26.0, "1234 s ± 26 s, about 20 min 35 s"),
            (4.4, 60.0, "4 s ± 60 s"),
            (86_437.0, 312.0, "86400 s ± 300 s, about 24 h 1 min"),
        ] {
            assert_eq!(of(value, value - half, value + half), expected);
        }
    }

    #[test]
    fn an_uneven_interval_counts_with_its_longer_side() {
        assert_eq!(of(10.0, 9.0, 10.1), "10.0 s ± 1.0 s");
        assert_eq!(of(10.0, 10.0, 10.0), "10 s");
        let [value, low, high] = [10.0, 9.0, 10.1].map(|v| Seconds::new(v).expect("finite"));
        let written = Written::new(&Estimate { value, low, high });
        assert_eq!(written.interval, "9.0 s to 10.1 s");
    }

    #[test]
    fn shares_are_never_certain() {
        let said = [1.0, 0.996, 0.98, 0.207, 0.004, 0.0].map(confidence);
        assert_eq!(said, ["> 99 %", "> 99 %", "98 %", "21 %", "< 1 %", "< 1 %"]);
        let said = [1.0, 0.9823, 0.031_4, 0.000_4, 3.5e-6, 3.5e-13].map(percent);
        let expected = ["100 %", "98.2 %", "3.1 %", "0.04 %", "< 0.01 %", "0 %"];
        assert_eq!(said, expected);
    }
}
