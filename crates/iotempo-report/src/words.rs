//! Findings in words, and numbers with as many digits as they deserve.

use crate::quantity::{Units, bytes, duration, short};
use iotempo_analysis::period::{Estimate, PeriodFinding, Rhythm, WitnessKind};

/// `98 %`; close to certainty, one more digit.
pub(crate) fn percent(share: f64) -> String {
    let share = share.clamp(0.0, 1.0) * 100.0;
    match share {
        _ if share.is_nan() => "-".to_owned(),
        99.95.. => "> 99.9 %".to_owned(),
        99.0.. => format!("{share:.1} %"),
        _ => format!("{share:.0} %"),
    }
}

/// A probability, which may be tiny: `0.03`, `2e-9`.
pub(crate) fn probability(value: f64) -> String {
    match value {
        _ if !value.is_finite() => "-".to_owned(),
        0.001.. => short(value, 3),
        1e-99.. => format!("{value:.0e}"),
        _ => "< 1e-99".to_owned(),
    }
}

/// An estimate as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Estimated {
    /// `47.21 s`.
    pub(crate) value: String,
    /// `± 0.02 s`; empty where the interval has no length.
    pub(crate) error: String,
    /// `47.19 s to 47.23 s`.
    pub(crate) interval: String,
    /// `6 min 12 s`, where that says more than seconds.
    pub(crate) also: Option<String>,
}

impl Estimated {
    pub(crate) fn new(estimate: &Estimate) -> Self {
        let value = estimate.value.get();
        let (low, high) = (estimate.low.get(), estimate.high.get());
        let half = (high - value).max(value - low).max(0.0);
        let (unit, size) = match value.abs() {
            0.0 | 1.0.. => ("s", 1.0),
            1e-3.. => ("ms", 1e-3),
            _ => ("µs", 1e-6),
        };
        // Two digits of the error; five of the value where there is none.
        let least = if half > 0.0 {
            half / 10.0
        } else {
            value.abs() / 1e4
        };
        let digits = if least > 0.0 {
            -(least / size).log10()
        } else {
            0.0
        };
        let decimals = digits.ceil().clamp(0.0, 6.0);
        let text = |value: f64| format!("{:.*} {unit}", decimals as usize, value / size);
        let error = (half > 0.0).then(|| format!("± {}", text(half)));
        Self {
            value: text(value),
            error: error.unwrap_or_default(),
            interval: format!("{} to {}", text(low), text(high)),
            also: (value >= 119.5).then(|| duration(value)),
        }
    }

    /// `47.21 s ± 0.02 s`.
    pub(crate) fn both(&self) -> String {
        format!("{} {}", self.value, self.error)
            .trim_end()
            .to_owned()
    }
}

/// The same in a sentence: `98 % sure`.
fn sure(share: f64) -> String {
    let share = percent(share).replace('>', "more than");
    format!("{share} sure")
}

/// The finding in a sentence or two.
pub(crate) fn summary(finding: &PeriodFinding) -> String {
    if let Some(rhythm) = finding.main() {
        let period = Estimated::new(&rhythm.period);
        let also = period.also.as_ref();
        let also = also.map_or(String::new(), |also| format!(" ({also})"));
        let sure = sure(rhythm.confidence);
        return format!("I/O repeats every {}{also}, {sure}.", period.both());
    }
    let no = format!("No period: {}.", finding.verdict);
    let guess = finding.candidate.as_ref().map(|rhythm| {
        let period = Estimated::new(&rhythm.period).both();
        let sure = sure(rhythm.confidence);
        format!(" The best guess is {period}, {sure}: not to be relied on.")
    });
    no + &guess.unwrap_or_default()
}

/// What its phases are like: `of 3.9 s and 8 GiB on average, 80 GiB in all`.
pub(crate) fn phases(rhythm: &Rhythm, units: Units) -> String {
    let length = duration(rhythm.phase_length().get());
    let each = bytes(rhythm.bytes_per_phase().get(), units);
    let all = bytes(rhythm.bytes.get(), units);
    match rhythm.phases.len() {
        0 => "no single phase stands out".to_owned(),
        1 => format!("of {length} and {all}"),
        _ => format!("of {length} and {each} on average, {all} in all"),
    }
}

/// A text whose numbers stay with their units at the ends of lines.
pub(crate) fn tied(text: &str) -> String {
    let mut before = ' ';
    let mut tie = |letter: char| {
        let tied = letter == ' ' && (before.is_ascii_digit() || before == '±');
        before = letter;
        if tied { '\u{a0}' } else { letter }
    };
    text.chars().map(&mut tie).collect()
}

/// What a witness looked at.
pub(crate) const fn witness(kind: WitnessKind) -> &'static str {
    match kind {
        WitnessKind::Volume => "idle time after equal volumes",
        WitnessKind::Spacing => "distances between starts of bursts",
        WitnessKind::Spectrum => "lines of the spectrum",
        WitnessKind::Autocorrelation => "peaks of the autocorrelation",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_analysis::period::Verdict;
    use iotempo_model::{Bytes, Seconds};

    fn estimate(low: f64, value: f64, high: f64) -> Estimate {
        let seconds = |value| Seconds::new(value).expect("finite");
        Estimate {
            value: seconds(value),
            low: seconds(low),
            high: seconds(high),
        }
    }

    fn rhythm() -> Rhythm {
        Rhythm {
            period: estimate(371.2, 372.4, 373.6),
            confidence: 0.984,
            jitter: 0.01,
            phases: Vec::new(),
            next_start: None,
            bytes: Bytes::ZERO,
        }
    }

    fn finding(verdict: Verdict) -> PeriodFinding {
        let periodic = verdict == Verdict::Periodic;
        PeriodFinding {
            verdict,
            rhythms: periodic.then(rhythm).into_iter().collect(),
            candidate: (!periodic).then(rhythm),
            segments: Vec::new(),
            alias: None,
            witnesses: Vec::new(),
        }
    }

    #[test]
    fn estimates_have_two_digits_of_their_error() {
        for (low, value, high, expected) in [
            (47.19, 47.2134, 47.2334, "47.213 s ± 0.023 s"),
            (40.0, 47.2, 52.0, "47.2 s ± 7.2 s"),
            (200.0, 372.4, 400.0, "372 s ± 172 s"),
            (0.2, 0.25, 0.27, "250 ms ± 50 ms"),
            (2.0e-4, 2.5e-4, 2.7e-4, "250 µs ± 50 µs"),
            (10.0, 10.0, 10.0, "10.000 s"),
            (0.0, 0.0, 0.0, "0 s"),
        ] {
            assert_eq!(Estimated::new(&estimate(low, value, high)).both(), expected);
        }
    }

    #[test]
    fn verdicts_are_sentences() {
        assert_eq!(
            summary(&finding(Verdict::Periodic)),
            "I/O repeats every 372.4 s ± 1.2 s (6 min 12 s), 98 % sure."
        );
        assert_eq!(
            summary(&finding(Verdict::Irregular)),
            "No period: phases come at irregular times. The best guess is 372.4 s ± 1.2 s, \
             98 % sure: not to be relied on."
        );
    }

    #[test]
    fn numbers_stay_with_their_units() {
        let text = tied("every 47 s ± 0.2 s, 98 % sure");
        assert_eq!(text, "every 47\u{a0}s ±\u{a0}0.2\u{a0}s, 98\u{a0}% sure");
    }

    #[test]
    fn shares_and_chances_are_short() {
        assert_eq!(sure(1.0), "more than 99.9 % sure");
        let shares = [0.0, 0.5, 0.991, 0.9999, f64::NAN].map(percent);
        assert_eq!(shares, ["0 %", "50 %", "99.1 %", "> 99.9 %", "-"]);
        let chances = [1.0, 0.0312, 2e-9, 0.0, f64::NAN].map(probability);
        assert_eq!(chances, ["1", "0.031", "2e-9", "< 1e-99", "-"]);
    }
}
