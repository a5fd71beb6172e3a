//! Counter or not, by the values themselves.

use std::collections::HashMap;

/// So many readings are held before they are judged at the latest.
const HELD: usize = 4096;
/// So many steps upwards without one downwards are a counter's.
const SURE: u64 = 64;
/// A counter begins anew once in so many steps upwards, at most.
const RARE: u64 = 20;

/// A reading that waits for a verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Held {
    pub(super) series: usize,
    pub(super) at: f64,
    pub(super) value: f64,
}

/// What values were found to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// They only grow.
    Counter,
    /// They rise and fall.
    Flow,
}

/// Looks at the first values of all series of a name.
#[derive(Debug, Default)]
pub(super) struct Judge {
    held: Vec<Held>,
    last: HashMap<usize, f64>,
    grown: u64,
    fallen: u64,
    moves: bool,
    pub(super) verdict: Option<Verdict>,
}

impl Judge {
    pub(super) fn knowing(verdict: Verdict) -> Self {
        Self {
            verdict: Some(verdict),
            ..Self::default()
        }
    }

    /// Holds a reading; `true` where all can be judged by now.
    pub(super) fn hold(&mut self, reading: Held) -> bool {
        self.held.push(reading);
        if reading.value.is_finite() {
            self.moves |= reading.value != 0.0;
            match self.last.insert(reading.series, reading.value) {
                Some(last) if reading.value > last => self.grown += 1,
                Some(last) if reading.value < last => self.fallen += 1,
                _ => {}
            }
        }
        let falls = self.fallen >= 2 && self.fallen * RARE > self.grown;
        let grows = self.grown >= SURE && self.fallen * RARE <= self.grown;
        falls || grows || (self.held.len() >= HELD && self.moves)
    }

    /// Whether nothing but zeros came, and there are too many to hold: they mean the same, whatever
    /// they are.
    pub(super) fn is_full_of_zeros(&self) -> bool {
        // Twice the last ones that stay, so that they are not looked at for every new one.
        !self.moves && self.held.len() >= HELD + 2 * self.last.len()
    }

    /// All but the last reading of each series, which a counter goes on from.
    pub(super) fn take_zeros(&mut self) -> Vec<Held> {
        let mut newest = HashMap::new();
        for (index, held) in self.held.iter().enumerate() {
            newest.insert(held.series, index);
        }
        let mut index = 0;
        let is_last = |held: &mut Held| {
            let last = newest.get(&held.series) == Some(&index);
            index += 1;
            !last
        };
        self.held.extract_if(.., is_last).collect()
    }

    /// Judges, and gives back what was held.
    pub(super) fn judge(&mut self) -> (Verdict, Vec<Held>) {
        // What moves and never falls grows, or stands still far from zero.
        let counts = self.moves && self.fallen * RARE <= self.grown;
        let verdict = if counts {
            Verdict::Counter
        } else {
            Verdict::Flow
        };
        self.verdict = Some(verdict);
        self.last = HashMap::new();
        (verdict, std::mem::take(&mut self.held))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(values: &[f64]) -> Verdict {
        let mut judge = Judge::default();
        for (at, &value) in values.iter().enumerate() {
            let at = at as f64;
            if judge.hold(Held {
                series: 0,
                at,
                value,
            }) {
                break;
            }
        }
        judge.judge().0
    }

    #[test]
    fn what_only_grows_is_a_counter() {
        assert_eq!(verdict(&[5.0, 5.0, 7.0, 9.0]), Verdict::Counter);
        assert_eq!(verdict(&[5.0; 9]), Verdict::Counter, "a quiet one");
        let mut anew: Vec<f64> = (0..200).map(f64::from).collect();
        anew.extend((0..200).map(f64::from));
        assert_eq!(verdict(&anew), Verdict::Counter, "one that began anew");
        assert_eq!(verdict(&[16.0, 0.0, 0.0, 16.0, 0.0]), Verdict::Flow);
        assert_eq!(verdict(&[0.0; 9]), Verdict::Flow);
        assert_eq!(verdict(&[1.0, f64::NAN, 2.0]), Verdict::Counter);
    }

    #[test]
    fn many_zeros_are_not_held() {
        let mut judge = Judge::default();
        for at in 0..HELD + 6 {
            let series = at % 3;
            let at = at as f64;
            assert!(!judge.hold(Held {
                series,
                at,
                value: 0.0
            }));
        }
        assert!(judge.is_full_of_zeros());
        assert_eq!(judge.take_zeros().len(), HELD + 3);
        assert_eq!(judge.held.len(), 3);
    }
}
