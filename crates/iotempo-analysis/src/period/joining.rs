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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bursts_are_joined_over_short_pauses_and_their_volumes_add_up() {
        let samples = [5.0, 5.0, 1.0, 7.0, 0.0, 0.0, 0.0, 0.0, 0.0, 4.0];
        let bursts = [(0.0, 2.0), (3.0, 4.0), (9.0, 10.0)];
        let bursts = bursts.map(|(start, end)| Burst { start, end });
        let moved = Moved::new(&samples, 1.0);
        let joiner = Joiner::new(&bursts, &moved);
        let joined = |pause: f64| {
            let joined = joiner.joined(pause);
            (joined.phases.len(), joined.volumes, joined.pause)
        };
        assert_eq!(joined(0.0), (3, vec![10.0, 7.0, 4.0], 0.0));
        // What trickles between joined bursts is theirs.
        assert_eq!(joined(2.0), (2, vec![18.0, 4.0], 1.0));
        assert_eq!(joined(6.0), (1, vec![22.0], 5.0));
        assert_eq!(Joiner::new(&[], &moved).joined(6.0).phases, []);
    }
}
