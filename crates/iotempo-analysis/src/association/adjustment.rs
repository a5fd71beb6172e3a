//! Chances of many tests at once.

/// Chances adjusted so that the share of false discoveries among all that are below a level stays below it:
/// `p_(i)·m/i`, made monotonic from the largest down (Benjamini and Hochberg, J. R. Stat. Soc. B 57, 1995).
/// `None`, for a group without a chance, remains so and does not count.
#[must_use]
pub fn benjamini_hochberg(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let order = from_small_to_large(p_values);
    let mut adjusted = vec![None; p_values.len()];
    let mut least: f64 = 1.0;
    for (rank, &(place, p)) in order.iter().enumerate().rev() {
        least = least.min(p * order.len() as f64 / (rank + 1) as f64);
        adjusted[place] = Some(least);
    }
    adjusted
}

/// Chances adjusted so that the chance of even one false discovery below a level stays below it:
/// `p_(i)·(m−i+1)`, made monotonic from the smallest up (Holm, Scand. J. Statist. 6, 1979). `None`, for a
/// group without a chance, remains so and does not count.
#[must_use]
pub fn holm(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let order = from_small_to_large(p_values);
    let mut adjusted = vec![None; p_values.len()];
    let mut most: f64 = 0.0;
    for (rank, &(place, p)) in order.iter().enumerate() {
        most = most.max((p * (order.len() - rank) as f64).min(1.0));
        adjusted[place] = Some(most);
    }
    adjusted
}

/// The chances there are, each with its place.
fn from_small_to_large(p_values: &[Option<f64>]) -> Vec<(usize, f64)> {
    let known = p_values.iter().enumerate();
    let mut known: Vec<(usize, f64)> = known
        .filter_map(|(place, p)| p.filter(|p| !p.is_nan()).map(|p| (place, p)))
        .collect();
    known.sort_by(|a, b| a.1.total_cmp(&b.1));
    known
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn assert_adjusted(got: &[Option<f64>], expected: &[Option<f64>]) {
        assert_eq!(got.len(), expected.len());
        for (got, expected) in got.iter().zip(expected) {
            assert_eq!(got.is_some(), expected.is_some());
            let apart = got.unwrap_or(0.0) - expected.unwrap_or(0.0);
            assert!(apart.abs() < 1e-15, "{got:?} is not {expected:?}");
        }
    }

    #[test]
    fn four_chances_by_hand() {
        let p = [Some(0.01), Some(0.04), None, Some(0.03), Some(0.5)];
        let third = 0.04 * 4.0 / 3.0;
        assert_adjusted(
            &benjamini_hochberg(&p),
            &[Some(0.04), Some(third), None, Some(third), Some(0.5)],
        );
        assert_adjusted(
            &holm(&p),
            &[Some(0.04), Some(0.09), None, Some(0.09), Some(0.5)],
        );
    }

    #[test]
    fn one_chance_stays_as_it_is_and_none_stays_none() {
        for adjust in [benjamini_hochberg, holm] {
            assert_eq!(adjust(&[Some(0.2)]), [Some(0.2)]);
            assert_eq!(adjust(&[None]), [None]);
            assert_eq!(adjust(&[Some(f64::NAN)]), [None]);
            assert!(adjust(&[]).is_empty());
        }
        assert_eq!(benjamini_hochberg(&[Some(0.9), Some(0.9)])[0], Some(0.9));
        assert_eq!(holm(&[Some(0.9), Some(0.9)])[0], Some(1.0));
    }
}
