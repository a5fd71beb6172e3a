//! How much the best path costs at the most, told by a path that is found quickly.
//!
//! Both sequences are put together by blocks, and their best path is found; of all paths through the blocks
//! that it comes through, the least sum is that of a path. The best of all costs no more, and no cell on it: a
//! cell above that need not be followed (Silva and Batista, *Speeding up all-pairwise dynamic time warping
//! matrix calculation*, 2016). Runs of one application agree by bursts, so that few cells are left of all.

use super::path;

/// Values of a block.
const BLOCK: usize = 8;

/// Sequences with fewer blocks are matched sooner than bounded.
const FEWEST: usize = 32;

/// Sums of the same squares in another order differ by less than this share.
const ROUNDING: f64 = 1e-9;

/// No path of least sum comes through a cell whose sum is above this.
pub(super) fn upper(a: &[f64], b: &[f64]) -> f64 {
    if a.len().min(b.len()) < BLOCK * FEWEST {
        return f64::INFINITY;
    }
    let Some(path) = path(&blocks(a), &blocks(b)) else {
        return f64::INFINITY;
    };
    let least = least_through(a, b, &path);
    // What is not a number bounds nothing.
    if least.is_finite() {
        least * (1.0 + ROUNDING)
    } else {
        f64::INFINITY
    }
}

/// Means of the values of each block.
fn blocks(values: &[f64]) -> Vec<f64> {
    let mean = |block: &[f64]| block.iter().sum::<f64>() / block.len() as f64;
    values.chunks(BLOCK).map(mean).collect()
}

/// The least sum of all paths that keep to the blocks of one.
fn least_through(a: &[f64], b: &[f64], path: &[(usize, usize)]) -> f64 {
    // Sums of the row before, one place behind their column.
    let mut sums = vec![f64::INFINITY; b.len() + 1];
    sums[0] = 0.0;
    let mut end = 0;
    for row in path.chunk_by(|one, next| one.0 == next.0) {
        let (first, last) = (row[0], row[row.len() - 1]);
        let from = BLOCK * first.1;
        let to = b.len().min(BLOCK * (last.1 + 1));
        // The rows before did not come so far.
        sums[end.max(from) + 1..=to].fill(f64::INFINITY);
        end = to;
        for value in &a[BLOCK * first.0..a.len().min(BLOCK * (first.0 + 1))] {
            let mut both = std::mem::replace(&mut sums[from], f64::INFINITY);
            let mut left = f64::INFINITY;
            for (sum, other) in sums[from + 1..=to].iter_mut().zip(&b[from..to]) {
                let up = *sum;
                let apart = value - other;
                left = apart * apart + both.min(up).min(left);
                *sum = left;
                both = up;
            }
        }
    }
    sums[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_costs_less_than_the_best() {
        let wave = |turns: f64, length: usize| -> Vec<f64> {
            let place = |i: usize| i as f64 / length as f64;
            (0..length).map(|i| (turns * place(i)).sin()).collect()
        };
        for (n, m) in [(256, 256), (1000, 1003), (700, 1999), (257, 4000)] {
            let (a, b) = (wave(40.0, n), wave(43.0, m));
            let cost: f64 = path(&a, &b)
                .expect("two sequences")
                .iter()
                .map(|&(i, j)| (a[i] - b[j]).powi(2))
                .sum();
            let upper = upper(&a, &b);
            assert!(upper >= cost, "{n} × {m}: {upper} and {cost}");
            assert!(upper < 3.0 * cost + 1.0, "{n} × {m}: {upper} and {cost}");
        }
    }

    #[test]
    fn what_is_no_number_or_short_has_no_bound() {
        let mut a = vec![1.0; 300];
        assert_eq!(upper(&a, &a), 0.0);
        assert_eq!(upper(&a[..100], &a), f64::INFINITY);
        a[200] = f64::NAN;
        assert_eq!(upper(&a, &a), f64::INFINITY);
    }
}
