//! How likely others are to look like a burst of the application.

use super::template::Common;

/// How often a burst is looked for where it is not, at most: over all samples.
const TRIES: usize = 256;

/// How likely a sample is to hold a burst near a place where the application does nothing: from how many
/// do, at places between all bursts. As in the alignment, any place within `reach` will do.
pub(super) fn of_holding(
    rates: &[f64],
    burst: &Common,
    between: &Between,
    aligned: &[Vec<f64>],
    (held, reach): (f64, usize),
) -> f64 {
    let own = &rates[burst.start..=burst.end];
    let enough = held * own.iter().sum::<f64>();
    let holds = |sample: &[f64], start: usize| {
        let there = own.iter().zip(&sample[start..]);
        there.map(|(a, b)| a.min(*b)).sum::<f64>() >= enough
    };
    let (mut tries, mut hits) = (0_u32, 0_u32);
    for (start, (from, end)) in between.places(own.len(), TRIES.div_ceil(aligned.len().max(1))) {
        let first = start.saturating_sub(reach).max(from);
        let last = (start + reach).min(end - own.len());
        for sample in aligned {
            // What is found at one place is found half its length beside it, too.
            let mut near = (first..=last).step_by((own.len() / 2).max(1)).chain([last]);
            tries += 1;
            hits += u32::from(near.any(|start| holds(sample, start)));
        }
    }
    // Nothing is impossible because it was not seen.
    (f64::from(hits) + 0.5) / (f64::from(tries) + 1.0)
}

/// The stretches between bursts.
pub(super) struct Between {
    stretches: Vec<(usize, usize)>,
}

impl Between {
    pub(super) fn new(bursts: &[Common], length: usize) -> Self {
        let mut from = 0;
        let mut stretches = Vec::with_capacity(bursts.len() + 1);
        let bounds = bursts.iter().map(|burst| (burst.start, burst.end + 1));
        for (start, next) in bounds.chain([(length, length)]) {
            if start > from {
                stretches.push((from, start));
            }
            from = from.max(next);
        }
        Self { stretches }
    }

    /// About `count` places, evenly spread, where something of this length fits, each with its stretch.
    fn places(
        &self,
        length: usize,
        count: usize,
    ) -> impl Iterator<Item = (usize, (usize, usize))> + '_ {
        let room = move |&(from, end): &(usize, usize)| (end - from + 1).saturating_sub(length);
        let all: usize = self.stretches.iter().map(room).sum();
        let stride = all.div_ceil(count.max(1)).max(length / 2).max(1);
        let mut skip = 0;
        self.stretches.iter().flat_map(move |stretch| {
            let room = room(stretch);
            let first = skip;
            let here = room.saturating_sub(first).div_ceil(stride);
            skip = (first + here * stride).saturating_sub(room);
            (0..here).map(move |k| (stretch.0 + first + k * stride, *stretch))
        })
    }
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
            extent: (10, 19),
            spread: (0.0, 0.0),
        };
        let between = Between::new(&[burst], 30);
        let places = |length, count| -> Vec<usize> {
            between
                .places(length, count)
                .map(|(place, _)| place)
                .collect()
        };
        assert_eq!(places(4, 100), [0, 2, 4, 6, 21, 23, 25]);
        assert_eq!(places(4, 3), [0, 5, 23]);
        assert_eq!(places(10, 100), [0]);
        assert!(places(11, 100).is_empty());
    }
}
