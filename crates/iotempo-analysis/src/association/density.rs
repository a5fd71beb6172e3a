//! How densely points lie around a place.

use super::bandwidth::{Bandwidth, sheather_jones};
use super::columns::{check, mean, range, sum_of};
use super::undetermined::{Column, Undetermined};
use super::{columns, parallel};
use std::f64::consts::TAU;
use std::num::NonZeroUsize;

/// A density in the plane: the mean of normal distributions around all points, with the covariance of the
/// points times `n^{−1/3}`, Scott's rule for two columns. As SciPy's `gaussian_kde`.
#[derive(Debug, Clone, PartialEq)]
pub struct Density {
    /// What both columns are divided by, so that their squares are numbers.
    units: [f64; 2],
    centre: [f64; 2],
    /// The inverse of the kernel's covariance's lower root: `1/l₁₁`, `l₂₁/l₁₁`, `1/l₂₂`.
    root: [f64; 3],
    /// The points in units in which the kernel is round.
    points: Vec<[f64; 2]>,
    /// `1 / (2π n √|Σ|)`.
    height: f64,
}

/// What must be left of the second column's variance once the first is known: less is rounding.
const FLAT: f64 = 1e-13;

impl Density {
    /// The density of the points of two columns.
    ///
    /// # Errors
    /// Where they have none: see [`Undetermined`].
    pub fn new(x: &[f64], y: &[f64]) -> Result<Self, Undetermined> {
        Self::with(x, y, Bandwidth::Normal)
    }

    /// The same with a kernel of other widths, which is not turned.
    ///
    /// # Errors
    /// As [`Density::new`].
    pub fn with(x: &[f64], y: &[f64], bandwidth: Bandwidth) -> Result<Self, Undetermined> {
        check(x, y, super::coefficients::FEWEST)?;
        columns::centred(x, Column::X)?;
        columns::centred(y, Column::Y)?;
        let n = x.len() as f64;
        let units = [x, y].map(|column| {
            let (least, most) = range(column);
            most.max(-least)
        });
        let [x, y] = [(x, units[0]), (y, units[1])].map(|(column, unit)| {
            column
                .iter()
                .map(|value| value / unit)
                .collect::<Vec<f64>>()
        });
        let centre = [mean(&x), mean(&y)];
        let shrink = n.powf(-1.0 / 3.0) / (n - 1.0);
        let sum = |term: &dyn Fn(f64, f64) -> f64| {
            let at = |place: usize| term(x[place] - centre[0], y[place] - centre[1]);
            sum_of(x.len(), at) * shrink
        };
        let [xx, xy, yy] = [sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y)];
        let left = yy - xy / xx * xy;
        if left <= FLAT * yy || xx <= 0.0 {
            return Err(Undetermined::Collinear);
        }
        let (l11, turned, l22) = match bandwidth {
            Bandwidth::Normal => (xx.sqrt(), xy / xx, left.sqrt()),
            Bandwidth::SheatherJones => (
                sheather_jones(&x, Column::X)?,
                0.0,
                sheather_jones(&y, Column::Y)?,
            ),
        };
        let root = [1.0 / l11, turned, 1.0 / l22];
        let mut density = Self {
            units,
            centre,
            root,
            points: Vec::new(),
            height: 1.0 / (TAU * n * l11 * l22) / units[0] / units[1],
        };
        density.points = (x.iter().zip(&y))
            .map(|(x, y)| density.round(*x, *y))
            .collect();
        Ok(density)
    }

    /// A place, of divided columns, in units in which the kernel is round.
    fn round(&self, x: f64, y: f64) -> [f64; 2] {
        let (x, y) = (x - self.centre[0], y - self.centre[1]);
        [x * self.root[0], (y - x * self.root[1]) * self.root[2]]
    }

    /// The density at a place.
    #[must_use]
    pub fn at(&self, x: f64, y: f64) -> f64 {
        let [x, y] = self.round(x / self.units[0], y / self.units[1]);
        let kernel = |at: usize| {
            let [dx, dy] = [self.points[at][0] - x, self.points[at][1] - y];
            (-0.5 * (dx * dx + dy * dy)).exp()
        };
        self.height * sum_of(self.points.len(), kernel)
    }

    /// The density on a grid: a row for each of `ys`, with a value for each of `xs`.
    #[must_use]
    pub fn grid(&self, xs: &[f64], ys: &[f64], threads: Option<NonZeroUsize>) -> Vec<Vec<f64>> {
        parallel::map(ys.len(), threads, |(): &mut (), row| {
            xs.iter().map(|x| self.at(*x, ys[row])).collect()
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_density_adds_up_to_one() {
        let x = [0.0, 1.0, 2.0, 5.0, 3.0, 1.5];
        let y = [10.0, 30.0, 20.0, 60.0, 20.0, 50.0];
        let density = Density::new(&x, &y).unwrap();
        let xs: Vec<f64> = (0..400).map(|i| -15.0 + 0.1 * f64::from(i)).collect();
        let ys: Vec<f64> = (0..400).map(|i| -150.0 + f64::from(i)).collect();
        let sum: f64 = density.grid(&xs, &ys, None).iter().flatten().sum();
        assert!((sum * 0.1 - 1.0).abs() < 1e-9, "{sum}");
        assert_eq!(
            density.grid(&xs[3..5], &ys[7..8], None)[0][1],
            density.at(xs[4], ys[7])
        );
    }

    #[test]
    fn four_corners_have_the_density_of_four_normal_distributions() {
        // Variances 4/3, kernels 4/3 · 4^{−1/3}; from the middle all are √2 away.
        let density = Density::new(&[-1.0, -1.0, 1.0, 1.0], &[-1.0, 1.0, -1.0, 1.0]).unwrap();
        let variance = 4.0 / 3.0 * 4_f64.powf(-1.0 / 3.0);
        let expected = (-1.0 / variance).exp() / (TAU * variance);
        assert!((density.at(0.0, 0.0) - expected).abs() < 1e-15);
    }

    #[test]
    fn points_on_a_line_have_no_density() {
        let x = [1.0, 2.0, 3.0, 4.5];
        assert_eq!(
            Density::new(&x, &x.map(|x| 0.1 - 3.0 * x)),
            Err(Undetermined::Collinear)
        );
        assert!(matches!(
            Density::new(&x, &[1.0; 4]),
            Err(Undetermined::Constant { .. })
        ));
        assert!(matches!(
            Density::new(&x[..2], &x[..2]),
            Err(Undetermined::TooFew { .. })
        ));
        assert!(matches!(
            Density::new(&x, &[0.0, 1.0, f64::NAN, 2.0]),
            Err(Undetermined::NotFinite { index: 2, .. })
        ));
    }

    #[test]
    fn columns_of_any_size_have_a_density() {
        let (x, y) = ([1.0, 2.0, 3.0, 4.5], [1.0, 0.0, 5.0, 2.0]);
        let expected = Density::new(&x, &y).unwrap().at(2.0, 2.0);
        let large = Density::new(&x.map(|x| x * 1e300), &y.map(|y| y * 1e-300)).unwrap();
        let got = large.at(2e300, 2e-300);
        assert!(
            (got / expected - 1.0).abs() < 1e-12,
            "{got} is not {expected}"
        );
    }
}
