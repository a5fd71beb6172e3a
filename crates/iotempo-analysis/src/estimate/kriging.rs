//! Bandwidth between benchmarks: kriging of ln B over the sizes of scenarios and the I/O nodes.
//!
//! ln B is taken for a Gaussian process with the covariance
//! `σ² · Π_d (1 + exp(−|Δ_d| / ρ_d)) / 2` over all coordinates `d`. Multiplied out, that is a level for
//! all benchmarks, an effect of every size alone, of every pair, and so on, each as likely as the others
//! beforehand: so the *level* of a curve is learned from scenarios that are alike in some sizes, and its
//! *shape* over I/O nodes from all that have that shape. Exponentials bend nowhere smoothly, as
//! bandwidths do where a buffer is full.
//!
//! Nothing is fitted but σ² and the noise. The range ρ of a coordinate is twice the stretch that the
//! benchmarks cover, σ² is twice the variance of their ln B, and the noise is what repetitions of one
//! benchmark differ by. Halves and doubles of these are beside them in docs/experiments/estimate.md.

use super::cholesky::{Cholesky, dot};
use super::coordinates::SIZES;
use super::numbers::{mean, variance};
use serde::Serialize;

/// The coordinates of a cell: the sizes, and the I/O nodes.
pub(super) const COORDINATES: usize = SIZES + 1;

/// What is believed of bandwidths before any was seen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Prior {
    /// How far effects reach, in stretches that the benchmarks cover.
    pub range: f64,
    /// Their variance, in variances of what was measured.
    pub scale: f64,
}

impl Default for Prior {
    fn default() -> Self {
        Self {
            range: 2.0,
            scale: 2.0,
        }
    }
}

/// Where all benchmarks are equally fast, or there is but one, others may still differ by a factor of 2.
const LEAST_DEVIATION: f64 = std::f64::consts::LN_2;
/// A stretch that is shorter, or a point, tells nothing of ranges.
const LEAST_STRETCH: f64 = std::f64::consts::LN_2;
/// The variance of a median of repetitions where nothing was repeated: 10 %.
const UNKNOWN_NOISE: f64 = 0.01;
/// Repetitions never agree better than this (1 %), and equations stay soluble.
const LEAST_NOISE: f64 = 1e-4;

/// A benchmark as the model sees it.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    pub(super) at: [f64; COORDINATES],
    /// ln of the median of its repetitions.
    pub(super) level: f64,
    /// The variance of ln B among repetitions over their number; `None` where there is only one.
    pub(super) noise: Option<f64>,
}

impl Cell {
    /// Of bandwidths that are finite and above 0; `None` where there are none.
    pub(super) fn new(at: [f64; COORDINATES], bandwidths: &[f64]) -> Option<Self> {
        let median = super::numbers::median(bandwidths)?;
        let logs: Vec<f64> = bandwidths.iter().map(|bandwidth| bandwidth.ln()).collect();
        Some(Self {
            at,
            level: median.ln(),
            noise: variance(&logs).map(|variance| variance / logs.len() as f64),
        })
    }
}

/// What the model says of a place: ln B and its standard deviation.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kriged {
    pub(super) level: f64,
    pub(super) deviation: f64,
    /// The error as a sum of standard normal numbers times these: places that were asked about together share them.
    pub(super) error: Vec<f64>,
}

/// Benchmarks, ready to be asked about places between them.
#[derive(Debug, Clone)]
pub(super) struct Kriging {
    cells: Vec<[f64; COORDINATES]>,
    ranges: [f64; COORDINATES],
    scale: f64,
    matrix: Cholesky,
    mean: f64,
    /// `L⁻¹·1`, `L⁻¹·(y − mean)` and `1ᵀ·C⁻¹·1`.
    ones: Vec<f64>,
    residuals: Vec<f64>,
    weight: f64,
}

impl Kriging {
    /// `None` of nothing.
    pub(super) fn new(cells: &[Cell], prior: Prior) -> Option<Self> {
        let levels: Vec<f64> = cells.iter().map(|cell| cell.level).collect();
        let spread = variance(&levels).unwrap_or(0.0);
        let scale = prior.scale * spread.max(LEAST_DEVIATION.powi(2));
        let noises: Vec<f64> = cells.iter().filter_map(|cell| cell.noise).collect();
        let noise = if noises.is_empty() {
            UNKNOWN_NOISE
        } else {
            mean(&noises)
        };
        let at: Vec<_> = cells.iter().map(|cell| cell.at).collect();
        let ranges = ranges(&at, prior.range);
        let row = |index: usize| -> Vec<f64> {
            let others = at[..=index].iter();
            let mut row: Vec<f64> = others
                .map(|other| scale * likeness(&at[index], other, &ranges))
                .collect();
            row[index] += noise.max(LEAST_NOISE);
            row
        };
        let matrix = Cholesky::new((0..at.len()).map(row).collect())?;
        let ones = matrix.forward(&vec![1.0; at.len()]);
        let weight = dot(&ones, &ones);
        let mean = dot(&ones, &matrix.forward(&levels)) / weight;
        let residuals: Vec<f64> = levels.iter().map(|level| level - mean).collect();
        let residuals = matrix.forward(&residuals);
        mean.is_finite().then_some(Self {
            cells: at,
            ranges,
            scale,
            matrix,
            mean,
            ones,
            residuals,
            weight,
        })
    }

    /// What is known of places, and how their errors go together.
    pub(super) fn at(&self, places: &[[f64; COORDINATES]]) -> Vec<Kriged> {
        let seen: Vec<Seen> = places.iter().map(|place| self.seen(place)).collect();
        let together = |one: usize, other: usize| {
            let prior = self.scale * likeness(&places[one], &places[other], &self.ranges);
            let (a, b) = (&seen[one], &seen[other]);
            // The mean is not known either, only estimated.
            prior - dot(&a.alike, &b.alike) + a.left * b.left / self.weight
        };
        let row = |one: usize| -> Vec<f64> {
            let mut row: Vec<f64> = (0..=one).map(|other| together(one, other)).collect();
            // A hair, because places that say the same would leave nothing to divide by.
            row[one] = row[one].max(0.0) + 1e-9 * self.scale;
            row
        };
        let errors = Cholesky::new((0..places.len()).map(row).collect());
        let kriged = |(at, seen): (usize, &Seen)| {
            let deviation = together(at, at).max(0.0).sqrt();
            let error = match &errors {
                Some(errors) => errors.row(at).to_vec(),
                // As if all were off together.
                None => vec![deviation],
            };
            Kriged {
                level: self.mean + dot(&seen.alike, &self.residuals),
                deviation,
                error,
            }
        };
        seen.iter().enumerate().map(kriged).collect()
    }

    fn seen(&self, place: &[f64; COORDINATES]) -> Seen {
        let cells = self.cells.iter();
        let alike: Vec<f64> = cells
            .map(|cell| self.scale * likeness(place, cell, &self.ranges))
            .collect();
        let alike = self.matrix.forward(&alike);
        let left = 1.0 - dot(&self.ones, &alike);
        Seen { alike, left }
    }
}

/// A place, as the benchmarks see it.
struct Seen {
    /// `L⁻¹` times its covariances with them.
    alike: Vec<f64>,
    /// What they leave to the mean.
    left: f64,
}

fn ranges(cells: &[[f64; COORDINATES]], range: f64) -> [f64; COORDINATES] {
    std::array::from_fn(|d| {
        let values = cells.iter().map(|cell| cell[d]);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (value.min(low), value.max(high))
        });
        range * (high - low).max(LEAST_STRETCH)
    })
}

/// 1 at the same place.
fn likeness(a: &[f64; COORDINATES], b: &[f64; COORDINATES], ranges: &[f64; COORDINATES]) -> f64 {
    let factor = |d: usize| 0.5 * (1.0 + (-(a[d] - b[d]).abs() / ranges[d]).exp());
    (0..COORDINATES).map(factor).product()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn cell(request: f64, io_nodes: f64, level: f64) -> Cell {
        Cell {
            at: [0.0, 0.0, 0.0, request, io_nodes],
            level,
            noise: None,
        }
    }

    fn krige(cells: &[Cell]) -> Option<Kriging> {
        Kriging::new(cells, Prior::default())
    }

    #[test]
    fn one_benchmark_says_its_own_and_less_and_less_of_others() {
        let model = krige(&[cell(0.0, 0.0, 5.0)]).unwrap();
        let both = model.at(&[[0.0; COORDINATES], [0.0, 0.0, 0.0, 3.0, 0.0]]);
        let [near, far] = &both[..] else {
            panic!("{both:?}")
        };
        assert!((near.level - 5.0).abs() < 1e-12 && (far.level - 5.0).abs() < 1e-12);
        assert!(near.deviation < 0.2 && far.deviation > 2.0 * near.deviation);
        assert!(krige(&[]).is_none());
    }

    #[test]
    fn between_two_benchmarks_lies_their_middle() {
        let model = krige(&[cell(0.0, 0.0, 1.0), cell(2.0, 0.0, 3.0)]).unwrap();
        let middle = &model.at(&[[0.0, 0.0, 0.0, 1.0, 0.0]])[0];
        assert!((middle.level - 2.0).abs() < 1e-9, "{middle:?}");
    }

    #[test]
    fn level_and_shape_are_learned_apart() {
        // The curve of request size 2 was measured at one I/O node only; others say how curves rise.
        let mut cells = Vec::new();
        for request in [0.0, 1.0, 3.0, 4.0] {
            for io_nodes in [0.0, 1.0, 2.0] {
                cells.push(cell(request, io_nodes, request + io_nodes));
            }
        }
        cells.push(cell(2.0, 0.0, 2.0));
        let model = krige(&cells).unwrap();
        let risen = &model.at(&[[0.0, 0.0, 0.0, 2.0, 2.0]])[0];
        assert!((risen.level - 4.0).abs() < 0.15, "{risen:?}");
    }

    #[test]
    fn errors_of_neighbours_go_together() {
        let model = krige(&[cell(0.0, 0.0, 1.0), cell(4.0, 0.0, 3.0)]).unwrap();
        let place = |request| [0.0, 0.0, 0.0, request, 0.0];
        let all = model.at(&[place(2.0), place(2.1), place(9.0)]);
        let together = |a: usize, b: usize| {
            let (a, b) = (&all[a], &all[b]);
            dot(&a.error, &b.error) / (a.deviation * b.deviation)
        };
        assert!((together(1, 1) - 1.0).abs() < 1e-6);
        assert!(together(0, 1) > 0.9, "{}", together(0, 1));
        assert!(together(0, 2) < 0.5, "{}", together(0, 2));
    }
}
