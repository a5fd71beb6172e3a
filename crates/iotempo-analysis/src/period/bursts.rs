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
