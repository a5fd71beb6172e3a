//! Bursts, joined into phases over short pauses.

use super::bursts::Burst;
use super::phases::Moved;

/// Bursts, and what has moved when each begins and ends.
pub(super) struct Joiner<'a> {
    bursts: &'a [Burst],
    moved: Vec<(f64, f64)>,
}

/// Phases of bursts that short pauses separate.
pub(super) struct Joined {
    pub(super) phases: Vec<Burst>,
    /// What each of them moves.
    pub(super) volumes: Vec<f64>,
    /// The longest pause within them.
    pub(super) pause: f64,
}

impl<'a> Joiner<'a> {
    pub(super) fn new(bursts: &'a [Burst], moved: &Moved) -> Self {
        let until = |burst: &Burst| (moved.until(burst.start), moved.until(burst.end));
        Self {
            bursts,
            moved: bursts.iter().map(until).collect(),
        }
    }

    /// Joins bursts that less than `pause` separates.
    pub(super) fn joined(&self, pause: f64) -> Joined {
        let mut joined = Joined {
            phases: Vec::with_capacity(self.bursts.len()),
            volumes: Vec::with_capacity(self.bursts.len()),
            pause: 0.0,
        };
        let mut before = 0.0;
        for (burst, moved) in self.bursts.iter().zip(&self.moved) {
            match (joined.phases.last_mut(), joined.volumes.last_mut()) {
                (Some(phase), Some(volume)) if burst.start - phase.end < pause => {
                    joined.pause = joined.pause.max(burst.start - phase.end);
                    phase.end = burst.end;
                    *volume = (moved.1 - before).max(0.0);
                }
                _ => {
                    before = moved.0;
                    joined.phases.push(*burst);
                    joined.volumes.push((moved.1 - before).max(0.0));
                }
            }
        }
        joined
    }
}
