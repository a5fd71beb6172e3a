//! Quantiles and moments of a few repetitions.

/// The mean; 0 of nothing.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The unbiased variance; `None` of fewer than two values.
pub(super) fn variance(values: &[f64]) -> Option<f64> {
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (values.len() > 1).then(|| squares / (values.len() - 1) as f64)
}

/// The values from small to large.
pub(super) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// A quantile with linear interpolation (type 7, as NumPy's default) of sorted values; `None` of nothing.
pub(super) fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = share.clamp(0.0, 1.0) * last as f64;
    let below = (place.floor() as usize).min(last);
    let above = (below + 1).min(last);
    let part = place - below as f64;
    Some(sorted[below] * (1.0 - part) + sorted[above] * part)
}

/// The median; `None` of nothing.
pub(super) fn median(values: &[f64]) -> Option<f64> {
    quantile(&sorted(values), 0.5)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_numpy() {
        // numpy.quantile([488.3, 526.2, 331.5, 41971.4, 409.7], [0.1, 0.5, 0.9])
        let values = sorted(&[488.3, 526.2, 331.5, 41971.4, 409.7]);
        let got = [0.1, 0.5, 0.9].map(|share| quantile(&values, share).unwrap());
        let expected = [362.78, 488.3, 25393.32];
        for (got, expected) in got.into_iter().zip(expected) {
            assert!((got - expected).abs() < 1e-9, "{got} is not {expected}");
        }
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(median(&[3.0]), Some(3.0));
    }
}
