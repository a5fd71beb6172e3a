//! Points that samples have in common: CLIQUE (Agrawal et al., SIGMOD 1998) as IOSI adapts it.
//!
//! A cell is dense where enough samples have a point in it, and a burst is common where enough of them
//! have one in a dense cell or beside it.

use super::bursts::Burst;
use super::numbers::{deviation, mean, share_of};
use super::points::{self, Point};
use super::settings::{Mapping, Settings};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Bursts of different samples that are the same burst, by their points.
pub(super) type Cluster = Vec<Point>;

/// What cells of one size find.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Clustering {
    /// The common bursts, in order of time.
    pub(super) clusters: Vec<Cluster>,
    /// The size of a cell, in points of time and in units of correlation.
    pub(super) cell: (f64, f64),
    pub(super) mapping: Mapping,
}

impl Clustering {
    /// How many points belong to common bursts.
    pub(super) fn selected(&self) -> usize {
        self.clusters.iter().map(Vec::len).sum()
    }

    fn spread(&self) -> f64 {
        let times = |cluster: &Cluster| cluster.iter().map(|p| p.time).collect::<Vec<f64>>();
        self.clusters.iter().map(|c| deviation(&times(c))).sum()
    }

    /// Whether this tells more than another: more points, or as many that are closer together.
    fn is_better_than(&self, other: &Self) -> bool {
        let rank = |clustering: &Self| clustering.selected();
        rank(self)
            .cmp(&rank(other))
            .then_with(|| other.spread().total_cmp(&self.spread()))
            .then_with(|| other.cell.0.total_cmp(&self.cell.0))
            .is_gt()
    }
}

/// The clustering that tells most, over all sizes of cells and all mappings. `None` where no size finds
/// anything.
pub(super) fn search(
    rates: &[&[f64]],
    bursts: &[Vec<Burst>],
    settings: &Settings,
) -> Option<Clustering> {
    let samples = rates.len();
    let needed = Needed {
        dense: share_of(settings.density, samples),
        common: share_of(settings.neighbourhood, samples),
    };
    let mut best: Option<Clustering> = None;
    for mapping in settings.mappings() {
        let points = points::points(rates, bursts, mapping);
        for cell in cells(bursts, settings) {
            let found = Clustering {
                clusters: clusters(&points, cell, needed),
                cell,
                mapping,
            };
            if best.as_ref().is_none_or(|best| found.is_better_than(best)) {
                best = Some(found);
            }
        }
    }
    best.filter(|best| !best.clusters.is_empty())
}

/// The sizes of cells to try: from the mean burst to the mean distance of crests in width.
fn cells(bursts: &[Vec<Burst>], settings: &Settings) -> Vec<(f64, f64)> {
    let lengths: Vec<f64> = bursts.iter().flatten().map(|b| b.points() as f64).collect();
    let gaps: Vec<f64> = bursts
        .iter()
        .flat_map(|bursts| bursts.windows(2))
        .map(|pair| (pair[1].crest - pair[0].crest) as f64)
        .collect();
    let narrowest = mean(&lengths).max(1.0);
    let widest = mean(&gaps).max(narrowest);
    let (lowest, highest) = settings.cell_height;
    let evenly = |low: f64, high: f64, count: usize| {
        let steps = count.saturating_sub(1).max(1) as f64;
        (0..count.max(1)).map(move |i| low + (high - low) * i as f64 / steps)
    };
    let heights = || evenly(lowest, highest, settings.grid_heights);
    evenly(narrowest, widest, settings.grid_widths)
        .flat_map(|width| heights().map(move |height| (width, height)))
        .collect()
}

/// How many samples it takes.
#[derive(Debug, Clone, Copy)]
struct Needed {
    dense: usize,
    common: usize,
}

/// The common bursts that cells of one size find.
fn clusters(points: &[Point], cell: (f64, f64), needed: Needed) -> Vec<Cluster> {
    let mut table = Table::new(points, cell);
    let mut dense: BinaryHeap<(usize, Reverse<usize>, Reverse<usize>)> = table
        .places()
        .map(|(x, y)| (table.density(x, y), Reverse(x), Reverse(y)))
        .filter(|(density, ..)| *density >= needed.dense)
        .collect();
    let mut found = Vec::new();
    while let Some((density, Reverse(x), Reverse(y))) = dense.pop() {
        let now = table.density(x, y);
        if now < density {
            // Points of it were taken since.
            if now >= needed.dense {
                dense.push((now, Reverse(x), Reverse(y)));
            }
            continue;
        }
        let near = table.neighbourhood(x, y);
        if samples_of(&near) < needed.common {
            continue;
        }
        let cluster = vote(&near, cell);
        table.take(&cluster);
        // It may hold another burst.
        dense.push((density, Reverse(x), Reverse(y)));
        found.push(cluster);
    }
    let time =
        |cluster: &Cluster| cluster.iter().map(|p| p.time).sum::<f64>() / cluster.len() as f64;
    found.sort_by(|a, b| time(a).total_cmp(&time(b)));
    found
}

/// Of each sample the point that is closest to all others.
fn vote(near: &[Point], (width, height): (f64, f64)) -> Cluster {
    let apart = |a: &Point, b: &Point| {
        let (x, y) = (
            (a.time - b.time) / width,
            (a.likeness - b.likeness) / height,
        );
        (x * x + y * y).sqrt()
    };
    let far = |point: &Point| near.iter().map(|other| apart(point, other)).sum::<f64>();
    let closest = |own: &[Point]| match own {
        [only] => *only,
        // They are in order of time, and the first wins a tie.
        _ => {
            let mut best = (f64::INFINITY, own[0]);
            for point in own {
                let distance = far(point);
                if distance < best.0 {
                    best = (distance, *point);
                }
            }
            best.1
        }
    };
    near.chunk_by(|a, b| a.sample == b.sample)
        .map(closest)
        .collect()
}

/// How many samples points are of, which are in order of samples.
fn samples_of(points: &[Point]) -> usize {
    points.chunk_by(|a, b| a.sample == b.sample).count()
}

/// Points by their cells, in columns of time.
struct Table {
    rows: usize,
    cells: Vec<Vec<Point>>,
    cell: (f64, f64),
}

impl Table {
    fn new(points: &[Point], cell: (f64, f64)) -> Self {
        let rows = (1.0 / cell.1).ceil().clamp(1.0, 1000.0) as usize;
        let last = points.iter().map(|point| point.time).fold(0.0, f64::max);
        let columns = (last / cell.0) as usize + 1;
        let mut table = Self {
            rows,
            cells: vec![Vec::new(); rows * columns],
            cell,
        };
        for point in points {
            let (x, y) = table.place(point);
            table.cells[x * rows + y].push(*point);
        }
        table
    }

    fn place(&self, point: &Point) -> (usize, usize) {
        let y = (point.likeness / self.cell.1) as usize;
        ((point.time / self.cell.0) as usize, y.min(self.rows - 1))
    }

    fn places(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let filled = |i: &usize| !self.cells[*i].is_empty();
        let all = (0..self.cells.len()).filter(filled);
        all.map(|i| (i / self.rows, i % self.rows))
    }

    fn density(&self, x: usize, y: usize) -> usize {
        samples_of(&self.cells[x * self.rows + y])
    }

    /// The points of a cell and of the eight around it, in order of samples and of time.
    fn neighbourhood(&self, x: usize, y: usize) -> Vec<Point> {
        let columns = self.cells.len() / self.rows;
        let mut near = Vec::new();
        for x in x.saturating_sub(1)..columns.min(x + 2) {
            for y in y.saturating_sub(1)..self.rows.min(y + 2) {
                near.extend_from_slice(&self.cells[x * self.rows + y]);
            }
        }
        near.sort_unstable_by_key(|point| (point.sample, point.burst));
        near
    }

    fn take(&mut self, points: &[Point]) {
        for point in points {
            let (x, y) = self.place(point);
            let cell = &mut self.cells[x * self.rows + y];
            cell.retain(|other| (other.sample, other.burst) != (point.sample, point.burst));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(sample: usize, burst: usize, time: f64) -> Point {
        Point {
            time,
            likeness: 0.9,
            sample,
            burst,
        }
    }

    const NEEDED: Needed = Needed {
        dense: 2,
        common: 4,
    };

    #[test]
    fn what_four_samples_have_is_common() {
        let mut points: Vec<Point> = (0..4).map(|s| point(s, 0, 100.0 + s as f64)).collect();
        points.push(point(2, 1, 400.0));
        let found = clusters(&points, (20.0, 0.1), NEEDED);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].len(), 4);
    }

    #[test]
    fn each_sample_has_one_vote_and_the_closest_point_gets_it() {
        let mut points: Vec<Point> = (0..4).map(|s| point(s, 0, 100.0 + s as f64)).collect();
        points.insert(2, point(1, 1, 112.0));
        let found = clusters(&points, (20.0, 0.1), NEEDED);
        let times: Vec<f64> = found[0].iter().map(|p| p.time).collect();
        assert_eq!(times, [100.0, 101.0, 102.0, 103.0]);
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn two_bursts_of_one_cell_are_two() {
        let points: Vec<Point> = (0..4)
            .flat_map(|s| [point(s, 0, 100.0), point(s, 1, 108.0)])
            .collect();
        let found = clusters(&points, (20.0, 0.1), NEEDED);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0][0].time, 100.0);
        assert_eq!(found[1][0].time, 108.0);
    }
}
