//! How close a signature is to the truth.

use super::finding::Signature;
use super::numbers::mean;
use crate::plans;
use realfft::num_complex::Complex;

/// A burst that is known to be there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrueBurst {
    /// When it begins.
    pub start_s: f64,
    /// When it ends.
    pub end_s: f64,
    /// What it moves, in bytes.
    pub bytes: f64,
}

impl TrueBurst {
    fn middle(&self) -> f64 {
        0.5 * (self.start_s + self.end_s)
    }
}

/// How close a signature is to the truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Accuracy {
    /// Pearson's coefficient of correlation with the true rates.
    pub correlation: f64,
    /// The highest that it gets when one of them is moved in time.
    pub cross_correlation: f64,
    /// The signature's volume as a share of the true one.
    pub volume_ratio: f64,
    /// True bursts that it lacks.
    pub missed: usize,
    /// Bursts of it that are not true.
    pub false_bursts: usize,
    /// The mean relative error of the volumes of bursts that are true; none where none is.
    pub volume_error: Option<f64>,
    /// The mean error of the time between two true bursts, in seconds; none where there are no two.
    pub gap_error_s: Option<f64>,
}

/// The share of the time between bursts by which a burst may be off and still be the same.
pub const TOLERANCE: f64 = 0.35;

impl Accuracy {
    /// Compares a signature with true rates of the same step, and with true bursts that come every
    /// `interval_s`.
    #[must_use]
    pub fn of(signature: &Signature, truth: &[f64], bursts: &[TrueBurst], interval_s: f64) -> Self {
        // A curve may begin half a step before its run.
        let before = (signature.start_s / signature.step_s)
            .floor()
            .min(0.0)
            .abs();
        let rates = signature.rates.get(before as usize..).unwrap_or_default();
        let (ours, theirs) = padded(rates, truth);
        let volume: f64 = truth.iter().sum();
        let pairs = matched(signature, bursts, TOLERANCE * interval_s);
        let volume_errors: Vec<f64> = pairs
            .iter()
            .map(|&(i, k)| (signature.bursts[i].bytes / bursts[k].bytes - 1.0).abs())
            .collect();
        let gap_errors: Vec<f64> = pairs
            .windows(2)
            .map(|pair| {
                let ours = signature.bursts[pair[1].0].time_s - signature.bursts[pair[0].0].time_s;
                let theirs = bursts[pair[1].1].middle() - bursts[pair[0].1].middle();
                (ours - theirs).abs()
            })
            .collect();
        let known = |errors: &[f64]| (!errors.is_empty()).then(|| mean(errors));
        let (correlation, cross_correlation) = correlations(&ours, &theirs);
        Self {
            correlation,
            cross_correlation,
            volume_ratio: signature.rates.iter().sum::<f64>() / volume.max(f64::MIN_POSITIVE),
            missed: bursts.len() - pairs.len(),
            false_bursts: signature.bursts.len() - pairs.len(),
            volume_error: known(&volume_errors),
            gap_error_s: known(&gap_errors),
        }
    }
}

/// Pairs of bursts of a signature and true ones, closest first to find a partner, in order of time.
fn matched(signature: &Signature, bursts: &[TrueBurst], tolerance: f64) -> Vec<(usize, usize)> {
    let mut candidates: Vec<(f64, usize, usize)> = Vec::new();
    for (i, ours) in signature.bursts.iter().enumerate() {
        for (k, theirs) in bursts.iter().enumerate() {
            let apart = (ours.time_s - theirs.middle()).abs();
            if apart <= tolerance {
                candidates.push((apart, i, k));
            }
        }
    }
    candidates.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (_, i, k) in candidates {
        if pairs.iter().all(|&(a, b)| a != i && b != k) {
            pairs.push((i, k));
        }
    }
    pairs.sort_by_key(|&(_, k)| k);
    pairs
}

/// Both in one length, the shorter followed by zeros.
fn padded(a: &[f64], b: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let length = a.len().max(b.len());
    let pad = |values: &[f64]| {
        let mut values = values.to_vec();
        values.resize(length, 0.0);
        values
    };
    (pad(a), pad(b))
}

/// The correlation of two series of one length, and the highest over all lags.
fn correlations(a: &[f64], b: &[f64]) -> (f64, f64) {
    let centred = |values: &[f64]| {
        let mean = mean(values);
        values.iter().map(|x| x - mean).collect::<Vec<f64>>()
    };
    let (a, b) = (centred(a), centred(b));
    let square = |values: &[f64]| values.iter().map(|x| x * x).sum::<f64>();
    let norm = (square(&a) * square(&b)).sqrt();
    if norm <= 0.0 || !norm.is_finite() {
        return (0.0, 0.0);
    }
    let products = lagged_products(&a, &b);
    let none = a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>();
    let best = products.into_iter().fold(none, f64::max);
    (
        (none / norm).clamp(-1.0, 1.0),
        (best / norm).clamp(-1.0, 1.0),
    )
}

/// The sums of products at all lags, in no order that matters.
fn lagged_products(a: &[f64], b: &[f64]) -> Vec<f64> {
    let length = (2 * a.len()).next_power_of_two();
    let transform = plans::forward(length);
    let spectrum = |values: &[f64]| {
        let mut padded = values.to_vec();
        padded.resize(length, 0.0);
        let mut bins = transform.make_output_vec();
        // The lengths are those of the plan.
        transform
            .process(&mut padded, &mut bins)
            .ok()
            .map(|()| bins)
    };
    let (Some(a), Some(b)) = (spectrum(a), spectrum(b)) else {
        return Vec::new();
    };
    let mut product: Vec<Complex<f64>> = a.iter().zip(&b).map(|(a, b)| a * b.conj()).collect();
    let inverse = plans::inverse(length);
    let mut lags = inverse.make_output_vec();
    if inverse.process(&mut product, &mut lags).is_err() {
        return Vec::new();
    }
    lags.iter().map(|x| x / length as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::super::finding::SignatureBurst;
    use super::*;

    fn signature(shift: usize) -> Signature {
        let rates = (0..400).map(|i| {
            if (i + 400 - shift) % 100 < 10 {
                2.0
            } else {
                0.0
            }
        });
        let burst = |start: usize| SignatureBurst {
            time_s: start as f64 + 5.0,
            start_s: start as f64,
            end_s: start as f64 + 10.0,
            bytes: 20.0,
            bytes_low: 20.0,
            bytes_high: 20.0,
            peak: 2.0,
            support: 5,
        };
        Signature {
            start_s: 0.0,
            step_s: 1.0,
            timing: None,
            rates: rates.collect(),
            bursts: [100, 200, 300].map(|t| burst(t + shift)).to_vec(),
        }
    }

    fn truth() -> Vec<TrueBurst> {
        let burst = |start: f64| TrueBurst {
            start_s: start,
            end_s: start + 10.0,
            bytes: 20.0,
        };
        [100.0, 200.0, 300.0].map(burst).to_vec()
    }

    #[test]
    fn the_truth_is_perfect() {
        let exact = signature(0);
        let accuracy = Accuracy::of(&exact, &exact.rates, &truth(), 100.0);
        assert!((accuracy.correlation - 1.0).abs() < 1e-12);
        assert!((accuracy.cross_correlation - 1.0).abs() < 1e-12);
        assert_eq!((accuracy.missed, accuracy.false_bursts), (0, 0));
        assert_eq!(accuracy.volume_error, Some(0.0));
        assert_eq!(accuracy.gap_error_s, Some(0.0));
        assert_eq!(accuracy.volume_ratio, 1.0);
    }

    #[test]
    fn what_is_late_is_found_by_the_cross_correlation_alone() {
        let accuracy = Accuracy::of(&signature(20), &signature(0).rates, &truth(), 100.0);
        assert!(accuracy.correlation < 0.0);
        assert!(accuracy.cross_correlation > 0.7);
        assert_eq!((accuracy.missed, accuracy.false_bursts), (0, 0));
    }

    #[test]
    fn what_is_too_late_is_missed_and_false() {
        let mut late = signature(0);
        late.bursts[1].time_s += 40.0;
        let accuracy = Accuracy::of(&late, &late.rates, &truth(), 100.0);
        assert_eq!((accuracy.missed, accuracy.false_bursts), (1, 1));
    }

    #[test]
    fn constants_have_no_correlation() {
        let flat = Signature {
            start_s: 0.0,
            step_s: 1.0,
            timing: None,
            rates: vec![1.0; 10],
            bursts: Vec::new(),
        };
        let accuracy = Accuracy::of(&flat, &[], &[], 1.0);
        assert_eq!(
            (accuracy.correlation, accuracy.cross_correlation),
            (0.0, 0.0)
        );
    }
}
