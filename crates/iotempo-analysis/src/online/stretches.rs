//! Which stretches of the past are worth another look where nothing repeats yet.
//!
//! A rhythm that sets in after hours of other I/O is hidden in all of it, and plain in the last
//! minutes. So the last 2ᵏ seconds are looked at, for each k: each again when a share of it is new,
//! which bounds what an hour of a job costs, however often there is something new.

use iotempo_model::{Interval, Seconds};

/// A stretch is looked at again when this share of it is new.
const NEW: f64 = 1.0 / 16.0;

/// Stretches that are looked at one after the other at the most.
const AT_ONCE: usize = 4;

/// Seconds between two looks that are enough for any job.
const UNHURRIED: f64 = 4.0;

/// How long to wait before the next look at a job of whose past `span` seconds are known.
pub(super) fn pause(span: f64) -> f64 {
    UNHURRIED.min(span / 64.0).max(span / 4096.0)
}

/// When each stretch was last looked at.
#[derive(Debug, Clone, Default)]
pub(super) struct Stretches {
    /// The logarithm of a length, and the end of the data then.
    looked: Vec<(i32, f64)>,
    /// The end of the data when all was looked at.
    all: Option<f64>,
}

impl Stretches {
    /// Whether enough is new since all that is known was looked at; from now on it was.
    pub(super) fn all_is_due(&mut self, known: Interval) -> bool {
        let end = known.end().get();
        let due = self
            .all
            .is_none_or(|last| end - last >= NEW * known.length().get());
        if due {
            self.all = Some(end);
        }
        due
    }

    /// The stretches up to the end of what is known that are due, the longest first; from now on they
    /// were looked at.
    pub(super) fn due(&mut self, known: Interval) -> Vec<Interval> {
        let (span, end) = (known.length().get(), known.end().get());
        let shortest = pause(span) / NEW;
        let mut due = Vec::new();
        let mut power = span.log2().ceil() - 1.0;
        while power.is_finite() && power.exp2() >= shortest && due.len() < AT_ONCE {
            let length = power.exp2();
            if self.is_due(power as i32, length, end) {
                let start = Seconds::new(end - length).unwrap_or(known.start());
                due.extend(Interval::new(start, known.end()));
            }
            power -= 1.0;
        }
        due
    }

    fn is_due(&mut self, power: i32, length: f64, end: f64) -> bool {
        match self.looked.iter_mut().find(|one| one.0 == power) {
            Some(one) if end - one.1 < NEW * length => false,
            Some(one) => {
                one.1 = end;
                true
            }
            None => {
                self.looked.push((power, end));
                true
            }
        }
    }

    /// What it takes of the memory, in bytes.
    pub(super) fn memory(&self) -> usize {
        self.looked.capacity() * size_of::<(i32, f64)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(start: f64, end: f64) -> Interval {
        let seconds = |value| Seconds::new(value).expect("finite");
        Interval::new(seconds(start), seconds(end)).expect("in order")
    }

    fn lengths(due: &[Interval]) -> Vec<f64> {
        due.iter().map(|one| one.length().get()).collect()
    }

    #[test]
    fn long_stretches_are_looked_at_less_often_than_short_ones() {
        let mut stretches = Stretches::default();
        assert_eq!(
            lengths(&stretches.due(known(0.0, 600.0))),
            [512.0, 256.0, 128.0, 64.0]
        );
        assert!(stretches.due(known(0.0, 602.0)).is_empty());
        assert_eq!(lengths(&stretches.due(known(0.0, 604.0))), [64.0]);
        assert_eq!(
            lengths(&stretches.due(known(0.0, 632.0))),
            [512.0, 256.0, 128.0, 64.0]
        );
    }

    #[test]
    fn a_day_costs_a_bounded_number_of_looks() {
        let mut stretches = Stretches::default();
        let mut looks = 0;
        let mut last = 0.0;
        for second in 1..86_400 {
            let now = f64::from(second);
            if now - last < pause(now) {
                continue;
            }
            last = now;
            let known = known(0.0, now);
            looks += stretches.due(known).len() + usize::from(stretches.all_is_due(known));
        }
        assert!((5_000..25_000).contains(&looks), "{looks}");
    }

    #[test]
    fn nothing_is_due_where_nothing_is_known() {
        let mut stretches = Stretches::default();
        assert_eq!(stretches.due(known(5.0, 5.0)), []);
    }
}
