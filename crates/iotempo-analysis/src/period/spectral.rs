//! The spectral witness: do lines stand out of the noise?
//!
//! A periodogram of noise scatters around a smooth background like an exponential distribution,
//! whatever the colour of the noise. So each bin is measured against the background around it, and
//! the harmonics of a period are added up, which follow a gamma distribution.

use super::numbers::{crest, mean, median};
use crate::spectrum::Spectrum;
use statrs::function::gamma::gamma_ur;

/// A period that the spectrum shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Line {
    /// In samples.
    pub(super) period: f64,
    /// How likely noise is to have a line as strong.
    pub(super) p_value: f64,
}

/// Numbers of harmonics that are tried, as powers of two.
const HARMONICS: std::ops::RangeInclusive<u32> = 0..=4;
/// Fewest repetitions within the signal.
const FEWEST: usize = 3;

/// The strongest line and its harmonics.
pub(super) fn line(samples: &[f64]) -> Option<Line> {
    if samples.len() < 16 {
        return None;
    }
    let length = smooth_length(samples.len());
    let power = Spectrum::of(&whitened(&samples[..length])).powers();
    let excess = against_background(&power)?;
    let last = excess.len() - 1;
    let mut best: Option<(f64, f64)> = None;
    let mut trials = 0;
    for power in HARMONICS {
        let (bin, sum) = strongest(&excess, power);
        trials += last.saturating_sub(FEWEST);
        let p_value = gamma_ur(f64::from(1 << power), sum.max(f64::MIN_POSITIVE));
        if best.is_none_or(|(_, least)| p_value < least) {
            best = Some((bin, p_value));
        }
    }
    let (bin, p_value) = best.filter(|(bin, _)| *bin > 0.0)?;
    let bin = refined(&power, bin);
    Some(Line {
        period: length as f64 / bin,
        p_value: (p_value * trials as f64).min(1.0),
    })
}

/// The signal less its trend, filtered so that neighbours are uncorrelated: a random walk becomes
/// white noise, and lines keep their distance from what surrounds them.
fn whitened(samples: &[f64]) -> Vec<f64> {
    let level = detrended(samples);
    let all: f64 = level.iter().map(|x| x * x).sum();
    let next: f64 = level.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let memory = if all > 0.0 { next / all } else { 0.0 };
    let mut last = 0.0;
    let mut filtered = level;
    for sample in &mut filtered {
        let now = *sample;
        *sample = now - memory * last;
        last = now;
    }
    filtered
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

/// Samples less the straight line of least squares.
pub(super) fn detrended(samples: &[f64]) -> Vec<f64> {
    let middle = 0.5 * (samples.len() as f64 - 1.0);
    let level = mean(samples);
    let offsets = (0..samples.len()).map(|index| index as f64 - middle);
    let squares: f64 = offsets.clone().map(|x| x * x).sum();
    let slope = offsets
        .clone()
        .zip(samples)
        .map(|(x, y)| x * y)
        .sum::<f64>()
        / squares.max(1.0);
    let line = offsets.map(|x| level + slope * x);
    samples.iter().zip(line).map(|(y, fit)| y - fit).collect()
}

/// Bins over what noise of this colour has there in the mean; `None` where nothing varies.
fn against_background(power: &[f64]) -> Option<Vec<f64>> {
    let bands = bands(power);
    if bands.iter().all(|(_, level)| *level <= 0.0) {
        return None;
    }
    let floor = bands.iter().map(|(_, level)| *level).fold(0.0, f64::max) * 1e-12;
    let mut band = 0;
    let level = |k: usize| {
        while band + 2 < bands.len() && bands[band + 1].0 < k as f64 {
            band += 1;
        }
        let [(from, low), (to, high)] = [bands[band], bands[(band + 1).min(bands.len() - 1)]];
        let share = ((k as f64 - from) / (to - from).max(1.0)).clamp(0.0, 1.0);
        (low + share * (high - low)).max(floor)
    };
    let levels: Vec<f64> = (0..power.len()).map(level).collect();
    Some(
        power
            .iter()
            .zip(levels)
            .map(|(p, level)| p / level)
            .collect(),
    )
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
fn strongest(excess: &[f64], power: u32) -> (f64, f64) {
    let harmonics = 1_usize << power;
    let mut best = (0, 0.0);
    // In steps of the resolution of the highest harmonic.
    for j in FEWEST * harmonics..excess.len() {
        let mut sum = 0.0;
        let mut at = harmonics / 2;
        for _ in 0..harmonics {
            at += j;
            sum += excess[at >> power];
        }
        if sum > best.1 {
            best = (j, sum);
        }
    }
    (best.0 as f64 / harmonics as f64, best.1)
}

/// The fundamental between bins, from the highest harmonic that still stands out.
fn refined(power: &[f64], bin: f64) -> f64 {
    let strength = |h: usize| power.get((h as f64 * bin).round() as usize).copied();
    let first = strength(1).unwrap_or(0.0);
    let harmonic = (1..=8)
        .rev()
        .find(|h| strength(*h).is_some_and(|power| power > 0.3 * first))
        .unwrap_or(1);
    let k = (harmonic as f64 * bin).round() as usize;
    let tall = (k.saturating_sub(1)..=(k + 1).min(power.len() - 1))
        .max_by(|a, b| power[*a].total_cmp(&power[*b]));
    crest(power, tall.unwrap_or(k)) / harmonic as f64
}
