//! When the bursts of a signature are.

use super::alignment::Anchors;
use super::finding::Timing;
use super::numbers::{mean, median};

/// Each burst as long after the one before it as is usual.
pub(super) fn usual(anchors: &Anchors) -> Vec<usize> {
    starts(&usual_gaps(anchors))
}

/// What part of the mean delay the usual gap holds: of delays by chance the median is 0.7 of the mean,
/// and errors of finding bursts bring them closer.
const USUAL: f64 = 0.85;

/// When bursts are, and how sure that is.
pub(super) struct Timeline {
    pub(super) starts: Vec<usize>,
    pub(super) timing: Timing,
}

/// Each burst as long after the one before it as where nobody is in the way. Others only ever delay, so
/// what is usual is late. How late is told by how much delays differ: those by chance differ by as much
/// as they are long in the mean. But an application may also take longer at one time and less at another
/// of itself, and then what is usual is right. Where gaps do not show which it is, the truth is between the
/// two, and the error holds both.
pub(super) fn undisturbed(anchors: &Anchors) -> Timeline {
    let gaps = usual_gaps(anchors);
    let delay = mean_delay(anchors, &gaps);
    let late = (USUAL * delay).min(latest(anchors, &gaps));
    let one_sided = one_sided(anchors, &gaps, delay);
    let delay_share = one_sided * late;
    let earlier: Vec<f64> = gaps.iter().map(|gap| gap * (1.0 - delay_share)).collect();
    let undecided = 1.96 * late * (one_sided * (1.0 - one_sided)).sqrt();
    Timeline {
        starts: starts(&earlier),
        timing: Timing {
            delay_share,
            gap_error_share: gap_error(anchors, &gaps).hypot(undecided),
        },
    }
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

/// How likely it is that what makes gaps differ only ever makes them longer, from 0 to 1, by their skewness: as
/// likely as it is beforehand that delays by chance, with this mean as a share of the gap, and errors of finding
/// bursts give the skewness seen, beside what differs as much to either side.
fn one_sided(anchors: &Anchors, gaps: &[f64], delay: f64) -> f64 {
    let (mut variances, mut thirds, mut free) = (Vec::new(), Vec::new(), 0.0);
    for k in 1..gaps.len() {
        let values = not_mistaken(between(anchors, k), LONG_TAIL);
        let n = values.len() as f64;
        if n < 3.0 {
            continue;
        }
        let mean = mean(&values);
        let sum = |power: i32| values.iter().map(|x| (x - mean).powi(power)).sum::<f64>();
        // The k-statistics of Fisher, which few values do not bias.
        variances.push(sum(2) / (n - 1.0));
        thirds.push(n * sum(3) / ((n - 1.0) * (n - 2.0)));
        free += n - 1.0;
    }
    let all = mean(&variances);
    if all == 0.0 {
        return 0.0;
    }
    // What is spread to the early side is no delay.
    let skewness = (mean(&thirds) / all.powf(1.5)).max(0.0);
    // The cumulants of delays with a mean of θ are (k − 1)!·θᵏ; those of errors end with the second. The
    // variance of the third k-statistic is (κ₆ + 9·κ₄·κ₂ + 9·κ₃² + 6·κ₂³) / n.
    let share = ((delay * mean(&gaps[1..])).powi(2) / all).min(1.0);
    let expected = 2.0 * share.powf(1.5);
    let symmetric = 6.0 / free;
    let delayed = (156.0 * share.powi(3) + 54.0 * share.powi(2) + 6.0) / free;
    let evidence = 0.5
        * (skewness.powi(2) / symmetric
            - (skewness - expected).powi(2) / delayed
            - (delayed / symmetric).ln());
    1.0 / (1.0 + (-evidence).exp())
}

/// How far from the usual gap between two bursts that of all runs may be, as a share: 95 % of medians of as
/// many that differ as much are nearer.
fn gap_error(anchors: &Anchors, gaps: &[f64]) -> f64 {
    let variances: Vec<f64> = (1..gaps.len())
        .map(|k| variance(&not_mistaken(between(anchors, k), LONG_TAIL)))
        .collect();
    let count = (variances.len() * anchors.len()) as f64;
    if count < 1.0 {
        return 0.0;
    }
    MEDIANS * (mean(&variances) / count).sqrt() / mean(&gaps[1..]).max(1.0)
}

/// 1.96 errors of a median, which is π/2 times as uncertain, squared, as a mean.
const MEDIANS: f64 = 1.96 * 1.2533;

/// How long after the burst before it one begins, in each sample.
fn between(anchors: &Anchors, k: usize) -> Vec<f64> {
    anchors.iter().map(|a| a[k] - a[k - 1]).collect()
}

/// The variance of values but for those that are far from the others: bursts that were mistaken.
fn usual_variance(values: Vec<f64>) -> f64 {
    variance(&not_mistaken(values, FAR))
}

fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|x| (x - mean) * (x - mean)).sum();
    squares / (values.len() as f64 - 1.0).max(1.0)
}

/// Values but for those that are so many times as far from their middle as is usual.
fn not_mistaken(mut values: Vec<f64>, far: f64) -> Vec<f64> {
    let middle = median(&mut values);
    let mut away: Vec<f64> = values.iter().map(|x| (x - middle).abs()).collect();
    let limit = far * median(&mut away).max(1.0);
    values.retain(|x| (x - middle).abs() <= limit);
    values
}

/// Three deviations, in median distances from the middle.
const FAR: f64 = 4.5;

/// The same where the tail is what counts: of an exponential one, 0.7 % are further.
const LONG_TAIL: f64 = 9.0;

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
        assert_eq!(undisturbed(&exact).starts, usual(&exact));
        assert_eq!(undisturbed(&vec![vec![]; 3]).starts, Vec::<usize>::new());
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
        let (usual, undisturbed) = (usual(&late)[5], undisturbed(&late).starts[5]);
        assert!(usual > 612, "{usual}");
        assert!((595..=610).contains(&undisturbed), "{undisturbed}");
    }

    #[test]
    fn what_comes_early_at_times_is_no_delay() {
        let early = |s: u32, k: u32| match (s * 5 + k * 3) % 10 {
            0 => -40.0,
            7 => -15.0,
            other => f64::from(other % 3),
        };
        let delays: Vec<[f64; 6]> = (0..20)
            .map(|s| [0, 1, 2, 3, 4, 5].map(|k| early(s, k)))
            .collect();
        let told = undisturbed(&anchors(&delays));
        assert!(told.timing.delay_share < 0.02, "{:?}", told.timing);
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
        let last = undisturbed(&late).starts[11];
        assert!((1194..=1202).contains(&last), "{last}");
    }

    /// Gaps of 100 points that differ by as much to either side.
    fn differing(by: f64, samples: usize) -> Anchors {
        let mut state = 7_u64;
        let mut even = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        // The sum of twelve even numbers is nearly normal, with a deviation of 1.
        let mut normal = || (0..12).map(|_| even()).sum::<f64>() - 6.0;
        let delays: Vec<[f64; 6]> = (0..samples)
            .map(|_| [(); 6].map(|()| by * normal()))
            .collect();
        anchors(&delays)
    }

    #[test]
    fn what_differs_to_both_sides_is_no_delay() {
        for (by, samples) in [(2.0, 30), (10.0, 30), (10.0, 8), (5.0, 5)] {
            let differing = differing(by, samples);
            let (usual, told) = (usual(&differing)[5], undisturbed(&differing));
            let taken = (usual - told.starts[5]) as f64 / 6.0;
            assert!(taken <= 0.3 * by, "{taken} of {by} in {samples}");
            // And how far off the usual gap may be is told.
            let off = (usual as f64 / 600.0 - 1.0).abs();
            assert!(
                off <= 1.5 * told.timing.gap_error_share,
                "{off} of {by} in {samples}"
            );
            let error = 2.46 * by / (5.0 * samples as f64).sqrt() / 100.0;
            let share = told.timing.gap_error_share / error;
            // More than that of the median: whether these are delays is not quite sure.
            assert!((0.6..4.0).contains(&share), "{share} of {by} in {samples}");
        }
    }
}
