//! Pairs of points that run against each other: further along one axis, less far along the other.

use super::super::columns::sum_of;

/// What is used again from one pairing to the next.
#[derive(Default)]
pub(in super::super) struct Room {
    /// The rank in the second column of each point, in the order of the first.
    pub(super) ranks: Vec<u32>,
    points: Vec<Point>,
    parted: Vec<Point>,
}

/// The ranks of a point in both columns, that in the second in the lower half: one word is moved faster
/// than two, and than the values, which are looked up.
#[derive(Debug, Clone, Copy, Default)]
struct Point(u64);

impl Point {
    fn new(in_x: u32, in_y: u32) -> Self {
        Self(u64::from(in_x) << 32 | u64::from(in_y))
    }

    fn in_x(self) -> usize {
        (self.0 >> 32) as usize
    }

    fn in_y(self) -> usize {
        self.0 as u32 as usize
    }
}

/// So many points, a power of two, are left together in the end.
const FEW: usize = 16;

/// The sum of `(x_j − x_i)(y_i − y_j)` over all pairs with `x_i ≤ x_j` and `y_i > y_j`, for sorted `x` and `y`
/// where the `i`-th of `x` meets the `ranks[i]`-th of `y`.
///
/// Points are parted into those of lower and of higher rank, which keep their order, and so on until few
/// are left together. A higher one that comes before a lower one is a pair that runs against the order;
/// what it adds is known from sums over the higher ones so far. Pairs of equal `x` or `y` add nothing, so
/// that their order does not matter. (Huo and Székely, Technometrics 58, 2016, find the same sums in a
/// tree.)
pub(super) fn discordance(x: &[f64], y: &[f64], room: &mut Room) -> f64 {
    let Room {
        ranks,
        points,
        parted,
    } = room;
    points.clear();
    points.extend(
        (0..)
            .zip(ranks.iter())
            .map(|(in_x, &in_y)| Point::new(in_x, in_y)),
    );
    parted.clear();
    parted.resize(points.len(), Point::default());
    let mut width = points.len().next_power_of_two();
    let mut sum = 0.0;
    while width > FEW {
        for (from, to) in points.chunks(width).zip(parted.chunks_mut(width)) {
            sum += part(x, y, from, to, width / 2);
        }
        std::mem::swap(points, parted);
        width /= 2;
    }
    let few = points.chunks(FEW);
    sum + few.map(|few| all_pairs(x, y, few)).sum::<f64>() - moves(x, y, points)
}

/// What a point counts for as one of the lower and of the upper half, and in twice the number of the latter.
static WEIGHTS: [[f64; 3]; 2] = [[1.0, 0.0, 0.0], [0.0, 1.0, 2.0]];

/// Parts points into the first half of their ranks and the second, and sums over the pairs between both,
/// but for [`moves`].
fn part(x: &[f64], y: &[f64], from: &[Point], to: &mut [Point], half: usize) -> f64 {
    let bit = half.trailing_zeros();
    // How many came already of the upper half, and their sums.
    let mut uppers = 0;
    let (mut twice, mut xs, mut ys) = (0.0, 0.0, 0.0);
    let mut sum = 0.0;
    for (at, &point) in from.iter().enumerate() {
        let upper = (point.0 >> bit & 1) as usize;
        let place = if upper == 1 {
            half + uppers
        } else {
            at - uppers
        };
        if let Some(place) = to.get_mut(place) {
            *place = point;
        }
        uppers += upper;
        // Weights instead of branches: which half comes next cannot be foretold.
        let [low, high, double] = &WEIGHTS[upper];
        let (x, y) = (x[point.in_x()], y[point.in_y()]);
        sum += low * (x * (ys - twice * y) + y * xs);
        twice += double;
        xs += high * x;
        ys += high * y;
    }
    sum
}

/// What remains of the pairs that were parted.
///
/// A pair adds `x_j y_i + x_i y_j − x_j y_j − x_i y_i`, so that each point has a share `x y` in as many
/// pairs as it passed others or was passed. Above, both shares went to the point that was passed. How
/// often it passed others itself is how often it was passed, plus how far it came.
fn moves(x: &[f64], y: &[f64], points: &[Point]) -> f64 {
    sum_of(points.len(), |at| {
        let point = points[at];
        x[point.in_x()] * y[point.in_y()] * (at as f64 - point.in_x() as f64)
    })
}

/// The same over all pairs of a few points.
fn all_pairs(x: &[f64], y: &[f64], points: &[Point]) -> f64 {
    // Where there are fewer, the last lanes are idle and not asked.
    let [mut xs, mut ys, mut sums] = [[0.0; FEW]; 3];
    for (lane, point) in points.iter().enumerate() {
        (xs[lane], ys[lane]) = (x[point.in_x()], y[point.in_y()]);
    }
    // Each pair is met twice, which costs less than to keep count.
    for (a, b) in xs.iter().zip(&ys).take(points.len()) {
        for lane in 0..FEW {
            let against = (a - xs[lane]) * (ys[lane] - b);
            sums[lane] += if against > 0.0 { against } else { 0.0 };
        }
    }
    0.5 * sums[..points.len()].iter().sum::<f64>()
}
