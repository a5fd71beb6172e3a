//! Findings in words.

use crate::figures::{confidence, estimate, percent, short_estimate, significant};
use crate::quantity::{Units, bytes, duration, short};
use iotempo_analysis::period::{Alias, PeriodFinding, Rhythm, Verdict, WitnessKind};

/// A probability, which may be tiny: `0.03`, `2e-9`.
pub(crate) fn probability(value: f64) -> String {
    match value {
        _ if !value.is_finite() => "-".to_owned(),
        0.001.. => short(value, 3),
        1e-99.. => format!("{value:.0e}"),
        _ => "< 1e-99".to_owned(),
    }
}

/// The finding in a sentence or two; `threshold` is what was asked of its confidence.
pub(crate) fn summary(finding: &PeriodFinding, threshold: f64) -> String {
    if let Some(rhythm) = finding.main() {
        let (period, sure) = (estimate(&rhythm.period), sure(rhythm.confidence));
        return format!("I/O repeats every {period}, {sure}.");
    }
    format!("{}.", capitalized(&no_period(finding, threshold)))
}

pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Phases that scatter by more than this share of their mean distance are not predictable.
const UNEVEN: f64 = 0.25;

/// Likelier than not.
const LIKELY: f64 = 0.5;

/// Why there is no period, and what there is instead; `threshold` is what was asked of its confidence.
#[must_use]
pub fn no_period(finding: &PeriodFinding, threshold: f64) -> String {
    let verdict = finding.verdict;
    let Some(guess) = &finding.candidate else {
        return match verdict {
            Verdict::Empty => verdict.to_string(),
            _ => format!("not periodic: {verdict}"),
        };
    };
    let period = short_estimate(&guess.period);
    let uneven = guess.jitter.filter(|jitter| *jitter > UNEVEN);
    match (verdict, uneven) {
        (Verdict::TooFast, _) => {
            format!("too fast to tell: it repeats within three samples, every {period} or faster")
        }
        (Verdict::TooUnsure, _) => {
            let (sure, asked) = (sure(guess.confidence), significant(100.0 * threshold, 6));
            format!("not sure enough: every {period}, {sure}, where {asked} % are asked for")
        }
        (_, Some(jitter)) if guess.confidence >= LIKELY => {
            let scatter = duration(jitter * guess.period.value.get());
            let share = percent(jitter);
            format!(
                "irregular: a phase every {period} on average, but scattered by {scatter} \
                 ({share}), too uneven to predict"
            )
        }
        _ => {
            let sure = sure(guess.confidence);
            format!("not periodic: {verdict} (best guess: every {period}, {sure})")
        }
    }
}

/// What a period close to the sampling step may be instead; `None` where there is none.
#[must_use]
pub fn alias(finding: &PeriodFinding) -> Option<String> {
    let alias = finding.alias.as_ref()?;
    let [one, other] = alias.could_be.map(|period| duration(period.get()));
    let what = match aside(finding) {
        Some(_) => "the spectrum has another line at",
        None => "it repeats every",
    };
    Some(format!(
        "{what} {}, so close to the step of the samples ({}) that a faster rhythm of {one} or \
         {other} would look the same",
        duration(alias.apparent.get()),
        duration(alias.step.get()),
    ))
}

/// A line of the spectrum beside the period, too fast to be told from an alias.
#[must_use]
pub fn aside(finding: &PeriodFinding) -> Option<&Alias> {
    let shown = finding.rhythms.iter().chain(&finding.candidate);
    let mut periods = shown.map(|rhythm| rhythm.period.value.get());
    let alias = finding.alias.as_ref()?;
    let stated = periods.any(|period| (alias.apparent.get() / period - 1.0).abs() < 0.01);
    (!stated).then_some(alias)
}

/// `98 % sure`, `more than 99 % sure`.
fn sure(share: f64) -> String {
    let share = confidence(share);
    let share = share.replace('>', "more than").replace('<', "less than");
    format!("{share} sure")
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

/// Why there is no jitter.
pub const NO_JITTER: &str = "not known: the period comes from the spectrum, not from single phases";

/// By how much phases scatter: `68.8 s from start to start, 45 % of the period`.
#[must_use]
pub fn jitter(rhythm: &Rhythm) -> String {
    let Some(jitter) = rhythm.jitter else {
        return NO_JITTER.to_owned();
    };
    let scatter = duration(jitter * rhythm.period.value.get());
    format!(
        "{scatter} from start to start, {} of the period",
        percent(jitter)
    )
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
    use iotempo_analysis::period::{Estimate, Verdict};
    use iotempo_model::{Bytes, Seconds};

    fn within(low: f64, value: f64, high: f64) -> Estimate {
        let seconds = |value| Seconds::new(value).expect("finite");
        Estimate {
            value: seconds(value),
            low: seconds(low),
            high: seconds(high),
        }
    }

    fn rhythm() -> Rhythm {
        Rhythm {
            period: within(371.2, 372.4, 373.6),
            confidence: 0.984,
            jitter: Some(0.01),
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
    fn verdicts_are_sentences() {
        assert_eq!(
            summary(&finding(Verdict::Periodic), 0.5),
            "I/O repeats every 372.4 s ± 1.2 s, about 6 min 12 s, 98 % sure."
        );
        assert_eq!(
            summary(&finding(Verdict::Irregular), 0.5),
            "Not periodic: phases come at irregular times (best guess: every 372.4 s ± 1.2 s, \
             98 % sure)."
        );
        let mut uneven = finding(Verdict::Irregular);
        uneven.candidate = Some(Rhythm {
            jitter: Some(0.54),
            ..rhythm()
        });
        assert_eq!(
            summary(&uneven, 0.5),
            "Irregular: a phase every 372.4 s ± 1.2 s on average, but scattered by 3 min 21 s \
             (54 %), too uneven to predict."
        );
        assert_eq!(
            summary(&finding(Verdict::TooFast), 0.5),
            "Too fast to tell: it repeats within three samples, every 372.4 s ± 1.2 s or faster."
        );
        assert_eq!(
            summary(&finding(Verdict::TooUnsure), 0.999),
            "Not sure enough: every 372.4 s ± 1.2 s, 98 % sure, where 99.9 % are asked for."
        );
        let mut empty = finding(Verdict::Empty);
        empty.candidate = None;
        assert_eq!(summary(&empty, 0.5), "No data moved.");
    }

    #[test]
    fn numbers_stay_with_their_units() {
        let text = tied("every 47 s ± 0.2 s, 98 % sure");
        assert_eq!(text, "every 47\u{a0}s ±\u{a0}0.2\u{a0}s, 98\u{a0}% sure");
    }

    #[test]
    fn chances_are_short() {
        assert_eq!(sure(1.0), "more than 99 % sure");
        let chances = [1.0, 0.0312, 2e-9, 0.0, f64::NAN].map(probability);
        assert_eq!(chances, ["1", "0.031", "2e-9", "< 1e-99", "-"]);
    }
}
