//! Small sums.

use std::ops::RangeInclusive;

/// The mean; 0 of nothing.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The standard deviation of the values at hand.
pub(super) fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    (squares / values.len().max(1) as f64).sqrt()
}

/// The quantile of values that may be reordered, between two of them where it must; 0 of nothing.
pub(super) fn quantile(values: &mut [f64], share: f64) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let place = share * (values.len() - 1) as f64;
    let low = place.floor() as usize;
    let (_, &mut lower, above) = values.select_nth_unstable_by(low, f64::total_cmp);
    let rest = place - low as f64;
    if rest <= 0.0 {
        return lower;
    }
    let upper = above.iter().copied().fold(f64::INFINITY, f64::min);
    lower + rest * (upper - lower)
}

/// The median of values that may be reordered.
pub(super) fn median(values: &mut [f64]) -> f64 {
    quantile(values, 0.5)
}

/// Between which values eight of ten lie.
pub(super) fn spread(mut values: Vec<f64>) -> (f64, f64) {
    (quantile(&mut values, 0.1), quantile(&mut values, 0.9))
}

/// The median of all rows at each of `length` places, which all of them have.
pub(super) fn column_medians<T: AsRef<[f64]>>(rows: &[T], length: usize) -> Vec<f64> {
    let mut column = vec![0.0; rows.len()];
    let middle = rows.len() / 2;
    let at = |place: usize| {
        for (value, row) in column.iter_mut().zip(rows) {
            *value = row.as_ref()[place];
        }
        column.sort_unstable_by(f64::total_cmp);
        match rows.len() % 2 {
            _ if rows.is_empty() => 0.0,
            0 => 0.5 * (column[middle - 1] + column[middle]),
            _ => column[middle],
        }
    };
    (0..length).map(at).collect()
}

/// For each row the median of all others at each of these places, which all of them have.
pub(super) fn medians_without_each(
    rows: &[Vec<f64>],
    places: RangeInclusive<usize>,
) -> Vec<Vec<f64>> {
    let mut without = vec![Vec::with_capacity(places.clone().count()); rows.len()];
    let mut column = vec![0.0; rows.len()];
    let (last, middle) = (rows.len().saturating_sub(1), rows.len() / 2);
    for place in places {
        for (value, row) in column.iter_mut().zip(rows) {
            *value = row[place];
        }
        column.sort_unstable_by(f64::total_cmp);
        // What is left of a sorted column has its middle beside the middle of all.
        let between = |a: usize, b: usize| 0.5 * (column[a] + column[b.min(last)]);
        let before = middle.saturating_sub(1);
        for (without, row) in without.iter_mut().zip(rows) {
            let own = row[place];
            without.push(match rows.len() % 2 {
                0 if own < column[middle] => column[middle],
                0 => column[before],
                _ if own < column[middle] => between(middle, middle + 1),
                _ if own > column[middle] => between(before, middle),
                _ => between(before, middle + 1),
            });
        }
    }
    without
}

/// Pearson's coefficient; 0 where either does not vary.
pub(super) fn pearson(a: &[f64], b: &[f64]) -> f64 {
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut both, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (a - mean_a, b - mean_b);
        both += a * b;
        aa += a * a;
        bb += b * b;
    }
    if aa > 0.0 && bb > 0.0 {
        (both / (aa.sqrt() * bb.sqrt())).clamp(-1.0, 1.0)
    } else {
        0.0
    }
}

/// Values along a straight line between points, at `count` places from the first to the last.
pub(super) fn resampled(values: &[f64], count: usize) -> Vec<f64> {
    let last = values.len().saturating_sub(1);
    let at = |k: usize| {
        let place = last as f64 * k as f64 / count.saturating_sub(1).max(1) as f64;
        let low = (place as usize).min(last);
        let high = (low + 1).min(last);
        values[low] + (place - low as f64) * (values[high] - values[low])
    };
    if values.is_empty() {
        return vec![0.0; count];
    }
    (0..count).map(at).collect()
}

/// The least whole number of `count` samples that are this share of them.
pub(super) fn share_of(share: f64, count: usize) -> usize {
    // 0.9 · 10 is 9, however it is rounded.
    (share * count as f64 - 1e-9).ceil().max(1.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_values() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(quantile(&mut [4.0, 1.0, 2.0, 3.0, 5.0], 0.25), 2.0);
        assert_eq!(median(&mut []), 0.0);
    }

    #[test]
    fn columns_have_medians() {
        let rows = [[1.0, 9.0], [2.0, 7.0], [6.0, 8.0]];
        assert_eq!(column_medians(&rows, 2), [2.0, 8.0]);
        assert_eq!(column_medians(&rows[..2], 2), [1.5, 8.0]);
        assert_eq!(column_medians::<Vec<f64>>(&[], 2), [0.0; 2]);
    }

    #[test]
    fn medians_without_a_row_are_those_of_the_others() {
        let rows: Vec<Vec<f64>> = [[3.0, 2.0], [1.0, 2.0], [4.0, 0.0], [1.0, 2.0], [5.0, 7.0]]
            .iter()
            .map(|row| row.to_vec())
            .collect();
        for count in 2..=rows.len() {
            let rows = &rows[..count];
            let told = medians_without_each(rows, 0..=1);
            for (row, told) in told.iter().enumerate() {
                let mut others = rows.to_vec();
                others.remove(row);
                assert_eq!(*told, column_medians(&others, 2), "{row} of {count}");
            }
        }
        assert!(medians_without_each(&[], 0..=1).is_empty());
    }

    #[test]
    fn shares_are_rounded_up_but_not_for_rounding() {
        assert_eq!(share_of(0.9, 10), 9);
        assert_eq!(share_of(0.5, 5), 3);
        assert_eq!(share_of(0.0, 5), 1);
    }

    #[test]
    fn resampling_keeps_the_ends() {
        assert_eq!(resampled(&[0.0, 2.0], 5), [0.0, 0.5, 1.0, 1.5, 2.0]);
        assert_eq!(resampled(&[7.0], 3), [7.0; 3]);
        assert_eq!(resampled(&[], 2), [0.0; 2]);
    }
}
