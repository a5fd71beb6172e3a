//! Which bins of a spectrum are candidates for the dominant frequency.

use super::finding::Verdict;
use super::harmonics::without_harmonics;
use super::settings::{Method, Outlier, Settings};
use crate::outliers::{Dbscan, IsolationForest, LocalOutlierFactors, Point, z_scores};
use crate::peaks::PeakFinder;

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

/// How many standard deviations from the mean an outlier is.
pub(super) const OUTLIER: f64 = 3.0;

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

    /// Bins in the plane: their frequency as a share of the highest, and their own share.
    fn points(&self) -> Vec<Point> {
        let highest = self.frequency(self.shares.len());
        let along = (1..).map(|k| self.frequency(k) / highest);
        along.zip(self.shares).map(|(x, &y)| [x, y]).collect()
    }

    fn largest(&self) -> f64 {
        self.shares.iter().copied().fold(0.0, f64::max)
    }
}

impl Candidates {
    /// Judges a spectrum, or says why that cannot be done.
    pub(super) fn of(shares: &Shares<'_>, settings: &Settings) -> Result<Self, Verdict> {
        match settings.outlier {
            Outlier::ZScore => Ok(Self::by_z_score(z_scores(shares.shares), shares, settings)),
            Outlier::Peak => Ok(by_peaks(shares, settings)),
            Outlier::Dbscan => by_dbscan(shares, settings),
            Outlier::Lof => by_lof(shares, settings),
            Outlier::Forest => by_forest(shares, settings),
        }
    }

    /// Bins more than 3 standard deviations from the mean that are not far below the farthest.
    pub(super) fn by_z_score(
        mut scores: Vec<f64>,
        shares: &Shares<'_>,
        settings: &Settings,
    ) -> Self {
        if settings.method == Method::Ftio {
            scores.iter_mut().for_each(|z| *z = z.abs());
        }
        let most = scores.iter().copied().fold(0.0, f64::max);
        let reaches = |value: f64, bound: f64| match settings.method {
            Method::Ftio => value > bound,
            Method::Paper => value >= bound,
        };
        let outlier = |z: f64| reaches(z, OUTLIER);
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
        Self::new(sieved.kept, confidences)
    }

    /// Candidates among `bins` that stand out.
    fn among(
        bins: &[usize],
        confidences: Vec<f64>,
        shares: &Shares<'_>,
        settings: &Settings,
    ) -> Self {
        let sieved = without_harmonics(bins, settings.method, |k| shares.frequency(k));
        Self::new(sieved.kept, confidences)
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

/// Adds `½·z_k/Σz_i` over the bins of a set. Harmonics that were left out have the score 0.
fn add_half_shares(confidences: &mut [f64], scores: &[f64], member: impl Fn(f64) -> bool) {
    let member = |z: f64| z > 0.0 && member(z);
    let sum: f64 = scores.iter().copied().filter(|&z| member(z)).sum();
    for (confidence, &z) in confidences.iter_mut().zip(scores) {
        if member(z) {
            *confidence += z / sum / 2.0;
        }
    }
}

/// Bins higher than both neighbours and than most of the highest. They are sure, all others not.
fn by_peaks(shares: &Shares<'_>, settings: &Settings) -> Candidates {
    let finder = PeakFinder {
        height: Some(settings.tolerance * shares.largest()),
        ..PeakFinder::default()
    };
    let peaks = finder.find(shares.shares);
    let mut confidences = vec![0.0; shares.shares.len()];
    for peak in &peaks {
        confidences[peak.index] = 1.0;
    }
    let bins: Vec<usize> = peaks.iter().map(|peak| peak.index + 1).collect();
    Candidates::among(&bins, confidences, shares, settings)
}

/// Bins in no cluster, where two bins make one.
fn by_dbscan(shares: &Shares<'_>, settings: &Settings) -> Result<Candidates, Verdict> {
    let points = shares.points();
    let [first, second, ..] = points[..] else {
        return Err(Verdict::TooShort);
    };
    let largest = shares.largest();
    let least = shares.shares.iter().copied().fold(largest, f64::min);
    let tolerated = (largest - least) * (1.0 - settings.tolerance);
    let dbscan = Dbscan {
        eps: (tolerated.powi(2) + (second[0] - first[0]).powi(2)).sqrt(),
        min_samples: 2,
    };
    let clusters = dbscan.clusters(&points);
    let bins: Vec<usize> = (1..=points.len())
        .filter(|k| clusters[k - 1].is_none())
        .collect();
    let confidences = shares.shares.iter().map(|share| share / largest).collect();
    Ok(Candidates::among(&bins, confidences, shares, settings))
}

/// The share of bins that FTIO expects to stand out.
const CONTAMINATION: f64 = 0.001;

/// scikit-learn's number of neighbours where none is asked for.
const NEIGHBOURS: usize = 20;

fn by_lof(shares: &Shares<'_>, settings: &Settings) -> Result<Candidates, Verdict> {
    let lof = LocalOutlierFactors::of(&shares.points(), NEIGHBOURS).ok_or(Verdict::TooShort)?;
    Ok(by_decision(&lof.decisions(CONTAMINATION), shares, settings))
}

fn by_forest(shares: &Shares<'_>, settings: &Settings) -> Result<Candidates, Verdict> {
    let forest = IsolationForest {
        seed: settings.seed,
        ..IsolationForest::default()
    };
    let decisions = forest.decisions(&shares.points(), CONTAMINATION);
    let decisions = decisions.ok_or(Verdict::TooShort)?;
    Ok(by_decision(&decisions, shares, settings))
}

/// Bins with a negative decision. The most negative is sure, the most positive not.
fn by_decision(decisions: &[f64], shares: &Shares<'_>, settings: &Settings) -> Candidates {
    let most = decisions.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = decisions.iter().copied().fold(f64::INFINITY, f64::min);
    let confidence = |decision: &f64| {
        if most > least {
            (most - decision) / (most - least)
        } else {
            0.0
        }
    };
    let bins: Vec<usize> = (1..=decisions.len())
        .filter(|k| decisions[k - 1] < 0.0)
        .collect();
    let confidences = decisions.iter().map(confidence).collect();
    Candidates::among(&bins, confidences, shares, settings)
}
