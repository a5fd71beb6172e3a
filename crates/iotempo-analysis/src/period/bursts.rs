//! Bursts: stretches in which more moves than usual.

use super::numbers::{mean, sorted};

/// A burst or a phase, in samples from the start of the signal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Burst {
    /// Where it begins.
    pub(super) start: f64,
    /// Where it ends.
    pub(super) end: f64,
}

impl Burst {
    pub(super) fn length(self) -> f64 {
        self.end - self.start
    }
}

/// Samples above half the mean are active: idle time, background traffic and the noise floor stay
/// below it, a single rank of a desynchronised phase does not.
pub(super) fn threshold(samples: &[f64]) -> f64 {
    0.5 * mean(samples)
}

/// The bursts of a signal.
pub(super) fn bursts(samples: &[f64], threshold: f64) -> Vec<Burst> {
    let mut bursts = Vec::new();
    let mut open = None;
    for (index, &sample) in samples.iter().enumerate() {
        match (open, sample > threshold) {
            (None, true) => open = Some(index),
            (Some(start), false) => {
                bursts.push(edges(samples, start, index));
                open = None;
            }
            _ => {}
        }
    }
    if let Some(start) = open {
        bursts.push(edges(samples, start, samples.len()));
    }
    bursts
}

/// The burst of samples `start..end`, with its edges between samples: the first and the last sample
/// are as full as their rates are, compared to their neighbours'.
fn edges(samples: &[f64], start: usize, end: usize) -> Burst {
    let share = |edge: usize, inner: usize| (samples[edge] / samples[inner]).clamp(0.0, 1.0);
    let whole = Burst {
        start: start as f64,
        end: end as f64,
    };
    if end - start < 3 {
        return whole;
    }
    Burst {
        start: (start + 1) as f64 - share(start, start + 1),
        end: (end - 1) as f64 + share(end - 1, end - 2),
    }
}

/// The pauses between bursts.
pub(super) fn pauses(bursts: &[Burst]) -> Vec<f64> {
    bursts
        .windows(2)
        .map(|pair| pair[1].start - pair[0].end)
        .collect()
}

/// Pause lengths at which a hierarchy of bursts falls apart: just above each of the widest breaks
/// between the sorted lengths, widest first, and 0.
pub(super) fn levels(pauses: &[f64], most: usize) -> Vec<f64> {
    const BREAK: f64 = 1.5;
    let mut breaks: Vec<(f64, f64)> = sorted(pauses)
        .windows(2)
        .map(|pair| (pair[1] / pair[0].max(1e-9), (pair[0] * pair[1]).sqrt()))
        .filter(|(ratio, _)| *ratio > BREAK)
        .collect();
    breaks.sort_by(|a, b| b.0.total_cmp(&a.0));
    breaks.truncate(most);
    let mut levels: Vec<f64> = breaks.into_iter().map(|(_, level)| level).collect();
    levels.push(0.0);
    levels
}

/// Bursts of one sample that begin here.
#[cfg(test)]
pub(super) fn at(starts: &[f64]) -> Vec<Burst> {
    let burst = |start: &f64| Burst {
        start: *start,
        end: start + 1.0,
    };
    starts.iter().map(burst).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn burst(start: f64, end: f64) -> Burst {
        Burst { start, end }
    }

    #[test]
    fn samples_above_the_threshold_are_bursts_also_at_both_ends() {
        let samples = [5.0, 0.0, 1.0, 5.0, 5.0, 0.0, 5.0];
        let found = bursts(&samples, 2.0);
        assert_eq!(found, [burst(0.0, 1.0), burst(3.0, 5.0), burst(6.0, 7.0)]);
        assert_eq!(bursts(&[0.0; 4], 0.0), []);
    }

    #[test]
    fn an_edge_lies_as_far_into_a_sample_as_it_is_full() {
        let found = bursts(&[0.0, 2.0, 8.0, 8.0, 4.0, 0.0], 1.0);
        assert_eq!(found, [burst(1.75, 4.5)]);
        // A first sample that is fuller than the next one begins where it begins.
        let found = bursts(&[0.0, 9.0, 8.0, 8.0, 0.0], 1.0);
        assert_eq!(found, [burst(1.0, 4.0)]);
    }

    #[test]
    fn pauses_lie_between_bursts() {
        let apart = [burst(0.0, 2.0), burst(3.0, 4.0), burst(9.0, 10.0)];
        assert_eq!(pauses(&apart), [1.0, 5.0]);
        assert!(pauses(&[]).is_empty());
    }

    #[test]
    fn levels_lie_in_the_widest_breaks_between_pauses_and_at_0() {
        let pauses = [1.0, 200.0, 1.1, 10.0, 0.9, 11.0];
        let found = levels(&pauses, 6);
        assert_eq!(found.len(), 3);
        assert!((11.0..200.0).contains(&found[0]), "{found:?}");
        assert!((1.1..10.0).contains(&found[1]), "{found:?}");
        assert_eq!(found[2], 0.0);
        assert_eq!(levels(&pauses, 1).len(), 2);
        assert_eq!(levels(&[], 6), [0.0]);
    }
}
