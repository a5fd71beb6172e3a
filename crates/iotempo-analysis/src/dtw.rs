//! Dynamic time warping: how two sequences match when each may wait for the other.
//!
//! The cost of a match is the square of the difference; a path steps forwards in the one sequence, in
//! the other, or in both. Cell `(i, j)` of the table of least sums matches `a[i - 1]` with `b[j - 1]`; those
//! of row and column 0 cannot be reached, but for `(0, 0)`. Cells are worked through in strips of rows,
//! few enough for the first cache, and in a strip along anti-diagonals, none of whose cells waits for
//! another. Those at both ends of a diagonal through which no best path can come are left out. Of all cells
//! only some rows and columns are kept; to walk back, the tiles between them that the path comes through
//! are made again.

mod bound;

use std::ops::RangeInclusive;

/// Rows of a strip: what is known of two diagonals, both sequences and what is made take 20 kB.
const HEIGHT: usize = 512;

/// Rows and columns from one that is kept to the next, at least.
const TILE: usize = 64;

/// How many rows and columns lie between two that are kept: what is kept and made again grows by less than the
/// length to the power of 4/3, not by its square. A power of two: each diagonal asks what lies on it.
fn tile(rows: usize, columns: usize) -> usize {
    let wanted = (rows as f64 * columns as f64).cbrt() as usize / 2;
    wanted.max(TILE).next_power_of_two()
}

/// The distance: the root of the least sum of squares along any path. `None` where a sequence is empty.
#[must_use]
pub fn distance(a: &[f64], b: &[f64]) -> Option<f64> {
    Some(least(a, b, |_, _, _| ())?.sqrt())
}

/// The best path: pairs of places in `a` and `b`, from the first to the last. Of steps that cost the
/// same, one in both comes before one in `a`, and that before one in `b`. `None` where a sequence is
/// empty.
#[must_use]
pub fn path(a: &[f64], b: &[f64]) -> Option<Vec<(usize, usize)>> {
    let mut kept = Kept::new(tile(a.len(), b.len()), a.len(), b.len());
    least(a, b, |above, diagonal, cells| {
        kept.take(above, diagonal, cells);
    })?;
    let mut place = (a.len(), b.len());
    let mut back = vec![place];
    let mut room = Vec::new();
    while place != (1, 1) {
        let tile = Tile::new(a, b, &kept, place, &mut room);
        while place != (1, 1) && tile.holds(place) {
            place = tile.step_back(place);
            back.push(place);
        }
    }
    back.reverse();
    Some(back.into_iter().map(|(i, j)| (i - 1, j - 1)).collect())
}

/// The least sum of all paths. Tells of each diagonal of each strip, and of the row above that.
fn least(a: &[f64], b: &[f64], mut made: impl FnMut(usize, usize, Cells<'_>)) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    // From its end, so that a diagonal goes forwards in both.
    let backwards: Vec<f64> = b.iter().rev().copied().collect();
    let mut row = vec![f64::INFINITY; b.len() + 1];
    row[0] = 0.0;
    let mut diagonals = Diagonals::new(a.len().min(HEIGHT), bound::upper(a, b));
    for (number, strip) in a.chunks(HEIGHT).enumerate() {
        let edge = vec![f64::INFINITY; strip.len()];
        diagonals.work(strip, &backwards, &mut row, &edge, |diagonal, cells| {
            made(number * HEIGHT, diagonal, cells);
        });
    }
    row.last().copied()
}

/// Two neighbouring diagonals of a part of the table, and room for the next. Rows and columns count from
/// the one above and the one to the left of the part; row `i` of diagonal `i + j` stands at `i`.
struct Diagonals {
    before: Diagonal,
    last: Diagonal,
    next: Diagonal,
    /// Cells above this are not followed.
    upper: f64,
}

/// The cells of one diagonal.
#[derive(Clone)]
struct Diagonal {
    /// Their sums, by row, with one on each side that nothing comes from.
    sums: Vec<f64>,
    /// The first and the last row that may be followed; where there is none, the last comes first.
    low: usize,
    high: usize,
}

impl Diagonal {
    fn new(rows: usize) -> Self {
        Self {
            sums: vec![f64::INFINITY; rows + 2],
            low: usize::MAX,
            high: 0,
        }
    }

    /// The diagonal has nothing but the first cells of these.
    fn begin(&mut self, first: &[f64]) {
        self.sums.fill(f64::INFINITY);
        self.sums[..first.len()].copy_from_slice(first);
        (self.low, self.high) = (0, first.len() - 1);
    }

    /// Leaves out cells at both ends that are above a bound.
    fn trim(&mut self, low: usize, high: usize, upper: f64) {
        let sums = &self.sums[low..=high];
        let first = sums.iter().position(|sum| is_followed(*sum, upper));
        let last = sums.iter().rposition(|sum| is_followed(*sum, upper));
        (self.low, self.high) = match first.zip(last) {
            Some((first, last)) => (low + first, low + last),
            None => (usize::MAX, 0),
        };
    }
}

/// The cells of a diagonal that are inside a part, and the row of the first of them.
struct Cells<'a> {
    low: usize,
    sums: &'a [f64],
}
/// Whether a best path may come through a cell. What is not a number has no bound.
fn is_followed(sum: f64, upper: f64) -> bool {
    sum <= upper || upper == f64::INFINITY
}

impl Diagonals {
    fn new(rows: usize, upper: f64) -> Self {
        Self {
            before: Diagonal::new(rows),
            last: Diagonal::new(rows),
            next: Diagonal::new(rows),
            upper,
        }
    }

    /// Works through a part of as many rows as `a` and as many columns as `backwards`, from the `row` above it,
    /// which begins with the corner and becomes its last row, and the column to its left, through which
    /// paths come only where there is no bound. Tells of each diagonal.
    fn work(
        &mut self,
        a: &[f64],
        backwards: &[f64],
        row: &mut [f64],
        left: &[f64],
        mut made: impl FnMut(usize, Cells<'_>),
    ) {
        let (rows, columns) = (a.len(), backwards.len());
        let comes = |sum: &f64| is_followed(*sum, self.upper);
        let entries = row.iter().position(comes).zip(row.iter().rposition(comes));
        let Some((entry, reach)) = entries else {
            row.fill(f64::INFINITY);
            return;
        };
        // The first column is one after the corner, and the first cell below an entry one later.
        let start = (entry + 1).max(2);
        self.before.begin(&[row[start - 2]]);
        match left.first().filter(|_| start == 2) {
            Some(beside) => self.last.begin(&[row[1], *beside]),
            None => self.last.begin(&[row[start - 1]]),
        }
        row[1..start.saturating_sub(rows).max(1)].fill(f64::INFINITY);
        let mut floor = 1;
        for diagonal in start..=rows + columns {
            if diagonal - 2 > reach {
                floor = floor.max(self.last.low.min(self.before.low.saturating_add(1)));
            }
            let low = diagonal.saturating_sub(columns).max(floor);
            let high = (self.last.high.max(self.before.high) + 1)
                .min(rows)
                .min(diagonal - 1);
            if low > high {
                // Nothing is left to follow.
                row[diagonal.saturating_sub(rows).max(1)..].fill(f64::INFINITY);
                break;
            }
            self.step(a, backwards, (diagonal, low, high));
            let next = &mut self.next;
            // What comes in from above, and from the left.
            let (mut first, mut last) = (low, high);
            if let (1, Some(above)) = (low, row.get(diagonal)) {
                (next.sums[0], first) = (*above, 0);
            }
            if let (true, Some(beside)) = (high + 1 == diagonal, left.get(high)) {
                (next.sums[diagonal], last) = (*beside, diagonal);
            }
            // The row above has been read this far: the last one may take its room.
            if let Some(column) = diagonal.checked_sub(rows).filter(|column| *column > 0) {
                row[column] = match high == rows {
                    true => next.sums[rows],
                    false => f64::INFINITY,
                };
            }
            let sums = &next.sums[low..=high];
            made(diagonal, Cells { low, sums });
            next.trim(first, last, self.upper);
            std::mem::swap(&mut self.before, &mut self.last);
            std::mem::swap(&mut self.last, &mut self.next);
        }
        if let Some(corner) = left.last() {
            row[0] = *corner;
        }
    }

    /// The cells of the next diagonal from row `low` to row `high`, and one on each side that nothing comes from.
    fn step(&mut self, a: &[f64], backwards: &[f64], (diagonal, low, high): (usize, usize, usize)) {
        let count = high + 1 - low;
        // Cell i is in column diagonal − i, which is at columns − (diagonal − i) from the end of b.
        let from = backwards.len() + low - diagonal;
        let next = &mut self.next.sums;
        sums(
            &a[low - 1..][..count],
            &backwards[from..][..count],
            &self.before.sums[low - 1..][..count],
            &self.last.sums[low - 1..=high],
            &mut next[low..][..count],
        );
        (next[low - 1], next[high + 1]) = (f64::INFINITY, f64::INFINITY);
    }
}

/// The least sums of one diagonal, from those of the two before it.
fn sums(a: &[f64], b: &[f64], both: &[f64], one: &[f64], out: &mut [f64]) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has just said that it knows these instructions.
        #[allow(unsafe_code)]
        return unsafe { sums_by_eight(a, b, both, one, out) };
    } else if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: as above.
        #[allow(unsafe_code)]
        return unsafe { sums_by_four(a, b, both, one, out) };
    }
    sums_anywhere(a, b, both, one, out);
}

/// The same with eight cells at once: the instructions that every x86-64 has make two. No two operations
/// are fused, so that the sums are the same to the last bit.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn sums_by_eight(a: &[f64], b: &[f64], both: &[f64], one: &[f64], out: &mut [f64]) {
    sums_anywhere(a, b, both, one, out);
}

/// The same with four cells at once.
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

/// Rows and columns of the table, at equal distances.
struct Kept {
    /// The power of two that lies between one and the next.
    shift: u32,
    rows: Lines,
    columns: Lines,
}

/// Lines of cells that go one way, one behind the other.
struct Lines {
    length: usize,
    cells: Vec<f64>,
}

impl Lines {
    /// As many of these, of which the first has nothing but the cell where paths begin.
    fn new(count: usize, length: usize) -> Self {
        let mut cells = vec![f64::INFINITY; count * length];
        if let Some(first) = cells.first_mut() {
            *first = 0.0;
        }
        Self { length, cells }
    }

    fn line(&self, number: usize) -> &[f64] {
        &self.cells[number * self.length..][..self.length]
    }
}

impl Kept {
    /// Each so many rows and columns, a power of two.
    fn new(every: usize, rows: usize, columns: usize) -> Self {
        Self {
            shift: every.trailing_zeros(),
            rows: Lines::new(rows / every + 1, columns + 1),
            columns: Lines::new(columns / every + 1, rows + 1),
        }
    }

    /// Which of those that are kept is at a place or the last before it.
    fn before(&self, place: usize) -> usize {
        place >> self.shift
    }

    fn place(&self, number: usize) -> usize {
        number << self.shift
    }

    /// Which of those that are kept lie between two places, these included.
    fn between(&self, low: usize, high: usize) -> RangeInclusive<usize> {
        // Nothing lies before place 1 but the first, which is known.
        self.before(low - 1) + 1..=self.before(high)
    }

    /// Takes what is to be kept of a diagonal of the strip that begins below row `above`.
    fn take(&mut self, above: usize, diagonal: usize, Cells { low, sums }: Cells<'_>) {
        let high = low + sums.len() - 1;
        for number in self.between(above + low, above + high) {
            let i = self.place(number) - above;
            self.rows.cells[number * self.rows.length + diagonal - i] = sums[i - low];
        }
        for number in self.between(diagonal - high, diagonal - low) {
            let i = diagonal - self.place(number);
            self.columns.cells[number * self.columns.length + above + i] = sums[i - low];
        }
    }
}

/// The cells between a row and a column that are kept and one place, by diagonals.
struct Tile<'a> {
    /// The row and the column that are kept.
    above: usize,
    left: usize,
    rows: usize,
    columns: usize,
    /// Diagonals one after the other, as many cells each as the tile and the row above it have rows. What is
    /// outside was left by another tile, and not asked for.
    cells: &'a mut [f64],
}

impl<'a> Tile<'a> {
    fn new(
        a: &[f64],
        b: &[f64],
        kept: &Kept,
        (i, j): (usize, usize),
        room: &'a mut Vec<f64>,
    ) -> Self {
        let (row_before, column_before) = (kept.before(i - 1), kept.before(j - 1));
        let (above, left) = (kept.place(row_before), kept.place(column_before));
        let (rows, columns) = (i - above, j - left);
        let backwards: Vec<f64> = b[left..j].iter().rev().copied().collect();
        let mut row = kept.rows.line(row_before)[left..=j].to_vec();
        let beside = &kept.columns.line(column_before)[above..=i];
        let width = rows + 1;
        let size = (rows + columns + 1) * width;
        room.resize(size.max(room.len()), f64::INFINITY);
        let cells = &mut room[..size];
        for (column, sum) in row.iter().enumerate() {
            cells[column * width] = *sum;
        }
        for (row, sum) in beside.iter().enumerate() {
            cells[row * width + row] = *sum;
        }
        let mut diagonals = Diagonals::new(rows, f64::INFINITY);
        diagonals.work(
            &a[above..i],
            &backwards,
            &mut row,
            &beside[1..],
            |diagonal, made| {
                let place = diagonal * width + made.low;
                cells[place..][..made.sums.len()].copy_from_slice(made.sums);
            },
        );
        Self {
            above,
            left,
            rows,
            columns,
            cells,
        }
    }

    /// Whether the tile knows how a path came to a place.
    fn holds(&self, (i, j): (usize, usize)) -> bool {
        let inside = |place: usize, start: usize, length: usize| {
            place.checked_sub(start + 1).is_some_and(|at| at < length)
        };
        inside(i, self.above, self.rows) && inside(j, self.left, self.columns)
    }

    fn cell(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i - self.above, j - self.left);
        self.cells[(i + j) * (self.rows + 1) + i]
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

    /// The whole table, cell by cell.
    fn by_the_book(a: &[f64], b: &[f64]) -> f64 {
        let mut row = vec![f64::INFINITY; b.len() + 1];
        row[0] = 0.0;
        for x in a {
            let mut both = std::mem::replace(&mut row[0], f64::INFINITY);
            for (j, y) in b.iter().enumerate() {
                let least = both.min(row[j + 1]).min(row[j]);
                both = row[j + 1];
                row[j + 1] = (x - y).powi(2) + least;
            }
        }
        row[b.len()].sqrt()
    }

    #[test]
    fn what_is_left_out_changes_no_distance() {
        /// Bursts of 20 points, and in between next to nothing.
        fn bursts(length: usize, every: usize, late: usize) -> Vec<f64> {
            let rate = |i: usize| match (i + late) % every < 20 {
                true => 5.0 + (i % 3) as f64,
                false => (i * 7919 % 11) as f64 * 1e-3,
            };
            (0..length).map(rate).collect()
        }
        for (n, m, late) in [
            (1000, 1000, 0),
            (1500, 1400, 30),
            (600, 2100, 17),
            (2000, 513, 90),
        ] {
            let (a, b) = (bursts(n, 150, 0), bursts(m, 157, late));
            assert!(bound::upper(&a, &b) < f64::INFINITY);
            let (ours, plain) = (distance(&a, &b), by_the_book(&a, &b));
            let apart = (ours.expect("two sequences") - plain).abs();
            assert!(apart < 1e-9 * plain, "{n} × {m}: {ours:?} and {plain}");
        }
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
        let length: usize = 100_000;
        let tile = tile(length, length);
        let kept = 2 * size_of::<f64>() * length * length.div_ceil(tile);
        let made = 2 * size_of::<f64>() * tile * tile;
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
            (128, 128),
            (512, 513),
            (1025, 256),
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
