//! Systems of equations whose matrix is symmetric and positive.

/// The lower triangle `L` of `A = L·Lᵀ`, row by row.
#[derive(Debug, Clone)]
pub(super) struct Cholesky {
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    /// Takes the lower triangle of a matrix, row by row; `None` where it is not positive.
    pub(super) fn new(mut rows: Vec<Vec<f64>>) -> Option<Self> {
        for row in 0..rows.len() {
            let (above, rest) = rows.split_at_mut(row);
            let own = &mut rest[0];
            for column in 0..row {
                let other = &above[column];
                let sum = own[column] - dot(&own[..column], &other[..column]);
                own[column] = sum / other[column];
            }
            let left = own[row] - dot(&own[..row], &own[..row]);
            if left.is_nan() || left <= 0.0 {
                return None;
            }
            own[row] = left.sqrt();
        }
        Some(Self { rows })
    }

    /// A row of `L`, up to the diagonal.
    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.rows[row]
    }

    /// `L⁻¹·b`.
    pub(super) fn forward(&self, b: &[f64]) -> Vec<f64> {
        let mut x: Vec<f64> = Vec::with_capacity(b.len());
        for (row, right) in self.rows.iter().zip(b) {
            let known = x.len();
            x.push((right - dot(&row[..known], &x)) / row[known]);
        }
        x
    }
}

/// The inner product.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_is_taken_apart() {
        // [[4, 2, 2], [2, 5, 3], [2, 3, 6]] = L·Lᵀ with this L.
        let matrix = vec![vec![4.0], vec![2.0, 5.0], vec![2.0, 3.0, 6.0]];
        let found = Cholesky::new(matrix).unwrap();
        assert_eq!(found.rows[0], [2.0]);
        assert_eq!(found.rows[1], [1.0, 2.0]);
        assert_eq!(found.rows[2], [1.0, 1.0, 2.0]);
        assert_eq!(found.forward(&[2.0, 3.0, 4.0]), [1.0, 1.0, 1.0]);
    }

    #[test]
    fn what_is_not_positive_is_refused() {
        assert!(Cholesky::new(vec![vec![0.0]]).is_none());
        assert!(Cholesky::new(vec![vec![1.0], vec![2.0, 1.0]]).is_none());
        assert!(Cholesky::new(vec![vec![f64::NAN]]).is_none());
    }
}
