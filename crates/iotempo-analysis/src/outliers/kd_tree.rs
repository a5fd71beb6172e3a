//! Points of the plane, in an order in which near ones are found fast.

/// A point of the plane.
pub type Point = [f64; 2];

/// The square of the distance between two points.
pub(super) fn squared_distance(a: Point, b: Point) -> f64 {
    let (x, y) = (a[0] - b[0], a[1] - b[1]);
    x * x + y * y
}

/// Below this many points a walk through all is faster than a further split.
const LEAF: usize = 16;

/// A tree that halves the points along the direction in which they spread most.
#[derive(Debug)]
pub(super) struct KdTree {
    points: Vec<(Point, u32)>,
    nodes: Vec<Node>,
}

/// Points that follow each other, and the rectangle around them.
#[derive(Debug)]
struct Node {
    start: usize,
    end: usize,
    low: Point,
    high: Point,
    /// The node of the second half; that of the first comes next. `None` for a leaf.
    second: Option<usize>,
}

/// A neighbour: the square of its distance, and which point it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Neighbour {
    pub(super) squared: f64,
    pub(super) index: u32,
}

impl KdTree {
    /// Builds the tree in O(n log n). Points are known by their place in the iterator.
    pub(super) fn new(points: impl IntoIterator<Item = Point>) -> Self {
        let mut tree = Self {
            points: points.into_iter().zip(0..).collect(),
            nodes: Vec::new(),
        };
        tree.split(0, tree.points.len());
        tree
    }

    fn split(&mut self, start: usize, end: usize) {
        let part = &mut self.points[start..end];
        let (low, high) = bounds(part);
        let axis = usize::from(high[1] - low[1] > high[0] - low[0]);
        let middle = part.len() / 2;
        let node = self.nodes.len();
        self.nodes.push(Node {
            start,
            end,
            low,
            high,
            second: None,
        });
        if end - start > LEAF {
            part.select_nth_unstable_by(middle, |(a, _), (b, _)| a[axis].total_cmp(&b[axis]));
            self.split(start, start + middle);
            self.nodes[node].second = Some(self.nodes.len());
            self.split(start + middle, end);
        }
    }

    /// The `count` points nearest to `point`, nearest first, without the point `except`.
    pub(super) fn nearest(
        &self,
        point: Point,
        count: usize,
        except: u32,
        found: &mut Vec<Neighbour>,
    ) {
        found.clear();
        if count > 0 {
            self.search(
                0,
                &Search {
                    point,
                    count,
                    except,
                },
                found,
            );
        }
    }

    fn search(&self, node: usize, search: &Search, found: &mut Vec<Neighbour>) {
        let Node {
            start, end, second, ..
        } = self.nodes[node];
        let Some(second) = second else {
            for &(other, index) in &self.points[start..end] {
                let squared = squared_distance(search.point, other);
                if index != search.except {
                    insert(found, search.count, Neighbour { squared, index });
                }
            }
            return;
        };
        let distance = |node: usize| self.nodes[node].squared_distance(search.point);
        let mut halves = [(distance(node + 1), node + 1), (distance(second), second)];
        if halves[1].0 < halves[0].0 {
            halves.swap(0, 1);
        }
        for (squared, half) in halves {
            if found.len() < search.count || squared < found[search.count - 1].squared {
                self.search(half, search, found);
            }
        }
    }

    /// Whether a point lies no further than the root of `squared` away.
    pub(super) fn reaches(&self, point: Point, squared: f64) -> bool {
        self.node_reaches(0, point, squared)
    }

    fn node_reaches(&self, index: usize, point: Point, squared: f64) -> bool {
        let node = &self.nodes[index];
        let near = |&(other, _): &(Point, u32)| squared_distance(point, other) <= squared;
        node.squared_distance(point) <= squared
            && match node.second {
                None => self.points[node.start..node.end].iter().any(near),
                Some(second) => {
                    self.node_reaches(index + 1, point, squared)
                        || self.node_reaches(second, point, squared)
                }
            }
    }
}

/// What is looked for.
struct Search {
    point: Point,
    count: usize,
    except: u32,
}

impl Node {
    /// The square of the distance from a point to the rectangle; 0 inside.
    fn squared_distance(&self, point: Point) -> f64 {
        let nearest = [0, 1].map(|axis| point[axis].max(self.low[axis]).min(self.high[axis]));
        squared_distance(point, nearest)
    }
}

fn bounds(points: &[(Point, u32)]) -> (Point, Point) {
    let none = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    points.iter().fold(none, |(low, high), (point, _)| {
        let least = [0, 1].map(|axis| low[axis].min(point[axis]));
        (least, [0, 1].map(|axis| high[axis].max(point[axis])))
    })
}

/// Keeps the `count` nearest in order.
fn insert(found: &mut Vec<Neighbour>, count: usize, new: Neighbour) {
    if found.len() == count {
        if new.squared >= found[count - 1].squared {
            return;
        }
        found.pop();
    }
    let place = found.iter().rposition(|old| old.squared <= new.squared);
    found.insert(place.map_or(0, |place| place + 1), new);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scattered(count: u64) -> Vec<Point> {
        let fraction = |i: u64, step: u64| ((i * step) % 1009) as f64 / 1009.0;
        (0..count)
            .map(|i| [fraction(i, 577), fraction(i * i, 31)])
            .collect()
    }

    #[test]
    fn it_finds_what_a_walk_through_all_points_finds() {
        let points = scattered(500);
        let tree = KdTree::new(points.iter().copied());
        let mut found = Vec::new();
        for (i, &point) in points.iter().enumerate() {
            tree.nearest(point, 7, i as u32, &mut found);
            let mut all: Vec<f64> = (0..points.len())
                .filter(|&j| j != i)
                .map(|j| squared_distance(point, points[j]))
                .collect();
            all.sort_by(f64::total_cmp);
            let got: Vec<f64> = found.iter().map(|near| near.squared).collect();
            assert_eq!(got, all[..7]);
            assert!(tree.reaches([point[0] + 2.0, point[1]], 4.0 + 1e-9));
            assert!(!tree.reaches([point[0] + 2.0, 9.0], 1.0));
        }
    }

    #[test]
    fn a_hundred_thousand_points_at_one_place_are_no_burden() {
        let tree = KdTree::new((0..100_000).map(|_| [1.0, 1.0]));
        let mut found = Vec::new();
        for index in 0..100_000 {
            tree.nearest([1.0, 1.0], 5, index, &mut found);
            assert!(found.len() == 5 && found.iter().all(|near| near.index != index));
        }
    }

    #[test]
    fn fewer_points_than_asked_for_are_all_there_is() {
        let tree = KdTree::new([[0.0, 0.0], [3.0, 4.0]]);
        let mut found = Vec::new();
        tree.nearest([0.0, 0.0], 9, 0, &mut found);
        assert_eq!(
            found,
            [Neighbour {
                squared: 25.0,
                index: 1
            }]
        );
        KdTree::new([]).nearest([0.0, 0.0], 9, 0, &mut found);
        assert!(found.is_empty());
    }
}
