//! Months of a log as bytes per step of time, with what the log did not see.

use super::coverage::Coverage;
use super::pace::{Pace, Waiting};
use super::told::Told;
use super::{Moved, Target, TargetId, ThroughputSink};
use crate::request::Op;
use crate::warning::Warning;
use std::collections::{BTreeMap, HashMap};
use std::io;

/// So many steps are kept together; where nothing was moved for that long, nothing is kept.
const CHUNK: i64 = 1024;

/// The bytes of an interval of up to so many steps are spread evenly over them, such as those of a counter
/// that was not looked at a few times. Of a longer one nobody knows when they moved.
const SPREAD: f64 = 4.5;

/// Where the intervals of a log are longer than steps by this factor, steps become as long as they are.
const COARSE: f64 = 1.5;

/// So many steps from the origin a time can still be told from the next one.
const FARTHEST: f64 = 1e15;

/// Gaps of this share of a step are jitter.
const JITTER: f64 = 0.01;

/// Bytes read and written per step of time, summed over the targets of any number of logs.
///
/// Memory follows what the logs cover, whatever their clocks say: a stamp from the year 2106 costs
/// one chunk.
#[derive(Debug, Default)]
pub struct Binned {
    step: Option<f64>,
    /// Steps are at least this long, in seconds.
    least: f64,
    /// Where within a step the log's own intervals begin: bins that begin elsewhere would smear every
    /// interval over two of them.
    origin: f64,
    chunks: BTreeMap<i64, Chunk>,
    /// What came before the pace of its log was known.
    waiting: Waiting,
    is_pace_known: bool,
    targets: Vec<Target>,
    by_target: HashMap<Target, u32>,
    pub(super) tracks: Vec<Track>,
    /// From the first instant that is covered to the last.
    pub(super) hull: Option<(f64, f64)>,
    log: u32,
    pub(super) told: Told,
}

/// What is known of a target, by direction.
#[derive(Debug, Default)]
pub(super) struct Track {
    pub(super) coverage: [Coverage; 2],
    pub(super) bytes: [f64; 2],
}

/// Bytes per step, by direction.
#[derive(Debug)]
struct Chunk([Box<[f64]>; 2]);

impl Default for Chunk {
    fn default() -> Self {
        let zeros = || vec![0.0; CHUNK as usize].into_boxed_slice();
        Self([zeros(), zeros()])
    }
}

impl Binned {
    /// Steps as long as most of the intervals that come in; of logs that differ, as those of the log whose
    /// intervals are longest.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with steps of at least `least` seconds: what a log tells of a longer interval, because it
    /// skipped some, can then still be placed.
    #[must_use]
    pub fn at_least(least: f64) -> Self {
        Self {
            least: if least.is_finite() {
                least.max(0.0)
            } else {
                0.0
            },
            ..Self::default()
        }
    }

    /// Says that what follows comes from another log, called `name`. What a target moved in an interval that
    /// an earlier log covers is not counted again.
    pub fn begin_log(&mut self, name: impl Into<String>) {
        self.finish();
        self.is_pace_known = false;
        self.log = self.told.log(name.into());
    }

    /// The length of a step; `None` where nothing came.
    #[must_use]
    pub fn step(&self) -> Option<f64> {
        self.step
    }

    /// Every target, in the order in which readers met them.
    #[must_use]
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// Whether any target was watched in a direction.
    #[must_use]
    pub fn has(&self, op: Op) -> bool {
        let mut tracks = self.tracks.iter();
        tracks.any(|track| !track.coverage[op as usize].is_empty())
    }

    /// Takes in what waits: call it when the last log has been read.
    pub fn finish(&mut self) {
        let (pace, held) = self.waiting.settle();
        if let (Some(pace), Some(first)) = (pace, held.first()) {
            self.keep_pace(pace, first.when.start().get());
        }
        self.is_pace_known |= !held.is_empty();
        for moved in held {
            self.put(moved);
        }
    }

    /// Makes steps as long as the intervals of a log whose first interval begins at `start`.
    fn keep_pace(&mut self, pace: Pace, start: f64) {
        let length = pace.length.max(self.least);
        let origin = |step: f64| start - (start / step).floor() * step;
        match self.step {
            None => (self.step, self.origin) = (Some(length), origin(length)),
            Some(step) if is_coarse(length, step) && pace.is_sure => {
                self.told.coarser(self.log, length, step);
                self.lay_out_anew(length, origin(length));
            }
            Some(_) => {}
        }
    }

    /// Brings all bytes to other steps.
    fn lay_out_anew(&mut self, step: f64, origin: f64) {
        let old = std::mem::take(&mut self.chunks);
        let (old_step, old_origin) = (self.step.unwrap_or(step), self.origin);
        (self.step, self.origin) = (Some(step), origin);
        for (key, chunk) in old {
            for (op, bytes) in chunk.0.iter().enumerate() {
                for (index, &bytes) in bytes.iter().enumerate().filter(|(_, b)| **b > 0.0) {
                    let at = old_origin + (key * CHUNK + index as i64) as f64 * old_step;
                    self.spread(op, (at, at + old_step), bytes);
                }
            }
        }
    }

    /// What a person should know about the logs: bytes that are in no step, and those that were there
    /// twice.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let step = self.step.unwrap_or_default();
        self.told.warnings(&self.targets, step)
    }

    /// The first step and the one behind the last; `None` where there is nothing.
    #[must_use]
    pub fn span(&self) -> Option<(i64, i64)> {
        let (start, end) = self.hull?;
        let (first, last) = (self.place(start).floor(), self.place(end).ceil());
        Some((first as i64, last.max(first + 1.0) as i64))
    }

    /// When a step begins, on the clock of the logs.
    #[must_use]
    pub fn time_of(&self, step: i64) -> f64 {
        self.origin + step as f64 * self.step.unwrap_or(1.0)
    }

    /// An instant as a number of steps since the origin.
    fn place(&self, at: f64) -> f64 {
        on_boundary((at - self.origin) / self.step.unwrap_or(1.0))
    }

    /// The steps that lie wholly between two instants: the first, and how many.
    #[must_use]
    pub fn steps_inside(&self, start: f64, end: f64) -> (i64, usize) {
        let (first, last) = (self.place(start).ceil(), self.place(end).floor());
        let sane = first.abs() < FARTHEST && last.abs() < FARTHEST && last > first;
        (first as i64, if sane { (last - first) as usize } else { 0 })
    }

    /// The bandwidth in bytes per second over `steps` from `first` on.
    #[must_use]
    pub fn rates(&self, first: i64, steps: usize, ops: &[Op]) -> Vec<f64> {
        let step = self.step.unwrap_or(1.0);
        let mut rates = vec![0.0; steps];
        let end = first.saturating_add_unsigned(steps as u64);
        let keys = first.div_euclid(CHUNK)..=end.div_euclid(CHUNK);
        for (key, chunk) in self.chunks.range(keys) {
            let (from, to) = (first.max(key * CHUNK), end.min((key + 1) * CHUNK));
            for at in from..to {
                let index = at.rem_euclid(CHUNK) as usize;
                let bytes: f64 = ops.iter().map(|&op| chunk.0[op as usize][index]).sum();
                rates[(at - first) as usize] = bytes / step;
            }
        }
        rates
    }

    /// Takes what was moved, but for what another log has said already.
    fn put(&mut self, moved: Moved) {
        let Some(step) = self.step else { return };
        let (start, end) = (moved.when.start().get(), moved.when.end().get());
        let bytes = moved.bytes.get();
        let index = moved.target.0 as usize;
        // Beyond 2⁵³ steps there are no single ones any more.
        let too_far = (end / step).abs().max((start / step).abs()) > FARTHEST;
        // Where nothing was moved, everybody knows when.
        let too_long = bytes > 0.0 && end - start > SPREAD * step && end - start > step + 1.0;
        if too_far || too_long {
            self.told.unplaced(index, bytes);
            return;
        }
        let (op, log) = (moved.op as usize, self.log);
        let coverage = &self.tracks[index].coverage[op];
        let Some(other) = coverage.other(start, end, log) else {
            return self.place_part(index, op, (start, end), bytes);
        };
        let left = coverage.left_by_others(start, end, log);
        if !self.targets[index].is_unique() {
            // Logs that do not name their servers may be of several: they are added up.
            self.told.nameless((index, op), [other, log], end - start);
            self.spread(op, (start, end), bytes);
            self.tracks[index].bytes[op] += bytes;
            for part in left {
                self.cover(index, op, part);
            }
            return;
        }
        let kept: f64 = left.iter().map(|(from, to)| to - from).sum();
        let share = |seconds: f64| match end > start {
            true => bytes * seconds / (end - start),
            false => bytes,
        };
        let twice = end - start - kept;
        self.told
            .twice((index, op), [other, log], twice, share(twice));
        for (from, to) in left {
            self.place_part(index, op, (from, to), share(to - from));
        }
    }

    fn place_part(&mut self, index: usize, op: usize, when: (f64, f64), bytes: f64) {
        self.spread(op, when, bytes);
        self.tracks[index].bytes[op] += bytes;
        self.cover(index, op, when);
    }

    fn cover(&mut self, index: usize, op: usize, (start, end): (f64, f64)) {
        let all = self.hull.get_or_insert((start, end));
        *all = (all.0.min(start), all.1.max(end));
        if end > start {
            let tolerance = JITTER * self.step.unwrap_or_default();
            self.tracks[index].coverage[op].add(start, end, self.log, tolerance);
        }
    }

    /// Spreads bytes evenly over the steps of an interval.
    fn spread(&mut self, op: usize, (start, end): (f64, f64), bytes: f64) {
        // Quiet is told by what is covered.
        if bytes <= 0.0 {
            return;
        }
        let (from, to) = (self.place(start), self.place(end));
        let mut put = |step: f64, bytes: f64| {
            let step = step as i64;
            let chunk = self.chunks.entry(step.div_euclid(CHUNK)).or_default();
            chunk.0[op][step.rem_euclid(CHUNK) as usize] += bytes;
        };
        if to <= from {
            put(from.floor(), bytes);
            return;
        }
        let mut at = from.floor();
        while at < to {
            let share = (to.min(at + 1.0) - from.max(at)).max(0.0);
            put(at, bytes * share / (to - from));
            at += 1.0;
        }
    }
}

impl ThroughputSink for Binned {
    fn target(&mut self, target: &Target) -> TargetId {
        if let Some(&known) = self.by_target.get(target) {
            return TargetId(known);
        }
        let index = u32::try_from(self.targets.len()).unwrap_or(u32::MAX);
        self.by_target.insert(target.clone(), index);
        self.targets.push(target.clone());
        self.tracks.push(Track::default());
        TargetId(index)
    }

    fn moved(&mut self, moved: Moved) -> io::Result<()> {
        if moved.target.0 as usize >= self.tracks.len() {
            let message = "a volume of a target that was not announced";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        if self.is_pace_known {
            self.put(moved);
        } else if self.waiting.take(moved) {
            self.finish();
        }
        Ok(())
    }
}

/// Whether intervals are too long for steps. Stamps of whole seconds are a second off at times.
fn is_coarse(length: f64, step: f64) -> bool {
    length > COARSE * step && length > step + 1.0
}

/// A number of steps; within a hundredth of a boundary it is on it. A log that stamps whole seconds, and
/// a clock that is late by a millisecond, must not leak into the next step.
pub(super) fn on_boundary(position: f64) -> f64 {
    let whole = position.round();
    if (position - whole).abs() < JITTER {
        whole
    } else {
        position
    }
}

#[cfg(test)]
#[path = "binned_tests.rs"]
mod tests;
