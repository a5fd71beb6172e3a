//! How far apart two sets of repetitions are as distributions.

use crate::estimate::numbers::sorted;

/// The Wasserstein-1 distance of ln B: 0.69 is as far as a factor of 2. `None` where one is empty.
#[must_use]
pub fn wasserstein_of_logs(a: &[f64], b: &[f64]) -> Option<f64> {
    let [a, b] = [a, b].map(|values| {
        let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
        sorted(&logs)
    });
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let mut all = [a.as_slice(), b.as_slice()].concat();
    all.sort_by(f64::total_cmp);
    let below = |values: &[f64], at: f64| {
        values.partition_point(|value| *value <= at) as f64 / values.len() as f64
    };
    let areas = all.windows(2).map(|pair| {
        let apart = (below(&a, pair[0]) - below(&b, pair[0])).abs();
        apart * (pair[1] - pair[0])
    });
    Some(areas.sum())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_scipy() {
        // scipy.stats.wasserstein_distance of the logarithms
        let application = [488.3, 526.2, 331.5, 41971.4, 409.7];
        let benchmark = [370.1, 287.1, 52145.5, 50370.5, 383.0];
        let got = wasserstein_of_logs(&application, &benchmark).unwrap();
        assert!((got - 1.053_374_640_079_921_3).abs() < 1e-12, "{got}");
        let got = wasserstein_of_logs(&application, &benchmark[..3]).unwrap();
        assert!((got - 0.818_065_539_435_042_5).abs() < 1e-12, "{got}");
        assert_eq!(wasserstein_of_logs(&application, &application), Some(0.0));
        assert_eq!(wasserstein_of_logs(&application, &[]), None);
    }
}
