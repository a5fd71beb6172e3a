//! The autocorrelation witness: does the signal resemble itself one period later?

use super::numbers::{detrended, dot, memory};
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

/// A signal to be compared with itself.
pub(super) struct Mirror {
    /// The signal less its trend.
    level: Vec<f64>,
    /// How much of a sample is still in the next.
    memory: f64,
}

impl Mirror {
    pub(super) fn of(samples: &[f64]) -> Self {
        let level = detrended(samples);
        Self {
            memory: memory(&level).clamp(0.0, 0.99),
            level,
        }
    }

    /// The resemblance at lags within a twentieth of `period`.
    pub(super) fn at(&self, period: f64) -> Option<Resemblance> {
        let first = (0.95 * period).floor().max(1.0) as usize;
        let last = (1.05 * period).ceil() as usize;
        // A whole period must be left to compare with.
        if last.saturating_add(first) > self.level.len() {
            return None;
        }
        // A handful of lags is enough where phases are long; where they are as short as a sample, only
        // the period itself will do.
        let stride = (last - first).div_ceil(8).max(1);
        let middle = period.round() as usize;
        let mut lags: Vec<usize> = (first..last + 1).step_by(stride).collect();
        lags.extend(middle.saturating_sub(1).max(first)..=(middle + 1).min(last));
        lags.sort_unstable();
        lags.dedup();
        let (lag, correlation) = self.greatest_correlation(lags.into_iter().rev())?;
        let forgotten = (1.0 - self.memory) / (1.0 + self.memory);
        let independent = (self.level.len() - lag) as f64 * forgotten;
        Some(Resemblance {
            lag: lag as f64,
            correlation,
            p_value: 0.5 * erfc(correlation * (0.5 * independent).sqrt()),
        })
    }

    /// The lag, of those that fall, at which the correlation is greatest, and the correlation.
    fn greatest_correlation(&self, lags: impl Iterator<Item = usize>) -> Option<(usize, f64)> {
        let level = &self.level;
        let squares = |part: &[f64]| dot(part, part);
        // The later and the earlier stretch grow as the lag falls, and so do their squares.
        let (mut later, mut from) = (0.0, level.len());
        let (mut earlier, mut to) = (0.0, 0);
        let correlations = lags.map(|lag| {
            later += squares(&level[lag..from]);
            from = lag;
            earlier += squares(&level[to..level.len() - lag]);
            to = level.len() - lag;
            let scale = f64::sqrt(later * earlier);
            let product = dot(&level[lag..], level);
            (lag, if scale > 0.0 { product / scale } else { 0.0 })
        });
        correlations.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_resembles_itself_a_period_later_and_not_half_of_one() {
        let wave: Vec<f64> = (0..300).map(|i| f64::from(i % 25 < 5)).collect();
        let wave = Mirror::of(&wave);
        let whole = wave.at(25.0).expect("long enough");
        assert_eq!(whole.lag, 25.0);
        assert!(whole.p_value < 1e-6, "{whole:?}");
        let half = wave.at(12.5).expect("long enough");
        assert!(half.p_value > 0.5, "{half:?}");
    }

    #[test]
    fn phases_of_one_sample_resemble_themselves_whatever_their_period() {
        for period in (100..1500).step_by(20) {
            let wave: Vec<f64> = (0..20 * period)
                .map(|i| f64::from(u8::from(i % period == 0)))
                .collect();
            let found = Mirror::of(&wave).at(period as f64).expect("long enough");
            assert_eq!(found.lag, period as f64);
            assert!(found.correlation > 0.9, "{period}: {found:?}");
        }
    }

    #[test]
    fn a_period_as_long_as_the_signal_has_nothing_to_be_compared_with() {
        assert_eq!(Mirror::of(&[1.0, 2.0, 3.0]).at(3.0), None);
    }
}
