//! Counter or not, by the values themselves.

use std::collections::HashMap;

/// So many readings are held before they are judged at the latest.
const HELD: usize = 4096;
/// So many steps upwards without one downwards are a counter's.
const SURE: u64 = 64;
/// A counter begins anew once in so many steps upwards, at most.
const RARE: u64 = 20;
/// What a counter shows when it is read for the first time since it began anew is less than this share of all that it
/// showed before. A flow falls back to about where it came from.
const ANEW: f64 = 0.01;
/// No target moves so much in a second, be it bytes or operations: what stands there was counted.
const IMPOSSIBLE: f64 = 1e12;

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

/// The last reading of a series, and the least until then.
#[derive(Debug, Clone, Copy)]
struct Last {
    value: f64,
    least: f64,
}

/// Looks at the first values of all series of a name.
#[derive(Debug, Default)]
pub(super) struct Judge {
    held: Vec<Held>,
    last: HashMap<usize, Last>,
    grown: u64,
    stood: u64,
    fallen: u64,
    /// Whether one fell as flows do that stay as they are for a while: from a rate that there is, or to what it
    /// showed before.
    drops: bool,
    /// Whether it is to be a counter wherever values leave that open.
    expected: bool,
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

    pub(super) fn expecting_a_counter() -> Self {
        Self {
            expected: true,
            ..Self::default()
        }
    }

    /// Holds a reading; `true` where all can be judged by now.
    pub(super) fn hold(&mut self, reading: Held) -> bool {
        self.held.push(reading);
        if reading.value.is_finite() {
            self.moves |= reading.value != 0.0;
            self.compare(reading);
        }
        let falls = self.fallen >= 2 && self.fallen * RARE > self.unfallen();
        let grows = self.grown >= SURE && self.fallen * RARE <= self.grown;
        falls || grows || (self.held.len() >= HELD && self.moves)
    }

    fn compare(&mut self, Held { series, value, .. }: Held) {
        let Some(last) = self.last.get_mut(&series) else {
            let least = value;
            self.last.insert(series, Last { value, least });
            return;
        };
        if value > last.value {
            self.grown += 1;
        } else if value < last.value {
            self.fallen += 1;
            let is_anew = value < ANEW * last.least && last.value > IMPOSSIBLE;
            self.drops |= !is_anew;
            last.least = value.min(last.least);
        } else if value != 0.0 {
            self.stood += 1;
        }
        last.value = value;
    }

    /// How often readings did what counters do. Flows seldom stand still but at zero; counters of quiet disks
    /// do most of the time. But a rate that was measured more seldom than it was asked for stands still, too,
    /// and falls again and again; and what is written at the same rate for a minute falls to zero, or to what is
    /// written beside it.
    const fn unfallen(&self) -> u64 {
        match self.drops && !self.expected {
            true => self.grown,
            false => self.grown + self.stood,
        }
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
        let counts = self.moves && self.fallen * RARE <= self.unfallen();
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
        judged(Judge::default(), values)
    }

    fn judged(mut judge: Judge, values: &[f64]) -> Verdict {
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
        let mut quiet = vec![7e12; 30];
        quiet.extend([7.1e12, 5.0, 5.0]);
        quiet.extend([9e3; 20]);
        assert_eq!(verdict(&quiet), Verdict::Counter, "a quiet one began anew");
        assert_eq!(verdict(&[16.0, 0.0, 0.0, 16.0, 0.0]), Verdict::Flow);
        assert_eq!(verdict(&[0.0; 9]), Verdict::Flow);
        let idle = [vec![3e12; 150], vec![0.0; 150]].concat();
        assert_eq!(verdict(&idle), Verdict::Counter, "an idle one began anew");
        for less in [1e8, 5e7, 1e6] {
            let plateaus = [vec![1e9; 60], vec![less; 60]].concat();
            assert_eq!(verdict(&plateaus), Verdict::Flow, "two rates");
        }
        for after in [5e6, 4.9e6] {
            let bursts = [5e6, 1e9, after, 1e9, after].map(|rate| [rate; 12]);
            let name = "bursts above a low background";
            assert_eq!(verdict(bursts[..3].as_flattened()), Verdict::Flow, "{name}");
            assert_eq!(verdict(bursts.as_flattened()), Verdict::Flow, "{name}");
        }
        let once = [&[0.0; 9][..], &[5e6; 60], &[0.0; 9]].concat();
        assert_eq!(verdict(&once), Verdict::Flow, "a burst at one rate");
        let often: Vec<f64> = (0..40)
            .flat_map(|k| vec![f64::from(k * 7 % 11 + 1); 60])
            .collect();
        assert_eq!(verdict(&often), Verdict::Flow, "asked for too often");
        let seldom: Vec<f64> = [5.0, 3.0, 4.0, 2.0, 6.0].map(|x| [x; 12]).concat();
        assert_eq!(
            verdict(&seldom),
            Verdict::Flow,
            "five means of a minute each"
        );
        assert_eq!(verdict(&[1.0, f64::NAN, 2.0]), Verdict::Counter);
    }

    #[test]
    fn what_is_known_to_count_is_a_counter_unless_it_falls_again_and_again() {
        let anew = [&[3e10; 40][..], &[3.1e10; 40], &[5e3; 40], &[6e3; 40]].concat();
        let rates = [0.0, 5e6, 4e6, 0.0, 7e6, 0.0].repeat(20);
        for (values, expected) in [(anew, Verdict::Counter), (rates, Verdict::Flow)] {
            assert_eq!(judged(Judge::expecting_a_counter(), &values), expected);
        }
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
