//! Fewer points that draw the same picture: no peak is lost, however narrow.

/// The lowest and the highest value of equal stretches.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Envelope {
    /// How many values a stretch holds; the last one may hold fewer.
    pub(crate) together: usize,
    pub(crate) low: Vec<f64>,
    pub(crate) high: Vec<f64>,
}

/// Numbers so large that their product with a little more than 1 is one, too.
const LARGEST: f64 = 1e300;

/// At most `most` stretches of `values`; what is not finite counts as 0.
pub(crate) fn envelope(values: &[f64], most: usize) -> Envelope {
    let together = values.len().div_ceil(most.max(1)).max(1);
    let finite = |x: &f64| {
        if x.is_finite() {
            x.clamp(-LARGEST, LARGEST)
        } else {
            0.0
        }
    };
    let extreme = |chunk: &[f64], pick: fn(f64, f64) -> f64| {
        chunk.iter().map(finite).reduce(pick).unwrap_or(0.0)
    };
    let chunks = values.chunks(together);
    Envelope {
        together,
        low: chunks
            .clone()
            .map(|chunk| extreme(chunk, f64::min))
            .collect(),
        high: chunks.map(|chunk| extreme(chunk, f64::max)).collect(),
    }
}

/// The highest point of every stretch of a logarithmic axis: at most `most` of `(x, y)`, in order.
/// Points without a place on such an axis are left out.
pub(crate) fn peaks_on_log_axis(points: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    let drawable = |(x, y): &(f64, f64)| *x > 0.0 && x.is_finite() && y.is_finite();
    let points: Vec<_> = points.iter().copied().filter(drawable).collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return Vec::new();
    };
    if points.len() <= most {
        return points;
    }
    let span = (last.0 / first.0).ln();
    let stretch = |x: f64| ((x / first.0).ln() / span * most as f64) as usize;
    let same =
        |a: &(f64, f64), b: &(f64, f64)| stretch(a.0).min(most - 1) == stretch(b.0).min(most - 1);
    let highest = |chunk: &[(f64, f64)]| chunk.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1));
    points.chunk_by(same).filter_map(highest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_peak_and_no_gap_is_lost() {
        let mut values = vec![5.0; 10_000];
        (values[1234], values[9999]) = (9.0, -1.0);
        let envelope = envelope(&values, 4000);
        assert_eq!((envelope.together, envelope.high.len()), (3, 3334));
        assert_eq!(envelope.high[411], 9.0);
        assert_eq!(envelope.low[3333], -1.0);
        assert_eq!(envelope.high.iter().filter(|x| **x == 5.0).count(), 3332);
    }

    #[test]
    fn few_values_stay_as_they_are() {
        let envelope = envelope(&[1.0, f64::NAN, 3.0], 3);
        assert_eq!(envelope.together, 1);
        assert_eq!(envelope.high, [1.0, 0.0, 3.0]);
        assert_eq!(envelope.low, envelope.high);
        assert!(super::envelope(&[], 0).high.is_empty());
    }

    #[test]
    fn the_highest_lines_of_a_spectrum_stay_where_they_are() {
        let line = |k: usize| if k == 77 || k == 7_777 { 1.0 } else { 0.1 };
        let points: Vec<_> = (0..10_000).map(|k| (k as f64, line(k))).collect();
        let kept = peaks_on_log_axis(&points, 500);
        assert!(kept.len() <= 500, "{}", kept.len());
        assert!(kept.contains(&(77.0, 1.0)) && kept.contains(&(7_777.0, 1.0)));
        assert_eq!(kept.iter().filter(|point| point.1 == 1.0).count(), 2);
        assert!(kept.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(kept[0].0, 1.0, "the mean has no place");
        assert_eq!(peaks_on_log_axis(&[(0.0, 1.0), (f64::NAN, 1.0)], 9), []);
    }
}
