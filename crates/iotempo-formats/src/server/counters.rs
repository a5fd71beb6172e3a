//! Counters that only grow, as volumes per interval.

use super::gate::{Gate, Series};
use iotempo_model::{Op, counted};
use std::collections::HashMap;
use std::io;

/// After so many readings in the past that run forwards among themselves, the clock was set back.
const NEW_CLOCK: u32 = 3;
/// The past of a counter is kept in at most so many stretches. Few, as there may be a million counters.
const STRETCHES: usize = 8;

/// The last reading of every counter.
#[derive(Default)]
pub(super) struct Counters {
    last: HashMap<(usize, u8), Last>,
    resets: u64,
    stale: u64,
    clocks: u64,
}

struct Last {
    at: f64,
    value: f64,
    /// What it showed since the clock was set back.
    past: Past,
    /// The newest reading from before that, and how many of those ran forwards in a row.
    newest_past: f64,
    in_a_row: u32,
}

impl Last {
    fn new(at: f64, value: f64) -> Self {
        Self {
            at,
            value,
            past: Past::new(at, value),
            newest_past: f64::NEG_INFINITY,
            in_a_row: 0,
        }
    }

    /// Whether readings from the past have become so many that they are the present.
    fn is_overtaken_by(&mut self, at: f64) -> bool {
        self.in_a_row = if at > self.newest_past {
            self.in_a_row + 1
        } else {
            1
        };
        self.newest_past = at;
        self.in_a_row >= NEW_CLOCK
    }
}

/// A stretch of the past ends where the next begins: that reading belongs to both.
#[derive(Clone, Copy)]
struct Stretch {
    from: f64,
    least: f64,
    most: f64,
}

/// What a counter showed when, roughly: in a few stretches of as many readings each.
struct Past {
    stretches: Vec<Stretch>,
    /// How many readings a stretch holds, and how many are in the last one.
    length: u32,
    filled: u32,
}

impl Past {
    fn new(at: f64, value: f64) -> Self {
        let first = Stretch {
            from: at,
            least: value,
            most: value,
        };
        Self {
            stretches: vec![first],
            length: 1,
            filled: 0,
        }
    }

    /// Takes the reading behind all others.
    fn add(&mut self, at: f64, value: f64) {
        if let Some(last) = self.stretches.last_mut() {
            last.least = last.least.min(value);
            last.most = last.most.max(value);
        }
        self.filled += 1;
        if self.filled < self.length {
            return;
        }
        if self.stretches.len() == STRETCHES {
            let pairs = self.stretches.chunks(2).map(|pair| {
                let joined = |one: Stretch, other: &Stretch| Stretch {
                    from: one.from,
                    least: one.least.min(other.least),
                    most: one.most.max(other.most),
                };
                pair[1..].iter().fold(pair[0], joined)
            });
            self.stretches = pairs.collect();
            self.length = self.length.saturating_mul(2);
        }
        self.filled = 0;
        self.stretches.push(Stretch {
            from: at,
            least: value,
            most: value,
        });
    }

    /// Whether a counter showed such a value about then. Two that log the same counter have clocks that differ a
    /// little, so that the stretches beside count, too.
    fn holds(&self, at: f64, value: f64) -> bool {
        let behind = self.stretches.partition_point(|one| one.from <= at);
        let about = behind.saturating_sub(2)..self.stretches.len().min(behind + 1);
        let about = &self.stretches[about];
        behind > 0
            && about.iter().any(|one| one.least <= value)
            && about.iter().any(|one| value <= one.most)
    }
}

impl Counters {
    /// Takes a reading of a counter at an instant and hands on what was moved since the one before.
    ///
    /// A value that is smaller than the last one is a counter that began anew, at zero: what it
    /// shows was moved since then, and what was moved before then is lost.
    ///
    /// # Errors
    /// Whatever the sink answers.
    pub(super) fn read(
        &mut self,
        gate: &mut Gate<'_>,
        series: Series,
        op: Op,
        at: f64,
        value: f64,
    ) -> io::Result<()> {
        if !at.is_finite() || !value.is_finite() || value < 0.0 {
            return gate.moved(series, op, (at, at), value);
        }
        let key = (series.index(), op as u8);
        let Some(last) = self.last.get_mut(&key) else {
            self.last.insert(key, Last::new(at, value));
            return Ok(());
        };
        if at == last.at {
            gate.doubled();
            return Ok(());
        }
        if at < last.at {
            self.stale += 1;
            // A smaller value of a time that was covered is one that was read already, as where logs
            // overlap; a clock that is set back does not make a counter smaller. One that was not shown about
            // then is of a counter that began anew, on a machine that came back with another time.
            let known = value < last.value && last.past.holds(at, value);
            if !known && last.is_overtaken_by(at) {
                self.clocks += 1;
                *last = Last::new(at, value);
                gate.set_back(series, op);
            }
            return Ok(());
        }
        let start = last.at;
        let moved = if value < last.value {
            self.resets += 1;
            value
        } else {
            value - last.value
        };
        (last.at, last.value) = (at, value);
        (last.newest_past, last.in_a_row) = (f64::NEG_INFINITY, 0);
        last.past.add(at, value);
        gate.moved(series, op, (start, at), moved)
    }

    /// Takes that a counter began anew, at zero, at an instant behind its last reading, whatever it shows
    /// since. What it moved in between is lost, as where a smaller value tells the same.
    ///
    /// # Errors
    /// Whatever the sink answers.
    pub(super) fn restart(
        &mut self,
        gate: &mut Gate<'_>,
        series: Series,
        op: Op,
        at: f64,
    ) -> io::Result<()> {
        let last = self
            .last
            .insert((series.index(), op as u8), Last::new(at, 0.0));
        let Some(last) = last.filter(|last| last.at < at) else {
            return Ok(());
        };
        self.resets += 1;
        gate.moved(series, op, (last.at, at), 0.0)
    }

    /// Tells of resets and clocks.
    pub(super) fn tell(&self, gate: &mut Gate<'_>) {
        if self.resets > 0 {
            let times = counted(self.resets, "time");
            gate.warn(
                "counter-reset",
                format!(
                    "counters began anew {times}: what they show since then is counted, what was \
                     moved before that and after the last reading is lost"
                ),
            );
        }
        if self.stale > 0 {
            let rows = counted(self.stale, "reading");
            let set = match self.clocks {
                0 => String::new(),
                _ => "; the clock was set back".to_owned(),
            };
            gate.warn(
                "clock-backwards",
                format!("{rows} from before the last one: left out{set}"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::kept::Kept;
    use super::super::options::{Clock, Options};
    use super::*;
    use iotempo_model::TargetKind;

    fn read(readings: &[(f64, f64)]) -> (Vec<(f64, f64, f64)>, Vec<String>) {
        let (mut kept, options) = (Kept::default(), Options::default());
        let mut gate = Gate::new(&options, &mut kept);
        let mut counters = Counters::default();
        let series = gate.series("", "sda", TargetKind::Device).expect("wanted");
        for &(at, value) in readings {
            counters
                .read(&mut gate, series, Op::Read, at, value)
                .expect("taken");
        }
        counters.tell(&mut gate);
        let reading = gate.finish("test", "bytes", Clock::Epoch, None);
        let codes = reading
            .warnings
            .into_iter()
            .map(|warning| warning.code.to_string());
        (kept.0, codes.collect())
    }

    #[test]
    fn a_counter_that_begins_anew_counts_from_zero() {
        let (kept, codes) = read(&[(0.0, 100.0), (1.0, 150.0), (2.0, 20.0), (3.0, 25.0)]);
        assert_eq!(kept, [(0.0, 1.0, 50.0), (1.0, 2.0, 20.0), (2.0, 3.0, 5.0)]);
        assert_eq!(codes, ["counter-reset"]);
    }

    #[test]
    fn a_reading_that_comes_twice_or_late_is_told() {
        let (kept, codes) = read(&[(0.0, 0.0), (1.0, 5.0), (1.0, 5.0), (0.5, 2.0), (2.0, 9.0)]);
        assert_eq!(kept, [(0.0, 1.0, 5.0), (1.0, 2.0, 4.0)]);
        assert_eq!(codes, ["clock-backwards", "doubled-rows"]);
    }

    #[test]
    fn what_overlapping_logs_say_twice_is_counted_once() {
        let log = |from: i32, to: i32| (from..to).map(|at| (f64::from(at), f64::from(at) * 10.0));
        let readings: Vec<_> = log(0, 20).chain(log(10, 40)).collect();
        let (kept, codes) = read(&readings);
        let moved: f64 = kept.iter().map(|(_, _, bytes)| bytes).sum();
        assert_eq!(moved, 390.0);
        assert_eq!(codes, ["clock-backwards", "doubled-rows"]);
    }

    #[test]
    fn a_clock_that_was_set_back_is_believed_after_a_while() {
        let before = (100..110).map(|at| (f64::from(at), f64::from(at) * 10.0));
        let after = (50..60).map(|at| (f64::from(at), f64::from(at + 60) * 10.0));
        let readings: Vec<_> = before.chain(after).collect();
        let (kept, codes) = read(&readings);
        assert_eq!(
            kept.len(),
            9 + 7,
            "the first three of the new clock are its baseline"
        );
        assert!(kept.iter().all(|(_, _, bytes)| *bytes == 10.0), "{kept:?}");
        assert_eq!(codes, ["clock-backwards"]);
    }

    #[test]
    fn a_counter_that_began_anew_on_a_machine_whose_clock_is_behind_is_believed() {
        let before = (100..110).map(|at| (f64::from(at), f64::from(at) * 1e9));
        let after = (102..107).map(|at| (f64::from(at) - 0.5, f64::from(at - 102) * 10.0));
        let (kept, codes) = read(&before.chain(after).collect::<Vec<_>>());
        let anew = [(103.5, 104.5, 10.0), (104.5, 105.5, 10.0)];
        assert_eq!(kept[9..], anew, "the first three are its baseline");
        assert_eq!(codes, ["clock-backwards"]);
    }

    #[test]
    fn a_counter_that_began_at_zero_within_the_log_may_begin_anew_behind_its_time() {
        for seconds in [12, 100, 1000] {
            let log = |from: i32, values: std::ops::Range<i32>| {
                values.map(move |k| (f64::from(from + k), f64::from(k) * 10.0))
            };
            let readings: Vec<_> = log(0, 0..seconds)
                .chain(log(seconds / 2, 0..seconds))
                .collect();
            let (kept, codes) = read(&readings);
            assert_eq!(
                kept.len() as i32,
                2 * (seconds - 1) - 2,
                "the first three are its baseline"
            );
            assert!(kept.iter().all(|(_, _, bytes)| *bytes == 10.0), "{kept:?}");
            assert_eq!(codes, ["clock-backwards"], "{seconds} s");
        }
    }

    #[test]
    fn the_same_counter_is_counted_once_where_the_clocks_of_two_logs_differ() {
        let log = |at: f64, from: i32, to: i32| {
            (from..to).map(move |k| (f64::from(k) + at, f64::from(k) * 10.0))
        };
        for ahead in [-1.2, -0.5, 0.5] {
            for seconds in [20, 500] {
                let first = log(0.0, 0, seconds);
                let both = first.chain(log(ahead, seconds / 4, 2 * seconds));
                let (kept, _) = read(&both.collect::<Vec<_>>());
                let moved: f64 = kept.iter().map(|(_, _, bytes)| bytes).sum();
                assert_eq!(moved, f64::from(2 * seconds - 1) * 10.0, "{ahead} s");
            }
        }
    }

    #[test]
    fn what_a_counter_showed_when_is_kept_in_little_room() {
        let mut past = Past::new(0.0, 0.0);
        for at in 1..100_000 {
            past.add(f64::from(at), f64::from(at));
            assert!(past.stretches.len() <= STRETCHES);
        }
        for at in [0.0, 1.0, 50_000.0, 99_999.0] {
            assert!(past.holds(at, at), "{at}");
        }
        assert!(!past.holds(-1.0, 0.0), "before its first reading");
        assert!(!past.holds(90_000.0, 10.0));
        assert!(!past.holds(10.0, 90_000.0));
    }
}
