//! Discrete wavelet transforms, with the conventions of PyWavelets: signals go on beyond their ends
//! as in a mirror (its mode `symmetric`), and coefficients are as many as the filter needs for that.

mod filters;

use crate::products::dot;
use filters::DISCRETE_MEYER;

/// A wavelet, by its filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wavelet {
    /// The discrete Meyer wavelet, PyWavelets' `dmey`: 62 taps, smooth, and orthogonal only to
    /// about 1 %, so that what is taken apart is put together again with that error.
    #[default]
    DiscreteMeyer,
    /// Haar's: steps.
    Haar,
}

/// A signal taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Decomposition {
    /// What is left when all details are taken away.
    pub approximation: Vec<f64>,
    /// The details of each level, the coarsest first.
    pub details: Vec<Vec<f64>>,
    /// The lengths of the signals that were halved, the coarsest first.
    lengths: Vec<usize>,
}

impl Wavelet {
    /// The low-pass filter that takes signals apart.
    #[must_use]
    pub fn taps(self) -> &'static [f64] {
        const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
        match self {
            Self::DiscreteMeyer => &DISCRETE_MEYER,
            Self::Haar => &[HALF, HALF],
        }
    }

    /// The high-pass filter that takes signals apart: its mirror image with alternating signs.
    fn details(self) -> Vec<f64> {
        let signs = [-1.0, 1.0].into_iter().cycle();
        let taps = self.taps().iter().rev();
        taps.zip(signs).map(|(tap, sign)| sign * tap).collect()
    }

    /// How often a signal can be halved before the ends of the filter reach beyond both of its ends.
    #[must_use]
    pub fn max_level(self, length: usize) -> usize {
        match length / (self.taps().len() - 1) {
            0 => 0,
            times => times.ilog2() as usize,
        }
    }

    /// Takes a signal apart, in `level` halvings. Of nothing nothing is made.
    #[must_use]
    pub fn decompose(self, signal: &[f64], level: usize) -> Decomposition {
        let high = self.details();
        let mut approximation = signal.to_vec();
        let mut details = Vec::with_capacity(level);
        let mut lengths = Vec::with_capacity(level);
        for _ in 0..level {
            lengths.push(approximation.len());
            let extended = Mirrored::new(&approximation, self.taps().len());
            details.push(extended.halved(&high));
            approximation = extended.halved(self.taps());
        }
        details.reverse();
        lengths.reverse();
        Decomposition {
            approximation,
            details,
            lengths,
        }
    }

    /// Puts a signal together again.
    #[must_use]
    pub fn reconstruct(self, parts: &Decomposition) -> Vec<f64> {
        let low = Phases::new(self.taps());
        let high = Phases::new(&self.details());
        let mut signal = parts.approximation.clone();
        for (details, &length) in parts.details.iter().zip(&parts.lengths) {
            let mut doubled = low.doubled(&signal, length);
            for (sum, detail) in doubled.iter_mut().zip(high.doubled(details, length)) {
                *sum += detail;
            }
            signal = doubled;
        }
        signal
    }

    /// A signal without the details of the first `level` halvings, as long as it was.
    #[must_use]
    pub fn smooth(self, signal: &[f64], level: usize) -> Vec<f64> {
        let taps = self.taps();
        let mut approximation = signal.to_vec();
        let mut lengths = Vec::with_capacity(level);
        for _ in 0..level {
            lengths.push(approximation.len());
            approximation = Mirrored::new(&approximation, taps.len()).halved(taps);
        }
        let low = Phases::new(taps);
        for &length in lengths.iter().rev() {
            approximation = low.doubled(&approximation, length);
        }
        approximation
    }
}

/// A signal with as much of its mirror image at both ends as a filter reaches.
struct Mirrored {
    values: Vec<f64>,
    length: usize,
}

impl Mirrored {
    fn new(signal: &[f64], taps: usize) -> Self {
        let length = signal.len();
        if length == 0 {
            return Self {
                values: Vec::new(),
                length,
            };
        }
        let beyond = taps - 1;
        // A signal that is shorter than the filter is mirrored again and again.
        let turn = 2 * length;
        let start = turn - beyond % turn;
        let values = (0..length + 2 * beyond).map(|i| {
            let place = (start + i) % turn;
            signal[place.min(turn - 1 - place)]
        });
        Self {
            values: values.collect(),
            length,
        }
    }

    /// Every second value of the signal behind a filter.
    fn halved(&self, taps: &[f64]) -> Vec<f64> {
        if self.length == 0 {
            return Vec::new();
        }
        let backwards: Vec<f64> = taps.iter().rev().copied().collect();
        let count = (self.length + taps.len() - 1) / 2;
        // The first value ends at the second of the signal.
        let window = |k: usize| &self.values[2 * k + 1..][..taps.len()];
        (0..count).map(|k| dot(&backwards, window(k))).collect()
    }
}

/// A filter that puts signals together: the taps that meet even places, and those that meet odd ones.
struct Phases {
    even: Vec<f64>,
    odd: Vec<f64>,
}

impl Phases {
    /// Of the filter that takes apart.
    fn new(taps: &[f64]) -> Self {
        // The filter that puts together is the same backwards, and so is a convolution.
        Self {
            even: taps.iter().skip(1).step_by(2).copied().collect(),
            odd: taps.iter().step_by(2).copied().collect(),
        }
    }

    /// A signal of `length` of half as many coefficients.
    fn doubled(&self, coefficients: &[f64], length: usize) -> Vec<f64> {
        let windows = coefficients.windows(self.even.len());
        let both = windows.flat_map(|window| [dot(&self.even, window), dot(&self.odd, window)]);
        both.take(length).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn haar_halves_by_means() {
        let parts = Wavelet::Haar.decompose(&[1.0, 3.0, 5.0, 5.0], 1);
        let root = std::f64::consts::SQRT_2;
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(close(&parts.approximation, &[2.0 * root, 5.0 * root]));
        assert_eq!(Wavelet::Haar.smooth(&[1.0, 3.0, 5.0, 5.0], 1).len(), 4);
        assert!(close(
            &Wavelet::Haar.smooth(&[1.0, 3.0, 5.0, 5.0], 1),
            &[2.0, 2.0, 5.0, 5.0]
        ));
    }

    #[test]
    fn what_haar_takes_apart_it_puts_together_at_every_length() {
        for length in 0..70 {
            let signal: Vec<f64> = (0..length).map(|i| f64::from(i * i % 17)).collect();
            for level in 0..5 {
                let parts = Wavelet::Haar.decompose(&signal, level);
                let again = Wavelet::Haar.reconstruct(&parts);
                assert_eq!(again.len(), signal.len());
                assert!(
                    again
                        .iter()
                        .zip(&signal)
                        .all(|(a, b)| (a - b).abs() < 1e-12)
                );
            }
        }
    }

    #[test]
    fn a_constant_stays_what_it_is() {
        for length in [1, 2, 61, 62, 63, 500] {
            for level in 0..4 {
                let smooth = Wavelet::DiscreteMeyer.smooth(&vec![3.0; length], level);
                assert_eq!(smooth.len(), length);
                assert!(
                    smooth.iter().all(|x| (x - 3.0).abs() < 0.02),
                    "{length} {level}"
                );
            }
        }
        assert!(Wavelet::DiscreteMeyer.smooth(&[], 2).is_empty());
    }

    #[test]
    fn levels_end_where_the_filter_is_longer_than_the_signal() {
        let levels = [0, 60, 61, 121, 122, 243, 244].map(|n| Wavelet::DiscreteMeyer.max_level(n));
        assert_eq!(levels, [0, 0, 0, 0, 1, 1, 2]);
    }
}
