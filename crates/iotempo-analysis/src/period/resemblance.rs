//! The autocorrelation witness: does the signal resemble itself one period later?

use super::numbers::{detrended, memory};
use statrs::function::erf::erfc;

/// How much a signal resembles itself one period later.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Resemblance {
    /// The lag of the greatest resemblance near the period, in samples.
    pub(super) lag: f64,
    /// The coefficient of correlation at that lag.
    pub(super) correlation: f64,
    /// The probability that noise which forgets as slowly resembles itself as much.
    pub(super) p_value: f64,
}

/// The resemblance at lags within a twentieth of `period`.
pub(super) fn at(samples: &[f64], period: f64) -> Option<Resemblance> {
    let level = detrended(samples);
    let first = (0.95 * period).floor().max(1.0) as usize;
    let last = (1.05 * period).ceil() as usize;
    // A whole period must be left to compare with.
    if last + first > level.len() {
        return None;
    }
    // A handful of lags is enough: a resemblance is no sharper than the phases are long.
    let stride = (last - first).div_ceil(8).max(1);
    let lags = (first..=last).step_by(stride);
    let (lag, correlation) = lags
        .map(|lag| (lag, correlation(&level[lag..], &level)))
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    let memory = memory(&level).clamp(0.0, 0.99);
    let independent = (level.len() - lag) as f64 * (1.0 - memory) / (1.0 + memory);
    let p_value = 0.5 * erfc(correlation * (0.5 * independent).sqrt());
    Some(Resemblance {
        lag: lag as f64,
        correlation,
        p_value,
    })
}

/// The correlation of two stretches around 0, the longer one cut.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    let scale = (aa * bb).sqrt();
    if scale > 0.0 { ab / scale } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_resembles_itself_a_period_later_and_not_half_of_one() {
        let wave: Vec<f64> = (0..300).map(|i| f64::from(i % 25 < 5)).collect();
        let whole = at(&wave, 25.0).expect("long enough");
        assert_eq!(whole.lag, 25.0);
        assert!(whole.p_value < 1e-6, "{whole:?}");
        let half = at(&wave, 12.5).expect("long enough");
        assert!(half.p_value > 0.5, "{half:?}");
    }

    #[test]
    fn a_period_as_long_as_the_signal_has_nothing_to_be_compared_with() {
        assert_eq!(at(&[1.0, 2.0, 3.0], 3.0), None);
    }
}
