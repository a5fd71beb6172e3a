//! The distances between the values of one column, without a table of them.

use super::super::columns::{dot, sum_of};
use super::super::order::order;

/// What is to be known of a column's distances. Sorted values know their sums.
pub(super) struct Distances {
    /// The values from small to large.
    pub(super) sorted: Vec<f64>,
    /// Where each sorted value was.
    pub(super) order: Vec<u32>,
    /// The sum of the distances from each sorted value to all others.
    pub(super) rows: Vec<f64>,
    /// The sum of all distances, each twice.
    pub(super) total: f64,
    /// The sum of their squares, each twice.
    pub(super) squares: f64,
    /// The sum of the values.
    pub(super) sum: f64,
}

impl Distances {
    pub(super) fn new(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let order = order(values);
        let sorted: Vec<f64> = order.iter().map(|&index| values[index as usize]).collect();
        let sum = sum_of(sorted.len(), |place| sorted[place]);
        let mut before = 0.0;
        let row = |(place, &value): (usize, &f64)| {
            // From below, k·x less what is below; from above, what is above less (n − 1 − k)·x.
            let row = (2.0 * place as f64 - n) * value + sum - 2.0 * before;
            before += value;
            row
        };
        let rows: Vec<f64> = sorted.iter().enumerate().map(row).collect();
        Self {
            total: sum_of(rows.len(), |place| rows[place]),
            squares: 2.0 * (n * dot(&sorted, &sorted) - sum * sum),
            sorted,
            order,
            rows,
            sum,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.sorted.len()
    }

    /// At which place each value is once sorted.
    pub(super) fn ranks(&self) -> Vec<u32> {
        let mut ranks = vec![0; self.order.len()];
        for (place, &index) in (0..).zip(&self.order) {
            ranks[index as usize] = place;
        }
        ranks
    }
}
