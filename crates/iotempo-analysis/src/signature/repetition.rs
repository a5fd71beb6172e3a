//! Whether a signature repeats, and how sure that is of the runs that it is made of.

use super::finding::{Signature, Timing};
use super::grouping::belong_together;
use crate::period::{Detector, Estimate, PeriodFinding, Rhythm, Verdict};
use iotempo_model::{Seconds, Signal};
use statrs::function::erf::erf;
use std::f64::consts::SQRT_2;

/// A confidence is that of a period within this share of the true one.
const NEAR: f64 = 0.05;

/// How many deviations a 95 % interval reaches to either side.
const DEVIATIONS: f64 = 1.96;

/// Where bursts might be joined to phases in another way as well, the period is at best as likely as another.
const OF_CHANCE: f64 = 0.5;

impl Signature {
    /// Its period, by its bursts that most runs have. A detector sees one curve, and knows nothing of the runs
    /// behind it: its interval becomes wider by how much they differ, and reaches up to what their period was
    /// before delays were taken out. Where a method does not tell how they differ, it is that of the curve alone.
    /// What it took for phases must be bursts that belong together.
    #[must_use]
    pub fn repetition(&self, detector: &Detector) -> Option<PeriodFinding> {
        let step = Seconds::new(self.step_s).filter(|step| step.get() > 0.0)?;
        let signal = Signal::new(Seconds::ZERO, step, self.supported_rates());
        let mut finding = detector.detect(&signal);
        if let Some(timing) = self.timing {
            timing.doubt(&mut finding, detector.threshold);
        }
        let bursts = self.supported_bursts();
        take_back(&mut finding, |rhythm| {
            let is_sure = belong_together(&rhythm.phases, &bursts, self.start_s);
            rhythm.confidence *= if is_sure { 1.0 } else { OF_CHANCE };
            !is_sure
        });
        Some(finding)
    }
}

/// Takes back what is not sure enough. Where that is all, the first is a guess.
fn take_back(finding: &mut PeriodFinding, is_unsure: impl FnMut(&mut Rhythm) -> bool) {
    let unsure: Vec<Rhythm> = finding.rhythms.extract_if(.., is_unsure).collect();
    if finding.rhythms.is_empty() && !unsure.is_empty() {
        finding.verdict = Verdict::TooUnsure;
        finding.candidate = unsure.into_iter().next();
    }
}

impl Timing {
    /// Takes back what is not sure enough any more.
    fn doubt(&self, finding: &mut PeriodFinding, threshold: f64) {
        for rhythm in &mut finding.rhythms {
            rhythm.period = self.widened(rhythm.period);
            rhythm.confidence *= self.near();
        }
        take_back(finding, |rhythm| rhythm.confidence < threshold);
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
    use super::super::finding::SignatureBurst;
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

    /// By starts, ends and GiB of bursts that all runs have.
    fn signature(bursts: &[(f64, f64, f64)]) -> Signature {
        let burst = |&(start_s, end_s, gib): &(f64, f64, f64)| {
            let bytes = gib * 1024.0 * 1024.0 * 1024.0;
            SignatureBurst {
                time_s: 0.5 * (start_s + end_s),
                start_s,
                end_s,
                bytes,
                bytes_low: bytes,
                bytes_high: bytes,
                peak: bytes / (end_s - start_s),
                support: 8,
            }
        };
        let bursts: Vec<SignatureBurst> = bursts.iter().map(burst).collect();
        let rate = |at: usize| {
            let at = at as f64;
            let burst = bursts.iter().find(|b| (b.start_s..b.end_s).contains(&at));
            burst.map_or(0.0, |burst| burst.peak)
        };
        Signature {
            start_s: 0.0,
            step_s: 1.0,
            rates: (0..2250).map(rate).collect(),
            bursts,
            timing: None,
        }
    }

    #[test]
    fn a_period_of_bursts_that_chance_joined_is_a_guess() {
        // 100 to 260 s from one to the next, which the curve joins two by two.
        let irregular = signature(&[
            (84.0, 95.0, 19.6),
            (190.0, 199.0, 15.8),
            (416.0, 429.0, 23.4),
            (574.0, 581.0, 11.4),
            (805.0, 816.0, 18.2),
            (971.0, 983.0, 20.0),
            (1137.0, 1152.0, 28.1),
            (1396.0, 1411.0, 25.0),
            (1640.0, 1655.0, 27.5),
            (1892.0, 1906.0, 23.6),
            (2018.0, 2033.0, 26.1),
            (2218.0, 2228.0, 15.4),
        ]);
        let detector = Detector::default();
        let step = Seconds::new(1.0).expect("a step");
        let curve = Signal::new(Seconds::ZERO, step, irregular.rates.clone());
        let alone = detector.detect(&curve);
        let joined = alone.main().expect("the curve alone seems to repeat");
        assert!(joined.period.value.get() > 300.0, "{joined:?}");
        let finding = irregular.repetition(&detector).expect("a step");
        assert_eq!(finding.verdict, Verdict::TooUnsure);
        let guess = finding.candidate.expect("a guess");
        assert!(guess.confidence < detector.threshold, "{guess:?}");
    }

    #[test]
    fn bursts_of_two_sizes_in_turn_keep_their_period() {
        let at = |k: u32| {
            let start = 60.0 + 130.0 * f64::from(k);
            match k % 2 {
                0 => (start, start + 30.0, 60.0),
                _ => (start, start + 8.0, 16.0),
            }
        };
        let bursts: Vec<_> = (0..16).map(at).collect();
        let finding = signature(&bursts).repetition(&Detector::default());
        assert!(finding.is_some_and(|finding| finding.is_periodic()));
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
