//! Coefficients of straight and of monotonic dependence.

use super::columns::{Columns, check, dot, sum_of};
use super::order::order;
use super::undetermined::Undetermined;

/// The fewest points that a coefficient is computed of: two always lie on a line.
pub(super) const FEWEST: usize = 3;

/// Pearson's coefficient of linear dependence, from −1 to 1:
/// `r = Σ(x−x̄)(y−ȳ) / √(Σ(x−x̄)² Σ(y−ȳ)²)`, as SciPy's `pearsonr`.
///
/// # Errors
/// Where the columns have no coefficient: see [`Undetermined`].
pub fn pearson(x: &[f64], y: &[f64]) -> Result<f64, Undetermined> {
    Ok(Products::pearson(x, y)?.straight())
}

/// Spearman's coefficient of monotonic dependence, from −1 to 1: Pearson's of the [`ranks`], as SciPy's
/// `spearmanr`.
///
/// # Errors
/// Where the columns have no coefficient: see [`Undetermined`].
pub fn spearman(x: &[f64], y: &[f64]) -> Result<f64, Undetermined> {
    Ok(Products::spearman(x, y)?.straight())
}

/// The rank of each value, from 1; equal values share the mean of theirs (SciPy's `rankdata`). Values
/// must be numbers.
#[must_use]
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let order = order(values);
    let value = |place: usize| values[order[place] as usize];
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let mut end = start + 1;
        while end < order.len() && value(end) == value(start) {
            end += 1;
        }
        // The mean of start + 1 to end.
        let shared = 0.5 * (start + 1 + end) as f64;
        for &index in &order[start..end] {
            ranks[index as usize] = shared;
        }
        start = end;
    }
    ranks
}

/// Columns whose products are summed for any pairing of their values.
pub(super) struct Products {
    columns: Columns,
    /// What makes a sum of products a coefficient.
    norm: f64,
}

impl Products {
    pub(super) fn pearson(x: &[f64], y: &[f64]) -> Result<Self, Undetermined> {
        let columns = Columns::new(x, y, FEWEST)?;
        let lengths = [&columns.x, &columns.y].map(|column| dot(column, column).sqrt());
        Ok(Self {
            norm: lengths[0] * lengths[1],
            columns,
        })
    }

    pub(super) fn spearman(x: &[f64], y: &[f64]) -> Result<Self, Undetermined> {
        check(x, y, FEWEST)?;
        // Constants are found here, so that they are named by their value and not by their rank.
        Columns::new(x, y, FEWEST)?;
        Self::pearson(&ranks(x), &ranks(y))
    }

    pub(super) fn len(&self) -> usize {
        self.columns.x.len()
    }

    fn straight(&self) -> f64 {
        self.coefficient(dot(&self.columns.x, &self.columns.y))
    }

    /// The coefficient where the `i`-th of the one column meets the `pairing[i]`-th of the other.
    pub(super) fn paired(&self, pairing: &[u32]) -> f64 {
        let Columns { x, y } = &self.columns;
        self.coefficient(sum_of(x.len(), |place| {
            x[place] * y[pairing[place] as usize]
        }))
    }

    fn coefficient(&self, products: f64) -> f64 {
        (products / self.norm).clamp(-1.0, 1.0)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::undetermined::Column;
    use super::*;

    #[test]
    fn a_straight_line_has_a_coefficient_of_one() {
        let x = [3.0, 1.0, 4.0, 1.5, 9.0];
        let line = x.map(|x| 2.0 - 7.0 * x);
        assert!((pearson(&x, &line).unwrap() + 1.0).abs() < 1e-15);
        assert!((pearson(&x, &x).unwrap() - 1.0).abs() < 1e-15);
        let bent = x.map(f64::exp);
        assert!((spearman(&x, &bent).unwrap() - 1.0).abs() < 1e-15);
        assert!(pearson(&x, &bent).unwrap() < 0.95);
    }

    #[test]
    fn three_points_by_hand() {
        // Around the means −1, 0, 1 and −1/3, −4/3, 5/3: 2 / √(2 · 42/9).
        let r = pearson(&[1.0, 2.0, 3.0], &[1.0, 0.0, 3.0]).unwrap();
        assert!((r - 2.0 / f64::sqrt(2.0 * 42.0 / 9.0)).abs() < 1e-15);
        assert!((spearman(&[1.0, 2.0, 3.0], &[1.0, 0.0, 3.0]).unwrap() - 0.5).abs() < 1e-15);
    }

    #[test]
    fn equal_values_share_their_ranks() {
        assert_eq!(
            ranks(&[2.0, 1.0, 2.0, -0.0, 0.0, 2.0]),
            [5.0, 3.0, 5.0, 1.5, 1.5, 5.0]
        );
        assert_eq!(ranks(&[]), [0.0; 0]);
    }

    #[test]
    fn nothing_is_said_of_constants_and_of_two_points() {
        let constant = Undetermined::Constant {
            column: Column::X,
            value: 60.0,
        };
        for coefficient in [pearson, spearman] {
            assert_eq!(coefficient(&[60.0; 3], &[1.0, 2.0, 3.0]), Err(constant));
            assert!(coefficient(&[1.0, 2.0], &[1.0, 2.0]).is_err());
            assert!(coefficient(&[1.0, f64::NAN, 2.0], &[1.0, 2.0, 3.0]).is_err());
            assert!(coefficient(&[], &[]).is_err());
        }
    }

    #[test]
    fn numbers_of_any_size_have_coefficients() {
        let (x, y) = ([1.0, 2.0, 4.0, 3.0], [0.0, 5.0, 6.0, 1.0]);
        let expected = pearson(&x, &y).unwrap();
        for unit in [1e-300, 1e300] {
            let got = pearson(&x.map(|x| x * unit), &y.map(|y| y * unit)).unwrap();
            assert!((got - expected).abs() < 1e-12, "{unit:e}: {got}");
        }
    }
}
