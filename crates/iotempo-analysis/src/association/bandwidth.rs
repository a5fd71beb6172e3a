//! How wide a kernel is to be.

use super::columns::{check_finite, range};
use super::quantile::quantile;
use super::undetermined::{Column, Undetermined};
use serde::Serialize;
use std::f64::consts::PI;

/// How the width of a kernel along a column is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bandwidth {
    /// What is best for a normal distribution: wide where there are several humps.
    #[default]
    Normal,
    /// What solves the equation of Sheather and Jones, for each column alone: [`sheather_jones`].
    SheatherJones,
}

/// Cells in which distances are counted, as in R.
const CELLS: usize = 1000;
/// Squared distances from which on a kernel is nothing.
const FAR: f64 = 1000.0;
/// Halvings of where the root lies.
const HALVINGS: usize = 60;

/// Counts of distances between points, in cells of equal width.
struct Distances {
    counts: Vec<f64>,
    width: f64,
    points: f64,
}

impl Distances {
    fn of(values: &[f64]) -> Self {
        let (least, most) = range(values);
        let width = 1.01 * (most - least) / CELLS as f64;
        let mut filled = [0.0_f64; CELLS];
        for value in values {
            let cell = ((value - least) / width) as usize;
            filled[cell.min(CELLS - 1)] += 1.0;
        }
        let mut counts = vec![0.0; CELLS];
        for (place, &here) in filled.iter().enumerate().filter(|(_, here)| **here > 0.0) {
            counts[0] += 0.5 * here * (here - 1.0);
            for (apart, &there) in filled[..place].iter().rev().enumerate() {
                counts[apart + 1] += here * there;
            }
        }
        Self {
            counts,
            width,
            points: values.len() as f64,
        }
    }

    /// `Σ_{i,j} φ^(r)((x_i − x_j)/h) / (n (n − 1) h^{r+1})`, where `polynomial` is that of `φ^(r)` over the square
    /// of a distance.
    fn functional(&self, h: f64, order: i32, polynomial: impl Fn(f64) -> f64) -> f64 {
        let n = self.points;
        let term = |(cell, count): (usize, &f64)| {
            let square = (cell as f64 * self.width / h).powi(2);
            match square < FAR {
                true => count * (-0.5 * square).exp() * polynomial(square),
                false => 0.0,
            }
        };
        let apart: f64 = self.counts.iter().enumerate().map(term).sum();
        let all = 2.0 * apart + n * polynomial(0.0);
        all / (n * (n - 1.0) * h.powi(order + 1) * (2.0 * PI).sqrt())
    }

    fn fourth(&self, h: f64) -> f64 {
        self.functional(h, 4, |d| d * d - 6.0 * d + 3.0)
    }

    fn sixth(&self, h: f64) -> f64 {
        self.functional(h, 6, |d| d * d * d - 15.0 * d * d + 45.0 * d - 15.0)
    }
}

/// The width of a normal kernel by Sheather and Jones (J. R. Stat. Soc. B 53, 1991), as R's `bw.SJ` with
/// `method = "ste"`: the root of `h = (R(φ) / (n Ŝ(α h^{5/7})))^{1/5}`, with distances counted in a thousand cells.
///
/// # Errors
/// Where the column is constant, not finite, or too short.
pub fn sheather_jones(values: &[f64], column: Column) -> Result<f64, Undetermined> {
    check_finite(values, column)?;
    if values.len() < 3 {
        return Err(Undetermined::TooFew {
            needed: 3,
            found: values.len(),
        });
    }
    let (value, most) = range(values);
    if value >= most {
        return Err(Undetermined::Constant { column, value });
    }
    let n = values.len() as f64;
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let deviation = (squares / (n - 1.0)).sqrt();
    let at = |share: f64| quantile(&sorted, share).unwrap_or(value);
    let quartiles = (at(0.75) - at(0.25)) / 1.349;
    // Where half of the values are the same, quartiles tell nothing.
    let scale = match quartiles > 0.0 {
        true => deviation.min(quartiles),
        false => deviation,
    };
    let distances = Distances::of(values);
    let a = 1.24 * scale * n.powf(-1.0 / 7.0);
    let b = 1.23 * scale * n.powf(-1.0 / 9.0);
    let alpha = 1.357 * (distances.fourth(a) / -distances.sixth(b)).powf(1.0 / 7.0);
    let above = |h: f64| {
        let curvature = distances.fourth(alpha * h.powf(5.0 / 7.0));
        (1.0 / (2.0 * PI.sqrt() * n * curvature)).powf(0.2) - h
    };
    let most = 1.144 * scale * n.powf(-0.2);
    let (mut low, mut high) = (0.1 * most, most);
    // Heavy ties have no root there: the rule of normal distributions is the widest that makes sense.
    if !(above(low) > 0.0 && above(high) < 0.0) {
        return Ok(most);
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        match above(middle) > 0.0 {
            true => low = middle,
            false => high = middle,
        }
    }
    Ok(0.5 * (low + high))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Made with NumPy and SciPy, without cells: `python/oracle/sheather_jones.py`.
    #[test]
    fn widths_are_those_of_the_formula_without_cells() {
        let normal = |count: usize| -> Vec<f64> {
            (1..=count)
                .map(|k| super::super::normal::quantile((k as f64 - 0.5) / count as f64))
                .collect()
        };
        let mut humps = normal(200);
        humps.extend(normal(200).into_iter().map(|x| 10.0 + 0.5 * x));
        for (values, expected) in [(normal(500), ORACLE[0]), (humps, ORACLE[1])] {
            let found = sheather_jones(&values, Column::X).unwrap();
            assert!((found / expected - 1.0).abs() < 5e-3, "{found} {expected}");
        }
    }

    const ORACLE: [f64; 2] = [0.328_669_737_449_602_76, 0.293_143_817_615_688_9];

    #[test]
    fn what_has_no_width_says_why_and_units_change_nothing() {
        assert!(matches!(
            sheather_jones(&[1.0; 9], Column::Y),
            Err(Undetermined::Constant { .. })
        ));
        assert!(sheather_jones(&[1.0, 2.0], Column::X).is_err());
        assert!(sheather_jones(&[1.0, f64::NAN, 2.0], Column::X).is_err());
        let values: Vec<f64> = (0..50).map(|k| f64::from(k * k % 37)).collect();
        let thousands: Vec<f64> = values.iter().map(|x| 1000.0 * x).collect();
        let of = |values: &[f64]| sheather_jones(values, Column::X).unwrap();
        assert!((of(&thousands) / of(&values) / 1000.0 - 1.0).abs() < 1e-9);
        let mut tied = vec![5.0; 90];
        tied.extend((0..10).map(f64::from));
        assert!(of(&tied).is_finite() && of(&tied) > 0.0);
    }
}
