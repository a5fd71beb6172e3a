//! What is expected of the next phase.

use super::prediction::NextPhase;
use crate::period::{Estimate, Phase, Rhythm};
use iotempo_model::{Bytes, Seconds};
use std::collections::VecDeque;

/// Phases that differ by less than this share of what is usual are alike.
const ALIKE: f64 = 0.05;

/// Sizes come in turn where those of so many phases ago tell them with less than this share of the error that the
/// usual size has.
const IN_TURN: std::ops::RangeInclusive<usize> = 2..=4;
const BETTER: f64 = 0.5;

/// The share of past phases that lie within the range of bytes.
const MOST: f64 = 0.9;

/// How many of the last forecasts say how wrong the next may be, and how many it takes.
const REMEMBERED: usize = 16;
const FEWEST: usize = 3;

/// How far off the last forecasts of a rhythm were.
#[derive(Debug, Clone, Default)]
pub(super) struct Lateness {
    seconds: VecDeque<f64>,
}

impl Lateness {
    pub(super) fn push(&mut self, late_s: f64) {
        if self.seconds.len() == REMEMBERED {
            self.seconds.pop_front();
        }
        self.seconds.push_back(late_s.abs());
    }

    pub(super) fn clear(&mut self) {
        self.seconds.clear();
    }

    /// Nearly all of them were off by no more than this.
    fn margin(&self) -> f64 {
        let mut seconds: Vec<f64> = self.seconds.iter().copied().collect();
        if seconds.len() < FEWEST {
            return 0.0;
        }
        seconds.sort_by(|a, b| b.total_cmp(a));
        // One in sixteen is one in twenty, nearly.
        seconds[seconds.len() / REMEMBERED]
    }

    /// What it takes of the memory, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.seconds.capacity() * size_of::<f64>()
    }
}

/// The phase that comes `periods` periods after the last.
pub(super) fn next_phase(
    rhythm: &Rhythm,
    last: &Phase,
    periods: usize,
    lateness: &Lateness,
) -> NextPhase {
    let period = rhythm.period;
    let error = (period.high.get() - period.value.get()).hypot(2.0 * spread(rhythm));
    let error = error.max(lateness.margin());
    let start = last.start.get() + periods as f64 * period.value.get();
    let seconds = |value: f64| Seconds::new(value).unwrap_or_default();
    // The last phase may still be going on.
    let whole = &rhythm.phases[..rhythm.phases.len().saturating_sub(1).max(1)];
    let column = |of: fn(&Phase) -> f64| whole.iter().map(of).collect::<Vec<f64>>();
    let (bytes, lengths) = (
        column(|phase| phase.bytes.get()),
        column(|phase| (phase.end - phase.start).get()),
    );
    let ahead = rhythm.phases.len() + periods - 1;
    let sizes = Sizes::of(&bytes);
    let expected = sizes.expected(&bytes, ahead);
    let bytes_of = |value: f64| Bytes::new(value.max(0.0)).unwrap_or_default();
    NextPhase {
        start: Estimate {
            value: seconds(start),
            low: seconds(start - error),
            high: seconds(start + error),
        },
        length: seconds(sizes.expected(&lengths, ahead)),
        bytes: bytes_of(expected),
        bytes_range: sizes
            .error(&bytes)
            .map(|error| (bytes_of(expected - error), bytes_of(expected + error))),
    }
}

/// The standard deviation of the time from start to start, in seconds.
fn spread(rhythm: &Rhythm) -> f64 {
    let period = rhythm.period.value.get();
    if let Some(jitter) = rhythm.jitter {
        return jitter * period;
    }
    let off = rhythm.phases.windows(2).map(|pair| {
        let apart = (pair[1].start - pair[0].start).get();
        apart - period * (apart / period).round().max(1.0)
    });
    let squares: Vec<f64> = off.map(|off| off * off).collect();
    (squares.iter().sum::<f64>() / squares.len().max(1) as f64).sqrt()
}

/// How the sizes of phases follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sizes {
    /// All are about as large, or nobody knows.
    Usual,
    /// Each is as large as the one so many phases before, as that of a full checkpoint among smaller ones.
    InTurn(usize),
}

impl Sizes {
    fn of(bytes: &[f64]) -> Self {
        let usual = median(bytes.to_vec());
        let error = |off: Vec<f64>| off.iter().sum::<f64>() / off.len().max(1) as f64;
        let unlike = error(bytes.iter().map(|bytes| (bytes - usual).abs()).collect());
        if unlike <= ALIKE * usual {
            return Self::Usual;
        }
        IN_TURN
            .filter(|turn| bytes.len() > 2 * turn)
            .map(|turn| (turn, error(Self::InTurn(turn).off(bytes))))
            .filter(|(_, error)| *error < BETTER * unlike)
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map_or(Self::Usual, |(turn, _)| Self::InTurn(turn))
    }

    /// What the phase at a place has, of which the first are known.
    fn expected(self, values: &[f64], place: usize) -> f64 {
        match self {
            Self::Usual => median(values.to_vec()),
            Self::InTurn(turn) => {
                let like = values.iter().skip(place % turn).step_by(turn);
                median(like.copied().collect())
            }
        }
    }

    /// How far off each would have been.
    fn off(self, values: &[f64]) -> Vec<f64> {
        match self {
            Self::Usual => {
                let usual = median(values.to_vec());
                values.iter().map(|value| (value - usual).abs()).collect()
            }
            Self::InTurn(turn) => {
                let pairs = values.iter().zip(values.iter().skip(turn));
                pairs.map(|(before, now)| (now - before).abs()).collect()
            }
        }
    }

    /// Most are no further off; `None` where there are too few to tell.
    fn error(self, values: &[f64]) -> Option<f64> {
        let mut off = self.off(values);
        off.sort_by(f64::total_cmp);
        let most = (MOST * off.len() as f64).ceil() as usize;
        (off.len() >= FEWEST).then(|| off[most.clamp(1, off.len()) - 1])
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.get(middle) {
        Some(upper) if values.len().is_multiple_of(2) => 0.5 * (values[middle - 1] + upper),
        Some(value) => *value,
        None => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_come_in_turn_are_told_by_their_turn() {
        let bytes = [16.0, 64.0, 16.0, 64.0, 16.0];
        let sizes = Sizes::of(&bytes);
        assert_eq!(sizes, Sizes::InTurn(2));
        assert_eq!(sizes.expected(&bytes, 5), 64.0);
        assert_eq!(sizes.expected(&bytes, 6), 16.0);
        assert_eq!(sizes.error(&bytes), Some(0.0));
        let three = [1.0, 2.0, 4.0, 1.0, 2.0, 4.0, 1.0];
        assert_eq!(Sizes::of(&three).expected(&three, 8), 4.0);
    }

    #[test]
    fn one_that_was_larger_does_not_count() {
        let bytes = [5.0, 32.0, 32.0, 31.0, 32.0, 33.0];
        assert_eq!(Sizes::of(&bytes), Sizes::Usual);
        assert_eq!(Sizes::Usual.expected(&bytes, 6), 32.0);
    }

    #[test]
    fn few_phases_have_no_range_and_none_have_no_size() {
        assert_eq!(Sizes::Usual.error(&[3.0, 4.0]), None);
        assert_eq!(Sizes::of(&[]).expected(&[], 0), 0.0);
    }

    #[test]
    fn what_was_late_before_may_be_late_again() {
        let mut lateness = Lateness::default();
        assert_eq!(lateness.margin(), 0.0);
        for late in [0.1, -0.3, 0.2] {
            lateness.push(late);
        }
        assert_eq!(lateness.margin(), 0.3);
        for _ in 0..15 {
            lateness.push(0.1);
        }
        // One of many is forgiven.
        assert_eq!(lateness.margin(), 0.1);
    }
}
