//! How far the nearest of other points are, by the larger of both distances.

type Point = [f64; 2];

/// Below this many points a walk through all is faster than a further split.
const LEAF: usize = 12;

/// Points that are halved along the wider side of the rectangle around them, again and again.
pub(super) struct Neighbourhood {
    points: Vec<Point>,
    nodes: Vec<Node>,
}

struct Node {
    start: usize,
    end: usize,
    low: Point,
    high: Point,
    /// The node of the second half; that of the first comes next. `None` for a leaf.
    second: Option<usize>,
}

impl Neighbourhood {
    pub(super) fn new(points: Vec<Point>) -> Self {
        let end = points.len();
        let mut tree = Self {
            points,
            nodes: Vec::new(),
        };
        tree.split(0, end);
        tree
    }

    fn split(&mut self, start: usize, end: usize) {
        let part = &mut self.points[start..end];
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in part.iter() {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        let node = self.nodes.len();
        self.nodes.push(Node {
            start,
            end,
            low,
            high,
            second: None,
        });
        if part.len() > LEAF {
            let axis = usize::from(high[1] - low[1] > high[0] - low[0]);
            let middle = part.len() / 2;
            part.select_nth_unstable_by(middle, |a, b| a[axis].total_cmp(&b[axis]));
            self.split(start, start + middle);
            self.nodes[node].second = Some(self.nodes.len());
            self.split(start + middle, end);
        }
    }

    /// The distance to the `count`-th nearest point, from a point that is itself one of them. `nearest` is
    /// room for the distances.
    pub(super) fn distance(&self, from: Point, count: usize, nearest: &mut Vec<f64>) -> f64 {
        nearest.clear();
        nearest.resize(count, f64::INFINITY);
        self.search(0, from, nearest);
        nearest.last().copied().unwrap_or_default()
    }

    fn search(&self, index: usize, from: Point, nearest: &mut [f64]) {
        let node = &self.nodes[index];
        let Some(second) = node.second else {
            for &point in &self.points[node.start..node.end] {
                insert(nearest, distance(from, point));
            }
            return;
        };
        let mut halves = [index + 1, second].map(|half| (self.nodes[half].distance(from), half));
        if halves[1].0 < halves[0].0 {
            halves.swap(0, 1);
        }
        for (distance, half) in halves {
            if nearest.last().is_some_and(|farthest| distance < *farthest) {
                self.search(half, from, nearest);
            }
        }
    }
}

impl Node {
    /// From a point to the rectangle; 0 inside.
    fn distance(&self, from: Point) -> f64 {
        let outside = |axis: usize| (self.low[axis] - from[axis]).max(from[axis] - self.high[axis]);
        outside(0).max(outside(1)).max(0.0)
    }
}

fn distance(a: Point, b: Point) -> f64 {
    (a[0] - b[0]).abs().max((a[1] - b[1]).abs())
}

/// Keeps the smallest distances, in order.
fn insert(nearest: &mut [f64], distance: f64) {
    let mut place = nearest.len();
    while place > 0 && distance < nearest[place - 1] {
        place -= 1;
    }
    let behind = &mut nearest[place..];
    if let [_, ..] = behind {
        behind.rotate_right(1);
        behind[0] = distance;
    }
}
