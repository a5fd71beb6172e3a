//! Local outlier factor, with the meaning that scikit-learn gives it.

use super::kd_tree::{KdTree, Point, squared_distance};
use super::quantile::quantile;

/// How much less dense the surroundings of points are than those of their neighbours (Breunig et
/// al., SIGMOD 2000).
#[derive(Debug, Clone, PartialEq)]
pub struct LocalOutlierFactors {
    /// The factor of each point among the others: about 1 in a crowd, larger outside.
    pub factors: Vec<f64>,
    /// The factor of each point as if it came anew, so that it is its own nearest neighbour.
    /// scikit-learn's `novelty` judges points so that it has seen before.
    pub as_new: Vec<f64>,
}

/// What scikit-learn adds to a mean distance so that the density of equal points stays finite.
const TINY: f64 = 1e-10;

impl LocalOutlierFactors {
    /// Compares each point with its `neighbours` nearest, or with all where there are fewer, in
    /// O(n log n).
    ///
    /// `None` where there are fewer than two points, or one is not finite.
    #[must_use]
    pub fn of(points: &[Point], neighbours: usize) -> Option<Self> {
        let finite = points.iter().flatten().all(|x| x.is_finite());
        let count = neighbours.min(points.len().saturating_sub(1)).max(1);
        if points.len() < 2 || !finite {
            return None;
        }
        let near = Neighbourhoods::new(points, count);
        let densities: Vec<f64> = (0..points.len())
            .map(|i| near.density(i, near.of(i), 0.0))
            .collect();
        let factor = |i: usize| {
            let sum: f64 = near.of(i).iter().map(|&j| densities[j as usize]).sum();
            sum / densities[i] / count as f64
        };
        let as_new = |i: usize| {
            // Itself, at no distance, pushes out the last of its neighbours.
            let others = &near.of(i)[..count - 1];
            let density = near.density(i, others, near.reach[i]);
            let sum: f64 = others.iter().map(|&j| densities[j as usize]).sum();
            (sum + densities[i]) / density / count as f64
        };
        Some(Self {
            factors: (0..points.len()).map(factor).collect(),
            as_new: (0..points.len()).map(as_new).collect(),
        })
    }

    /// How far each point is from being an outlier where `contamination` is their share: negative
    /// for outliers. Points are judged as if they came anew.
    #[must_use]
    pub fn decisions(&self, contamination: f64) -> Vec<f64> {
        let negated: Vec<f64> = self.factors.iter().map(|factor| -factor).collect();
        let offset = quantile(&negated, contamination).unwrap_or_default();
        self.as_new.iter().map(|factor| -factor - offset).collect()
    }
}

/// The nearest neighbours of every point.
struct Neighbourhoods<'a> {
    points: &'a [Point],
    count: usize,
    /// `count` for each point, nearest first.
    near: Vec<u32>,
    /// The distance to the farthest of them.
    reach: Vec<f64>,
}

impl<'a> Neighbourhoods<'a> {
    fn new(points: &'a [Point], count: usize) -> Self {
        let tree = KdTree::new(points.iter().copied());
        let mut near = Vec::with_capacity(points.len() * count);
        let mut reach = Vec::with_capacity(points.len());
        let mut found = Vec::with_capacity(count);
        for (&point, index) in points.iter().zip(0..) {
            tree.nearest(point, count, index, &mut found);
            near.extend(found.iter().map(|neighbour| neighbour.index));
            reach.push(found.last().map_or(0.0, |farthest| farthest.squared.sqrt()));
        }
        Self {
            points,
            count,
            near,
            reach,
        }
    }

    fn of(&self, i: usize) -> &[u32] {
        &self.near[i * self.count..][..self.count]
    }

    /// The inverse of the mean distance at which point `i` is reached from `others`, each of which
    /// is at least as far away as the farthest of its own neighbours. What one more neighbour adds
    /// to the sum of distances is `further`.
    fn density(&self, i: usize, others: &[u32], further: f64) -> f64 {
        let reached = |&j: &u32| {
            let j = j as usize;
            squared_distance(self.points[i], self.points[j])
                .sqrt()
                .max(self.reach[j])
        };
        let sum: f64 = others.iter().map(reached).sum();
        1.0 / ((sum + further) / self.count as f64 + TINY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_long_even_row_every_factor_but_those_near_the_ends_is_1() {
        let points: Vec<Point> = (0..101).map(|i| [f64::from(i), 0.0]).collect();
        let lof = LocalOutlierFactors::of(&points, 4).expect("points");
        assert!((lof.factors[50] - 1.0).abs() < 1e-9);
        assert!(lof.factors[0] > 1.0);
    }

    #[test]
    fn the_point_far_away_is_the_outlier() {
        let mut points: Vec<Point> = (0..100)
            .map(|i| [f64::from(i % 10), f64::from(i / 10)])
            .collect();
        points.push([50.0, 50.0]);
        let lof = LocalOutlierFactors::of(&points, 20).expect("points");
        let decisions = lof.decisions(0.01);
        let outliers: Vec<usize> = (0..101).filter(|&i| decisions[i] < 0.0).collect();
        assert_eq!(outliers, [100]);
        assert!(lof.factors[100] > 10.0);
    }

    #[test]
    fn too_few_points_and_nonsense_have_no_factors() {
        assert_eq!(LocalOutlierFactors::of(&[], 20), None);
        assert_eq!(LocalOutlierFactors::of(&[[1.0, 2.0]], 20), None);
        assert_eq!(
            LocalOutlierFactors::of(&[[1.0, 2.0], [f64::NAN, 0.0]], 20),
            None
        );
        let equal = LocalOutlierFactors::of(&[[1.0, 1.0]; 50], 20).expect("points");
        assert!(
            equal
                .factors
                .iter()
                .all(|factor| (factor - 1.0).abs() < 1e-12)
        );
    }
}
