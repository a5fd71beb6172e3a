//! Isolation forest, with the meaning that scikit-learn gives it.

use super::kd_tree::Point;
use super::quantile::quantile;
use super::random::Random;

/// Trees that cut the plane at random until every point is alone: outliers are alone early (Liu et
/// al., ICDM 2008).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IsolationForest {
    /// How many trees.
    pub trees: usize,
    /// How many points each tree sees, or all where there are fewer.
    pub samples: usize,
    /// What the random numbers are drawn from.
    pub seed: u64,
}

impl Default for IsolationForest {
    /// 100 trees of 256 points.
    fn default() -> Self {
        Self {
            trees: 100,
            samples: 256,
            seed: 0,
        }
    }
}

impl IsolationForest {
    /// The anomaly score of each point, in (0, 1): about 0.5 in a crowd, larger outside.
    ///
    /// `None` where there are no points, or one is not finite.
    #[must_use]
    pub fn scores(&self, points: &[Point]) -> Option<Vec<f64>> {
        // scikit-learn's trees hold single precision.
        let points: Vec<[f32; 2]> = points.iter().map(|p| p.map(|x| x as f32)).collect();
        if points.is_empty() || !points.iter().flatten().all(|x| x.is_finite()) {
            return None;
        }
        let seen = self.samples.clamp(1, points.len());
        let mut random = Random::new(self.seed);
        let mut depths = vec![0.0; points.len()];
        for _ in 0..self.trees {
            let tree = Tree::grow(&points, seen, &mut random);
            for (depth, &point) in depths.iter_mut().zip(&points) {
                *depth += tree.depth(point);
            }
        }
        // One point alone is neither near nor far from others.
        let usual = (self.trees as f64 * expected_depth(seen)).max(f64::MIN_POSITIVE);
        Some(depths.iter().map(|depth| (-depth / usual).exp2()).collect())
    }

    /// How far each point is from being an outlier where `contamination` is their share: negative
    /// for outliers.
    #[must_use]
    pub fn decisions(&self, points: &[Point], contamination: f64) -> Option<Vec<f64>> {
        let mut scores = self.scores(points)?;
        scores.iter_mut().for_each(|score| *score = -*score);
        let offset = quantile(&scores, contamination)?;
        Some(scores.iter().map(|score| score - offset).collect())
    }
}

/// The mean depth of a point among `count` in a tree that cuts at random.
fn expected_depth(count: usize) -> f64 {
    const EULER: f64 = 0.577_215_664_901_532_9;
    match count {
        0 | 1 => 0.0,
        2 => 1.0,
        _ => {
            let others = (count - 1) as f64;
            2.0 * (others.ln() + EULER) - 2.0 * others / count as f64
        }
    }
}

enum Node {
    /// The depth of points that end here: that of the node, and what further cuts would add.
    Leaf(f64),
    /// Up to `at` in direction `axis` comes the next node, beyond it the node `above`.
    Cut { axis: usize, at: f32, above: usize },
}

struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    fn grow(points: &[[f32; 2]], seen: usize, random: &mut Random) -> Self {
        let mut sample: Vec<[f32; 2]> = random
            .sample(points.len(), seen)
            .into_iter()
            .map(|index| points[index])
            .collect();
        let deepest = (seen.max(2) as f64).log2().ceil() as usize;
        let mut tree = Self { nodes: Vec::new() };
        tree.cut(&mut sample, 0, deepest, random);
        tree
    }

    fn cut(&mut self, points: &mut [[f32; 2]], depth: usize, deepest: usize, random: &mut Random) {
        let cut = if depth < deepest && points.len() > 1 {
            random_cut(points, random)
        } else {
            None
        };
        let Some((axis, at)) = cut else {
            let further = expected_depth(points.len());
            self.nodes.push(Node::Leaf(depth as f64 + further));
            return;
        };
        points.sort_unstable_by(|a, b| a[axis].total_cmp(&b[axis]));
        let (below, beyond) = points.split_at_mut(points.partition_point(|p| p[axis] <= at));
        let node = self.nodes.len();
        self.nodes.push(Node::Leaf(0.0));
        self.cut(below, depth + 1, deepest, random);
        let above = self.nodes.len();
        self.cut(beyond, depth + 1, deepest, random);
        self.nodes[node] = Node::Cut { axis, at, above };
    }

    fn depth(&self, point: [f32; 2]) -> f64 {
        let mut node = 0;
        loop {
            node = match self.nodes[node] {
                Node::Leaf(depth) => return depth,
                Node::Cut { axis, at, .. } if point[axis] <= at => node + 1,
                Node::Cut { above, .. } => above,
            };
        }
    }
}

/// Along a direction in which the points differ, at a place between its ends; `None` where they
/// differ in none. What differs less than this is equal to scikit-learn.
const EQUAL: f32 = 1e-7;

fn random_cut(points: &[[f32; 2]], random: &mut Random) -> Option<(usize, f32)> {
    let first = random.below(2);
    [first, 1 - first].into_iter().find_map(|axis| {
        let along = points.iter().map(|point| point[axis]);
        let (low, high) = along.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), x| {
            (low.min(x), high.max(x))
        });
        let at = low + (high - low) * random.fraction() as f32;
        // Rounding may reach the upper end, beyond which there is nothing.
        (high > low + EQUAL).then_some((axis, if at < high { at } else { low }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crowd_and_one() -> Vec<Point> {
        let mut points: Vec<Point> = (0..400)
            .map(|i| [f64::from(i) / 400.0, 1e-3 * f64::from(i % 7)])
            .collect();
        points[123][1] = 0.9;
        points
    }

    #[test]
    fn the_point_far_away_is_alone_first() {
        let points = crowd_and_one();
        for seed in 0..20 {
            let forest = IsolationForest {
                seed,
                ..IsolationForest::default()
            };
            let decisions = forest.decisions(&points, 0.001).expect("points");
            let outliers: Vec<usize> = (0..400).filter(|&i| decisions[i] < 0.0).collect();
            assert_eq!(outliers, [123], "seed {seed}");
        }
    }

    #[test]
    fn the_same_seed_grows_the_same_forest() {
        let points = crowd_and_one();
        let scores = |seed| {
            IsolationForest {
                seed,
                ..IsolationForest::default()
            }
            .scores(&points)
        };
        assert_eq!(scores(5), scores(5));
        assert_ne!(scores(5), scores(6));
    }

    #[test]
    fn nothing_and_nonsense_have_no_scores_and_equals_have_equal_ones() {
        let forest = IsolationForest::default();
        assert_eq!(forest.scores(&[]), None);
        assert_eq!(forest.scores(&[[f64::NAN, 0.0]]), None);
        assert_eq!(forest.scores(&[[1.0, 1.0]]), Some(vec![1.0]));
        let equal = forest.scores(&[[2.0, 3.0]; 10]).expect("points");
        assert!(equal.iter().all(|score| (score - 0.5).abs() < 1e-12));
    }
}
