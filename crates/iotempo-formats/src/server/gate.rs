//! The gate between readers of servers' logs and sinks: what enters is finite, runs forwards and
//! comes once, and every repair is counted.

use super::gaps::Gaps;
use super::options::{Clock, Options, Reading};
use super::quantity::Quantity;
use crate::error::Error;
use iotempo_model::{
    Bytes, Interval, Moved, Op, Seconds, Target, TargetId, TargetKind, ThroughputSink, Warning,
    counted,
};
use std::collections::HashMap;
use std::collections::VecDeque;
use std::io;

/// So many rows back a row that comes late is told from one that comes twice.
pub(super) const REMEMBERED: usize = 64;

/// So many lengths of intervals are looked at to know the usual one.
const LENGTHS: usize = 64;

/// An interval that is longer than the usual one by this factor has rows missing before it.
const LATE: f64 = 1.5;

/// Where one of so many rows comes too late, the clock was not merely set back now and then.
const SHUFFLED: u64 = 10;

/// Passes on what a reader finds, and counts.
pub(super) struct Gate<'a> {
    sink: &'a mut dyn ThroughputSink,
    quantity: Quantity,
    wanted: &'a [String],
    targets: HashMap<Target, Option<Series>>,
    order: Vec<Track>,
    lengths: Vec<f64>,
    usual: Option<f64>,
    /// How long intervals are, where nothing else tells: as the user says.
    given: Option<f64>,
    observed: Option<Interval>,
    samples: u64,
    bytes: [f64; 2],
    /// Those of the first target.
    gaps: Gaps,
    tally: Tally,
    start_used: bool,
    warnings: Vec<Warning>,
}

/// A target of a log, as its reader names it to the gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Series(usize);

impl Series {
    /// Its number among the series of a log.
    pub(super) fn index(self) -> usize {
        self.0
    }
}

/// What is known of a target.
struct Track {
    id: TargetId,
    /// By direction: the ends of its last intervals, newest last.
    ends: [VecDeque<f64>; 2],
}

/// What was repaired or left out, by how often.
#[derive(Default)]
struct Tally {
    doubled: u64,
    /// Times, and not rows: those of one time come together, and so do columns of a row.
    reordered: u64,
    /// The last of them.
    last_reordered: Option<f64>,
    too_late: u64,
    farthest_back: f64,
    not_finite: u64,
    negative: u64,
    impossible: u64,
    most: f64,
}

impl<'a> Gate<'a> {
    pub(super) fn new(options: &'a Options, sink: &'a mut dyn ThroughputSink) -> Self {
        Self {
            sink,
            quantity: options.quantity,
            wanted: &options.targets,
            targets: HashMap::new(),
            order: Vec::new(),
            lengths: Vec::new(),
            usual: None,
            given: options.interval.map(Seconds::get),
            observed: None,
            samples: 0,
            bytes: [0.0; 2],
            gaps: Gaps::default(),
            tally: Tally::default(),
            start_used: false,
            warnings: Vec::new(),
        }
    }

    /// Whether the user named the targets to hand on. Where nobody did, readers leave out what
    /// would count a byte twice.
    pub(super) fn is_chosen_by_name(&self) -> bool {
        !self.wanted.is_empty()
    }

    /// What is handed on.
    pub(super) fn quantity(&self) -> Quantity {
        self.quantity
    }

    /// The series of a target; `None` where nobody asked for it.
    pub(super) fn series(&mut self, server: &str, name: &str, kind: TargetKind) -> Option<Series> {
        let target = Target::new(server, name, kind);
        if let Some(&known) = self.targets.get(&target) {
            return known;
        }
        let label = target.label();
        let wanted = self.wanted.is_empty()
            || self
                .wanted
                .iter()
                .any(|one| *one == label || *one == target.name);
        let series = wanted.then(|| {
            let id = self.sink.target(&target);
            let ends = [VecDeque::new(), VecDeque::new()];
            self.order.push(Track { id, ends });
            Series(self.order.len() - 1)
        });
        if series.is_none() {
            self.sink.passed_over(&target);
        }
        self.targets.insert(target, series);
        series
    }

    /// How long intervals usually are, once a few were seen.
    pub(super) fn usual_interval(&self) -> Option<f64> {
        self.usual
    }

    /// The same at the end of a log: as long as the user says, where nothing else told.
    pub(super) fn interval_at_last(&self) -> Option<f64> {
        self.usual.or(self.given)
    }

    /// The length of an interval that ends at `end`, where the log states nothing but ends: since
    /// the one before, unless rows are missing in between.
    pub(super) fn length_before(&mut self, series: Series, op: Op, end: f64) -> Option<f64> {
        let last = self.order[series.0].ends[op as usize].back().copied();
        let since = last.map(|last| end - last).filter(|&since| since > 0.0);
        match (since, self.usual) {
            (Some(since), Some(usual)) if since > LATE * usual => Some(usual),
            (Some(since), _) => Some(since),
            (None, usual) => usual,
        }
    }

    /// Takes a volume that was moved from `start` to `end`.
    ///
    /// # Errors
    /// Whatever the sink answers.
    pub(super) fn moved(
        &mut self,
        series: Series,
        op: Op,
        (start, end): (f64, f64),
        bytes: f64,
    ) -> io::Result<()> {
        let (Some(from), Some(to)) = (Seconds::new(start), Seconds::new(end)) else {
            self.tally.not_finite += 1;
            return Ok(());
        };
        let Some(volume) = Bytes::new(bytes) else {
            if bytes < 0.0 {
                self.tally.negative += 1;
            } else {
                self.tally.not_finite += 1;
            }
            return Ok(());
        };
        if bytes > self.quantity.impossible() * (end - start).max(1.0) {
            self.tally.impossible += 1;
            self.tally.most = self.tally.most.max(bytes);
            return Ok(());
        }
        let when = Interval::new(from, to).unwrap_or_else(|_| Interval::at(to));
        if !self.is_new(series, op, end) {
            return Ok(());
        }
        if series.0 == 0 {
            self.gaps.take(op, (start, end), self.usual);
        }
        self.measure(end - start);
        self.observed = Some(self.observed.map_or(when, |all| all.hull(when)));
        self.samples += 1;
        let sum = &mut self.bytes[op as usize];
        // What would overflow stops at the largest number, as volumes are added elsewhere.
        *sum = (*sum + bytes).min(f64::MAX);
        self.sink.moved(Moved {
            target: self.order[series.0].id,
            op,
            when,
            bytes: volume,
        })
    }

    /// Whether an interval is one that was not handed on yet.
    fn is_new(&mut self, series: Series, op: Op, end: f64) -> bool {
        let ends = &mut self.order[series.0].ends[op as usize];
        let last = ends.back().copied();
        let Some(last) = last.filter(|&last| end <= last) else {
            ends.push_back(end);
            if ends.len() > REMEMBERED {
                ends.pop_front();
            }
            return true;
        };
        if ends.contains(&end) {
            self.tally.doubled += 1;
            return false;
        }
        self.tally.farthest_back = self.tally.farthest_back.max(last - end);
        let oldest = ends.front().copied().unwrap_or(last);
        if ends.len() >= REMEMBERED && end < oldest {
            self.tally.too_late += 1;
            return false;
        }
        if self.tally.last_reordered.replace(end) != Some(end) {
            self.tally.reordered += 1;
        }
        let place = ends.partition_point(|&other| other < end);
        ends.insert(place, end);
        if ends.len() > REMEMBERED {
            ends.pop_front();
        }
        true
    }

    /// Notes that times count from the start that the user stated.
    pub(super) fn use_start(&mut self) {
        self.start_used = true;
    }

    /// Notes a row that came twice.
    pub(super) fn doubled(&mut self) {
        self.tally.doubled += 1;
    }

    /// Forgets the past of a series: its clock was set back.
    pub(super) fn set_back(&mut self, series: Series, op: Op) {
        self.order[series.0].ends[op as usize].clear();
        if series.0 == 0 {
            self.gaps.settle(op, self.usual);
        }
    }

    fn measure(&mut self, length: f64) {
        if self.lengths.len() < LENGTHS && length > 0.0 {
            let place = self.lengths.partition_point(|&other| other < length);
            self.lengths.insert(place, length);
            self.usual = Some(self.lengths[(self.lengths.len() - 1) / 2]);
        }
    }

    /// Notes what a reader repaired or left out.
    pub(super) fn warn(&mut self, code: &'static str, message: impl Into<String>) {
        self.warnings.push(Warning::new(code, message));
    }

    /// Notes what somebody else says about the log.
    pub(super) fn add_warning(&mut self, warning: Warning) {
        self.warnings.push(warning);
    }

    /// Whether volumes were left out that nothing can move.
    pub(super) fn left_out_impossible(&self) -> bool {
        self.tally.impossible > 0
    }

    /// How many volumes were handed on so far.
    pub(super) fn samples(&self) -> u64 {
        self.samples
    }

    /// What was found, in the words of the reader.
    pub(super) fn finish(
        mut self,
        format: impl Into<String>,
        unit: impl Into<String>,
        clock: Clock,
        damage: Option<Error>,
    ) -> Reading {
        for op in [Op::Read, Op::Write] {
            self.gaps.settle(op, self.usual);
        }
        self.tell();
        if let Some(damage) = &damage {
            let message = format!("what follows is lost: {damage}");
            self.warnings.push(Warning::new("damaged", message));
        }
        Reading {
            format: format.into(),
            unit: unit.into(),
            clock,
            is_start_used: self.start_used,
            interval: self.interval_at_last().and_then(Seconds::new),
            observed: self.observed,
            targets: self.order.len() as u64,
            samples: self.samples,
            bytes: self.bytes,
            quantity: self.quantity,
            missing: Seconds::new(self.gaps.missing_s()).unwrap_or_default(),
            warnings: self.warnings,
            damaged: damage.is_some(),
        }
    }

    fn tell(&mut self) {
        let tally = &self.tally;
        let told = [
            (
                tally.doubled,
                "doubled-rows",
                "that come twice: counted once".to_owned(),
            ),
            (
                tally.reordered,
                "reordered-rows",
                format!(
                    "out of order, by up to {} s: put where they belong",
                    seconds(tally.farthest_back)
                ),
            ),
            (
                tally.too_late,
                "clock-backwards",
                format!(
                    "whose time lies up to {} s before that of earlier ones: left out, since they \
                     may be counted already{}",
                    seconds(tally.farthest_back),
                    match tally.too_late * SHUFFLED > self.samples {
                        true => "; its rows are in no order: sort it by time",
                        false => "",
                    }
                ),
            ),
            (
                tally.not_finite,
                "not-finite",
                "whose time or volume is not a finite number: left out".to_owned(),
            ),
            (
                tally.negative,
                "negative-volume",
                "with a negative volume: left out".to_owned(),
            ),
            (
                tally.impossible,
                "impossible-volume",
                format!(
                    "with more than {}, up to {:e} {}: left out",
                    self.quantity.too_much(),
                    tally.most,
                    self.quantity.name()
                ),
            ),
        ];
        for (count, code, what) in told {
            if count > 0 {
                let rows = match code {
                    "reordered-rows" => format!("rows of {}", counted(count, "time")),
                    _ => counted(count, "row"),
                };
                let message = format!("{rows} {what}");
                self.warnings.push(Warning::new(code, message));
            }
        }
        if self.gaps.count() > 0 {
            let message = format!(
                "{} in the log, {} s in all: nothing is known of them",
                counted(self.gaps.count(), "gap"),
                seconds(self.gaps.missing_s())
            );
            self.warnings.push(Warning::new("gaps", message));
        }
        if let (Some(given), Some(usual)) = (self.given, self.usual)
            && (given - usual).abs() > 0.1 * given.min(usual)
        {
            let message = format!(
                "by the log's own times its intervals are {} s long: the {given} s that were stated are \
                 not used",
                seconds(usual)
            );
            self.warnings
                .push(Warning::new("interval-ignored", message));
        }
    }
}

/// Seconds to the thousandth.
fn seconds(seconds: f64) -> f64 {
    let rounded = (seconds * 1000.0).round() / 1000.0;
    if rounded.is_finite() {
        rounded
    } else {
        seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nobody;

    impl ThroughputSink for Nobody {
        fn target(&mut self, _: &Target) -> TargetId {
            TargetId(0)
        }
        fn moved(&mut self, _: Moved) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_sum_of_enormous_volumes_stays_a_number() {
        let (options, mut sink) = (Options::default(), Nobody);
        let mut gate = Gate::new(&options, &mut sink);
        let series = gate.series("", "sda", TargetKind::Device).expect("wanted");
        for age in 0..3 {
            let when = (f64::from(age) * 1e300, f64::from(age + 1) * 1e300);
            gate.moved(series, Op::Read, when, 1e308).expect("taken");
        }
        let reading = gate.finish("test", "bytes", Clock::Epoch, None);
        assert_eq!(reading.bytes, [f64::MAX, 0.0]);
    }

    #[test]
    fn a_volume_that_nothing_can_move_is_left_out() {
        let (options, mut sink) = (Options::default(), Nobody);
        let mut gate = Gate::new(&options, &mut sink);
        let series = gate.series("", "sda", TargetKind::Device).expect("wanted");
        for (second, bytes) in [(0, 1e9), (1, 1e30), (2, 9e13)] {
            let when = (f64::from(second), f64::from(second + 1));
            gate.moved(series, Op::Read, when, bytes).expect("taken");
        }
        let reading = gate.finish("test", "bytes", Clock::Epoch, None);
        assert_eq!(reading.bytes, [1e9 + 9e13, 0.0]);
        let warning = &reading.warnings[0];
        assert_eq!(warning.code, "impossible-volume");
        assert!(warning.message.contains("up to 1e30 bytes"), "{warning}");
    }

    #[test]
    fn what_the_log_tells_is_believed_before_what_was_stated() {
        let (mut sink, mut options) = (Nobody, Options::default());
        options.interval = Seconds::new(1.0);
        let mut gate = Gate::new(&options, &mut sink);
        let series = gate.series("", "sda", TargetKind::Device).expect("wanted");
        for at in [0.0, 10.0, 20.0] {
            let when = (at, at + 10.0);
            gate.moved(series, Op::Read, when, 1.0).expect("taken");
        }
        let reading = gate.finish("test", "bytes", Clock::Epoch, None);
        assert_eq!(reading.interval, Seconds::new(10.0));
        assert_eq!(reading.warnings[0].code, "interval-ignored");
    }

    #[test]
    fn a_gap_in_both_directions_is_one() {
        let (mut sink, options) = (Nobody, Options::default());
        let mut gate = Gate::new(&options, &mut sink);
        let series = gate.series("", "sda", TargetKind::Device).expect("wanted");
        for at in [0.0, 1.0, 2.0, 9.0] {
            for op in [Op::Read, Op::Write] {
                let when = (at, at + 1.0);
                gate.moved(series, op, when, 1.0).expect("taken");
            }
        }
        let reading = gate.finish("test", "bytes", Clock::Epoch, None);
        assert_eq!(reading.missing.get(), 6.0);
        assert_eq!(reading.warnings.len(), 1);
        let message = &reading.warnings[0].message;
        assert!(message.starts_with("1 gap in the log, 6 s"), "{message}");
    }
}
