//! How similar samples are to themselves some time later.

use crate::plans;

/// The normalised autocorrelation `Σ (x_n − x̄)(x_{n+k} − x̄)/(N·var)` at the lags `k = 0 … N − 1`,
/// where `var` is the population's variance, so that lag 0 has 1.
///
/// `None` where samples do not vary, are not finite, or are not there. Takes O(N log N).
#[must_use]
pub fn autocorrelation(samples: &[f64]) -> Option<Vec<f64>> {
    let count = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / count;
    let energy: f64 = samples.iter().map(|x| (x - mean).powi(2)).sum();
    if !(energy.is_finite() && energy > 0.0) {
        return None;
    }
    let mut products = lagged_products(samples, mean);
    for product in &mut products {
        *product /= energy;
    }
    Some(products)
}

/// `Σ (x_n − x̄)(x_{n+k} − x̄)` by the Wiener–Khinchin theorem. As many zeros follow the samples as
/// keep their end from meeting their start.
fn lagged_products(samples: &[f64], mean: f64) -> Vec<f64> {
    // A power of two: fast, and few lengths to plan for.
    let padded = (2 * samples.len()).next_power_of_two();
    let (forward, inverse) = (plans::forward(padded), plans::inverse(padded));
    let mut signal = forward.make_input_vec();
    for (padded, sample) in signal.iter_mut().zip(samples) {
        *padded = sample - mean;
    }
    let mut spectrum = forward.make_output_vec();
    // They fail on buffers of the wrong length only; these are of their own.
    let _ = forward.process(&mut signal, &mut spectrum);
    for bin in &mut spectrum {
        *bin = bin.norm_sqr().into();
    }
    let _ = inverse.process(&mut spectrum, &mut signal);
    signal.truncate(samples.len());
    for product in &mut signal {
        *product /= padded as f64;
    }
    signal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn naive(samples: &[f64]) -> Vec<f64> {
        let n = samples.len();
        let mean = samples.iter().sum::<f64>() / n as f64;
        let product = |lag: usize| -> f64 {
            let pairs = samples.iter().zip(&samples[lag..]);
            pairs.map(|(a, b)| (a - mean) * (b - mean)).sum()
        };
        (0..n).map(|lag| product(lag) / product(0)).collect()
    }

    #[test]
    fn it_equals_the_sum_of_products_at_every_length_to_70() {
        for length in 2..=70 {
            let samples: Vec<f64> = (0..length).map(|i| (i * i % 13) as f64 + 1e6).collect();
            let got = autocorrelation(&samples).expect("they vary");
            assert_eq!(got.len(), length);
            for (got, wanted) in got.iter().zip(naive(&samples)) {
                assert!((got - wanted).abs() < 1e-12, "length {length}");
            }
        }
    }

    #[test]
    fn alternating_samples_alternate() {
        let acf = autocorrelation(&[1.0, -1.0, 1.0, -1.0]).expect("they vary");
        for (got, wanted) in acf.iter().zip([1.0, -0.75, 0.5, -0.25]) {
            assert!((got - wanted).abs() < 1e-15);
        }
    }

    #[test]
    fn what_does_not_vary_has_none() {
        for samples in [
            &[][..],
            &[4.0],
            &[4.0; 9],
            &[1.0, f64::NAN],
            &[f64::MAX, f64::MIN],
        ] {
            assert_eq!(autocorrelation(samples), None);
        }
    }
}
