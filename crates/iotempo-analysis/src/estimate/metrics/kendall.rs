//! Whether two curves order the numbers of I/O nodes alike.

/// Kendall's τ-b: 1 where they do, −1 where one order is the other's reverse. `None` where a curve is
/// flat, or has fewer than two points.
#[must_use]
pub fn kendall_tau_b(a: &[f64], b: &[f64]) -> Option<f64> {
    let count = a.len().min(b.len());
    let (mut agree, mut in_a, mut in_b) = (0.0, 0.0, 0.0);
    for i in 0..count {
        for j in 0..i {
            let [x, y] = [a[i] - a[j], b[i] - b[j]].map(sign);
            agree += x * y;
            in_a += x * x;
            in_b += y * y;
        }
    }
    (in_a > 0.0 && in_b > 0.0).then(|| agree / f64::sqrt(in_a * in_b))
}

/// −1, 0 or 1.
fn sign(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value.signum() }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn ties_count_as_scipy_counts_them() {
        // scipy.stats.kendalltau
        let cases: [(&[f64], &[f64], f64); 3] = [
            (
                &[1.0, 2.0, 2.0, 4.0, 5.0],
                &[3.0, 1.0, 4.0, 4.0, 9.0],
                0.666_666_666_666_666_6,
            ),
            (&[1.0, 2.0, 3.0, 4.0, 5.0], &[5.0, 4.0, 3.0, 2.0, 1.0], -1.0),
            (
                &[12.0, 2.0, 1.0, 12.0, 2.0],
                &[1.0, 4.0, 7.0, 1.0, 0.0],
                -0.471_404_520_791_031_6,
            ),
        ];
        for (a, b, expected) in cases {
            let got = kendall_tau_b(a, b).unwrap();
            assert!((got - expected).abs() < 1e-12, "{got} is not {expected}");
        }
        assert_eq!(kendall_tau_b(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(kendall_tau_b(&[1.0], &[1.0]), None);
    }
}
