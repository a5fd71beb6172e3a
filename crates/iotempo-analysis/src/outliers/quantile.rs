//! Quantiles between values.

/// The quantile of a share, straight between the two nearest values (NumPy's `linear`); `None`
/// where there are no values. NaN sorts last.
pub(super) fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let place = share.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let (low, high) = (
        sorted[place.floor() as usize],
        sorted[place.ceil() as usize],
    );
    let beyond = place.fract();
    // From the nearer side, as NumPy does.
    Some(if beyond < 0.5 {
        low + (high - low) * beyond
    } else {
        high - (high - low) * (1.0 - beyond)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_straight_between_values() {
        let values = [40.0, 10.0, 20.0, 30.0];
        assert_eq!(quantile(&values, 0.0), Some(10.0));
        assert_eq!(quantile(&values, 0.5), Some(25.0));
        assert_eq!(quantile(&values, 1.0), Some(40.0));
        assert_eq!(quantile(&values, 0.25), Some(17.5));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
