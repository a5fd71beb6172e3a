//! The standard normal distribution.

use statrs::function::erf::{erfc, erfc_inv};
use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

/// `Φ(z)`: how much lies below.
pub(super) fn cumulative(z: f64) -> f64 {
    0.5 * erfc(-z * FRAC_1_SQRT_2)
}

/// `Φ⁻¹(share)`: below which a share lies.
pub(super) fn quantile(share: f64) -> f64 {
    -SQRT_2 * erfc_inv(2.0 * share)
}
