//! Which bins of a spectrum are candidates for the dominant frequency.

use super::finding::Verdict;
use super::harmonics::without_harmonics;
use super::settings::{Method, Outlier, Settings};
use crate::outliers::z_scores;

/// Candidates, and how sure each bin is.
#[derive(Debug, PartialEq)]
pub(super) struct Candidates {
    /// The bins that stand out, without harmonics, lowest first; at most two.
    pub(super) bins: Vec<usize>,
    /// Entry `i` belongs to bin `i + 1`.
    pub(super) confidences: Vec<f64>,
    /// Whether more than two stood out.
    pub(super) too_many: bool,
}

/// A spectrum as detectors see it: the share of each bin, and its frequency.
pub(super) struct Shares<'a> {
    /// Entry `i` belongs to bin `i + 1`.
    pub(super) shares: &'a [f64],
    pub(super) rate: f64,
    pub(super) samples: usize,
}

impl Shares<'_> {
    /// Rounded as FTIO does, whose harmonics depend on it.
    pub(super) fn frequency(&self, k: usize) -> f64 {
        self.rate * k as f64 / self.samples as f64
    }
}

impl Candidates {
    /// Judges a spectrum, or says why that cannot be done.
    pub(super) fn of(shares: &Shares<'_>, settings: &Settings) -> Result<Self, Verdict> {
        match settings.outlier {
            Outlier::ZScore => Ok(by_z_score(shares, settings)),
            Outlier::Dbscan | Outlier::Forest | Outlier::Lof | Outlier::Peak => {
                Err(Verdict::TooShort)
            }
        }
    }

    fn new(kept: Vec<usize>, confidences: Vec<f64>) -> Self {
        let too_many = kept.len() > 2;
        Self {
            bins: if too_many { Vec::new() } else { kept },
            confidences,
            too_many,
        }
    }
}

/// Bins more than 3 standard deviations from the mean that are not far below the farthest.
fn by_z_score(shares: &Shares<'_>, settings: &Settings) -> Candidates {
    let mut scores = z_scores(shares.shares);
    if settings.method == Method::Ftio {
        scores.iter_mut().for_each(|z| *z = z.abs());
    }
    let most = scores.iter().copied().fold(0.0, f64::max);
    let reaches = |value: f64, bound: f64| match settings.method {
        Method::Ftio => value > bound,
        Method::Paper => value >= bound,
    };
    let outlier = |z: f64| reaches(z, 3.0);
    let close = |z: f64| reaches(z / most, settings.tolerance);
    let bins: Vec<usize> = (1..=scores.len())
        .filter(|k| outlier(scores[k - 1]) && close(scores[k - 1]))
        .collect();
    let sieved = without_harmonics(&bins, settings.method, |k| shares.frequency(k));
    let mut confidences = vec![0.0; scores.len()];
    if !sieved.kept.is_empty() {
        for &k in &sieved.removed {
            scores[k - 1] = 0.0;
        }
        add_half_shares(&mut confidences, &scores, close);
        add_half_shares(&mut confidences, &scores, outlier);
    }
    Candidates::new(sieved.kept, confidences)
}

/// Adds `½·z_k/Σz_i` over the bins of a set. Harmonics that were left out have the score 0.
fn add_half_shares(confidences: &mut [f64], scores: &[f64], member: impl Fn(f64) -> bool) {
    let sum: f64 = scores.iter().copied().filter(|&z| member(z)).sum();
    for (confidence, &z) in confidences.iter_mut().zip(scores) {
        if z > 0.0 && member(z) {
            *confidence += z / sum / 2.0;
        }
    }
}
