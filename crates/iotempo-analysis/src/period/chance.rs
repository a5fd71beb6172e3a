//! How likely chance alone is to look as regular as what was seen.

use statrs::function::gamma::ln_gamma;
use std::f64::consts::PI;

/// The probability that `gaps` random (exponential) waiting times vary as little as this, where
/// `variation` is their standard deviation over their mean.
///
/// Given their sum, such gaps are uniform on a simplex; those that vary less fill a ball around its
/// centre. Where the ball leaves the simplex this is an upper bound.
pub(super) fn of_even_gaps(gaps: usize, variation: f64) -> f64 {
    if gaps < 2 {
        return 1.0;
    }
    let n = gaps as f64;
    let dimension = n - 1.0;
    let radius = (variation / n.sqrt()).max(f64::MIN_POSITIVE);
    let ball =
        0.5 * dimension * PI.ln() - ln_gamma(0.5 * dimension + 1.0) + dimension * radius.ln();
    let simplex = 0.5 * n.ln() - ln_gamma(n);
    (ball - simplex).exp().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_gaps_agree_by_chance_as_often_as_they_differ() {
        // |a − b| / (a + b) of two exponential waiting times is uniform.
        for variation in [0.01, 0.2, 0.9] {
            assert!((of_even_gaps(2, variation) - variation).abs() < 1e-12);
        }
        assert_eq!(of_even_gaps(1, 0.0), 1.0);
    }

    #[test]
    fn many_even_gaps_are_no_chance() {
        assert!(of_even_gaps(19, 0.35) < 1e-5);
        assert_eq!(of_even_gaps(19, 1.0), 1.0);
    }
}
