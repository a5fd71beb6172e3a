//! Bursts as points: when they are, and how much they look like the mean burst.

use super::bursts::Burst;
use super::numbers::{pearson, quantile, resampled};
use super::settings::{BurstShape, BurstTime, Mapping};

/// A burst as a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    /// When it is, in points of the sample.
    pub(super) time: f64,
    /// How much it looks like the mean burst, from 0 to 1.
    pub(super) likeness: f64,
    /// Which sample it is in.
    pub(super) sample: usize,
    /// Which of the sample's bursts it is.
    pub(super) burst: usize,
}

/// Every burst of every sample as a point.
pub(super) fn points(rates: &[&[f64]], bursts: &[Vec<Burst>], mapping: Mapping) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    for (sample, (rates, bursts)) in rates.iter().zip(bursts).enumerate() {
        points.extend(bursts.iter().enumerate().map(|(number, &burst)| Point {
            time: time(rates, burst, mapping.time),
            likeness: 0.0,
            sample,
            burst: number,
        }));
    }
    let shapes = shapes(rates, bursts, &points, mapping.shape);
    let length = shapes.first().map_or(0, Vec::len);
    let mut reference = vec![0.0; length];
    for shape in &shapes {
        for (sum, value) in reference.iter_mut().zip(shape) {
            *sum += value;
        }
    }
    for (point, shape) in points.iter_mut().zip(&shapes) {
        // A sum looks like its mean.
        point.likeness = pearson(shape, &reference).max(0.0);
    }
    points
}

/// When a burst is.
pub(super) fn time(rates: &[f64], burst: Burst, time: BurstTime) -> f64 {
    match time {
        BurstTime::Crest => burst.crest as f64,
        BurstTime::Centroid => centroid(burst.of(rates)) + burst.start as f64,
    }
}

fn centroid(rates: &[f64]) -> f64 {
    let sum: f64 = rates.iter().sum();
    if sum <= 0.0 {
        return 0.5 * rates.len().saturating_sub(1) as f64;
    }
    let moment: f64 = rates.iter().enumerate().map(|(i, x)| i as f64 * x).sum();
    moment / sum
}

/// All bursts in one length.
fn shapes(
    rates: &[&[f64]],
    bursts: &[Vec<Burst>],
    points: &[Point],
    shape: BurstShape,
) -> Vec<Vec<f64>> {
    let of = |point: &Point| bursts[point.sample][point.burst];
    match shape {
        BurstShape::Resampled => {
            let total: usize = points.iter().map(|point| of(point).points()).sum();
            let length = (total as f64 / points.len().max(1) as f64).round().max(2.0) as usize;
            let stretched = |point: &Point| resampled(of(point).of(rates[point.sample]), length);
            points.iter().map(stretched).collect()
        }
        BurstShape::Window => {
            let mut halves: Vec<f64> = points
                .iter()
                .map(|point| 0.5 * of(point).points() as f64)
                .collect();
            let half = quantile(&mut halves, 0.9).round().max(1.0) as isize;
            let window = |point: &Point| {
                let burst = of(point);
                let middle = point.time.round() as isize;
                let inside = |i: &usize| (burst.start..=burst.end).contains(i);
                let at = |i: isize| usize::try_from(i).ok().filter(inside);
                let rate = |i: isize| at(i).map_or(0.0, |i| rates[point.sample][i]);
                (middle - half..=middle + half).map(rate).collect()
            };
            points.iter().map(window).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_of_one_shape_look_like_their_mean() {
        let mut rates = vec![0.0; 100];
        for start in [20, 60] {
            for (i, height) in [1.0, 3.0, 4.0, 2.0].into_iter().enumerate() {
                rates[start + i] = height;
            }
        }
        let burst = |start: usize| Burst {
            start: start - 1,
            crest: start + 2,
            end: start + 4,
        };
        let bursts = vec![vec![burst(20), burst(60)]];
        for mapping in Mapping::ALL {
            let points = points(&[&rates], &bursts, mapping);
            assert!(
                points.iter().all(|point| point.likeness > 0.999),
                "{mapping:?}"
            );
            assert!((points[1].time - points[0].time - 40.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_burst_that_moves_nothing_looks_like_none() {
        let burst = Burst {
            start: 2,
            crest: 3,
            end: 5,
        };
        for mapping in Mapping::ALL {
            let points = points(&[&[0.0; 10]], &[vec![burst]], mapping);
            assert_eq!(points[0].likeness, 0.0);
        }
    }
}
