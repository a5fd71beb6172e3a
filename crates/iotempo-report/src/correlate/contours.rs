//! Lines of equal density: marching squares.

use std::collections::BTreeMap;

/// A density on a grid, per row, per column.
pub(super) struct Grid<'a> {
    pub(super) x: &'a [f64],
    pub(super) y: &'a [f64],
    pub(super) density: &'a [Vec<f64>],
}

/// An edge of the grid that a line crosses: from a corner (row, column) to the next on the right, or above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    row: usize,
    column: usize,
    upwards: bool,
}

impl Grid<'_> {
    /// The densities above which the given shares of all lie; `None` where nothing lies anywhere.
    pub(super) fn levels<const N: usize>(&self, shares: [f64; N]) -> Option<[f64; N]> {
        let mut values: Vec<f64> = self.density.iter().flatten().copied().collect();
        values.retain(|value| value.is_finite() && *value > 0.0);
        values.sort_unstable_by(|a, b| b.total_cmp(a));
        let whole: f64 = values.iter().sum();
        let least = *values.last()?;
        Some(shares.map(|share| {
            let mut sum = 0.0;
            let reached = values.iter().find(|value| {
                sum += **value;
                sum >= share * whole
            });
            reached.copied().unwrap_or(least)
        }))
    }

    /// The lines along which the density is `level`.
    pub(super) fn lines(&self, level: f64) -> Vec<Vec<(f64, f64)>> {
        let mut meets: BTreeMap<Edge, Vec<Edge>> = BTreeMap::new();
        for row in 1..self.y.len() {
            for column in 1..self.x.len() {
                for [a, b] in self.crossings(row - 1, column - 1, level) {
                    meets.entry(a).or_default().push(b);
                    meets.entry(b).or_default().push(a);
                }
            }
        }
        let mut lines = Vec::new();
        // Lines that end at the border are begun there; what is left then are rings.
        let ends = meets.iter().filter(|(_, others)| others.len() == 1);
        let ends: Vec<Edge> = ends.map(|(edge, _)| *edge).collect();
        for end in ends {
            lines.extend(walk(&mut meets, end));
        }
        while let Some(&edge) = meets.keys().next() {
            lines.extend(walk(&mut meets, edge));
        }
        let places = |line: Vec<Edge>| {
            let places = line.into_iter().map(|edge| self.place(edge, level));
            places.collect()
        };
        lines.into_iter().map(places).collect()
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        let value = self.density.get(row).and_then(|row| row.get(column));
        value.copied().unwrap_or(0.0)
    }

    /// Pairs of edges of a cell that a line joins.
    fn crossings(&self, row: usize, column: usize, level: f64) -> Vec<[Edge; 2]> {
        // Counter-clockwise, from below on the left.
        let corners = [
            (row, column),
            (row, column + 1),
            (row + 1, column + 1),
            (row + 1, column),
        ];
        let above = corners.map(|(row, column)| self.at(row, column) >= level);
        let edge = |row, column, upwards| Edge {
            row,
            column,
            upwards,
        };
        let edges = [
            edge(row, column, false),
            edge(row, column + 1, true),
            edge(row + 1, column, false),
            edge(row, column, true),
        ];
        let crossed = (0..4).filter(|&side| above[side] != above[(side + 1) % 4]);
        let crossed: Vec<Edge> = crossed.map(|side| edges[side]).collect();
        match crossed[..] {
            [a, b] => vec![[a, b]],
            // A saddle: its middle says which corners belong together.
            [a, b, c, d] => {
                let values = corners.map(|(row, column)| self.at(row, column));
                let middle = values.iter().sum::<f64>() / 4.0 >= level;
                match middle == above[0] {
                    true => vec![[a, b], [c, d]],
                    false => vec![[a, d], [b, c]],
                }
            }
            _ => Vec::new(),
        }
    }

    /// Where on its edge a line crosses.
    fn place(&self, edge: Edge, level: f64) -> (f64, f64) {
        let Edge {
            row,
            column,
            upwards,
        } = edge;
        let (to_row, to_column) = match upwards {
            true => (row + 1, column),
            false => (row, column + 1),
        };
        let (from, to) = (self.at(row, column), self.at(to_row, to_column));
        let share = ((level - from) / (to - from)).clamp(0.0, 1.0);
        let between = |from: f64, to: f64| from + share * (to - from);
        (
            between(self.x[column], self.x[to_column]),
            between(self.y[row], self.y[to_row]),
        )
    }
}

/// Follows a line from an edge as far as it goes, and takes it out; `None` where it was taken out already.
fn walk(meets: &mut BTreeMap<Edge, Vec<Edge>>, start: Edge) -> Option<Vec<Edge>> {
    let mut line = vec![start];
    let mut here = start;
    while let Some(next) = meets.get_mut(&here).and_then(Vec::pop) {
        remove(meets, next, here);
        if meets.get(&here).is_some_and(Vec::is_empty) {
            meets.remove(&here);
        }
        line.push(next);
        here = next;
    }
    meets.remove(&here);
    (line.len() > 1).then_some(line)
}

/// Forgets that `edge` meets `other`.
fn remove(meets: &mut BTreeMap<Edge, Vec<Edge>>, edge: Edge, other: Edge) {
    if let Some(others) = meets.get_mut(&edge)
        && let Some(place) = others.iter().position(|one| *one == other)
    {
        others.swap_remove(place);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn steps(count: usize) -> Vec<f64> {
        (0..count).map(|k| k as f64).collect()
    }

    #[test]
    fn a_hill_has_a_ring_at_its_height() {
        let (x, y) = (steps(41), steps(41));
        let hill = |x: f64, y: f64| (-((x - 20.0).powi(2) + (y - 20.0).powi(2)) / 50.0).exp();
        let density: Vec<Vec<f64>> = y
            .iter()
            .map(|&y| x.iter().map(|&x| hill(x, y)).collect())
            .collect();
        let grid = Grid {
            x: &x,
            y: &y,
            density: &density,
        };
        // Of a normal distribution of variance 25, half lies within √(2 · 25 · ln 2).
        let [level] = grid.levels([0.5]).unwrap();
        let lines = grid.lines(level);
        assert_eq!(lines.len(), 1);
        let ring = &lines[0];
        assert_eq!(ring.first(), ring.last(), "it is closed");
        let radius = (50.0 * 2_f64.ln()).sqrt();
        for (x, y) in ring {
            let far = (x - 20.0).hypot(y - 20.0);
            assert!((far - radius).abs() < 0.25, "{far} beside {radius}");
        }
    }

    #[test]
    fn a_slope_has_a_line_from_border_to_border() {
        let (x, y) = (steps(5), steps(4));
        let density = vec![vec![0.0, 1.0, 2.0, 3.0, 4.0]; 4];
        let grid = Grid {
            x: &x,
            y: &y,
            density: &density,
        };
        assert_eq!(
            grid.lines(2.5),
            [vec![(2.5, 0.0), (2.5, 1.0), (2.5, 2.0), (2.5, 3.0)]]
        );
        assert!(grid.lines(9.0).is_empty());
    }

    #[test]
    fn two_hills_and_their_saddle_have_lines_of_their_own() {
        let (x, y) = (steps(2), steps(2));
        let density = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
        let grid = Grid {
            x: &x,
            y: &y,
            density: &density,
        };
        let apart = grid.lines(0.75);
        assert_eq!(apart.len(), 2);
        for line in apart {
            let near = |x: f64, y: f64| line.iter().all(|p| (p.0 - x).hypot(p.1 - y) <= 0.25);
            assert!(near(0.0, 0.0) || near(1.0, 1.0), "{line:?}");
        }
        let together = grid.lines(0.25);
        for line in together {
            let near = |x: f64, y: f64| line.iter().all(|p| (p.0 - x).hypot(p.1 - y) <= 0.25);
            assert!(near(1.0, 0.0) || near(0.0, 1.0), "{line:?}");
        }
    }

    #[test]
    fn levels_enclose_shares_and_nothing_has_none() {
        let (x, y) = (steps(2), steps(2));
        let density = vec![vec![4.0, 3.0], vec![2.0, 1.0]];
        let grid = Grid {
            x: &x,
            y: &y,
            density: &density,
        };
        assert_eq!(
            grid.levels([0.3, 0.7, 0.9, 1.0]),
            Some([4.0, 3.0, 2.0, 1.0])
        );
        let density = vec![vec![0.0, f64::NAN], vec![0.0, 0.0]];
        let grid = Grid {
            x: &x,
            y: &y,
            density: &density,
        };
        assert_eq!(grid.levels([0.5]), None);
    }
}
