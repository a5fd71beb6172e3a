//! What a choice of I/O nodes costs.

/// The place of the highest bandwidth; of equals the first.
#[must_use]
pub fn best(curve: &[f64]) -> Option<usize> {
    let places = (0..curve.len()).rev();
    places.max_by(|&a, &b| curve[a].total_cmp(&curve[b]))
}

/// The share of bandwidth that is lost to who takes the estimated curve for the actual one: 0 where the
/// choice is right.
#[must_use]
pub fn regret(estimated: &[f64], actual: &[f64]) -> Option<f64> {
    let chosen = *actual.get(best(estimated)?)?;
    let highest = actual[best(actual)?];
    Some(1.0 - chosen / highest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regret_is_what_the_choice_loses() {
        assert_eq!(regret(&[1.0, 9.0, 2.0], &[5.0, 10.0, 8.0]), Some(0.0));
        assert_eq!(regret(&[1.0, 2.0, 9.0], &[5.0, 10.0, 8.0]), Some(1.0 - 0.8));
        assert_eq!(regret(&[3.0, 3.0], &[5.0, 10.0]), Some(0.5));
        assert_eq!(regret(&[], &[]), None);
    }
}
