//! Where the distance between phases changes for good.

use super::bursts::Burst;
use super::numbers::detrended;
use super::rhythm::distances;
use std::ops::Range;

/// Fewest distances in a stretch.
const FEWEST: usize = 3;
/// The least ratio of two periods that is a change and not a drift.
const RATIO: f64 = 1.1;
/// A rhythm that changes more often than this is none.
const MOST_CUTS: usize = 64;

/// Stretches of phases at one distance each, as ranges of phases. Neighbours share the phase at
/// which the distance changes.
pub(super) fn stretches(phases: &[Burst]) -> Vec<Range<usize>> {
    let logs: Vec<f64> = distances(phases).iter().map(|d| d.max(1e-9).ln()).collect();
    let cuts = cuts(&logs);
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([logs.len()]);
    starts
        .zip(ends)
        .map(|(start, end)| start..end + 1)
        .collect()
}

/// Splits in two where that explains the distances far better, and goes on with both parts.
fn cuts(logs: &[f64]) -> Vec<usize> {
    let mut cuts = Vec::new();
    let mut parts = vec![(0, logs.len())];
    while let Some((from, to)) = parts.pop() {
        let cut = best_cut(&logs[from..to]).map(|cut| from + cut);
        if let Some(cut) = cut.filter(|_| cuts.len() < MOST_CUTS) {
            cuts.push(cut);
            parts.extend([(from, cut), (cut, to)]);
        }
    }
    cuts.sort_unstable();
    cuts
}

/// The cut that leaves the least squares, if it is worth two more parameters (Schwarz's criterion,
/// doubled because the place was searched for).
fn best_cut(logs: &[f64]) -> Option<usize> {
    let n = logs.len();
    if n < 2 * FEWEST {
        return None;
    }
    let prefix = Prefix::new(logs);
    let cost = |cut: &usize| prefix.squares(0, *cut) + prefix.squares(*cut, n);
    let cut = (FEWEST..=n - FEWEST).min_by(|a, b| cost(a).total_cmp(&cost(b)))?;
    // Distances are never known to better than a hundredth.
    let floor = 1e-4 * n as f64;
    let gain = n as f64 * ((prefix.squares(0, n) + floor) / (cost(&cut) + floor)).ln();
    let ratio = (prefix.mean(0, cut) - prefix.mean(cut, n)).abs();
    let drifts = around_line(logs) < 1.5 * cost(&cut) + floor;
    (gain > 6.0 * (n as f64).ln() && ratio > RATIO.ln() && !drifts).then_some(cut)
}

/// The squared deviations from a straight line: a period that drifts is no change.
fn around_line(logs: &[f64]) -> f64 {
    let squares = |values: &[f64]| values.iter().map(|x| x * x).sum();
    squares(&detrended(logs))
}

/// Sums of all beginnings.
struct Prefix {
    sums: Vec<(f64, f64)>,
}

impl Prefix {
    fn new(values: &[f64]) -> Self {
        let mut sums = vec![(0.0, 0.0)];
        let mut last = (0.0, 0.0);
        for value in values {
            last = (last.0 + value, last.1 + value * value);
            sums.push(last);
        }
        Self { sums }
    }

    fn mean(&self, from: usize, to: usize) -> f64 {
        (self.sums[to].0 - self.sums[from].0) / (to - from) as f64
    }

    /// The squared deviations from the mean.
    fn squares(&self, from: usize, to: usize) -> f64 {
        let sum = self.sums[to].0 - self.sums[from].0;
        let squares = self.sums[to].1 - self.sums[from].1;
        (squares - sum * sum / (to - from) as f64).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::bursts::at;
    use super::*;

    #[test]
    fn a_distance_that_doubles_midway_is_a_change() {
        let starts = [0., 10., 20., 31., 40., 50., 70., 90., 111., 130., 150.];
        assert_eq!(stretches(&at(&starts)), [0..6, 5..11]);
    }

    #[test]
    fn not_even_a_rhythm_that_always_changes_takes_long() {
        let mut now = 0.0;
        let start = |i: i32| {
            now += if i % 8 < 4 { 10.0 } else { 20.0 };
            now
        };
        let starts: Vec<f64> = (0..200_000).map(start).collect();
        assert!(stretches(&at(&starts)).len() <= MOST_CUTS + 1);
    }

    #[test]
    fn jitter_is_no_change() {
        let starts = [0., 9., 21., 30., 42., 50., 59., 71., 80., 90., 101., 109.];
        assert_eq!(stretches(&at(&starts)), vec![0..12]);
    }
}
