//! The hours of a job, cut out of what servers moved.

use iotempo_model::{Binned, Expected, Hole, JobRecord, Op};
use std::fmt;

/// So many steps in a row that a log misses are filled in; more, and the run is left out.
pub const MOST_FILLED: i64 = 3;

/// No more than this share of a run is filled in.
const FILLED_SHARE: f64 = 0.1;

/// A run needs so many steps of the log to show anything.
const FEWEST_STEPS: usize = 8;

/// The steps in which a job starts and ends are its own where the job covers this share of them: with less, what is in
/// them is rather of others that follow at once.
const OWN_SHARE: f64 = 0.25;

/// What servers moved while a job ran.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The job's place in its log.
    pub job: usize,
    /// When its first step begins, in seconds since 1970-01-01 UTC.
    pub start_s: f64,
    /// The length of a step.
    pub step_s: f64,
    /// Bytes per second, step by step.
    pub rates: Vec<f64>,
    /// How many steps the log missed, and were filled in.
    pub filled: u64,
}

/// Why a job gives no run.
#[derive(Debug, Clone, PartialEq)]
pub enum Rejection {
    /// It has not started, or the log does not say when.
    NoStart,
    /// It has not ended, or the log does not say when.
    NoEnd,
    /// It ended before it started.
    Backwards {
        /// By so many seconds.
        by_s: f64,
    },
    /// It is shorter than the log can show.
    TooShort {
        /// How long it ran.
        ran_s: f64,
        /// How long it would have to.
        needed_s: f64,
    },
    /// The servers' log does not cover it at all.
    OutsideLog,
    /// The servers' log begins too late or ends too early.
    Partly {
        /// For so many of its seconds there is nothing.
        missing_s: f64,
    },
    /// The servers' log has a hole in it.
    Hole {
        /// When the longest begins, in seconds after the job's start.
        after_s: f64,
        /// How long it is.
        length_s: f64,
    },
    /// The servers' log has many short holes in it.
    Holes {
        /// So many seconds are missing in all.
        missing_s: f64,
        /// Of so many.
        of_s: f64,
    },
    /// A target is absent that is there for others.
    Absent {
        /// How people call it.
        target: String,
        /// How many more are.
        more: usize,
        /// For how long nothing is known of it.
        missing_s: f64,
    },
    /// One direction is unknown for most of it.
    HalfSeen {
        /// Which.
        op: Op,
        /// For how long.
        missing_s: f64,
    },
    /// The logs say nothing of this direction at all.
    NoSuch(Op),
}

impl Rejection {
    /// A word for tables.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoStart => "no-start",
            Self::NoEnd => "no-end",
            Self::Backwards { .. } => "backwards",
            Self::TooShort { .. } => "too-short",
            Self::OutsideLog => "outside-log",
            Self::Partly { .. } => "partly-outside-log",
            Self::Hole { .. } => "hole-in-log",
            Self::Holes { .. } => "holes-in-log",
            Self::Absent { .. } => "target-absent",
            Self::HalfSeen { .. } => "direction-absent",
            Self::NoSuch(_) => "no-such-direction",
        }
    }

    /// For how much of the job's time something is missing in the servers' log.
    #[must_use]
    pub const fn missing_s(&self) -> Option<f64> {
        match self {
            Self::Partly { missing_s }
            | Self::Holes { missing_s, .. }
            | Self::Absent { missing_s, .. }
            | Self::HalfSeen { missing_s, .. }
            | Self::Hole {
                length_s: missing_s,
                ..
            } => Some(*missing_s),
            _ => None,
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoStart => f.write_str("has not started, or the job log does not say when"),
            Self::NoEnd => f.write_str("has not ended, or the job log does not say when"),
            Self::Backwards { by_s } => write!(f, "ends {by_s:.0} s before it starts"),
            Self::TooShort { ran_s, needed_s } => write!(
                f,
                "ran {ran_s:.0} s: the servers' log shows nothing shorter than {needed_s:.0} s"
            ),
            Self::OutsideLog => f.write_str("the servers' log does not cover it"),
            Self::Partly { missing_s } => {
                write!(f, "the servers' log lacks {missing_s:.0} s of it")
            }
            Self::Hole { after_s, length_s } => write!(
                f,
                "the servers' log has a hole of {length_s:.0} s, {:.0} s after the start",
                after_s.max(0.0) + 0.0
            ),
            Self::Holes { missing_s, of_s } => write!(
                f,
                "the servers' log has holes of {missing_s:.0} s in all in its {of_s:.0} s"
            ),
            Self::Absent {
                target,
                more,
                missing_s,
            } => {
                write!(f, "the servers' log lacks {missing_s:.0} s of {target}")?;
                match more {
                    0 => f.write_str(", which is there for others"),
                    more => write!(f, " and {more} more, which are there for others"),
                }
            }
            Self::HalfSeen { op, missing_s } => write!(
                f,
                "the servers' log does not say what was {} in {missing_s:.0} s of it",
                match op {
                    Op::Read => "read",
                    Op::Write => "written",
                }
            ),
            Self::NoSuch(op) => write!(f, "no {op}s in these logs"),
        }
    }
}

/// Cuts runs out of what servers moved.
#[derive(Debug, Clone, Copy)]
pub struct Cutter<'a> {
    throughput: &'a Binned,
    ops: &'a [Op],
    expected: &'a Expected,
    shift_s: f64,
    whole_steps_only: bool,
    busy: &'a [(f64, f64)],
}

impl<'a> Cutter<'a> {
    /// Cuts runs of these directions. A run of which targets were not seen that are expected is not whole.
    #[must_use]
    pub fn new(throughput: &'a Binned, ops: &'a [Op], expected: &'a Expected) -> Self {
        Self {
            throughput,
            ops,
            expected,
            shift_s: 0.0,
            whole_steps_only: false,
            busy: &[],
        }
    }

    /// When jobs of the application were in progress, from their starts to their ends: a step in which one ends and
    /// another starts is of that which covers more of it.
    #[must_use]
    pub fn with_busy(self, busy: &'a [(f64, f64)]) -> Self {
        Self { busy, ..self }
    }

    /// The servers' clocks are ahead of the scheduler's by so many seconds.
    #[must_use]
    pub fn with_clocks_ahead(self, shift_s: f64) -> Self {
        Self { shift_s, ..self }
    }

    /// Steps that lie wholly between the start and the end of a job, and no other: as IOSI has it.
    #[must_use]
    pub fn with_whole_steps_only(self) -> Self {
        Self {
            whole_steps_only: true,
            ..self
        }
    }

    /// The run of a job: the steps that lie wholly between its start and its end, with holes of up to
    /// [`MOST_FILLED`] steps filled in from their neighbours, and those in which it starts and ends where the job
    /// covers enough of them.
    ///
    /// # Errors
    /// Why there is none.
    pub fn cut(&self, index: usize, job: &JobRecord) -> Result<Run, Rejection> {
        let known = |at: Option<f64>| at.filter(|at| at.is_finite());
        let start = known(job.start_epoch_s).ok_or(Rejection::NoStart)?;
        let end = known(job.end_epoch_s).ok_or(Rejection::NoEnd)?;
        if end < start {
            return Err(Rejection::Backwards { by_s: start - end });
        }
        let step_s = self.throughput.step().ok_or(Rejection::OutsideLog)?;
        self.has_direction()?;
        let (start, end) = (start + self.shift_s, end + self.shift_s);
        let (first, steps) = self.throughput.steps_inside(start, end);
        if steps < FEWEST_STEPS {
            return Err(Rejection::TooShort {
                ran_s: end - start,
                needed_s: (FEWEST_STEPS + 1) as f64 * step_s,
            });
        }
        // Before its hours are laid out in memory: a job of a thousand years is no allocation.
        self.is_covered(first, steps, step_s)?;
        self.is_seen(first, steps, start)?;
        let holes = self.throughput.holes(first, steps, self.ops, self.expected);
        if let Some(longest) = holes.iter().max_by_key(|hole| hole.steps)
            && longest.steps > MOST_FILLED
        {
            return Err(Rejection::Hole {
                after_s: self.throughput.time_of(longest.first) - start,
                length_s: longest.steps as f64 * step_s,
            });
        }
        let filled: u64 = holes.iter().map(|hole| hole.steps.unsigned_abs()).sum();
        if filled > MOST_FILLED.unsigned_abs() && filled as f64 > FILLED_SHARE * steps as f64 {
            return Err(Rejection::Holes {
                missing_s: filled as f64 * step_s,
                of_s: steps as f64 * step_s,
            });
        }
        let mut rates = self.throughput.rates(first, steps, self.ops);
        fill(&mut rates, first, &holes);
        let last = first.saturating_add_unsigned(steps as u64);
        rates.extend(self.partial(last, (start, end)));
        let before = first.saturating_sub(1);
        let begun = self.partial(before, (start, end));
        rates.splice(..0, begun);
        let starts = if begun.is_some() { before } else { first };
        Ok(Run {
            job: index,
            start_s: self.throughput.time_of(starts) - self.shift_s,
            step_s,
            rates,
            filled,
        })
    }

    /// The rate of a step in which a job starts or ends, where the log has it. Many read their input first and write
    /// their results last: what was moved in that step is theirs, unless they cover little of it, or another run more;
    /// what is always there is taken away later.
    fn partial(&self, step: i64, job: (f64, f64)) -> Option<f64> {
        let step_s = self.throughput.step()?;
        let begin = self.throughput.time_of(step);
        let covers = |(from, to): (f64, f64)| (to.min(begin + step_s) - from.max(begin)).max(0.0);
        let own = covers(job);
        let shifted = |(from, to): &(f64, f64)| (from + self.shift_s, to + self.shift_s);
        // Of a step half of which is of one run, and half of the next, the first has all.
        let has_more = |other: (f64, f64)| {
            other != job && (covers(other) > own || covers(other) == own && other.0 < job.0)
        };
        let is_anothers = || self.busy.iter().map(shifted).any(has_more);
        if self.whole_steps_only || own < OWN_SHARE * step_s || is_anothers() {
            return None;
        }
        let holes = self.throughput.holes(step, 1, self.ops, self.expected);
        let rates = self.throughput.rates(step, 1, self.ops);
        rates.first().copied().filter(|_| holes.is_empty())
    }

    /// The bytes moved in the steps that lie wholly between these times, where the log has them all.
    pub(super) fn moved(&self, start: f64, end: f64) -> Option<f64> {
        let step_s = self.throughput.step()?;
        let (first, steps) = self
            .throughput
            .steps_inside(start + self.shift_s, end + self.shift_s);
        let (from, to) = self.throughput.span()?;
        let last = first.saturating_add_unsigned(steps as u64);
        if first < from || last > to {
            return None;
        }
        let holes = self.throughput.holes(first, steps, self.ops, self.expected);
        let rates = self.throughput.rates(first, steps, self.ops);
        holes.is_empty().then(|| step_s * rates.iter().sum::<f64>())
    }

    /// The parts of a stretch of time that the log has, with no longer hole than is filled in.
    pub(super) fn without_holes(&self, start: f64, end: f64) -> Vec<(f64, f64)> {
        let Some((from, to)) = self.throughput.span() else {
            return Vec::new();
        };
        let (first, steps) = self
            .throughput
            .steps_inside(start + self.shift_s, end + self.shift_s);
        let last = first.saturating_add_unsigned(steps as u64).min(to);
        let first = first.max(from);
        let Ok(steps) = usize::try_from(last.saturating_sub(first)) else {
            return Vec::new();
        };
        let holes = self.throughput.holes(first, steps, self.ops, self.expected);
        let holes = holes.iter().filter(|hole| hole.steps > MOST_FILLED);
        let mut begin = first;
        let ends = holes.map(|hole| (hole.first, hole.first + hole.steps));
        let parts = ends.chain([(last, last)]).filter_map(|(end, next)| {
            let part = (end > begin).then_some((begin, end));
            begin = next;
            part
        });
        let at = |step: i64| self.throughput.time_of(step) - self.shift_s;
        parts.map(|(begin, end)| (at(begin), at(end))).collect()
    }

    fn has_direction(&self) -> Result<(), Rejection> {
        match self.ops {
            [op] if !self.throughput.has(*op) => Err(Rejection::NoSuch(*op)),
            _ => Ok(()),
        }
    }

    /// Whether the targets that are expected are there, for as far as that shows without looking at steps.
    fn is_seen(&self, first: i64, steps: usize, start: f64) -> Result<(), Rejection> {
        let last = first.saturating_add_unsigned(steps as u64);
        let (from, to) = (
            self.throughput.time_of(first),
            self.throughput.time_of(last),
        );
        let unseen = self.throughput.unseen(from, to, self.ops, self.expected);
        if let Some(target) = unseen.absent.first() {
            return Err(Rejection::Absent {
                target: target.label(),
                more: unseen.absent.len() - 1,
                missing_s: unseen.seconds,
            });
        }
        if let Some(op) = unseen.direction {
            return Err(Rejection::HalfSeen {
                op,
                missing_s: unseen.seconds,
            });
        }
        if unseen.is_hopeless {
            let (at, length_s) = unseen.longest;
            return Err(match unseen.seconds > 2.0 * length_s {
                true => Rejection::Holes {
                    missing_s: unseen.seconds,
                    of_s: to - from,
                },
                false => Rejection::Hole {
                    after_s: at - start,
                    length_s,
                },
            });
        }
        Ok(())
    }

    fn is_covered(&self, first: i64, steps: usize, step_s: f64) -> Result<(), Rejection> {
        let (from, to) = self.throughput.span().ok_or(Rejection::OutsideLog)?;
        let end = first.saturating_add_unsigned(steps as u64);
        let covered = end.min(to).saturating_sub(first.max(from));
        if covered <= 0 {
            return Err(Rejection::OutsideLog);
        }
        let missing = steps as u64 - covered.unsigned_abs();
        if missing > MOST_FILLED.unsigned_abs() {
            return Err(Rejection::Partly {
                missing_s: missing as f64 * step_s,
            });
        }
        Ok(())
    }
}

/// Draws a line over each hole, from the step before it to the step behind it.
fn fill(rates: &mut [f64], first: i64, holes: &[Hole]) {
    for hole in holes {
        let from = (hole.first - first) as usize;
        let to = from + hole.steps as usize;
        let before = from.checked_sub(1).map(|at| rates[at]);
        let behind = rates.get(to).copied();
        let (left, right) = match (before, behind) {
            (Some(left), Some(right)) => (left, right),
            (Some(one), None) | (None, Some(one)) => (one, one),
            (None, None) => continue,
        };
        let parts = (to - from + 1) as f64;
        for (index, rate) in rates[from..to].iter_mut().enumerate() {
            *rate = left + (right - left) * (index + 1) as f64 / parts;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{job, log};
    use super::*;
    use iotempo_model::{Bytes, Interval, Moved, Seconds, Target, TargetKind, ThroughputSink};

    fn cut(log: &Binned, start: f64, end: f64) -> Result<Run, Rejection> {
        let expected = log.usually_expected(&[Op::Write]);
        Cutter::new(log, &[Op::Write], &expected).cut(7, &job(start, end))
    }

    #[test]
    fn a_run_is_the_steps_inside_the_job_and_those_in_which_it_starts_and_ends() {
        let log = log(0..100);
        let run = cut(&log, 10.2, 20.9).expect("covered");
        assert_eq!((run.job, run.start_s, run.step_s), (7, 10.0, 1.0));
        assert_eq!(run.rates.len(), 11);
        assert_eq!(run.rates[..2], [100.0, 110.0]);
        assert_eq!(run.rates[10], 200.0);
        let late = cut(&log, 10.8, 20.2).expect("covered");
        assert_eq!((late.start_s, late.rates.len()), (11.0, 9));
        let expected = log.usually_expected(&[Op::Write]);
        let whole = cut(&log, 10.0, 20.0).expect("covered");
        assert_eq!(whole.rates.len(), 10, "it ends with a step");
        let last = cut(&log, 90.0, 100.2).expect("covered");
        assert_eq!(last.rates.len(), 10, "the log ends before");
        let ahead = Cutter::new(&log, &[Op::Write], &expected).with_clocks_ahead(5.0);
        let run = ahead.cut(0, &job(10.0, 20.0)).expect("covered");
        assert_eq!((run.start_s, run.rates[0]), (10.0, 150.0));
    }

    /// Jobs that end a second into a minute of the log, and others that write as soon as they have ended.
    #[test]
    fn a_step_that_is_mostly_the_next_jobs_is_not_in_the_run() {
        let mut log = Binned::new();
        let target = log.target(&Target::new("oss1", "sda", TargetKind::Device));
        let at = |minute: u32| Seconds::new(60.0 * f64::from(minute)).expect("finite");
        for minute in 0..40 {
            let moved = Moved {
                target,
                op: Op::Write,
                when: Interval::new(at(minute), at(minute + 1)).expect("forwards"),
                bytes: Bytes::new(if minute == 20 { 6e9 } else { 0.0 }).expect("a volume"),
            };
            log.moved(moved).expect("taken");
        }
        log.finish();
        for (end, whose) in [(1.0, 0.0), (14.0, 0.0), (15.0, 1e8), (59.0, 1e8)] {
            let run = cut(&log, 0.0, 20.0 * 60.0 + end).expect("covered");
            assert_eq!(run.rates.iter().sum::<f64>(), whose, "{end} s into it");
        }
        let expected = log.usually_expected(&[Op::Write]);
        let cutter = Cutter::new(&log, &[Op::Write], &expected).with_whole_steps_only();
        let run = cutter.cut(0, &job(0.0, 20.0 * 60.0 + 59.0));
        assert_eq!(run.expect("covered").rates, [0.0; 20]);
    }

    #[test]
    fn short_holes_are_filled_and_long_ones_are_not() {
        let few = log((0..100).filter(|second| !(30..33).contains(second)));
        let run = cut(&few, 20.0, 40.0).expect("three steps can be filled");
        assert_eq!(run.rates[9..14], [290.0, 300.0, 310.0, 320.0, 330.0]);
        assert_eq!(run.filled, 3);
        let many = log((0..100).filter(|second| !(30..34).contains(second)));
        let why = cut(&many, 20.0, 40.0).expect_err("too long a hole");
        let expected = Rejection::Hole {
            after_s: 10.0,
            length_s: 4.0,
        };
        assert_eq!(why, expected);
    }

    #[test]
    fn a_step_of_two_runs_is_in_that_which_covers_more_of_it() {
        let log = log(0..100);
        let expected = log.usually_expected(&[Op::Write]);
        for (between, steps) in [(20.5, (11, 19)), (20.7, (11, 19)), (20.3, (10, 20))] {
            let busy = [(10.0, between), (between, 40.0)];
            let cutter = Cutter::new(&log, &[Op::Write], &expected).with_busy(&busy);
            let cut = busy.map(|(start, end)| cutter.cut(0, &job(start, end)).expect("covered"));
            assert_eq!((cut[0].rates.len(), cut[1].rates.len()), steps, "{between}");
        }
        // Where nobody else runs, it is of either.
        assert_eq!(cut(&log, 20.7, 40.0).expect("covered").rates.len(), 20);
    }

    #[test]
    fn what_cannot_be_cut_is_told() {
        let log = log(0..100);
        for (start, end, code) in [
            (10.0, 12.0, "too-short"),
            (20.0, 10.0, "backwards"),
            (500.0, 600.0, "outside-log"),
            (50.0, 160.0, "partly-outside-log"),
            (-1e18, 1e18, "too-short"),
            (0.0, 1e14, "partly-outside-log"),
            (f64::NAN, 30.0, "no-start"),
        ] {
            let why = cut(&log, start, end).expect_err(code);
            assert_eq!(why.code(), code, "{start} {end}: {why}");
        }
        let never = JobRecord::default();
        let expected = log.usually_expected(&[Op::Write]);
        let cutter = Cutter::new(&log, &[Op::Write], &expected);
        assert_eq!(cutter.cut(0, &never), Err(Rejection::NoStart));
        let empty = Binned::new();
        assert_eq!(cut(&empty, 0.0, 50.0), Err(Rejection::OutsideLog));
    }

    #[test]
    fn many_short_holes_are_too_many() {
        let odd = log((0..500).filter(|second| second % 5 > 2));
        let why = cut(&odd, 0.0, 500.0).expect_err("three of five seconds are missing");
        assert_eq!(why.code(), "holes-in-log", "{why}");
        let few = log((0..500).filter(|second| second % 50 != 2));
        assert_eq!(cut(&few, 0.0, 500.0).expect("2 % missing").filled, 10);
        let more = log((0..500).filter(|second| second % 8 != 2));
        let why = cut(&more, 0.0, 500.0).expect_err("an eighth is missing");
        assert_eq!(why.code(), "holes-in-log", "{why}");
    }

    #[test]
    fn a_job_as_long_as_a_wild_stamp_is_far_is_no_allocation() {
        let mut log = log(0..100);
        let target = log.target(&Target::new("oss1", "sda", TargetKind::Device));
        let at = |second: f64| Seconds::new(second).expect("finite");
        let moved = Moved {
            target,
            op: Op::Write,
            when: Interval::new(at(4e12), at(4e12 + 1.0)).expect("forwards"),
            bytes: Bytes::new(1.0).expect("a volume"),
        };
        log.moved(moved).expect("taken");
        let why = cut(&log, 0.0, 4e12).expect_err("nearly all is missing");
        assert_eq!(why.code(), "hole-in-log", "{why}");
    }

    #[test]
    fn a_direction_that_no_log_has_is_named() {
        let log = log(0..100);
        let expected = log.usually_expected(&[Op::Read]);
        let cutter = Cutter::new(&log, &[Op::Read], &expected);
        let why = cutter.cut(0, &job(10.0, 90.0)).expect_err("no reads");
        assert_eq!(why.to_string(), "no reads in these logs");
    }

    #[test]
    fn a_run_without_a_target_that_others_have_is_left_out() {
        let mut log = log(0..1000);
        let target = log.target(&Target::new("oss2", "sda", TargetKind::Device));
        let at = |second: u32| Seconds::new(f64::from(second)).expect("finite");
        for second in 0..700 {
            let moved = Moved {
                target,
                op: Op::Write,
                when: Interval::new(at(second), at(second + 1)).expect("forwards"),
                bytes: Bytes::new(10.0).expect("a volume"),
            };
            log.moved(moved).expect("taken");
        }
        assert!(cut(&log, 500.0, 600.0).is_ok());
        let why = cut(&log, 800.0, 900.0).expect_err("without oss2");
        assert_eq!(why.code(), "target-absent");
        assert_eq!(why.missing_s(), Some(100.0));
        assert!(why.to_string().contains("lacks 100 s of oss2/sda"), "{why}");
    }
}
