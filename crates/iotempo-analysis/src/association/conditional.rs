//! What the second column is where the first is known: not its mean alone, but its spread.

use super::bandwidth::{Bandwidth, sheather_jones};
use super::columns::{check, mean, range, sum_of};
use super::undetermined::{Column, Undetermined};
use super::{columns, normal, parallel};
use serde::Serialize;
use std::f64::consts::TAU;
use std::num::NonZeroUsize;

/// The distribution of the second column for any value of the first, smoothed by a product of two normal
/// kernels of widths `h = σ n^{−1/6}`, with σ the unbiased standard deviation:
/// `F(y|x) = Σ w_k Φ((y − y_k)/h_y) / Σ w_k`, `w_k = exp(−½((x − x_k)/h_x)²)`.
///
/// Smoothing along both axes makes it wider than it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Conditional {
    x: Vec<f64>,
    y: Vec<f64>,
    /// The widths of the kernel along both columns.
    pub widths: [f64; 2],
}

/// The second column where the first has some value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Band {
    /// That value.
    pub x: f64,
    /// `(Σw)² / Σw²`: of how many points this speaks.
    pub effective: f64,
    /// What 5, 50 and 95 % do not exceed; `None` where too few points speak.
    pub quantiles: Option<[f64; 3]>,
}

/// Of fewer points a band tells nothing.
pub const FEWEST_EFFECTIVE: f64 = 10.0;
/// The ends and the middle of a band.
const SHARES: [f64; 3] = [0.05, 0.5, 0.95];
/// In widths of the kernel: beyond lies nothing that a number can hold beside 1.
const FAR: f64 = 9.0;

impl Conditional {
    /// The distribution of `y` for values of `x`.
    ///
    /// # Errors
    /// Where there is none: see [`Undetermined`].
    pub fn new(x: &[f64], y: &[f64]) -> Result<Self, Undetermined> {
        Self::with(x, y, Bandwidth::Normal)
    }

    /// The same with kernels of other widths.
    ///
    /// # Errors
    /// As [`Conditional::new`].
    pub fn with(x: &[f64], y: &[f64], bandwidth: Bandwidth) -> Result<Self, Undetermined> {
        check(x, y, super::coefficients::FEWEST)?;
        columns::centred(x, Column::X)?;
        columns::centred(y, Column::Y)?;
        let narrower = (x.len() as f64).powf(-1.0 / 6.0);
        Ok(Self {
            widths: match bandwidth {
                Bandwidth::Normal => [x, y].map(|column| deviation(column) * narrower),
                Bandwidth::SheatherJones => {
                    [sheather_jones(x, Column::X)?, sheather_jones(y, Column::Y)?]
                }
            },
            x: x.to_vec(),
            y: y.to_vec(),
        })
    }

    /// The bands at several values of `x`.
    #[must_use]
    pub fn bands(&self, xs: &[f64], threads: Option<NonZeroUsize>) -> Vec<Band> {
        parallel::map(xs.len(), threads, |(): &mut (), at| self.at(xs[at]))
    }

    /// The band at a value of `x`.
    #[must_use]
    pub fn at(&self, x: f64) -> Band {
        let weights = self.weights(x);
        let all = sum_of(weights.len(), |k| weights[k]);
        let squares = sum_of(weights.len(), |k| weights[k] * weights[k]);
        // Of nothing, where `x` is no number.
        let effective = if squares > 0.0 {
            all * all / squares
        } else {
            0.0
        };
        let enough = effective >= FEWEST_EFFECTIVE;
        Band {
            x,
            effective,
            quantiles: enough.then(|| SHARES.map(|share| self.quantile(&weights, share * all))),
        }
    }

    /// The weight of each point, that of the nearest being 1, so that not all vanish far from all points.
    fn weights(&self, x: f64) -> Vec<f64> {
        let halves = self.x.iter().map(|other| {
            let z = (x - other) / self.widths[0];
            0.5 * z * z
        });
        let halves: Vec<f64> = halves.collect();
        let least = halves.iter().copied().fold(f64::INFINITY, f64::min);
        let weight = |half: f64| {
            if half.is_finite() {
                (least - half).exp()
            } else {
                0.0
            }
        };
        halves.into_iter().map(weight).collect()
    }

    /// Up to where the weights reach a sum: bisection, with steps along the slope where these stay inside.
    fn quantile(&self, weights: &[f64], sum: f64) -> f64 {
        let width = self.widths[1];
        let (least, most) = range(&self.y);
        let (mut low, mut high) = (least - FAR * width, most + FAR * width);
        // Steps along the slope square their error: the last one is smaller than this by far. Less would
        // wait for rounding.
        let enough = 1e-12 * (high - low);
        let mut y = 0.5 * low + 0.5 * high;
        // Halving alone needs about 50 steps.
        for _ in 0..200 {
            let excess = sum_of(weights.len(), |k| {
                weights[k] * normal::cumulative((y - self.y[k]) / width)
            }) - sum;
            if excess > 0.0 {
                high = y;
            } else {
                low = y;
            }
            let slope = sum_of(weights.len(), |k| {
                let z = (y - self.y[k]) / width;
                weights[k] * (-0.5 * z * z).exp()
            }) / (width * TAU.sqrt());
            let along = y - excess / slope;
            let inside = along > low && along < high;
            let next = if inside {
                along
            } else {
                0.5 * low + 0.5 * high
            };
            let step = (next - y).abs();
            y = next;
            if step <= enough {
                break;
            }
        }
        y
    }
}

/// The unbiased standard deviation.
fn deviation(values: &[f64]) -> f64 {
    let (least, most) = range(values);
    let unit = most.max(-least);
    let centre = mean(values) / unit;
    let squares = sum_of(values.len(), |at| (values[at] / unit - centre).powi(2));
    (squares / (values.len() - 1) as f64).sqrt() * unit
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::outliers::random::Random;

    #[test]
    fn a_normal_column_has_its_quantiles_where_the_first_tells_nothing() {
        let mut random = Random::new(1);
        let x: Vec<f64> = (0..4000).map(|_| random.normal()).collect();
        let y: Vec<f64> = (0..4000).map(|_| 100.0 + 10.0 * random.normal()).collect();
        let conditional = Conditional::new(&x, &y).unwrap();
        let [low, middle, high] = conditional.at(0.0).quantiles.unwrap();
        // The kernel's variance is added: σ√(1 + 4000^{−1/3}).
        let wide = 10.0 * (1.0 + 4000_f64.powf(-1.0 / 3.0)).sqrt() * 1.645;
        assert!((middle - 100.0).abs() < 1.5, "{middle}");
        assert!((low - (100.0 - wide)).abs() < 2.0, "{low}");
        assert!((high - (100.0 + wide)).abs() < 2.0, "{high}");
    }

    #[test]
    fn the_median_of_points_around_a_middle_is_that_middle() {
        let x: Vec<f64> = (0..21).map(|i| f64::from(i % 3)).collect();
        let y: Vec<f64> = (0..21).map(|i| f64::from(i) - 10.0).collect();
        let band = Conditional::new(&x, &y).unwrap().at(1.0);
        let [low, middle, high] = band.quantiles.unwrap();
        assert!(middle.abs() < 1e-12, "{middle}");
        assert!((low + high).abs() < 1e-12);
        assert!(band.effective > 10.0 && band.effective < 21.0);
    }

    #[test]
    fn where_too_few_points_speak_nothing_is_said() {
        let x: Vec<f64> = (0..40).map(f64::from).collect();
        let conditional = Conditional::new(&x, &x).unwrap();
        assert!(conditional.at(20.0).quantiles.is_some());
        for far in [-30.0, 1e6, f64::MAX, f64::INFINITY, f64::NAN] {
            let band = conditional.at(far);
            assert_eq!(band.quantiles, None, "{far}");
            assert!(band.effective.is_finite() && band.effective < 10.0);
        }
        let nine = Conditional::new(&x[..9], &x[..9]).unwrap();
        assert_eq!(nine.at(4.0).quantiles, None);
        let bands = conditional.bands(&[1.0, 20.0], None);
        assert_eq!(bands[1], conditional.at(20.0));
        assert!(Conditional::new(&x, &[3.0; 40]).is_err());
        assert!(Conditional::new(&[1.0, 2.0, f64::NAN], &[1.0, 2.0, 3.0]).is_err());
    }
}
