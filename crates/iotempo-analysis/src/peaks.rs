//! Peaks of a curve, with the meaning that `scipy.signal.find_peaks` gives them.

/// A value higher than both neighbours; of a flat top, its middle, rounded down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peak {
    /// Where it is.
    pub index: usize,
    /// The value there.
    pub height: f64,
    /// How far one has to go down before it goes up to something higher.
    pub prominence: f64,
    /// Where that lowest value lies on the left, the nearest of equals.
    pub left_base: usize,
    /// Where that lowest value lies on the right, the nearest of equals.
    pub right_base: usize,
}

/// Says which peaks are wanted. The default wants all.
///
/// Conditions are tested in this order, so that a peak that is too low cannot push out another
/// that is near.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PeakFinder {
    /// The least height.
    pub height: Option<f64>,
    /// The least number of steps between two peaks: of those that are closer, the higher one stays.
    pub distance: Option<usize>,
    /// The least prominence.
    pub prominence: Option<f64>,
    /// The least width, in steps, half a prominence below the top.
    pub width: Option<f64>,
}

impl PeakFinder {
    /// The peaks of `values`, in order. The first and the last value are never peaks. Takes O(n),
    /// and O(n log n) where a distance is asked for.
    #[must_use]
    pub fn find(&self, values: &[f64]) -> Vec<Peak> {
        let mut tops = local_maxima(values);
        if let Some(height) = self.height {
            tops.retain(|&top| values[top] >= height);
        }
        if let Some(distance) = self.distance {
            tops = far_apart(&tops, values, distance);
        }
        let mut peaks = with_prominence(&tops, values);
        if let Some(prominence) = self.prominence {
            peaks.retain(|peak| peak.prominence >= prominence);
        }
        if let Some(width) = self.width {
            peaks.retain(|peak| peak.width(values, 0.5) >= width);
        }
        peaks
    }
}

impl Peak {
    /// How wide the peak is, in steps, at `share` of its prominence below its top. Between two
    /// values the curve is taken as straight.
    #[must_use]
    pub fn width(&self, values: &[f64], share: f64) -> f64 {
        let level = self.height - self.prominence * share;
        // From the last value above the level to the first one that is not.
        let crossing = |above: usize, below: usize| {
            let fall = values[above] - values[below];
            (level - values[below]) / fall
        };
        let mut left = self.index;
        while left > self.left_base && values[left] > level {
            left -= 1;
        }
        let mut right = self.index;
        while right < self.right_base && values[right] > level {
            right += 1;
        }
        let mut width = (right - left) as f64;
        if values[left] < level {
            width -= crossing(left + 1, left);
        }
        if values[right] < level {
            width -= crossing(right - 1, right);
        }
        width
    }
}

fn local_maxima(values: &[f64]) -> Vec<usize> {
    let mut tops = Vec::new();
    let mut at = 1;
    while at + 1 < values.len() {
        let mut ahead = at + 1;
        if values[at - 1] < values[at] {
            while ahead + 1 < values.len() && values[ahead] == values[at] {
                ahead += 1;
            }
            if values[ahead] < values[at] {
                tops.push((at + ahead - 1) / 2);
            }
        }
        at = ahead;
    }
    tops
}

/// Goes from the highest peak to the lowest, of equals from the last to the first, and leaves out
/// those that are near one that was kept.
fn far_apart(tops: &[usize], values: &[f64], distance: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..tops.len()).collect();
    order.sort_by(|&a, &b| values[tops[a]].total_cmp(&values[tops[b]]));
    let mut kept = vec![true; tops.len()];
    for &highest in order.iter().rev().filter(|_| distance > 1) {
        if !kept[highest] {
            continue;
        }
        let near = |other: &usize| tops[highest].abs_diff(tops[*other]) < distance;
        (0..highest)
            .rev()
            .take_while(near)
            .for_each(|other| kept[other] = false);
        (highest + 1..tops.len())
            .take_while(near)
            .for_each(|other| kept[other] = false);
    }
    let far = tops.iter().zip(kept).filter(|(_, kept)| *kept);
    far.map(|(&top, _)| top).collect()
}

/// The lowest value on the way to something higher.
#[derive(Clone, Copy)]
struct Base {
    value: f64,
    index: usize,
}

fn with_prominence(tops: &[usize], values: &[f64]) -> Vec<Peak> {
    let left = bases(tops.iter().copied(), values, 0..values.len());
    let mut right = bases(tops.iter().rev().copied(), values, (0..values.len()).rev());
    right.reverse();
    let peak = |((&index, left), right): ((&usize, Base), Base)| Peak {
        index,
        height: values[index],
        prominence: values[index] - left.value.max(right.value),
        left_base: left.index,
        right_base: right.index,
    };
    tops.iter().zip(left).zip(right).map(peak).collect()
}

/// The base of each top among the values that come before it in `walk`.
///
/// The stack holds the values that nothing since was higher than, each with the lowest value
/// between it and the one below it, so that every value is pushed and popped once.
fn bases(
    mut tops: impl Iterator<Item = usize>,
    values: &[f64],
    walk: impl Iterator<Item = usize>,
) -> Vec<Base> {
    let mut stack: Vec<(f64, Base)> = Vec::new();
    let mut found = Vec::new();
    let mut wanted = tops.next();
    for index in walk {
        let value = values[index];
        let mut base = Base { value, index };
        while let Some(&(_, lowest)) = stack.last().filter(|(height, _)| *height <= value) {
            if lowest.value < base.value {
                base = lowest;
            }
            stack.pop();
        }
        stack.push((value, base));
        if wanted == Some(index) {
            found.push(base);
            wanted = tops.next();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn indices(values: &[f64], finder: PeakFinder) -> Vec<usize> {
        finder.find(values).iter().map(|peak| peak.index).collect()
    }

    #[test]
    fn a_flat_top_is_one_peak_in_its_middle() {
        let all = PeakFinder::default();
        assert_eq!(
            indices(&[0.0, 2.0, 2.0, 2.0, 2.0, 1.0, 3.0, 3.0, 0.0], all),
            [2, 6]
        );
        // A shoulder is no top, and neither is an edge.
        assert!(indices(&[5.0, 1.0, 2.0, 2.0, 3.0, 3.0], all).is_empty());
    }

    #[test]
    fn few_values_and_what_is_not_a_number_have_no_peaks() {
        let all = PeakFinder::default();
        for values in [
            &[][..],
            &[1.0],
            &[1.0, 2.0],
            &[1.0, 1.0, 1.0],
            &[0.0, f64::NAN, 0.0],
        ] {
            assert!(indices(values, all).is_empty());
        }
        assert_eq!(
            indices(&[0.0, 1.0, 0.0, f64::NAN, 0.0, 2.0, 1.0], all),
            [1, 5]
        );
    }

    #[test]
    fn of_near_peaks_the_higher_one_stays() {
        let values = [0.0, 3.0, 0.0, 5.0, 0.0, 4.0, 0.0, 0.0, 4.0, 0.0];
        let finder = |distance| PeakFinder {
            distance: Some(distance),
            ..PeakFinder::default()
        };
        assert_eq!(indices(&values, finder(2)), [1, 3, 5, 8]);
        assert_eq!(indices(&values, finder(3)), [3, 8]);
        assert_eq!(indices(&values, finder(0)), [1, 3, 5, 8]);
        assert_eq!(indices(&values, finder(100)), [3]);
    }

    #[test]
    fn prominence_counts_from_the_higher_of_both_bases() {
        let peaks = PeakFinder::default().find(&[0.0, 4.0, 1.0, 2.0, 1.0, 6.0, 3.0]);
        let told: Vec<_> = peaks
            .iter()
            .map(|p| (p.index, p.prominence, p.left_base, p.right_base))
            .collect();
        assert_eq!(told, [(1, 3.0, 0, 2), (3, 1.0, 2, 4), (5, 3.0, 0, 6)]);
    }

    #[test]
    fn a_triangle_is_half_as_wide_at_half_its_height() {
        let values = [0.0, 1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0, 0.0];
        let peak = PeakFinder::default().find(&values)[0];
        assert_eq!(peak.width(&values, 0.5), 4.0);
        assert_eq!(peak.width(&values, 0.25), 2.0);
        assert_eq!(peak.width(&values, 0.375), 3.0);
    }
}
