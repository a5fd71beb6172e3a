//! The order of values, found by counting.

use super::columns::range;

/// Below this many values, comparing them is faster than counting.
const FEW: usize = 200;
/// Bits of a digit: the counts of all digits stay in a core's nearest memory.
const DIGIT: u32 = 11;

/// The places of values from the smallest to the largest, equal ones in the order of their places. Takes
/// time proportional to the number of values, unless a few are so large that all others are close together.
/// Values must be finite.
pub(super) fn order(values: &[f64]) -> Vec<u32> {
    if values.len() < FEW {
        let mut places: Vec<u32> = (0..values.len() as u32).collect();
        sort_by_value(&mut places, values, |place| *place);
        return places;
    }
    let mut cells = cells(values);
    sort_by_cell(&mut cells);
    for together in cells.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
        if together.len() > 1 {
            sort_by_value(together, values, |cell| *cell as u32);
        }
    }
    cells.into_iter().map(|cell| cell as u32).collect()
}

fn sort_by_value<T>(items: &mut [T], values: &[f64], place: impl Fn(&T) -> u32) {
    items.sort_unstable_by(|a, b| {
        let (a, b) = (place(a), place(b));
        // Adding 0 makes −0 a 0.
        let [x, y] = [a, b].map(|place| values[place as usize] + 0.0);
        x.total_cmp(&y).then(a.cmp(&b))
    });
}

/// For each value, in which of equally wide cells of two digits it lies, followed by its place in 32 bits.
fn cells(values: &[f64]) -> Vec<u64> {
    let (least, most) = range(values);
    let last = f64::from((1_u32 << (2 * DIGIT)) - 1);
    // Halves, because the difference may be too large for a number. Its inverse may be, too: then all
    // values but the least are in the last cell.
    let per_half = (last / (0.5 * most - 0.5 * least)).min(f64::MAX);
    let cell = |value: f64| ((0.5 * value - 0.5 * least) * per_half).min(last) as u32;
    let places = values.iter().zip(0_u64..);
    places
        .map(|(value, place)| u64::from(cell(*value)) << 32 | place)
        .collect()
}

/// Sorts by the lower digit, then by the upper.
fn sort_by_cell(cells: &mut Vec<u64>) {
    let digit = |cell: u64, which: u32| (cell >> (32 + DIGIT * which)) as usize % (1 << DIGIT);
    let mut starts = [[0_u32; 1 << DIGIT]; 2];
    for &cell in cells.iter() {
        starts[0][digit(cell, 0)] += 1;
        starts[1][digit(cell, 1)] += 1;
    }
    let mut sorted = vec![0; cells.len()];
    for (which, starts) in (0..).zip(&mut starts) {
        let mut before = 0;
        for start in starts.iter_mut() {
            before += std::mem::replace(start, before);
        }
        for &cell in cells.iter() {
            let start = &mut starts[digit(cell, which)];
            sorted[*start as usize] = cell;
            *start += 1;
        }
        std::mem::swap(cells, &mut sorted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outliers::random::Random;

    fn compared(values: &[f64]) -> Vec<u32> {
        let mut places: Vec<u32> = (0..values.len() as u32).collect();
        places.sort_by(|&a, &b| {
            let [a, b] = [a, b].map(|place| values[place as usize] + 0.0);
            a.total_cmp(&b)
        });
        places
    }

    #[test]
    fn the_order_is_that_of_comparing() {
        let mut random = Random::new(3);
        for length in [0, 1, 2, 50, 199, 200, 201, 3000] {
            let wide: Vec<f64> = (0..length)
                .map(|_| (random.fraction() - 0.5) * 10_f64.powi(random.below(40) as i32 - 20))
                .collect();
            let close: Vec<f64> = (0..length)
                .map(|_| 1.0 + f64::EPSILON * random.below(7) as f64)
                .collect();
            let tied: Vec<f64> = (0..length).map(|_| random.below(5) as f64 - 2.0).collect();
            for values in [wide, close, tied] {
                assert_eq!(order(&values), compared(&values), "{length} values");
            }
        }
    }
}
