//! How likely chance alone is to hit as often as was seen.

use statrs::distribution::{Binomial, DiscreteCDF};

/// The probability of at least `hits` in `trials`, each of which hits by chance with `probability`. 1 where that is no
/// probability: nothing is then told from chance.
#[must_use]
pub fn at_least(hits: usize, trials: usize, probability: f64) -> f64 {
    let Some(fewer) = hits.checked_sub(1) else {
        return 1.0;
    };
    Binomial::new(probability.clamp(0.0, 1.0), trials as u64)
        .map_or(1.0, |binomial| binomial.sf(fewer as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_follow_the_binomial_distribution() {
        for (hits, trials, probability, chance) in [
            (0, 5, 0.3, 1.0),
            (1, 2, 0.5, 0.75),
            (1, 4, 0.5, 0.9375),
            (3, 3, 0.1, 1e-3),
            (4, 3, 0.1, 0.0),
            (2, 3, 0.0, 0.0),
            (2, 3, 1.5, 1.0),
            (2, 3, f64::NAN, 1.0),
        ] {
            let told = at_least(hits, trials, probability);
            assert!((told - chance).abs() < 1e-12, "{hits} of {trials}: {told}");
        }
        // Of many, where the chance of none has no place in a number.
        assert!((at_least(1000, 2000, 0.5) - 0.508_919_5).abs() < 1e-6);
        assert!(at_least(1500, 2000, 0.5) < 1e-100);
        assert!(at_least(1900, 2000, 0.99) > 0.999);
    }
}
