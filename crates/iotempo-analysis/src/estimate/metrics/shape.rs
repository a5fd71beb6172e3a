//! Whether two curves have the same shape, however far apart they lie.

use crate::estimate::numbers::mean;

/// The root mean square of the differences of ln B, less their mean: 0 where one curve is a multiple of
/// the other.
#[must_use]
pub fn shape_error(estimated: &[f64], actual: &[f64]) -> Option<f64> {
    let pairs = estimated.iter().zip(actual);
    let differences: Vec<f64> = pairs.map(|(a, b)| b.ln() - a.ln()).collect();
    let level = mean(&differences);
    let squares: Vec<f64> = differences.iter().map(|d| (d - level).powi(2)).collect();
    (!squares.is_empty()).then(|| mean(&squares).sqrt())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn multiples_of_a_curve_have_its_shape() {
        let error = shape_error(&[1.0, 2.0, 8.0], &[3.0, 6.0, 24.0]).unwrap();
        assert!(error < 1e-12);
        // ln ratios of 0 and 1: half of 1 from their mean.
        let e = std::f64::consts::E;
        assert!((shape_error(&[1.0, 1.0], &[1.0, e]).unwrap() - 0.5).abs() < 1e-12);
        assert_eq!(shape_error(&[], &[]), None);
    }
}
