//! How likely others are to look like a burst of the application.

use super::template::Common;

/// How many places a burst is compared with, at most.
const PLACES: usize = 64;

/// How likely a sample is to hold a burst at a place where the application does nothing: from how many
/// do, at places between all bursts.
pub(super) fn of_holding(
    rates: &[f64],
    burst: &Common,
    all: &[Common],
    aligned: &[Vec<f64>],
    held: f64,
) -> f64 {
    let own = &rates[burst.start..=burst.end];
    let enough = held * own.iter().sum::<f64>();
    let free = free_places(own.len(), rates.len(), all);
    let stride = free.len().div_ceil(PLACES).max(1);
    let (mut tries, mut hits) = (0_u32, 0_u32);
    for &start in free.iter().step_by(stride) {
        for sample in aligned {
            let there = own.iter().zip(&sample[start..]);
            let volume: f64 = there.map(|(a, b)| a.min(*b)).sum();
            tries += 1;
            hits += u32::from(volume >= enough);
        }
    }
    // Nothing is impossible because it was not seen.
    (f64::from(hits) + 0.5) / (f64::from(tries) + 1.0)
}

/// Where a burst of this length fits between all bursts, at steps of half its length.
fn free_places(length: usize, end: usize, all: &[Common]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut from = 0;
    let ends = all.iter().map(|burst| (burst.start, burst.end + 1));
    for (start, next) in ends.chain([(end, end)]) {
        while from + length <= start {
            places.push(from);
            from += (length / 2).max(1);
        }
        from = from.max(next);
    }
    places
}

/// The highest chance at which a burst is believed in. It is lower than it seems, because bursts were
/// looked for where there are most; few samples cannot ask for as much.
pub(super) fn credible(samples: usize) -> f64 {
    10_f64.powf(-0.5 * (samples as f64 + 2.0)).max(1e-6)
}

/// The chance that at least `count` of `tries` happen that each have the chance `p`.
pub(super) fn of_at_least(count: usize, tries: usize, p: f64) -> f64 {
    let mut term = (1.0 - p).powi(tries as i32);
    let mut below = 0.0;
    for k in 0..count {
        below += term;
        term *= (tries - k) as f64 / (k + 1) as f64 * p / (1.0 - p);
    }
    // The difference from 1 is exact enough: chances that matter are above a millionth.
    (1.0 - below).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_binomial() {
        assert!((of_at_least(0, 5, 0.3) - 1.0).abs() < 1e-12);
        assert!((of_at_least(1, 2, 0.5) - 0.75).abs() < 1e-12);
        assert!((of_at_least(3, 3, 0.1) - 1e-3).abs() < 1e-12);
    }

    #[test]
    fn places_lie_between_bursts() {
        let burst = Common {
            start: 10,
            end: 19,
            support: 0,
            time: 0.0,
        };
        assert_eq!(free_places(4, 30, &[burst]), [0, 2, 4, 6, 20, 22, 24, 26]);
    }
}
