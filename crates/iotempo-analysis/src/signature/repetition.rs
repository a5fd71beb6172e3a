//! Whether a signature repeats, and how sure that is of the runs that it is made of.

use super::finding::{Signature, Timing};
use crate::period::{Detector, Estimate, PeriodFinding, Rhythm, Verdict};
use iotempo_model::{Seconds, Signal};
use statrs::function::erf::erf;
use std::f64::consts::SQRT_2;

/// A confidence is that of a period within this share of the true one.
const NEAR: f64 = 0.05;

/// How many deviations a 95 % interval reaches to either side.
const DEVIATIONS: f64 = 1.96;

impl Signature {
    /// Its period, by its bursts that most runs have. A detector sees one curve, and knows nothing of the runs
    /// behind it: its interval becomes wider by how much they differ, and reaches up to what their period was
    /// before delays were taken out. Where a method does not tell how they differ, it is that of the curve alone.
    #[must_use]
    pub fn repetition(&self, detector: &Detector) -> Option<PeriodFinding> {
        let step = Seconds::new(self.step_s).filter(|step| step.get() > 0.0)?;
        let signal = Signal::new(Seconds::ZERO, step, self.supported_rates());
        let mut finding = detector.detect(&signal);
        if let Some(timing) = self.timing {
            timing.doubt(&mut finding, detector.threshold);
        }
        Some(finding)
    }
}

impl Timing {
    /// Takes back what is not sure enough any more. Where that is all, the first is a guess.
    fn doubt(&self, finding: &mut PeriodFinding, threshold: f64) {
        for rhythm in &mut finding.rhythms {
            rhythm.period = self.widened(rhythm.period);
            rhythm.confidence *= self.near();
        }
        let unsure = |rhythm: &mut Rhythm| rhythm.confidence < threshold;
        let unsure: Vec<Rhythm> = finding.rhythms.extract_if(.., unsure).collect();
        if finding.rhythms.is_empty() && !unsure.is_empty() {
            finding.verdict = Verdict::TooUnsure;
            finding.candidate = unsure.into_iter().next();
        }
    }

    fn widened(&self, period: Estimate) -> Estimate {
        let value = period.value.get();
        let error = self.gap_error_share * value;
        let taken_out = value * self.delay_share / (1.0 - self.delay_share);
        let below = (value - period.low.get()).hypot(error);
        let above = (period.high.get() - value).hypot(error) + taken_out;
        let end = |at: f64, known: Seconds| Seconds::new(at).unwrap_or(known);
        Estimate {
            low: end((value - below).max(0.0), period.low),
            high: end(value + above, period.high),
            ..period
        }
    }

    /// How likely the period of these runs is to be near that of further ones.
    fn near(&self) -> f64 {
        if self.gap_error_share <= 0.0 {
            return 1.0;
        }
        erf(NEAR * DEVIATIONS / (self.gap_error_share * SQRT_2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64, half: f64) -> Estimate {
        let at = |x: f64| Seconds::new(x).expect("finite");
        Estimate {
            value: at(value),
            low: at(value - half),
            high: at(value + half),
        }
    }

    #[test]
    fn what_runs_differ_by_and_what_was_taken_out_is_in_the_interval() {
        let exact = Timing {
            delay_share: 0.0,
            gap_error_share: 0.0,
        };
        assert_eq!(exact.widened(estimate(300.0, 3.0)), estimate(300.0, 3.0));
        assert_eq!(exact.near(), 1.0);
        let differing = Timing {
            delay_share: 0.0,
            gap_error_share: 4.0 / 300.0,
        };
        assert_eq!(
            differing.widened(estimate(300.0, 3.0)),
            estimate(300.0, 5.0)
        );
        let delayed = Timing {
            delay_share: 0.1,
            gap_error_share: 0.0,
        };
        let widened = delayed.widened(estimate(270.0, 0.0));
        assert!((widened.high.get() - 300.0).abs() < 1e-9, "{widened:?}");
        assert_eq!(widened.low.get(), 270.0);
    }

    #[test]
    fn rhythms_that_are_not_sure_enough_are_taken_back() {
        let rate = |at: usize| if at % 50 < 5 { 1e9 } else { 0.0 };
        let rates = (0..1000).map(rate).collect();
        let signal = Signal::new(Seconds::ZERO, Seconds::new(1.0).expect("a step"), rates);
        let found = Detector::default().detect(&signal);
        let mut main = found.main().expect("it repeats").clone();
        main.confidence = 0.9;
        let confidences = |errors: f64, others: f64| {
            let mut finding = found.clone();
            let second = Rhythm {
                confidence: others,
                ..main.clone()
            };
            finding.rhythms = vec![main.clone(), second];
            let timing = Timing {
                delay_share: 0.0,
                gap_error_share: errors,
            };
            timing.doubt(&mut finding, 0.5);
            let told = finding.rhythms.iter().map(|rhythm| rhythm.confidence);
            (told.count(), finding.candidate.is_some(), finding.verdict)
        };
        assert_eq!(confidences(0.01, 0.6), (2, false, Verdict::Periodic));
        // Two thirds of what they were.
        assert_eq!(confidences(0.1, 0.6), (1, false, Verdict::Periodic));
        assert_eq!(confidences(0.3, 0.6), (0, true, Verdict::TooUnsure));
    }

    #[test]
    fn a_period_of_runs_that_differ_much_is_less_sure() {
        let differing = |gap_error_share| Timing {
            delay_share: 0.0,
            gap_error_share,
        };
        assert!(differing(0.01).near() > 0.999);
        // Where the interval reaches as far as is near, that is 95 %.
        assert!((differing(0.05).near() - 0.95).abs() < 1e-3);
        assert!(differing(0.2).near() < 0.5);
    }
}
