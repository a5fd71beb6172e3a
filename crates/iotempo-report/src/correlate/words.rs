//! Certainties in words.

use super::Verdict;
use iotempo_analysis::association::{Coefficient, Interval};
use iotempo_analysis::correlate::study::{Measured, Slowdown, Within};

/// Where there is no number.
pub(super) const NONE: &str = "–";

impl Verdict {
    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::SlowsDown => "slows down",
            Self::SpeedsUp => "speeds up",
            Self::Mixed => "not in one direction",
            Self::NoSign => "no sign",
            Self::Undetermined => "undetermined",
        }
    }
}

/// A coefficient's name, for a person.
#[must_use]
pub const fn title(coefficient: Coefficient) -> &'static str {
    match coefficient {
        Coefficient::Pearson => "Pearson",
        Coefficient::Spearman => "Spearman (ranks)",
        Coefficient::Distance => "distance correlation",
        Coefficient::DistanceCorrected => "distance, bias-corrected²",
        Coefficient::Information { .. } => "mutual information",
    }
}

/// What jobs are held against within stretches, as in `Spearman, beside the same …`.
pub(super) fn same(within: &Within) -> String {
    match (within.stretches > 1, within.weekly) {
        (true, false) => format!("{} days", within.days),
        (true, true) => format!("{} days and weekday", within.days),
        (false, _) => "weekday".to_owned(),
    }
}

/// Two decimals, with a minus where there is one to see.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    match text.strip_prefix('-') {
        Some("0.00") => "0.00".to_owned(),
        Some(size) => format!("−{size}"),
        None => text,
    }
}

/// `0.38 to 0.56`.
pub(super) fn between(low: f64, high: f64) -> String {
    format!("{} to {}", number(low), number(high))
}

pub(super) fn interval(interval: &Interval) -> String {
    between(interval.low, interval.high)
}

/// How likely something is: as precise as tests of some hundred permutations are.
#[must_use]
pub fn chance(chance: f64) -> String {
    match 100.0 * chance {
        // No test says that anything never happens.
        tiny if tiny < 0.05 => "< 0.1 %".to_owned(),
        small if small < 0.995 => format!("{small:.1} %"),
        large => format!("{large:.0} %"),
    }
}

/// The chance that permuted days, or jobs, give, or the reason why there is none.
pub(super) fn permuted(measured: &Measured) -> Result<String, String> {
    let permuted = measured.permuted.as_ref();
    permuted
        .map(|permuted| chance(permuted.p_value))
        .map_err(ToString::to_string)
}

/// `1.33 × (1.25 to 1.53)`.
pub(super) fn slowdown(slowdown: &Slowdown) -> String {
    let ratio = number(slowdown.ratio);
    match &slowdown.interval {
        Some(range) => format!("{ratio} × ({})", interval(range)),
        None => format!("{ratio} ×"),
    }
}

/// `1 job`, `2 jobs`.
pub(super) fn counted(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", crate::quantity::count(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_minus_only_where_it_shows() {
        let said = [0.484, -0.36, -0.001, 0.0].map(number);
        assert_eq!(said, ["0.48", "−0.36", "0.00", "0.00"]);
        assert_eq!(between(-0.9, 0.3), "−0.90 to 0.30");
        assert_eq!(
            [0.0004, 0.0005, 0.001, 0.0075, 0.27].map(chance),
            ["< 0.1 %", "0.1 %", "0.1 %", "0.8 %", "27 %"]
        );
        assert_eq!(counted(1, "job"), "1 job");
        assert_eq!(counted(7500, "job"), "7,500 jobs");
    }
}
