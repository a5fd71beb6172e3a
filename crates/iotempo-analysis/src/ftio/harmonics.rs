//! Multiples of a frequency that is a candidate already.

use super::settings::Method;

/// Candidates, and those left out as multiples of them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Sieved {
    pub(super) kept: Vec<usize>,
    pub(super) removed: Vec<usize>,
}

/// How close to a multiple FTIO calls one, whatever the resolution: below 10⁻⁵ Hz between bins
/// everything is a harmonic.
const CLOSE_HZ: f64 = 1e-5;

/// From this many kept candidates on, further ones are not compared with all of them: more than
/// two are not periodic anyhow.
const MOST_COMPARED: usize = 256;

/// Walks through `bins` by increasing frequency and leaves out the harmonics of those kept.
pub(super) fn without_harmonics(
    bins: &[usize],
    method: Method,
    frequency: impl Fn(usize) -> f64,
) -> Sieved {
    let mut sieved = Sieved::default();
    for &k in bins {
        let compared = &sieved.kept[..sieved.kept.len().min(MOST_COMPARED)];
        let harmonic = compared.iter().any(|&low| match method {
            Method::Ftio => frequency(k) % frequency(low) < CLOSE_HZ,
            Method::Paper => k.is_multiple_of(low) && (k / low).is_power_of_two(),
        });
        if harmonic {
            sieved.removed.push(k);
        } else {
            sieved.kept.push(k);
        }
    }
    sieved
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(bins: &[usize], method: Method, rate: f64, samples: f64) -> Vec<usize> {
        without_harmonics(bins, method, |k| rate * k as f64 / samples).kept
    }

    #[test]
    fn ftio_drops_every_multiple_and_the_paper_those_of_powers_of_two() {
        let bins = [15, 30, 45, 60, 61];
        assert_eq!(kept(&bins, Method::Ftio, 10.0, 289.0), [15, 61]);
        assert_eq!(kept(&bins, Method::Paper, 10.0, 289.0), [15, 45, 61]);
    }

    #[test]
    fn harmonics_are_those_of_the_kept_only() {
        assert_eq!(kept(&[20, 33, 40, 60], Method::Ftio, 1.0, 240.0), [20, 33]);
        assert_eq!(kept(&[7, 14, 21, 28], Method::Ftio, 10.0, 217.0), [7]);
        assert_eq!(kept(&[3, 6, 9, 27], Method::Ftio, 0.5, 1000.0), [3, 9]);
        assert!(kept(&[], Method::Ftio, 1.0, 240.0).is_empty());
    }

    #[test]
    fn the_remainder_of_rounded_frequencies_misses_a_harmonic() {
        assert_eq!(kept(&[3, 9], Method::Ftio, 0.5, 1000.0), [3, 9]);
    }

    #[test]
    fn in_a_window_of_days_everything_is_a_harmonic() {
        assert_eq!(kept(&[7, 10], Method::Ftio, 1.0, 1e6), [7]);
        assert_eq!(kept(&[7, 10], Method::Paper, 1.0, 1e6), [7, 10]);
    }
}
