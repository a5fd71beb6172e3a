//! How many standard deviations a value lies from the mean.

/// `(x − mean)/std` of every value, with the population's standard deviation; all 0 where the
/// values do not differ.
#[must_use]
pub fn z_scores(values: &[f64]) -> Vec<f64> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let deviation = (squares / count).sqrt();
    let score = |value: &f64| {
        if deviation > 0.0 {
            (value - mean) / deviation
        } else {
            0.0
        }
    };
    values.iter().map(score).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_among_equals_is_as_far_out_as_their_number_allows() {
        // Of n values of which one differs, that one has the score √(n − 1).
        let mut values = vec![2.0; 17];
        values[5] = 3.0;
        let scores = z_scores(&values);
        assert!((scores[5] - 4.0).abs() < 1e-12);
        assert!((scores[0] + 0.25).abs() < 1e-12);
    }

    #[test]
    fn equal_values_and_none_have_no_scores() {
        assert_eq!(z_scores(&[5.0; 4]), [0.0; 4]);
        assert!(z_scores(&[]).is_empty());
        assert_eq!(z_scores(&[f64::NAN, 1.0]), [0.0; 2]);
    }
}
