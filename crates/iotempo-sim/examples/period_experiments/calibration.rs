//! Whether confidences mean what they say: of all answers that are 80 % sure, 80 % should be right.

use crate::methods::{Answered, Method};
use serde::Serialize;

/// A period within this share of the true one is right.
pub(crate) const RIGHT: f64 = 0.05;

/// Answers of about the same confidence.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub(crate) struct Bin {
    /// The least confidence in it; the next bin begins a tenth above.
    pub(crate) from: f64,
    /// How many answers there are.
    pub(crate) answers: usize,
    /// Those about signals without a period, which are wrong whatever they say.
    pub(crate) without_period: usize,
    pub(crate) mean_confidence: Option<f64>,
    /// The share of right answers.
    pub(crate) right_fraction: Option<f64>,
    /// The share of right answers about signals with a period.
    pub(crate) right_fraction_periodic: Option<f64>,
}

/// How far a method's confidences can be trusted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Calibration {
    pub(crate) answers: usize,
    /// The mean of `|confidence − share of right answers|` over all answers, by bins.
    pub(crate) expected_calibration_error: f64,
    /// The mean of `(confidence − 1 or 0)²`: 0 for an oracle, 0.25 for a coin.
    pub(crate) brier_score: f64,
    pub(crate) bins: Vec<Bin>,
}

/// An answer: how sure it is, whether it is right, whether there is a period at all.
type Judged = (f64, bool, bool);

fn judged(method: Method, one: &Answered) -> Option<Judged> {
    let answer = one.answers[method as usize]?;
    let confidence = answer.confidence?;
    let error = answer.guess.and_then(|guess| one.error(guess));
    let right = error.is_some_and(|error| error <= RIGHT);
    Some((confidence, right, one.is_periodic()))
}

impl Calibration {
    /// `None` where the method gave no answer.
    pub(crate) fn of(method: Method, answered: &[&Answered]) -> Option<Self> {
        let answers: Vec<Judged> = answered
            .iter()
            .filter_map(|one| judged(method, one))
            .collect();
        Self::of_judged(&answers)
    }

    fn of_judged(answers: &[Judged]) -> Option<Self> {
        let count = answers.len() as f64;
        let bins: Vec<Bin> = (0..10).map(|tenth| bin(tenth, answers)).collect();
        let off = |bin: &Bin| {
            let both = bin.mean_confidence.zip(bin.right_fraction);
            both.map_or(0.0, |(said, right)| {
                (said - right).abs() * bin.answers as f64
            })
        };
        let square =
            |(confidence, right, _): &Judged| (confidence - f64::from(u8::from(*right))).powi(2);
        (!answers.is_empty()).then(|| Self {
            answers: answers.len(),
            expected_calibration_error: bins.iter().map(off).sum::<f64>() / count,
            brier_score: answers.iter().map(square).sum::<f64>() / count,
            bins,
        })
    }
}

fn bin(tenth: u32, answers: &[Judged]) -> Bin {
    // A confidence of 1 belongs to the last bin.
    let here = |confidence: f64| ((confidence * 10.0) as u32).min(9) == tenth;
    let inside: Vec<&Judged> = answers.iter().filter(|answer| here(answer.0)).collect();
    let periodic = inside.iter().filter(|answer| answer.2).count();
    let right = inside.iter().filter(|answer| answer.1).count();
    let share = |part: usize, whole: usize| (whole > 0).then(|| part as f64 / whole as f64);
    let sum: f64 = inside.iter().map(|answer| answer.0).sum();
    Bin {
        from: f64::from(tenth) / 10.0,
        answers: inside.len(),
        without_period: inside.len() - periodic,
        mean_confidence: (!inside.is_empty()).then(|| sum / inside.len() as f64),
        right_fraction: share(right, inside.len()),
        right_fraction_periodic: share(right, periodic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sure_and_wrong_is_far_off() {
        let answers = [(0.95, true, true), (0.95, false, false), (1.0, false, true)];
        let calibration = Calibration::of_judged(&answers).expect("answers");
        let last = calibration.bins[9];
        assert_eq!((last.answers, last.without_period), (3, 1));
        assert_eq!(last.right_fraction_periodic, Some(0.5));
        let off = calibration.expected_calibration_error;
        assert!((off - (2.9 / 3.0 - 1.0 / 3.0)).abs() < 1e-12, "{off}");
        assert_eq!(Calibration::of_judged(&[]), None);
    }

    #[test]
    fn an_oracle_has_no_error() {
        let answers = [(1.0, true, true), (0.0, false, false)];
        let calibration = Calibration::of_judged(&answers).expect("answers");
        assert_eq!(calibration.brier_score, 0.0);
        assert_eq!(calibration.expected_calibration_error, 0.0);
    }
}
