//! Density-based clusters: DBSCAN, with the meaning that scikit-learn gives it.

use super::kd_tree::{KdTree, Point, squared_distance};
use std::ops::Range;

/// Finds clusters by density (Ester et al., KDD 1996).
///
/// A point with at least `min_samples` points (itself included) no further than `eps` away is a
/// core point. Core points no further than that apart are of one cluster; other points near a core
/// point are of its cluster too, of the first where there are several; the rest is noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dbscan {
    /// How far neighbours may be apart.
    pub eps: f64,
    /// How many neighbours a core point has, itself included.
    pub min_samples: usize,
}

impl Dbscan {
    /// The cluster of each point; `None` for noise. Clusters are numbered by their first core point.
    ///
    /// Where `eps` is not positive, or a point is not finite, there is nothing but noise. Takes
    /// O(n log n) for a small `min_samples`, and never more memory than O(n).
    #[must_use]
    pub fn clusters(&self, points: &[Point]) -> Vec<Option<usize>> {
        let finite = points.iter().flatten().all(|x| x.is_finite());
        if !(finite && self.eps.is_finite() && self.eps > 0.0) {
            return vec![None; points.len()];
        }
        let mut grid = Grid::new(points, self.eps);
        grid.find_cores(self.min_samples);
        grid.join_cells();
        grid.labels()
    }

    /// The clusters of numbers on a line.
    #[must_use]
    pub fn clusters_of_numbers(&self, numbers: &[f64]) -> Vec<Option<usize>> {
        let points: Vec<Point> = numbers.iter().map(|&x| [x, 0.0]).collect();
        self.clusters(&points)
    }
}

/// A square of the plane so small that all points in it are neighbours.
#[derive(Debug)]
struct Cell {
    at: (i64, i64),
    /// Its points, in the grid's order.
    members: Range<usize>,
}

/// Points by the cell that they lie in.
struct Grid<'a> {
    points: &'a [Point],
    squared_eps: f64,
    order: Vec<usize>,
    cells: Vec<Cell>,
    core: Vec<bool>,
    /// A cell of the same cluster; a cell that points to itself stands for its cluster.
    parent: Vec<usize>,
}

impl<'a> Grid<'a> {
    fn new(points: &'a [Point], eps: f64) -> Self {
        let low = |axis: usize| points.iter().map(|p| p[axis]).fold(f64::INFINITY, f64::min);
        let high = |axis: usize| points.iter().map(|p| p[axis]).fold(f64::MIN, f64::max);
        let corner = [low(0), low(1)];
        let span = (high(0) - corner[0]).max(high(1) - corner[1]);
        // A little less than eps/√2, the side whose diagonal is eps. What lies closer together than
        // numbers of this size can tell is at the same place.
        let side = (eps * 0.707).max(span * 2_f64.powi(-50));
        let cell = |point: Point| {
            let along = |axis: usize| ((point[axis] - corner[axis]) / side) as i64;
            (along(0), along(1))
        };
        let mut keyed: Vec<((i64, i64), usize)> =
            points.iter().map(|&point| cell(point)).zip(0..).collect();
        keyed.sort_unstable();
        let cells = cells_of(&keyed);
        Self {
            points,
            squared_eps: eps * eps,
            order: keyed.into_iter().map(|(_, index)| index).collect(),
            core: vec![false; points.len()],
            parent: (0..cells.len()).collect(),
            cells,
        }
    }

    fn members(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        self.order[self.cells[cell].members.clone()].iter().copied()
    }

    /// The cells that may hold neighbours of the points of `cell`, without itself.
    fn around(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        let (x, y) = self.cells[cell].at;
        (-2..=2)
            .flat_map(move |dx| {
                // Cells are sorted, so that those of one column follow each other.
                let from = self.cells.partition_point(|c| c.at < (x + dx, y - 2));
                let column = self.cells[from..].iter();
                let near = column.take_while(move |c| c.at <= (x + dx, y + 2));
                near.enumerate().map(move |(i, _)| from + i)
            })
            .filter(move |&other| other != cell)
    }

    fn are_neighbours(&self, a: usize, b: usize) -> bool {
        squared_distance(self.points[a], self.points[b]) <= self.squared_eps
    }

    fn find_cores(&mut self, min_samples: usize) {
        for cell in 0..self.cells.len() {
            for place in self.cells[cell].members.clone() {
                let point = self.order[place];
                self.core[point] = self.is_core(point, cell, min_samples);
            }
        }
    }

    fn is_core(&self, point: usize, cell: usize, min_samples: usize) -> bool {
        let inside = self.cells[cell].members.len();
        let outside = self.around(cell).flat_map(|other| self.members(other));
        let near = outside.filter(|&other| self.are_neighbours(point, other));
        inside >= min_samples || inside + near.take(min_samples - inside).count() >= min_samples
    }

    /// Joins cells with core points that are neighbours.
    fn join_cells(&mut self) {
        let mut trees: Vec<Option<KdTree>> = self.cells.iter().map(|_| None).collect();
        for cell in 0..self.cells.len() {
            let later: Vec<usize> = self.around(cell).filter(|&other| other > cell).collect();
            for other in later {
                let (a, b) = (self.find(cell), self.find(other));
                if a != b && self.touch(cell, other, &mut trees) {
                    self.parent[a.max(b)] = a.min(b);
                }
            }
        }
        for cell in 0..self.cells.len() {
            self.parent[cell] = self.parent[self.parent[cell]];
        }
    }

    fn find(&mut self, mut cell: usize) -> usize {
        while self.parent[cell] != cell {
            self.parent[cell] = self.parent[self.parent[cell]];
            cell = self.parent[cell];
        }
        cell
    }

    /// Whether a core point of one cell is a neighbour of one of the other: the points of the
    /// smaller cell are looked up in the larger.
    fn touch(&self, a: usize, b: usize, trees: &mut [Option<KdTree>]) -> bool {
        let size = |cell: usize| self.cells[cell].members.len();
        let (small, large) = if size(a) < size(b) { (a, b) } else { (b, a) };
        let cores = |cell| self.members(cell).filter(|&point| self.core[point]);
        let tree = trees[large]
            .get_or_insert_with(|| KdTree::new(cores(large).map(|point| self.points[point])));
        cores(small).any(|point| tree.reaches(self.points[point], self.squared_eps))
    }

    /// The clusters of core points, then those of the others from their neighbours.
    fn labels(&self) -> Vec<Option<usize>> {
        let cell_of = self.cell_of_each_point();
        let mut labels = self.labels_of_cores(&cell_of);
        let label_of_border = |point: usize| {
            let cells = std::iter::once(cell_of[point]).chain(self.around(cell_of[point]));
            let near = cells
                .flat_map(|cell| self.members(cell))
                .filter(|&other| self.core[other] && self.are_neighbours(point, other));
            near.filter_map(|core| labels[core]).min()
        };
        let others = (0..self.points.len()).filter(|&point| !self.core[point]);
        let borders: Vec<_> = others
            .map(|point| (point, label_of_border(point)))
            .collect();
        for (point, label) in borders {
            labels[point] = label;
        }
        labels
    }

    fn cell_of_each_point(&self) -> Vec<usize> {
        let mut cell_of = vec![0; self.points.len()];
        for (cell, Cell { members, .. }) in self.cells.iter().enumerate() {
            for &point in &self.order[members.clone()] {
                cell_of[point] = cell;
            }
        }
        cell_of
    }

    fn labels_of_cores(&self, cell_of: &[usize]) -> Vec<Option<usize>> {
        let mut numbers = vec![None; self.cells.len()];
        let mut clusters = 0..;
        let mut label = |point: usize| {
            let number = &mut numbers[self.parent[cell_of[point]]];
            *number = number.or_else(|| clusters.next());
            *number
        };
        (0..self.points.len())
            .map(|point| if self.core[point] { label(point) } else { None })
            .collect()
    }
}

fn cells_of(keyed: &[((i64, i64), usize)]) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut start = 0;
    for group in keyed.chunk_by(|a, b| a.0 == b.0) {
        cells.push(Cell {
            at: group[0].0,
            members: start..start + group.len(),
        });
        start += group.len();
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, point by point.
    fn naive(dbscan: Dbscan, points: &[Point]) -> Vec<Option<usize>> {
        let near = |a: usize| -> Vec<usize> {
            let within = dbscan.eps * dbscan.eps;
            let all = 0..points.len();
            all.filter(|&b| squared_distance(points[a], points[b]) <= within)
                .collect()
        };
        let core: Vec<bool> = (0..points.len())
            .map(|a| near(a).len() >= dbscan.min_samples)
            .collect();
        let mut labels = vec![None; points.len()];
        let mut cluster = 0;
        for seed in 0..points.len() {
            if labels[seed].is_some() || !core[seed] {
                continue;
            }
            let mut stack = vec![seed];
            while let Some(point) = stack.pop() {
                if labels[point].is_none() {
                    labels[point] = Some(cluster);
                    if core[point] {
                        stack.extend(near(point));
                    }
                }
            }
            cluster += 1;
        }
        labels
    }

    #[test]
    fn it_finds_what_the_definition_says() {
        let fraction = |i: u64, step: u64| ((i * step) % 1009) as f64 / 1009.0;
        let points: Vec<Point> = (0..300)
            .map(|i| [fraction(i, 577), fraction(i * i, 31)])
            .collect();
        for eps in [0.005, 0.02, 0.04, 0.06, 0.1, 3.0] {
            for min_samples in [1, 2, 3, 5, 20, 400] {
                let dbscan = Dbscan { eps, min_samples };
                assert_eq!(
                    dbscan.clusters(&points),
                    naive(dbscan, &points),
                    "{dbscan:?}"
                );
            }
        }
    }

    #[test]
    fn numbers_are_joined_up_to_eps_and_no_further() {
        let dbscan = Dbscan {
            eps: 1.0,
            min_samples: 2,
        };
        let numbers = [9.0, 0.0, 1.0, 2.0, 4.0, 5.0];
        let wanted = [None, Some(0), Some(0), Some(0), Some(1), Some(1)];
        assert_eq!(dbscan.clusters_of_numbers(&numbers), wanted);
    }

    #[test]
    fn a_border_point_between_two_clusters_is_of_the_first() {
        let dbscan = Dbscan {
            eps: 1.0,
            min_samples: 4,
        };
        let numbers = [0.0, 0.1, 0.2, 1.1, 2.0, 2.1, 2.2, 0.15, 2.05];
        let labels = dbscan.clusters_of_numbers(&numbers);
        assert_eq!(labels, naive(dbscan, &numbers.map(|x| [x, 0.0])));
        assert_eq!(labels[3], Some(0));
    }

    #[test]
    fn nonsense_is_noise() {
        let points = [[0.0, 0.0], [0.0, 0.0]];
        for eps in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(
                Dbscan {
                    eps,
                    min_samples: 1
                }
                .clusters(&points),
                [None, None]
            );
        }
        let dbscan = Dbscan {
            eps: 1.0,
            min_samples: 1,
        };
        assert_eq!(dbscan.clusters(&[[f64::NAN, 0.0]]), [None]);
        assert!(dbscan.clusters(&[]).is_empty());
    }

    #[test]
    fn a_million_points_at_two_places_are_no_burden() {
        let points: Vec<Point> = (0..1_000_000)
            .map(|i| [f64::from(i % 2), 1e-12 * f64::from(i)])
            .collect();
        let labels = Dbscan {
            eps: 0.9,
            min_samples: 2,
        }
        .clusters(&points);
        assert!(
            labels
                .iter()
                .enumerate()
                .all(|(i, label)| *label == Some(i % 2))
        );
    }
}
