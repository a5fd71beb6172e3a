//! The spectral witness: do lines stand out of the noise?
//!
//! A periodogram of noise scatters around a smooth background like an exponential distribution,
//! whatever the colour of the noise. So each bin is measured against the background around it, and
//! the harmonics of a period are added up, which follow a gamma distribution.

use super::numbers::{crest, detrended, median, memory};
use crate::spectrum::Spectrum;
use statrs::function::gamma::{gamma_ur, ln_gamma};

/// A period that the spectrum shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    /// In samples.
    pub(super) period: f64,
    /// Half of the interval in which it lies, in samples.
    pub(super) error: f64,
    /// The logarithm of how likely noise is to have a line as strong.
    pub(super) ln_p: f64,
}

impl Line {
    /// How likely noise is to have a line as strong.
    pub(super) fn p_value(self) -> f64 {
        self.ln_p.exp()
    }
}

/// The spectrum of a signal, whitened.
#[derive(Debug, Clone, Default)]
pub(super) struct Lines {
    /// The number of samples that were transformed.
    pub(super) samples: usize,
    /// The power of each bin.
    pub(super) power: Vec<f64>,
    /// The same over what noise of this colour has there in the mean.
    excess: Vec<f64>,
}

/// Numbers of harmonics that are tried, as powers of two.
const HARMONICS: std::ops::RangeInclusive<u32> = 0..=4;
/// Fewest repetitions within the signal.
const FEWEST: usize = 3;
/// No bin counts for more than this when lines are compared, or one harmonic of a sharp wave would outweigh all others and
/// be taken for something else's.
const MOST: f64 = 30.0;
/// Bins that are looked at in any case.
const FEWEST_BINS: usize = 32;
/// Fewer samples than this have no background to speak of.
const FEWEST_SAMPLES: usize = 16;

impl Lines {
    pub(super) fn of(samples: &[f64]) -> Self {
        if samples.len() < FEWEST_SAMPLES {
            return Self::default();
        }
        let length = smooth_length(samples.len());
        let mut power = Spectrum::of(&whitened(&samples[..length])).powers();
        // Steps that last several samples have nothing to say about anything faster.
        let fastest = 1.1 * length as f64 / (2.0 * stair(samples));
        power.truncate((fastest as usize).max(FEWEST_BINS));
        Self {
            samples: length,
            excess: against_background(&power),
            power,
        }
    }

    /// The strongest line with its harmonics.
    pub(super) fn strongest(&self) -> Option<Line> {
        let last = self.excess.len().checked_sub(1)?;
        let capped: Vec<f64> = self.excess.iter().map(|excess| excess.min(MOST)).collect();
        let mut sums = vec![0.0; capped.len()];
        let (bin, _) = HARMONICS
            .map(|power| {
                let (bin, sum) = strongest(&capped, power, &mut sums);
                (bin, ln_chance_of_sum(f64::from(1 << power), sum))
            })
            .filter(|(bin, _)| *bin > 0.0)
            .min_by(|a, b| a.1.total_cmp(&b.1))?;
        let bin = self.summit(fundamental(&capped, bin));
        let tries = HARMONICS.count() * last.saturating_sub(FEWEST);
        let ln_p = self.ln_chance(bin);
        let (bin, harmonic) = refined(&self.power, bin);
        let period = self.samples as f64 / bin;
        Some(Line {
            period,
            // Half a bin, and less where harmonics agree.
            error: 0.5 * period / (bin * harmonic.sqrt()),
            ln_p: (ln_p + (tries as f64).ln()).min(0.0),
        })
    }

    /// The strongest bin around one that is as strong as counts: the slopes of a sharp line are, too.
    fn summit(&self, bin: f64) -> f64 {
        const AROUND: f64 = 0.03;
        let first = ((1.0 - AROUND) * bin).ceil().max(1.0) as usize;
        let last = (((1.0 + AROUND) * bin) as usize).min(self.power.len() - 1);
        let top = (first..=last).max_by(|a, b| self.power[*a].total_cmp(&self.power[*b]));
        top.filter(|top| self.excess[*top] > MOST && (*top as f64 - bin).abs() >= 1.0)
            .map_or(bin, |top| top as f64)
    }

    /// The logarithm of how likely noise is to have as strong harmonics of a bin, over the number of
    /// them that says most.
    fn ln_chance(&self, bin: f64) -> f64 {
        let excess = |h: u32| self.excess.get((f64::from(h) * bin).round() as usize);
        let chances = HARMONICS.filter_map(|power| {
            let sum: Option<f64> = (1..=1 << power).map(excess).sum();
            Some(ln_chance_of_sum(f64::from(1 << power), sum?))
        });
        chances.fold(0.0, f64::min)
    }

    /// The spectrum without a line and its harmonics.
    pub(super) fn without(&self, line: Line) -> Self {
        const WIDTH: f64 = 2.0;
        let fundamental = self.samples as f64 / line.period;
        let mut rest = self.clone();
        for (k, excess) in rest.excess.iter_mut().enumerate() {
            let harmonic = (k as f64 / fundamental).round().max(1.0);
            if (k as f64 - harmonic * fundamental).abs() <= WIDTH {
                *excess = excess.min(1.0);
            }
        }
        rest
    }
}

/// The logarithm of the probability that `n` exponential variables have at least this sum.
fn ln_chance_of_sum(n: f64, sum: f64) -> f64 {
    // The tail of the gamma distribution, before it underflows.
    if sum > 100.0 + 2.0 * n {
        return (n - 1.0) * sum.ln() - sum - ln_gamma(n);
    }
    gamma_ur(n, sum.max(f64::MIN_POSITIVE)).ln()
}

/// The signal less its trend, filtered so that neighbours are uncorrelated: a random walk becomes
/// white noise, and lines keep their distance from what surrounds them.
fn whitened(samples: &[f64]) -> Vec<f64> {
    let mut filtered = detrended(samples);
    let memory = memory(&filtered);
    let mut last = 0.0;
    for sample in &mut filtered {
        let now = *sample;
        *sample = now - memory * last;
        last = now;
    }
    filtered
}

/// The mean length of stretches of equal samples, idle time aside: requests that last longer than a
/// sample make stairs, whose edges alone have a spectrum of their own.
fn stair(samples: &[f64]) -> f64 {
    let active = samples.iter().filter(|sample| **sample > 0.0).count();
    let same = |pair: &&[f64]| pair[0] > 0.0 && (pair[1] - pair[0]).abs() <= 1e-6 * pair[0];
    let steps = active - samples.windows(2).filter(same).count().min(active);
    active as f64 / steps.max(1) as f64
}

/// The greatest number up to `most` that has no prime factor above 5: other lengths take several
/// times as long to transform, and no more than some hundredths of the samples are given up.
fn smooth_length(most: usize) -> usize {
    let smooth = |mut n: usize| {
        for factor in [2, 3, 5] {
            while n.is_multiple_of(factor) {
                n /= factor;
            }
        }
        n == 1
    };
    (1..=most).rev().find(|n| smooth(*n)).unwrap_or(most)
}

/// Bins over what noise of this colour has there in the mean; all 0 where nothing varies.
fn against_background(power: &[f64]) -> Vec<f64> {
    let bands = bands(power);
    let highest = bands.iter().map(|(_, level)| *level).fold(0.0, f64::max);
    if highest <= 0.0 {
        return vec![0.0; power.len()];
    }
    let mut excess = Vec::with_capacity(power.len());
    for (index, &(from, low)) in bands.iter().enumerate() {
        // From the centre of a band to that of the next; beyond the outermost the level stays.
        let (to, high) = bands.get(index + 1).copied().unwrap_or((from, low));
        let last = if index + 2 < bands.len() {
            to as usize + 1
        } else {
            power.len()
        };
        let level = |k: usize| {
            let share = ((k as f64 - from) / (to - from).max(1.0)).clamp(0.0, 1.0);
            (low + share * (high - low)).max(1e-12 * highest)
        };
        let bins = excess.len()..last;
        excess.extend(bins.map(|k| power[k] / level(k)));
    }
    excess
}

/// The centre and the level of bands of bins. The median of an exponential distribution is ln 2 of
/// its mean, and lines do not move it.
fn bands(power: &[f64]) -> Vec<(f64, f64)> {
    const NARROWEST: usize = 16;
    let mut bands = Vec::new();
    let mut from = 1;
    while from < power.len() {
        let mut to = (from + NARROWEST.max(from / 2)).min(power.len());
        if power.len() - to < NARROWEST {
            to = power.len();
        }
        let level = median(&power[from..to]) / std::f64::consts::LN_2;
        bands.push((0.5 * (from + to) as f64, level));
        from = to;
    }
    bands
}

/// The fundamental, in bins, whose first 2^`power` harmonics have the greatest sum, and that sum.
/// Of twice as many harmonics of half the fundamental, the even ones are the same: `sums` holds those
/// of one power less, by their highest harmonic.
fn strongest(excess: &[f64], power: u32, sums: &mut [f64]) -> (f64, f64) {
    let harmonics = 1_usize << power;
    let mut best = (0, 0.0);
    // In steps of the resolution of the highest harmonic.
    for (j, kept) in sums.iter_mut().enumerate().skip(FEWEST * harmonics) {
        let mut sum = *kept;
        let mut at = harmonics / 2 + j;
        for _ in 0..harmonics.div_ceil(2) {
            sum += excess[at >> power];
            at += 2 * j;
        }
        if sum > best.1 {
            best = (j, sum);
        }
        *kept = sum;
    }
    (best.0 as f64 / harmonics as f64, best.1)
}

/// A multiple of a bin whose harmonics hold nearly all that its own do: then it is the fundamental.
fn fundamental(excess: &[f64], bin: f64) -> f64 {
    const NEARLY: f64 = 0.9;
    let above = |every: usize| -> f64 {
        let harmonics = (1..=16).map(|h| h * every).take_while(|h| *h <= 16);
        let bins = harmonics.map(|h| (h as f64 * bin).round() as usize);
        let excess = bins.filter_map(|k| excess.get(k));
        excess.map(|excess| (excess - 1.0).max(0.0)).sum()
    };
    let all = above(1);
    let multiple = [5, 3, 2]
        .into_iter()
        .find(|times| above(*times) > NEARLY * all);
    match multiple {
        Some(times) if all > 0.0 => fundamental(excess, bin * times as f64),
        _ => bin,
    }
}

/// The fundamental between bins, from the highest harmonic that still stands out, and that harmonic.
fn refined(power: &[f64], bin: f64) -> (f64, f64) {
    let strength = |h: usize| power.get((h as f64 * bin).round() as usize).copied();
    let first = strength(1).unwrap_or(0.0);
    let harmonic = (1..=8)
        .rev()
        .find(|h| strength(*h).is_some_and(|power| power > 0.3 * first))
        .unwrap_or(1);
    let k = (harmonic as f64 * bin).round() as usize;
    let near = k.saturating_sub(1)..=(k + 1).min(power.len() - 1);
    let tall = near.max_by(|a, b| power[*a].total_cmp(&power[*b]));
    let crest = crest(power, tall.unwrap_or(k)).max(1.0);
    (crest / harmonic as f64, harmonic as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::f64::consts::TAU;

    #[test]
    fn a_wave_of_a_broken_number_of_samples_is_found_between_bins() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut noise = || random.random::<f64>();
        let wave = |i: i32| 5.0 + (TAU * f64::from(i) / 13.7).sin() + noise();
        let samples: Vec<f64> = (0..500).map(wave).collect();
        let line = Lines::of(&samples).strongest().expect("a line");
        assert!((line.period - 13.7).abs() < line.error, "{line:?}");
        assert!(line.ln_p < -20.0, "{line:?}");
    }

    #[test]
    fn the_tail_of_the_gamma_distribution_is_continuous() {
        let (below, above) = (ln_chance_of_sum(4.0, 107.9), ln_chance_of_sum(4.0, 108.1));
        assert!((below - above - 0.2).abs() < 0.05, "{below} {above}");
    }

    #[test]
    fn lengths_are_smooth_and_little_is_given_up() {
        assert_eq!(smooth_length(3611), 3600);
        assert_eq!(smooth_length(16), 16);
        assert_eq!(smooth_length(7), 6);
    }
}
