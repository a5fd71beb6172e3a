//! Whether repetitions of an application and of a benchmark differ by more than chance.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

/// The answer of Dunn's test for two of several groups.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Dunn {
    /// The difference of mean ranks in standard deviations.
    pub z: f64,
    /// How likely chance alone gives such a difference in this direction.
    pub p: f64,
}

impl Dunn {
    /// Whether they differ, by the convention of the report: `p ≤ α/2`.
    #[must_use]
    pub fn differ(&self, alpha: f64) -> bool {
        self.p <= alpha / 2.0
    }
}

/// Dunn's test of groups `one` and `other`, with ranks over all groups; equal values share their rank.
/// `None` where a group is empty, or all values are equal.
#[must_use]
pub fn dunn(groups: &[&[f64]], one: usize, other: usize) -> Option<Dunn> {
    let mut all: Vec<(f64, usize)> = Vec::new();
    for (group, values) in groups.iter().enumerate() {
        all.extend(values.iter().map(|&value| (value, group)));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut sums = vec![0.0; groups.len()];
    let (mut ties, mut start) = (0.0, 0);
    while start < all.len() {
        let same = all[start..]
            .iter()
            .take_while(|(value, _)| *value == all[start].0);
        let end = start + same.count().max(1);
        let count = (end - start) as f64;
        ties += count.powi(3) - count;
        // The mean of the ranks start + 1 to end.
        let rank = (start + 1 + end) as f64 / 2.0;
        for (_, group) in &all[start..end] {
            sums[*group] += rank;
        }
        start = end;
    }
    let n = all.len() as f64;
    let [a, b] = [one, other].map(|group| groups.get(group).map_or(0, |g| g.len()) as f64);
    if a == 0.0 || b == 0.0 {
        return None;
    }
    let variance = (n * (n + 1.0) / 12.0 - ties / (12.0 * (n - 1.0))) * (1.0 / a + 1.0 / b);
    if variance.is_nan() || variance <= 0.0 {
        return None;
    }
    let z = (sums[one] / a - sums[other] / b) / variance.sqrt();
    let p = Normal::standard().sf(z.abs());
    Some(Dunn { z, p })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn ranks_with_and_without_ties_give_the_z_of_the_formula() {
        // The formula in Python, with the ranks and the normal distribution of SciPy.
        let application: &[f64] = &[488.3, 526.2, 331.5, 41971.4, 409.7];
        let benchmark: &[f64] = &[370.1, 287.1, 52145.5, 50370.5, 383.0];
        let got = dunn(&[application, benchmark], 0, 1).unwrap();
        assert!((got.z - 0.104_446_593_573_418_33).abs() < 1e-12, "{got:?}");
        assert!((got.p - 0.458_407_474_264_044_4).abs() < 1e-9, "{got:?}");
        assert!(!got.differ(0.05));
        let groups: [&[f64]; 3] = [
            &[1.0, 2.0, 2.0, 3.0],
            &[2.0, 5.0, 6.0, 7.0],
            &[9.0, 9.0, 10.0],
        ];
        let got = dunn(&groups, 0, 1).unwrap();
        assert!((got.z + 1.293_993_278_441_260_9).abs() < 1e-12, "{got:?}");
        assert!((got.p - 0.097_833_871_271_820_75).abs() < 1e-9, "{got:?}");
    }

    #[test]
    fn groups_that_are_empty_or_all_alike_have_no_answer() {
        assert_eq!(dunn(&[&[1.0], &[]], 0, 1), None);
        assert_eq!(dunn(&[&[1.0, 1.0], &[1.0]], 0, 1), None);
        assert_eq!(dunn(&[], 0, 1), None);
    }

    #[test]
    fn groups_far_apart_differ() {
        let low: Vec<f64> = (0..5).map(f64::from).collect();
        let high: Vec<f64> = (10..15).map(f64::from).collect();
        assert!(dunn(&[&low, &high], 0, 1).unwrap().differ(0.05));
    }
}
