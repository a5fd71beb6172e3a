//! The detector: witnesses are heard, and one answer is given.

use super::answer::Answer;
use super::bursts::{self, Burst};
use super::finding::{PeriodFinding, Verdict};
use super::numbers::range;
use super::phases::Moved;
use super::resemblance::Mirror;
use super::spectral::{Line, Lines};
use super::train::{self, Train};
use iotempo_model::Signal;

/// Finds the period of I/O phases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detector {
    /// The least confidence that is called periodic.
    pub threshold: f64,
}

impl Default for Detector {
    fn default() -> Self {
        Self { threshold: 0.5 }
    }
}

/// Fewer samples than this hold nothing that repeats three times.
pub const FEWEST_SAMPLES: usize = 6;

/// What all witnesses said of one signal.
pub(super) struct Testimony {
    pub(super) samples: Vec<f64>,
    pub(super) mirror: Mirror,
    pub(super) moved: Moved,
    pub(super) bursts: Vec<Burst>,
    pub(super) volume: Option<Train>,
    pub(super) even: Option<Train>,
    pub(super) spacing: Option<Train>,
    /// The bigger ones of bursts of two sizes.
    pub(super) sizes: Option<Train>,
    pub(super) lines: Lines,
    pub(super) line: Option<Line>,
}

impl Testimony {
    pub(super) fn of(samples: Vec<f64>, unit: f64) -> Self {
        let moved = Moved::new(&samples, unit);
        let mirror = Mirror::of(&samples);
        let bursts = bursts::bursts(&samples, bursts::threshold(&samples));
        let lines = Lines::of(&samples);
        let line = lines.strongest();
        let paired = |train: Train| {
            let pairs = train::in_pairs(&train, &mirror, &moved, line);
            pairs.unwrap_or(train)
        };
        let joined = train::by_joining(&bursts, &moved);
        Self {
            volume: train::by_volume(&samples, &bursts, &moved).map(paired),
            even: joined.even.map(paired),
            spacing: joined.spacing.map(paired),
            sizes: train::by_size(&bursts, &moved),
            line,
            lines,
            samples,
            mirror,
            moved,
            bursts,
        }
    }
}

impl Detector {
    /// Says whether a signal repeats, and how.
    #[must_use]
    pub fn detect(&self, signal: &Signal) -> PeriodFinding {
        let (samples, unit) = clean(signal.samples());
        let step = signal.step().get();
        if let Some(verdict) = trivial(&samples, step) {
            return PeriodFinding::without(verdict);
        }
        let heard = Testimony::of(samples, unit * step);
        Answer::new(signal, &heard).finding(self.threshold)
    }
}

/// Samples of which none is far from 1, and what 1 stands for: squares of rates must neither overflow
/// nor vanish. It is a power of two, so that nothing is rounded. What is no rate moves nothing.
fn clean(samples: &[f64]) -> (Vec<f64>, f64) {
    let rate = |x: &f64| if x.is_finite() { x.max(0.0) } else { 0.0 };
    let mut cleaned: Vec<f64> = samples.iter().map(rate).collect();
    let (_, highest) = range(&cleaned);
    let unit = highest.log2().floor().clamp(-1022.0, 1023.0).exp2();
    for sample in &mut cleaned {
        *sample *= unit.recip();
    }
    (cleaned, unit)
}

/// Verdicts that need no witness.
fn trivial(samples: &[f64], step: f64) -> Option<Verdict> {
    let (lowest, highest) = range(samples);
    // In no time nothing moves.
    if highest <= 0.0 || step <= 0.0 {
        return Some(Verdict::Empty);
    }
    // Small jobs fill one bin of a heatmap.
    if samples.len() == 1 {
        return Some(Verdict::SinglePhase);
    }
    // Rates that differ by rounding alone.
    if highest - lowest <= 1e-6 * highest {
        return Some(Verdict::Constant);
    }
    (samples.len() < FEWEST_SAMPLES).then_some(Verdict::TooFewPhases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_scaled_without_rounding() {
        for largest in [3.0, 7e-310, 5e-324, 1e300, f64::MAX] {
            let (scaled, unit) = clean(&[0.0, largest, largest / 3.0]);
            assert!((0.0..2.0).contains(&scaled[1]), "{scaled:?}");
            assert_eq!(scaled[1] * unit, largest);
            assert_eq!(scaled[2] * unit, largest / 3.0);
        }
    }

    #[test]
    fn what_is_no_rate_moves_nothing() {
        let (scaled, unit) = clean(&[f64::NAN, -1.0, f64::INFINITY, 3.0]);
        let rates: Vec<f64> = scaled.iter().map(|x| x * unit).collect();
        assert_eq!(rates, [0.0, 0.0, 0.0, 3.0]);
        assert_eq!(clean(&[0.0, 0.0]).0, [0.0, 0.0]);
    }
}
