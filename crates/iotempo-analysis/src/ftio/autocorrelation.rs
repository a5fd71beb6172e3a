//! The period according to the autocorrelation.

use super::finding::Autocorrelation;
use super::settings::Method;
use crate::autocorrelation::autocorrelation;
use crate::peaks::PeakFinder;
use iotempo_model::Warning;

/// How high a peak of the autocorrelation must be.
const HEIGHT: f64 = 0.15;

/// How many standard deviations a time between peaks may lie from their mean. The paper does not
/// say; FTIO takes 1.
const FARTHEST: f64 = 1.0;

/// What the autocorrelation of samples says, and what a person should know about it.
pub(super) fn by_autocorrelation(
    samples: &[f64],
    rate: f64,
    method: Method,
) -> (Autocorrelation, Option<Warning>) {
    let finder = PeakFinder {
        height: Some(HEIGHT),
        ..PeakFinder::default()
    };
    let peaks = autocorrelation(samples).map_or_else(Vec::new, |acf| finder.find(&acf));
    let heights: Vec<f64> = peaks.iter().map(|peak| peak.height).collect();
    let gaps = peaks
        .windows(2)
        .map(|pair| (pair[1].index - pair[0].index) as f64 / rate);
    let weights = heights
        .windows(2)
        .map(|pair| weight(pair[0], pair[1], method));
    let mut found = Weighted(gaps.zip(weights).collect());
    let estimate = found.without_outliers(method);
    let period = estimate.filter(|estimate| estimate.mean > 0.0);
    let warning = (!found.0.is_empty() && period.is_none()).then(|| no_period(estimate));
    let answer = Autocorrelation {
        period_s: period.map(|estimate| estimate.mean),
        confidence: period.map(|estimate| 1.0 - (estimate.deviation / estimate.mean).abs()),
        peak_lags_s: peaks.iter().map(|peak| peak.index as f64 / rate).collect(),
        peak_heights: heights,
        candidates_s: found.0.iter().map(|&(gap, _)| gap).collect(),
    };
    (answer, warning)
}

/// How much the time between two peaks of these heights counts.
fn weight(left: f64, right: f64, method: Method) -> f64 {
    match method {
        // Negative wherever peaks fall off, as they mostly do.
        Method::Ftio => right - left,
        Method::Paper => (left + right) / 2.0,
    }
}

fn no_period(estimate: Option<Estimate>) -> Warning {
    let found = estimate.map_or_else(
        || "their weights add up to 0".to_owned(),
        |estimate| format!("their weighted mean is {} s", estimate.mean),
    );
    let message = format!(
        "the times between peaks of the autocorrelation have no mean: FTIO weighs them by how much \
         the peaks rise, and {found}"
    );
    Warning::new("autocorrelation-weights", message)
}

/// A mean and how far values lie from it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Estimate {
    mean: f64,
    deviation: f64,
}

/// Values and their weights.
struct Weighted(Vec<(f64, f64)>);

impl Weighted {
    /// `None` where the weights add up to nothing.
    fn estimate(&self) -> Option<Estimate> {
        let sum: f64 = self.0.iter().map(|(_, weight)| weight).sum();
        if sum == 0.0 {
            return None;
        }
        let average = |value: &dyn Fn(f64) -> f64| {
            let terms = self.0.iter().map(|&(gap, weight)| value(gap) * weight);
            terms.sum::<f64>() / sum
        };
        let mean = average(&|gap| gap);
        let deviation = average(&|gap| (gap - mean).powi(2)).abs().sqrt();
        Some(Estimate { mean, deviation })
    }

    /// Leaves out what is far from the weighted mean, and estimates the rest: weighted, or, in the
    /// words of the paper, by its average.
    fn without_outliers(&mut self, method: Method) -> Option<Estimate> {
        let Estimate { mean, deviation } = self.estimate()?;
        if deviation != 0.0 {
            self.0
                .retain(|(gap, _)| ((gap - mean) / deviation).abs() <= FARTHEST);
        }
        if method == Method::Paper {
            self.0.iter_mut().for_each(|(_, weight)| *weight = 1.0);
        }
        self.estimate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bursts(starts: &[usize], length: usize, samples: usize) -> Vec<f64> {
        let inside = |i: usize| {
            starts
                .iter()
                .any(|&start| (start..start + length).contains(&i))
        };
        (0..samples)
            .map(|i| f64::from(u8::from(inside(i))))
            .collect()
    }

    #[test]
    fn even_bursts_have_their_period_in_both_ways() {
        let samples = bursts(&[5, 25, 45, 65, 85, 105], 4, 125);
        for method in [Method::Ftio, Method::Paper] {
            let (answer, warning) = by_autocorrelation(&samples, 2.0, method);
            assert_eq!(warning, None);
            assert!((answer.period_s.expect("a period") - 10.0).abs() < 1e-9);
            assert!((answer.confidence.expect("sure") - 1.0).abs() < 1e-9);
            assert_eq!(answer.peak_lags_s[..2], [10.0, 20.0]);
        }
    }

    #[test]
    fn what_does_not_vary_has_no_peaks() {
        for samples in [&[][..], &[1.0], &[3.0; 40]] {
            let (answer, warning) = by_autocorrelation(samples, 1.0, Method::Ftio);
            assert_eq!((answer.period_s, answer.confidence), (None, None));
            assert!(answer.peak_lags_s.is_empty() && warning.is_none());
        }
    }

    #[test]
    fn signed_weights_can_leave_a_negative_mean_and_unsigned_ones_cannot() {
        let gaps = [(10.0, -0.3), (12.0, 0.29)];
        let signed = Weighted(gaps.to_vec()).estimate().expect("a sum");
        assert!(signed.mean < 0.0);
        let unsigned = gaps.map(|(gap, weight): (f64, f64)| (gap, weight.abs()));
        let unsigned = Weighted(unsigned.to_vec()).estimate().expect("a sum");
        assert!((10.0..12.0).contains(&unsigned.mean));
        assert_eq!(Weighted(vec![(10.0, -0.5), (12.0, 0.5)]).estimate(), None);
    }
}
