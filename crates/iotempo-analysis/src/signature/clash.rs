//! How much a signature would collide with what others do, by when it starts.

use super::numbers::pearson;
use iotempo_model::{Binned, Op};
use serde::Serialize;

/// Starts are tried so many seconds apart.
const APART_S: f64 = 600.0;

/// More steps than a year of seconds are not laid out in memory.
const MOST_STEPS: i64 = 1 << 25;

const HOURS: usize = 24;

/// Hours that differ by less, as a share, are all the same.
const ALIKE: f64 = 0.01;

/// What a signature would meet in one log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Clash {
    /// What others move on the average, in bytes per second.
    pub others_bytes_per_s: f64,
    /// What others move while the signature moves its bytes, on the average over all starts: each moment
    /// counts as much as the signature moves in it.
    pub met_bytes_per_s: f64,
    /// The mean correlation of the signature with what others do; above 0 they move when it does.
    pub correlation: f64,
    /// How many starts were tried.
    pub starts: usize,
    /// By hour of the day (UTC) in which the signature starts; `None` where no start was tried.
    pub by_hour: Vec<Option<HourClash>>,
}

/// What a signature would meet when it starts in one hour of the day.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct HourClash {
    /// The hour, from 0 to 23.
    pub hour: usize,
    /// What others move while the signature moves its bytes.
    pub met_bytes_per_s: f64,
    /// How many starts were tried.
    pub starts: usize,
}

impl Clash {
    /// The hour in which least is met.
    #[must_use]
    pub fn best_hour(&self) -> Option<HourClash> {
        let hours = self.by_hour.iter().copied().flatten();
        hours.min_by(|a, b| a.met_bytes_per_s.total_cmp(&b.met_bytes_per_s))
    }

    /// The hour in which most is met.
    #[must_use]
    pub fn worst_hour(&self) -> Option<HourClash> {
        let hours = self.by_hour.iter().copied().flatten();
        hours.max_by(|a, b| a.met_bytes_per_s.total_cmp(&b.met_bytes_per_s))
    }

    /// Whether it matters in which hour it starts.
    #[must_use]
    pub fn hours_differ(&self) -> bool {
        let met = |hour: Option<HourClash>| hour.map_or(0.0, |hour| hour.met_bytes_per_s);
        let (best, worst) = (met(self.best_hour()), met(self.worst_hour()));
        worst - best > ALIKE * worst
    }

    /// What the signature, `rates` every `step_s` seconds, would meet in `log`; `None` where the log is
    /// shorter than the signature, is nowhere whole for so long, or the signature moves nothing.
    #[must_use]
    pub fn of(rates: &[f64], step_s: f64, log: &Binned, ops: &[Op]) -> Option<Self> {
        let signature = resampled(rates, step_s, log.step()?);
        let (first, end) = log.span()?;
        if signature.is_empty() {
            return None;
        }
        if end - first <= MOST_STEPS {
            return Self::between(&signature, log, ops, (first, end));
        }
        // A single wild stamp makes a log of centuries: what is before it, or behind it, is the log.
        let ends = [(first, first + MOST_STEPS), (end - MOST_STEPS, end)];
        let clashes = ends.map(|steps| Self::between(&signature, log, ops, steps));
        clashes
            .into_iter()
            .flatten()
            .max_by_key(|clash| clash.starts)
    }

    fn between(
        signature: &[f64],
        log: &Binned,
        ops: &[Op],
        (first, end): (i64, i64),
    ) -> Option<Self> {
        let step = log.step()?;
        let length = usize::try_from(end - first).ok()?;
        let others = log.rates(first, length, ops);
        let holes = log.holes(first, length, ops, &log.usually_expected(ops));
        let mut seen = vec![true; length];
        for hole in &holes {
            let from = usize::try_from(hole.first - first).ok()?;
            seen[from..from + usize::try_from(hole.steps).ok()?].fill(false);
        }
        let mut tried = Tried::default();
        let apart = ((APART_S / step).round() as usize).max(1);
        for start in (0..length.checked_sub(signature.len())? + 1).step_by(apart) {
            let window = start..start + signature.len();
            if seen[window.clone()].iter().all(|seen| *seen) {
                let at = log.time_of(first + i64::try_from(start).ok()?);
                tried.add(signature, &others[window], at);
            }
        }
        let watched = seen.iter().filter(|seen| **seen).count().max(1) as f64;
        let all = others.iter().zip(&seen).filter(|(_, seen)| **seen);
        tried.clash(all.map(|(rate, _)| rate).sum::<f64>() / watched)
    }
}

#[derive(Default)]
struct Tried {
    met: [(f64, usize); HOURS],
    correlation: f64,
}

impl Tried {
    fn add(&mut self, signature: &[f64], others: &[f64], at: f64) {
        let moved: f64 = signature.iter().sum();
        let met: f64 = signature
            .iter()
            .zip(others)
            .map(|(own, other)| own * other)
            .sum();
        let hour = ((at / 3600.0).floor() as i64).rem_euclid(HOURS as i64) as usize;
        self.met[hour].0 += met / moved;
        self.met[hour].1 += 1;
        self.correlation += pearson(signature, others);
    }

    fn clash(self, others_bytes_per_s: f64) -> Option<Clash> {
        let starts: usize = self.met.iter().map(|(_, starts)| starts).sum();
        let sum: f64 = self.met.iter().map(|(met, _)| met).sum();
        let hour = |(hour, &(met, starts)): (usize, &(f64, usize))| {
            (starts > 0).then(|| HourClash {
                hour,
                met_bytes_per_s: met / starts as f64,
                starts,
            })
        };
        (starts > 0).then(|| Clash {
            others_bytes_per_s,
            met_bytes_per_s: sum / starts as f64,
            correlation: self.correlation / starts as f64,
            starts,
            by_hour: self.met.iter().enumerate().map(hour).collect(),
        })
    }
}

/// Rates at another step, without losing a byte; empty where nothing moves.
fn resampled(rates: &[f64], from_s: f64, to_s: f64) -> Vec<f64> {
    let length = (rates.len() as f64 * from_s / to_s).ceil();
    if !(from_s > 0.0 && to_s > 0.0)
        || length > MOST_STEPS as f64
        || rates.iter().all(|r| *r <= 0.0)
    {
        return Vec::new();
    }
    let mut resampled = vec![0.0; length as usize];
    for (index, rate) in rates.iter().enumerate() {
        let (start, end) = (
            index as f64 * from_s / to_s,
            (index + 1) as f64 * from_s / to_s,
        );
        let mut bin = start.floor();
        while bin < end {
            let share = end.min(bin + 1.0) - start.max(bin);
            if let Some(slot) = resampled.get_mut(bin as usize) {
                *slot += rate * share;
            }
            bin += 1.0;
        }
    }
    resampled
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_model::{
        Bytes, Interval, Moved, Seconds, Target, TargetId, TargetKind, ThroughputSink,
    };

    /// A day of minutes in which others move 100 bytes a second in the afternoon, else nothing.
    fn day(days: u32, hole: Option<u32>) -> Binned {
        let busy = |minute: u32| (720..1080).contains(&(minute % 1440));
        log_of(days, hole, |minute| 6000 * u32::from(busy(minute)))
    }

    /// Days of minutes in each of which others move so many bytes.
    fn log_of(days: u32, hole: Option<u32>, bytes: impl Fn(u32) -> u32) -> Binned {
        let mut log = Binned::new();
        let target = log.target(&Target::new("oss1", "", TargetKind::Server));
        let at = |minute: u32| Seconds::new(60.0 * f64::from(minute)).expect("finite");
        for minute in (0..days * 1440).filter(|minute| Some(*minute) != hole) {
            log.moved(Moved {
                target,
                op: Op::Write,
                when: Interval::new(at(minute), at(minute + 1)).expect("forwards"),
                bytes: Bytes::new(f64::from(bytes(minute))).expect("a volume"),
            })
            .expect("taken");
        }
        log.finish();
        log
    }

    #[test]
    fn a_signature_meets_least_when_others_are_quiet() {
        // Half an hour in which it moves only at the end.
        let mut rates = vec![0.0; 1800];
        rates[1500..].fill(1e6);
        let clash = Clash::of(&rates, 1.0, &day(3, None), &[Op::Write]).expect("long enough");
        assert!((clash.others_bytes_per_s - 25.0).abs() < 1e-9);
        let (best, worst) = (
            clash.best_hour().expect("there is one"),
            clash.worst_hour().expect("there is one"),
        );
        assert_eq!(best.met_bytes_per_s, 0.0);
        assert!((12..17).contains(&worst.hour), "{worst:?}");
        assert_eq!(worst.met_bytes_per_s, 100.0);
        // It starts at 11:40 and moves from 12:05 on.
        let eleven = clash.by_hour[11].expect("there is one");
        assert!(
            (eleven.met_bytes_per_s - 100.0 / 3.0).abs() < 1e-9,
            "{eleven:?}"
        );
        assert!((clash.met_bytes_per_s - 25.0).abs() < 1.0);
    }

    #[test]
    fn holes_are_not_met_and_nonsense_is_none() {
        let rates = vec![1.0; 1800];
        let with = Clash::of(&rates, 1.0, &day(1, Some(700)), &[Op::Write]).expect("there is one");
        let without = Clash::of(&rates, 1.0, &day(1, None), &[Op::Write]).expect("there is one");
        assert_eq!(without.starts - with.starts, 3);
        let log = day(1, None);
        assert_eq!(Clash::of(&[], 1.0, &log, &[Op::Write]), None);
        assert_eq!(Clash::of(&[0.0; 50], 1.0, &log, &[Op::Write]), None);
        assert_eq!(Clash::of(&[1.0; 50], 1e9, &log, &[Op::Write]), None);
        assert_eq!(Clash::of(&rates, f64::NAN, &log, &[Op::Write]), None);
        assert_eq!(Clash::of(&rates, 1.0, &Binned::new(), &[Op::Write]), None);
    }

    #[test]
    fn hours_of_a_constant_load_are_all_the_same() {
        let rates = vec![1.0; 1800];
        let clash = |log: &Binned| Clash::of(&rates, 1.0, log, &[Op::Write]).expect("long enough");
        assert!(clash(&day(2, None)).hours_differ());
        // More and less, but at all hours the same.
        let constant = clash(&log_of(2, None, |minute| 5000 + minute % 10));
        assert!(!constant.hours_differ(), "{constant:?}");
        assert!((constant.met_bytes_per_s / constant.others_bytes_per_s - 1.0).abs() < 0.01);
    }

    #[test]
    fn one_wild_stamp_does_not_hide_the_log() {
        for wild in [-4e9, 9e9] {
            let mut log = day(1, None);
            let at = |second: f64| Seconds::new(second).expect("finite");
            let moved = Moved {
                target: TargetId(0),
                op: Op::Write,
                when: Interval::new(at(wild), at(wild + 60.0)).expect("forwards"),
                bytes: Bytes::new(1.0).expect("a volume"),
            };
            log.moved(moved).expect("taken");
            log.finish();
            let clash = Clash::of(&[1.0; 1800], 1.0, &log, &[Op::Write]);
            assert!(clash.is_some_and(|clash| clash.starts > 100), "{wild}");
        }
    }

    #[test]
    fn resampling_keeps_every_byte() {
        let rates = [1.0, 2.0, 3.0, 4.0, 5.0];
        for to in [0.5, 1.0, 2.0, 3.0, 7.0] {
            let other = resampled(&rates, 1.0, to);
            let bytes = other.iter().sum::<f64>() * to;
            assert!((bytes - 15.0).abs() < 1e-9, "{to}: {other:?}");
        }
    }
}
