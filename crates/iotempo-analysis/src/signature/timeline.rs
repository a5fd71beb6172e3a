//! When the bursts of a signature are.

use super::alignment::Anchors;
use super::numbers::{mean, median};

/// Each burst as long after the one before it as is usual.
pub(super) fn usual(anchors: &Anchors) -> Vec<usize> {
    starts(&usual_gaps(anchors))
}

/// What part of the mean delay the usual gap holds: of delays by chance the median is 0.7 of the mean,
/// and errors of finding bursts bring them closer.
const USUAL: f64 = 0.85;

/// Each burst as long after the one before it as where nobody is in the way. Others only ever delay, so
/// what is usual is late. How late is told by how much delays differ: those by chance differ by as much
/// as they are long in the mean.
pub(super) fn undisturbed(anchors: &Anchors) -> Vec<usize> {
    let gaps = usual_gaps(anchors);
    let late = (USUAL * mean_delay(anchors, &gaps)).min(latest(anchors, &gaps));
    let earlier: Vec<f64> = gaps.iter().map(|gap| gap * (1.0 - late)).collect();
    starts(&earlier)
}

/// How late, as a share, what is usual can be: the earliest sample may be as late as it is earlier than
/// what is usual, but hardly later.
fn latest(anchors: &Anchors, gaps: &[f64]) -> f64 {
    let mut ends: Vec<f64> = anchors.iter().filter_map(|a| a.last().copied()).collect();
    let usual = median(&mut ends);
    let earliest = ends.iter().copied().fold(usual, f64::min);
    2.0 * (usual - earliest) / gaps.iter().sum::<f64>().max(1.0)
}

fn starts(gaps: &[f64]) -> Vec<usize> {
    let mut now = 0.0;
    let next = |(k, gap): (usize, &f64)| {
        // The first may begin with the sample; no two begin at once.
        now += gap.max(if k > 0 { 1.0 } else { 0.0 });
        now.round() as usize
    };
    gaps.iter().enumerate().map(next).collect()
}

fn usual_gaps(anchors: &Anchors) -> Vec<f64> {
    let bursts = anchors.first().map_or(0, Vec::len);
    (0..bursts)
        .map(|k| {
            let before = |a: &Vec<f64>| if k > 0 { a[k - 1] } else { 0.0 };
            let mut gaps: Vec<f64> = anchors.iter().map(|a| a[k] - before(a)).collect();
            median(&mut gaps)
        })
        .collect()
}

/// The mean delay between bursts, as a share of the gap. Delays add up from burst to burst, while the
/// error of finding a burst does not: what differences between samples grow by is due to delays.
fn mean_delay(anchors: &Anchors, gaps: &[f64]) -> f64 {
    let bursts = gaps.len();
    let far = bursts.div_ceil(2);
    if far < 2 {
        return 0.0;
    }
    let variance = |distance: usize| {
        let between = (0..bursts - distance).map(|k| {
            let apart = anchors.iter().map(|a| a[k + distance] - a[k]).collect();
            usual_variance(apart)
        });
        mean(&between.collect::<Vec<f64>>())
    };
    let growth = (variance(far) - variance(1)) / (far - 1) as f64;
    let gap = mean(&gaps[1..]).max(1.0);
    (growth.max(0.0).sqrt() / gap).min(0.2)
}

/// The variance of values but for those that are far from the others: bursts that were mistaken.
fn usual_variance(mut values: Vec<f64>) -> f64 {
    let middle = median(&mut values);
    let mut away: Vec<f64> = values.iter().map(|x| (x - middle).abs()).collect();
    let limit = FAR * median(&mut away).max(1.0);
    values.retain(|x| (x - middle).abs() <= limit);
    let mean = mean(&values);
    let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    squares / (values.len() as f64 - 1.0).max(1.0)
}

/// Three deviations, in median distances from the middle.
const FAR: f64 = 4.5;

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of bursts every 100 points, with these delays before each.
    fn anchors(delays: &[[f64; 6]]) -> Anchors {
        let places = |delays: &[f64; 6]| {
            let mut now = 0.0;
            let next = |delay: &f64| {
                now += 100.0 + delay;
                now
            };
            delays.iter().map(next).collect()
        };
        delays.iter().map(places).collect()
    }

    #[test]
    fn without_delays_bursts_are_where_they_are() {
        let exact = anchors(&[[0.0; 6]; 4]);
        assert_eq!(usual(&exact), [100, 200, 300, 400, 500, 600]);
        assert_eq!(undisturbed(&exact), usual(&exact));
        assert_eq!(undisturbed(&vec![vec![]; 3]), Vec::<usize>::new());
    }

    #[test]
    fn delays_by_chance_are_taken_out() {
        // Exponential with a mean of 5, from a small generator.
        let mut state = 1_u64;
        let mut delay = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            -5.0 * (((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64).ln()
        };
        let delays: Vec<[f64; 6]> = (0..12).map(|_| [(); 6].map(|()| delay())).collect();
        let late = anchors(&delays);
        let (usual, undisturbed) = (usual(&late)[5], undisturbed(&late)[5]);
        assert!(usual > 612, "{usual}");
        assert!((595..=610).contains(&undisturbed), "{undisturbed}");
    }

    #[test]
    fn errors_of_finding_bursts_are_no_delays() {
        let late: Anchors = (0..8)
            .map(|s| {
                (1..=12)
                    .map(|k| 100.0 * f64::from(k) + f64::from((s * 7 + k * 5) % 5 - 2))
                    .collect()
            })
            .collect();
        let last = undisturbed(&late)[11];
        assert!((1194..=1202).contains(&last), "{last}");
    }
}
