//! A regression tree.

use super::super::order::order;
use crate::outliers::random::Random;

/// What all trees are grown on.
pub(super) struct Data<'a> {
    inputs: &'a [&'a [f64]],
    target: &'a [f64],
    /// The points in the order of each input: sorted once for all trees.
    orders: Vec<Vec<u32>>,
    leaf: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Node {
    Leaf(f64),
    /// Up to `at` in this input comes the node `below`, beyond it the next one.
    Cut {
        input: usize,
        at: f64,
        below: usize,
    },
}

/// Cuts, and the means of what they leave together.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    pub(super) fn predict(&self, inputs: &[f64]) -> f64 {
        let mut node = 0;
        loop {
            node = match self.nodes[node] {
                Node::Leaf(mean) => return mean,
                Node::Cut { input, at, below } => match inputs.get(input) {
                    Some(value) if *value <= at => below,
                    _ => below + 1,
                },
            };
        }
    }
}

/// Where points are cut, and how many of them are below.
struct Cut {
    input: usize,
    at: f64,
    below: usize,
    /// `S_l²/W_l + S_r²/W_r`: the larger, the less the squares around both means.
    gain: f64,
}

impl<'a> Data<'a> {
    pub(super) fn new(inputs: &'a [&'a [f64]], target: &'a [f64], leaf: usize) -> Self {
        Self {
            inputs,
            target,
            orders: inputs.iter().map(|input| order(input)).collect(),
            leaf,
        }
    }

    /// A tree of points drawn with replacement, and what it predicts for those that were not drawn.
    pub(super) fn grow(&self, random: &mut Random) -> (Tree, Vec<(u32, f64)>) {
        let count = self.target.len();
        let mut weights = vec![0_u32; count];
        (0..count).for_each(|_| weights[random.below(count)] += 1);
        let drawn = |order: &Vec<u32>| -> Vec<u32> {
            let drawn = order.iter().filter(|&&point| weights[point as usize] > 0);
            drawn.copied().collect()
        };
        let growth = Growth {
            data: self,
            weights: &weights,
            orders: self.orders.iter().map(drawn).collect(),
            below: vec![false; count],
        };
        let tree = growth.tree();
        let unseen = (0..count).filter(|&point| weights[point] == 0);
        let mut inputs = vec![0.0; self.inputs.len()];
        let predictions = unseen.map(|point| {
            for (value, column) in inputs.iter_mut().zip(self.inputs) {
                *value = column[point];
            }
            (point as u32, tree.predict(&inputs))
        });
        let predictions = predictions.collect();
        (tree, predictions)
    }
}

/// A tree being grown.
struct Growth<'a> {
    data: &'a Data<'a>,
    weights: &'a [u32],
    /// The drawn points in the order of each input. Those of a node follow each other in all of them.
    orders: Vec<Vec<u32>>,
    /// Which points are below the present cut.
    below: Vec<bool>,
}

impl Growth<'_> {
    /// Cuts as long as it can, without calls inside calls: what is cut badly goes deep.
    fn tree(mut self) -> Tree {
        let all = self.orders.first().map_or(0, Vec::len);
        let mut nodes = vec![Node::Leaf(0.0)];
        let mut waiting = vec![(0, 0, all)];
        while let Some((node, start, end)) = waiting.pop() {
            let (weight, sum) = self.sums(start, end);
            let cut = (end - start >= 2 * self.data.leaf)
                .then(|| self.best_cut(start, end, weight, sum))
                .flatten();
            let Some(cut) = cut else {
                nodes[node] = Node::Leaf(sum / weight);
                continue;
            };
            self.part(&cut, start, end);
            let below = nodes.len();
            nodes[node] = Node::Cut {
                input: cut.input,
                at: cut.at,
                below,
            };
            nodes.extend([Node::Leaf(0.0); 2]);
            waiting.push((below, start, start + cut.below));
            waiting.push((below + 1, start + cut.below, end));
        }
        Tree { nodes }
    }

    /// The weight of a point, and its share in the sum of the target.
    fn share(&self, point: u32) -> (f64, f64) {
        let weight = f64::from(self.weights[point as usize]);
        (weight, weight * self.data.target[point as usize])
    }

    fn sums(&self, start: usize, end: usize) -> (f64, f64) {
        let points = self
            .orders
            .first()
            .map_or(&[][..], |order| &order[start..end]);
        points.iter().fold((0.0, 0.0), |(weights, sums), &point| {
            let (weight, share) = self.share(point);
            (weights + weight, sums + share)
        })
    }

    /// The cut that leaves the least squares around the means of both sides; `None` where none is allowed, or
    /// all targets are equal.
    fn best_cut(&self, start: usize, end: usize, weight: f64, sum: f64) -> Option<Cut> {
        let target = |point: u32| self.data.target[point as usize];
        let points = &self.orders.first()?[start..end];
        let first = target(*points.first()?);
        if points.iter().all(|&point| target(point) == first) {
            return None;
        }
        let mut best: Option<Cut> = None;
        for (input, order) in self.orders.iter().enumerate() {
            let value = |place: usize| self.data.inputs[input][order[place] as usize];
            let (mut left_weight, mut left) = (0.0, 0.0);
            let places = start..end - self.data.leaf;
            for (place, &point) in places.clone().zip(&order[places]) {
                let (own, share) = self.share(point);
                left_weight += own;
                left += share;
                let below = place + 1 - start;
                if below < self.data.leaf || value(place) >= value(place + 1) {
                    continue;
                }
                let right = sum - left;
                let gain = left * left / left_weight + right * right / (weight - left_weight);
                if best.as_ref().is_none_or(|best| gain > best.gain) {
                    let at = between(value(place), value(place + 1));
                    best = Some(Cut {
                        input,
                        at,
                        below,
                        gain,
                    });
                }
            }
        }
        best
    }

    /// Puts the points below a cut before the others, in the order of each input.
    fn part(&mut self, cut: &Cut, start: usize, end: usize) {
        if self.orders.len() == 1 {
            return;
        }
        for (place, &point) in self.orders[cut.input][start..end].iter().enumerate() {
            self.below[point as usize] = place < cut.below;
        }
        let below = |point: &u32| self.below[*point as usize];
        for order in &mut self.orders {
            let points = &mut order[start..end];
            let (first, second): (Vec<u32>, Vec<u32>) =
                points.iter().partition(|&point| below(point));
            points[..first.len()].copy_from_slice(&first);
            points[first.len()..].copy_from_slice(&second);
        }
    }
}

/// The middle, or the lower one where rounding leaves nothing between.
fn between(low: f64, high: f64) -> f64 {
    let middle = 0.5 * low + 0.5 * high;
    if middle < high { middle } else { low }
}
