//! Dynamic time warping: how two sequences match when each may wait for the other.
//!
//! The cost of a match is the square of the difference; a path steps forwards in the one sequence, in
//! the other, or in both. Cells are worked through along anti-diagonals, none of whose cells waits for
//! another. Of all cells only some diagonals are kept; to walk back, what lies between two of them is
//! made again, as far as the path can get to.

/// Diagonals between two that are kept, at least.
const STRIDE: usize = 64;

/// How many diagonals lie between two that are kept, so that they and what is made again between two of
/// them take least memory: it grows by less than the length to the power of 4/3, not by its square.
fn stride(rows: usize, diagonals: usize) -> usize {
    let cells = rows as f64 * diagonals as f64;
    (cells.cbrt() as usize).max(STRIDE)
}

/// The distance: the root of the least sum of squares along any path. `None` where a sequence is empty.
#[must_use]
pub fn distance(a: &[f64], b: &[f64]) -> Option<f64> {
    let mut grid = Grid::new(a, b)?;
    for diagonal in 2..grid.diagonals() {
        grid.advance(diagonal);
    }
    Some(grid.last()[a.len()].sqrt())
}

/// The best path: pairs of places in `a` and `b`, from the first to the last. Of steps that cost the
/// same, one in both comes before one in `a`, and that before one in `b`. `None` where a sequence is
/// empty.
#[must_use]
pub fn path(a: &[f64], b: &[f64]) -> Option<Vec<(usize, usize)>> {
    let mut grid = Grid::new(a, b)?;
    let stride = stride(a.len(), grid.diagonals());
    let mut kept = vec![grid.pair()];
    for diagonal in 2..grid.diagonals() {
        grid.advance(diagonal);
        if diagonal % stride == 1 {
            kept.push(grid.pair());
        }
    }
    let mut back = vec![(a.len(), b.len())];
    let mut place = (a.len(), b.len());
    while let Some(pair) = kept.pop() {
        let first = kept.len() * stride;
        let block = Block::new(a, &grid.backwards, &pair, first, place);
        while place.0 + place.1 > first + 1 && place != (1, 1) {
            place = block.step_back(place);
            back.push(place);
        }
    }
    back.reverse();
    Some(back.into_iter().map(|(i, j)| (i - 1, j - 1)).collect())
}

/// Two neighbouring diagonals of the table of least sums. Cell `(i, j)` of it matches `a[i - 1]` with
/// `b[j - 1]` and stands at `i` of diagonal `i + j`; those of row and column 0 cannot be reached.
struct Grid<'a> {
    a: &'a [f64],
    b: &'a [f64],
    /// `b`, from its end, so that a diagonal goes forwards in both.
    backwards: Vec<f64>,
    before: Vec<f64>,
    last: Vec<f64>,
    next: Vec<f64>,
}

impl<'a> Grid<'a> {
    fn new(a: &'a [f64], b: &'a [f64]) -> Option<Self> {
        if a.is_empty() || b.is_empty() {
            return None;
        }
        let nowhere = vec![f64::INFINITY; a.len() + 1];
        let mut before = nowhere.clone();
        before[0] = 0.0;
        Some(Self {
            a,
            b,
            backwards: b.iter().rev().copied().collect(),
            before,
            last: nowhere.clone(),
            next: nowhere,
        })
    }

    fn diagonals(&self) -> usize {
        self.a.len() + self.b.len() + 1
    }

    fn last(&self) -> &[f64] {
        &self.last
    }

    fn pair(&self) -> [Vec<f64>; 2] {
        [self.before.clone(), self.last.clone()]
    }

    fn advance(&mut self, diagonal: usize) {
        let rows = self.a.len();
        let columns = self.b.len();
        let low = diagonal.saturating_sub(columns).max(1);
        let high = rows.min(diagonal - 1);
        let count = high + 1 - low;
        // Cell i is in column diagonal − i, which is at columns − (diagonal − i) from the end of b.
        let from = columns + low - diagonal;
        sums(
            &self.a[low - 1..][..count],
            &self.backwards[from..][..count],
            &self.before[low - 1..][..count],
            &self.last[low - 1..=high],
            &mut self.next[low..][..count],
        );
        // What is left of an older diagonal at its ends cannot be reached from this one.
        self.next[low - 1] = f64::INFINITY;
        if let Some(beyond) = self.next.get_mut(high + 1) {
            *beyond = f64::INFINITY;
        }
        std::mem::swap(&mut self.before, &mut self.last);
        std::mem::swap(&mut self.last, &mut self.next);
    }
}

/// The least sums of one diagonal, from those of the two before it.
fn sums(a: &[f64], b: &[f64], both: &[f64], one: &[f64], out: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just said that it knows these instructions.
        #[allow(unsafe_code)]
        return unsafe { sums_by_four(a, b, both, one, out) };
    }
    sums_anywhere(a, b, both, one, out);
}

/// The same with four cells at once: the instructions that every x86-64 has make two. No two operations
/// are fused, so that the sums are the same to the last bit.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn sums_by_four(a: &[f64], b: &[f64], both: &[f64], one: &[f64], out: &mut [f64]) {
    sums_anywhere(a, b, both, one, out);
}

#[inline(always)]
fn sums_anywhere(a: &[f64], b: &[f64], both: &[f64], one: &[f64], out: &mut [f64]) {
    let count = out.len();
    let (a, b, both) = (&a[..count], &b[..count], &both[..count]);
    let (up, left) = (&one[..count], &one[1..][..count]);
    for k in 0..count {
        let apart = a[k] - b[k];
        let single = if up[k] < left[k] { up[k] } else { left[k] };
        let least = if single < both[k] { single } else { both[k] };
        out[k] = apart * apart + least;
    }
}

/// The cells between two diagonals that are kept, as far as a path that ends at one place may come by.
struct Block {
    /// The first diagonal, and the first row, that are kept.
    first: usize,
    row: usize,
    width: usize,
    cells: Vec<f64>,
}

impl Block {
    fn new(
        a: &[f64],
        backwards: &[f64],
        pair: &[Vec<f64>; 2],
        first: usize,
        (i, j): (usize, usize),
    ) -> Self {
        let diagonals = i + j - first + 1;
        let row = i.saturating_sub(diagonals);
        let width = i - row + 1;
        let mut cells = vec![f64::INFINITY; diagonals * width];
        for (cells, kept) in cells.chunks_mut(width).zip(pair) {
            cells.copy_from_slice(&kept[row..=i]);
        }
        for diagonal in 2..diagonals {
            let (made, rest) = cells.split_at_mut(diagonal * width);
            let (both, one) = made[(diagonal - 2) * width..].split_at(width);
            let whole = first + diagonal;
            // A path that ends at row i can have come from no further back than it has steps left.
            let near = (i + diagonal + 1).saturating_sub(diagonals);
            let low = near.max(row + 1).max(whole.saturating_sub(backwards.len()));
            let high = i.min(whole - 1);
            let Some(count) = (high + 1).checked_sub(low).filter(|&count| count > 0) else {
                continue;
            };
            sums(
                &a[low - 1..][..count],
                &backwards[backwards.len() + low - whole..][..count],
                &both[low - row - 1..][..count],
                &one[low - row - 1..=high - row],
                &mut rest[low - row..][..count],
            );
        }
        Self {
            first,
            row,
            width,
            cells,
        }
    }

    fn cell(&self, i: usize, j: usize) -> f64 {
        self.cells[(i + j - self.first) * self.width + i - self.row]
    }

    fn step_back(&self, (i, j): (usize, usize)) -> (usize, usize) {
        if i == 1 {
            return (i, j - 1);
        }
        if j == 1 {
            return (i - 1, j);
        }
        let (both, up, left) = (
            self.cell(i - 1, j - 1),
            self.cell(i - 1, j),
            self.cell(i, j - 1),
        );
        if both <= up && both <= left {
            (i - 1, j - 1)
        } else if up <= left {
            (i - 1, j)
        } else {
            (i, j - 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_costs_nothing() {
        assert_eq!(
            distance(&[1.0, 2.0, 3.0], &[1.0, 2.0, 2.0, 2.0, 3.0]),
            Some(0.0)
        );
        let path = path(&[1.0, 2.0, 3.0], &[1.0, 2.0, 2.0, 2.0, 3.0]).expect("two sequences");
        assert_eq!(path, [(0, 0), (1, 1), (1, 2), (1, 3), (2, 4)]);
    }

    #[test]
    fn nothing_has_no_distance() {
        assert_eq!(distance(&[], &[1.0]), None);
        assert_eq!(path(&[1.0], &[]), None);
        assert_eq!(distance(&[1.0], &[4.0]), Some(3.0));
        assert_eq!(path(&[1.0], &[4.0]), Some(vec![(0, 0)]));
    }

    #[test]
    fn ties_prefer_steps_in_both() {
        let flat = [0.0; 4];
        let expected: Vec<(usize, usize)> = (0..4).map(|i| (i, i)).collect();
        assert_eq!(path(&flat, &flat), Some(expected));
    }

    #[test]
    fn what_is_kept_of_long_sequences_is_little() {
        // As long as sequences get.
        let (rows, diagonals) = (100_000, 200_001);
        let stride = stride(rows, diagonals);
        let kept = 2 * size_of::<f64>() * rows * diagonals.div_ceil(stride);
        let made = size_of::<f64>() * stride * stride;
        assert!(kept + made < 200 << 20, "{kept} and {made} bytes");
    }

    #[test]
    fn a_path_goes_on_without_a_gap_and_costs_the_distance() {
        for (n, m) in [
            (1, 300),
            (300, 1),
            (63, 64),
            (65, 200),
            (500, 333),
            (3000, 2000),
        ] {
            let a: Vec<f64> = (0..n).map(|i| f64::from(i * 7919 % 101)).collect();
            let b: Vec<f64> = (0..m).map(|i| f64::from(i * 104_729 % 97)).collect();
            let path = path(&a, &b).expect("two sequences");
            assert_eq!(path[0], (0, 0));
            assert_eq!(path[path.len() - 1], (a.len() - 1, b.len() - 1));
            let steps = path.windows(2).map(|w| (w[1].0 - w[0].0, w[1].1 - w[0].1));
            assert!(
                steps
                    .into_iter()
                    .all(|step| [(1, 1), (1, 0), (0, 1)].contains(&step))
            );
            let cost: f64 = path.iter().map(|&(i, j)| (a[i] - b[j]).powi(2)).sum();
            let distance = distance(&a, &b).expect("two sequences");
            assert!(
                (cost.sqrt() - distance).abs() < 1e-9 * distance.max(1.0),
                "{n} × {m}"
            );
        }
    }
}
