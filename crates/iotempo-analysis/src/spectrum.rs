//! The discrete Fourier transform of real samples.

use crate::plans;
use realfft::num_complex::Complex;

/// The one-sided transform `X_k = Σ x_n·exp(−2πi·kn/N)` of `N` real samples, `k = 0 … ⌊N/2⌋`.
///
/// Not normalised; bin `k` lies at the frequency `k·rate/N`.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrum {
    bins: Vec<Complex<f64>>,
    samples: usize,
}

/// What a bin of a spectrum is measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// `|X_k|²/N`.
    #[default]
    Power,
    /// `|X_k|`.
    Amplitude,
}

impl Spectrum {
    /// Transforms samples of any number in O(N log N).
    #[must_use]
    pub fn of(samples: &[f64]) -> Self {
        if samples.is_empty() {
            return Self {
                bins: Vec::new(),
                samples: 0,
            };
        }
        let transform = plans::forward(samples.len());
        let mut input = samples.to_vec();
        let mut bins = transform.make_output_vec();
        // It fails on buffers of the wrong length only; these are of its own.
        let _ = transform.process(&mut input, &mut bins);
        Self {
            bins,
            samples: samples.len(),
        }
    }

    /// The bins from 0 (the mean) to `⌊N/2⌋`.
    #[must_use]
    pub fn bins(&self) -> &[Complex<f64>] {
        &self.bins
    }

    /// The number of samples that were transformed.
    #[must_use]
    pub const fn samples(&self) -> usize {
        self.samples
    }

    /// `|X_k|`.
    #[must_use]
    pub fn amplitude(&self, k: usize) -> f64 {
        self.bins[k].norm()
    }

    /// The angle of `X_k`, of the wave that is 0 where the first sample lies.
    #[must_use]
    pub fn phase(&self, k: usize) -> f64 {
        self.bins[k].arg()
    }

    /// `|X_k|²/N` of every bin.
    #[must_use]
    pub fn powers(&self) -> Vec<f64> {
        self.measured(Measure::Power).collect()
    }

    /// `|X_k|` of every bin.
    #[must_use]
    pub fn amplitudes(&self) -> Vec<f64> {
        self.measured(Measure::Amplitude).collect()
    }

    fn measured(&self, measure: Measure) -> impl Iterator<Item = f64> + '_ {
        let samples = self.samples as f64;
        self.bins.iter().map(move |bin| match measure {
            Measure::Power => bin.norm_sqr() / samples,
            Measure::Amplitude => bin.norm(),
        })
    }

    /// The share of each bin but the mean in the sum of these bins: entry `i` belongs to bin
    /// `i + 1`. All 0 where the samples do not vary.
    #[must_use]
    pub fn contributions(&self, measure: Measure) -> Vec<f64> {
        let mut shares: Vec<f64> = self.measured(measure).skip(1).collect();
        let sum: f64 = shares.iter().sum();
        if sum > 0.0 {
            for share in &mut shares {
                *share /= sum;
            }
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    fn naive(samples: &[f64]) -> Vec<Complex<f64>> {
        let n = samples.len();
        (0..=n / 2)
            .map(|k| {
                let term = |(i, x): (usize, &f64)| {
                    let angle = -TAU * (i * k % n) as f64 / n as f64;
                    Complex::new(angle.cos(), angle.sin()) * x
                };
                samples.iter().enumerate().map(term).sum()
            })
            .collect()
    }

    #[test]
    fn it_equals_the_naive_transform_at_every_length_to_130_and_at_a_prime() {
        for length in (1..=130).chain([997]) {
            let samples: Vec<f64> = (0..length).map(|i| (i * i % 17) as f64 - 3.0).collect();
            let spectrum = Spectrum::of(&samples);
            let expected = naive(&samples);
            assert_eq!(spectrum.bins().len(), expected.len());
            for (got, wanted) in spectrum.bins().iter().zip(&expected) {
                let scale = 17.0 * length as f64;
                assert!((got - wanted).norm() < 1e-12 * scale, "length {length}");
            }
        }
    }

    #[test]
    fn nothing_has_an_empty_spectrum() {
        let spectrum = Spectrum::of(&[]);
        assert!(spectrum.bins().is_empty());
        assert!(spectrum.contributions(Measure::Power).is_empty());
    }

    #[test]
    fn one_sample_is_its_own_mean() {
        let spectrum = Spectrum::of(&[7.0]);
        assert_eq!(spectrum.powers(), [49.0]);
        assert!(spectrum.contributions(Measure::Power).is_empty());
    }

    #[test]
    fn a_cosine_fills_its_own_bin_and_keeps_its_phase() {
        let (n, k, phase) = (64, 5, 0.7);
        let wave = |i| 3.0 * (TAU * (i * k) as f64 / n as f64 + phase).cos();
        let spectrum = Spectrum::of(&(0..n).map(wave).collect::<Vec<f64>>());
        assert!((spectrum.amplitude(k) - 3.0 * n as f64 / 2.0).abs() < 1e-9);
        assert!((spectrum.phase(k) - phase).abs() < 1e-12);
        let shares = spectrum.contributions(Measure::Power);
        assert!((shares[k - 1] - 1.0).abs() < 1e-12);
    }
}
