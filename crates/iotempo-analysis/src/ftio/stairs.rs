//! The spectrum of stairs: of many samples that change seldom, from the changes alone.
//!
//! Two samples per shortest time between two events are tens of millions that hold a few thousand
//! rates. Their transform follows from the steps between these, `X_k·(1 − e^{−2πik/N}) = Σ_j
//! d_j·e^{−2πik·n_j/N}`, and falls off at least as fast as `1/k`: what stands out of it lies at the
//! low end, and Parseval's theorem knows the sum of the rest.

use super::sampling::{Run, lengths};
use crate::plans;
use realfft::num_complex::Complex;
use std::f64::consts::{PI, TAU};

/// The low end of a spectrum, and what is known about the rest.
pub(super) struct LowEnd {
    /// `X_0` and the bins after it.
    pub(super) bins: Vec<Complex<f64>>,
    /// The share of each but the mean in the power of all: entry `i` belongs to bin `i + 1`.
    pub(super) shares: Vec<f64>,
    /// The mean of all shares, and what their standard deviation lies between.
    mean: f64,
    deviation: (f64, f64),
    /// What no share beyond these bins exceeds.
    beyond: f64,
}

/// Rounding of the transform, as a share of its largest part.
const ROUNDING: f64 = 1e-9;

impl LowEnd {
    /// The first `count` bins of `samples` samples; `None` where these do not vary.
    pub(super) fn of(runs: &[Run], samples: usize, count: usize) -> Option<Self> {
        let jumps = jumps(runs);
        let (total, sum) = powers(runs, samples);
        let bins = bins(&jumps, samples, count, sum);
        let n = samples as f64;
        let shares: Vec<f64> = bins[1..]
            .iter()
            .map(|bin| bin.norm_sqr() / n / total)
            .collect();
        let steps: f64 = jumps.iter().map(|(_, jump)| jump.abs()).sum();
        let least = 2.0 * (PI * bins.len() as f64 / n).sin();
        let beyond = (steps / least).powi(2) / n / total;
        let number = (samples / 2) as f64;
        let squares: f64 = shares.iter().map(|share| share * share).sum();
        let rest = (1.0 - shares.iter().sum::<f64>()).max(0.0) + ROUNDING;
        let deviation = |squares: f64| (squares / number - number.powi(-2)).max(0.0).sqrt();
        let low_end = Self {
            mean: 1.0 / number,
            deviation: (deviation(squares), deviation(squares + rest * beyond)),
            beyond,
            bins,
            shares,
        };
        let judged = total > 0.0 && low_end.deviation.1.is_finite();
        judged.then_some(low_end)
    }

    /// The Z-scores of these bins. `None` where they depend on the bins beyond: where one of those
    /// may be among the outliers, or close to the highest score, or where it is not sure which of
    /// these bins are outliers.
    pub(super) fn z_scores(&self, outlier: f64, tolerance: f64) -> Option<Vec<f64>> {
        let (low, high) = self.deviation;
        let far = |share: &f64| share - self.mean;
        let highest = self.shares.iter().map(far).fold(0.0, f64::max);
        let beyond = self.beyond.max(self.mean);
        let unsure = outlier * low * (1.0 - ROUNDING)..outlier * high * (1.0 + ROUNDING);
        let sure = beyond < unsure.start
            && beyond < tolerance * highest * (1.0 - ROUNDING)
            && !self.shares.iter().any(|share| unsure.contains(&far(share)));
        sure.then(|| self.shares.iter().map(|share| far(share) / low).collect())
    }
}

/// The changes from sample to sample, as if the last were followed by the first: where, and by how
/// much.
fn jumps(runs: &[Run]) -> Vec<(usize, f64)> {
    let before = runs.iter().cycle().skip(runs.len().saturating_sub(1));
    let changes = runs.iter().zip(before);
    changes
        .map(|(run, before)| (run.begin, run.rate - before.rate))
        .collect()
}

/// The sum of `|X_k|²/N` over all bins but the mean (Parseval), and the sum of all samples.
fn powers(runs: &[Run], samples: usize) -> (f64, f64) {
    let lengths = lengths(runs, samples);
    let sum: f64 = lengths
        .clone()
        .map(|(run, length)| run.rate * length as f64)
        .sum();
    let mean = sum / samples as f64;
    let squares = lengths
        .clone()
        .map(|(run, length)| (run.rate - mean).powi(2) * length as f64);
    // The highest bin of an even number of samples has no twin.
    let alternating: f64 = lengths
        .filter(|(_, length)| length % 2 == 1)
        .map(|(run, _)| {
            if run.begin % 2 == 0 {
                run.rate
            } else {
                -run.rate
            }
        })
        .sum();
    let highest = match samples % 2 {
        0 => alternating.powi(2) / samples as f64,
        _ => 0.0,
    };
    ((squares.sum::<f64>() + highest) / 2.0, sum)
}

/// The bins from 0 to `count` of samples whose sum is known.
fn bins(jumps: &[(usize, f64)], samples: usize, count: usize, sum: f64) -> Vec<Complex<f64>> {
    let mut bins = transform(jumps, samples, count);
    for (k, bin) in bins.iter_mut().enumerate().skip(1) {
        // 1 − e^{−iθ} = 2i·sin(θ/2)·e^{−iθ/2}
        let half = PI * k as f64 / samples as f64;
        *bin *= Complex::from_polar(1.0 / (2.0 * half.sin()), half - PI / 2.0);
    }
    bins[0] = Complex::new(sum, 0.0);
    bins
}

/// How far a step is spread on the grid to either side, for twelve digits.
const REACH: i64 = 12;

/// `Σ_j d_j·e^{−2πik·n_j/N}` for `k` from 0 to `count`: steps are spread on a grid of four times as
/// many points with a Gaussian, which is divided out of the transform of the grid (Greengard and
/// Lee 2004, <https://doi.org/10.1137/S003614450343200X>).
fn transform(jumps: &[(usize, f64)], samples: usize, count: usize) -> Vec<Complex<f64>> {
    let points = (4 * (count + 1)).next_power_of_two();
    // Their equation 10 with twice as many points as modes, of which half are negative.
    let modes = points as f64 / 2.0;
    let width = PI * REACH as f64 / (3.0 * modes * modes);
    let spacing = TAU / points as f64;
    let mut grid = vec![0.0; points];
    for &(index, jump) in jumps {
        let place = index as f64 / samples as f64 * points as f64;
        let nearest = place as i64;
        for point in nearest - REACH + 1..=nearest + REACH {
            let distance = (point as f64 - place) * spacing;
            let weight = (-distance * distance / (4.0 * width)).exp();
            grid[point.rem_euclid(points as i64) as usize] += jump * weight;
        }
    }
    let plan = plans::forward(points);
    let mut bins = plan.make_output_vec();
    // It fails on buffers of the wrong length only; these are of its own.
    let _ = plan.process(&mut grid, &mut bins);
    bins.truncate(count + 1);
    let scale = (PI / width).sqrt() / points as f64;
    for (k, bin) in bins.iter_mut().enumerate() {
        *bin *= scale * (width * (k * k) as f64).exp();
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spectrum::{Measure, Spectrum};

    /// Bursts of uneven length and height, and the samples that they stand for.
    fn stairs(samples: usize) -> (Vec<Run>, Vec<f64>) {
        let mut runs = vec![Run {
            begin: 0,
            rate: 0.0,
        }];
        let mut begin = 7;
        while begin < samples {
            let rate = (runs.len() % 2 * (1 + runs.len() % 5)) as f64;
            runs.push(Run { begin, rate });
            begin += 40 + runs.len() * 31 % 17;
        }
        let values = lengths(&runs, samples)
            .flat_map(|(run, length)| vec![run.rate; length])
            .collect();
        (runs, values)
    }

    #[test]
    fn the_low_end_is_that_of_the_whole_spectrum() {
        for samples in [4096, 5001] {
            let (runs, values) = stairs(samples);
            let whole = Spectrum::of(&values);
            let low_end = LowEnd::of(&runs, samples, 600).expect("it varies");
            let largest = whole.amplitudes().into_iter().fold(0.0, f64::max);
            for (low, full) in low_end.bins.iter().zip(whole.bins()) {
                assert!((low - full).norm() < 1e-10 * largest, "{low} is not {full}");
            }
            let shares = whole.contributions(Measure::Power);
            for (low, full) in low_end.shares.iter().zip(&shares) {
                assert!((low - full).abs() < 1e-10, "{low} is not {full}");
            }
            let beyond = shares[600..].iter().copied().fold(0.0, f64::max);
            assert!(beyond < low_end.beyond, "{beyond}");
        }
    }

    #[test]
    fn what_bins_beyond_could_change_is_not_answered() {
        let (runs, values) = stairs(1 << 16);
        let scores = |count, tolerance| {
            let low_end = LowEnd::of(&runs, values.len(), count).expect("it varies");
            low_end.z_scores(3.0, tolerance)
        };
        let full = crate::outliers::z_scores(&Spectrum::of(&values).contributions(Measure::Power));
        let low = scores(1 << 14, 0.8).expect("they fall off");
        for (low, full) in low.iter().zip(&full) {
            assert!(
                (low - full).abs() < 1e-2 * full.abs().max(1.0),
                "{low} is not {full}"
            );
        }
        assert_eq!(scores(20, 0.8), None, "the line lies beyond");
        assert_eq!(
            scores(1 << 14, 0.0),
            None,
            "all bins are close to the highest"
        );
    }

    #[test]
    fn what_never_changes_has_no_spectrum() {
        let flat = [Run {
            begin: 0,
            rate: 5.0,
        }];
        assert!(LowEnd::of(&flat, 1000, 100).is_none());
    }
}
