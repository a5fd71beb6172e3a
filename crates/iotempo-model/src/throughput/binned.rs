//! Months of a log as bytes per step of time, with what the log did not see.

use super::{Moved, Target, TargetId, ThroughputSink};
use crate::request::Op;
use crate::units::Seconds;
use std::collections::BTreeMap;
use std::io;

/// So many steps are kept together; where the log has nothing for that long, nothing is kept.
const CHUNK: i64 = 1024;

/// How many intervals are looked at before the step is chosen from them.
const LOOKED_AT: usize = 512;

/// A step that saw less than this share of what its neighbourhood sees is a hole in the log.
const SEEN: f32 = 0.9;

/// An interval longer than this many steps says how much was moved, and not when.
const COARSE: f64 = 1.5;

/// So many steps from the origin a time can still be told from the next one.
const FARTHEST: f64 = 1e15;

/// Bytes read and written per step of time, summed over the targets of any number of logs.
///
/// Memory follows what the logs cover, whatever their clocks say: a stamp from the year 2106 costs
/// one chunk.
#[derive(Debug, Default)]
pub struct Binned {
    step: Option<f64>,
    /// Where within a step the log's own intervals begin: bins that begin elsewhere would smear every
    /// interval over two of them.
    origin: f64,
    /// What came before the step was known.
    waiting: Vec<Moved>,
    chunks: BTreeMap<i64, Chunk>,
    targets: Vec<Target>,
    /// Bytes of intervals that are too coarse to say when.
    coarse_bytes: f64,
}

#[derive(Debug)]
struct Chunk {
    bytes: [Box<[f64]>; 2],
    /// How many targets were watched for the whole of each step.
    seen: [Box<[f32]>; 2],
}

impl Default for Chunk {
    fn default() -> Self {
        let zeros = || vec![0.0; CHUNK as usize].into_boxed_slice();
        let none = || vec![0.0; CHUNK as usize].into_boxed_slice();
        Self {
            bytes: [zeros(), zeros()],
            seen: [none(), none()],
        }
    }
}

/// A stretch that a log does not cover.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hole {
    /// The first step that is missing.
    pub first: i64,
    /// How many are.
    pub steps: i64,
}

impl Binned {
    /// Steps as long as most of the intervals that come in.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Steps of this length.
    #[must_use]
    pub fn with_step(step: Seconds) -> Self {
        Self {
            step: (step.get() > 0.0).then_some(step.get()),
            ..Self::default()
        }
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

    /// Bytes of intervals much longer than a step: they are in no step, since nobody knows when in
    /// such an interval they moved.
    #[must_use]
    pub fn coarse_bytes(&self) -> f64 {
        self.coarse_bytes
    }

    /// Takes in what waits: call it when the last log has been read.
    pub fn finish(&mut self) {
        if self.step.is_none() {
            self.step = usual_length(&self.waiting);
        }
        if self.chunks.is_empty()
            && let (Some(step), Some(first)) = (self.step, self.waiting.first())
        {
            let start = first.when.start().get();
            self.origin = start - (start / step).floor() * step;
        }
        for moved in std::mem::take(&mut self.waiting) {
            self.put(moved);
        }
    }

    /// The first step and the one behind the last; `None` where there is nothing.
    #[must_use]
    pub fn span(&self) -> Option<(i64, i64)> {
        let (&first, chunk) = self.chunks.first_key_value()?;
        let (&last, end) = self.chunks.last_key_value()?;
        let begin = (0..CHUNK).find(|&at| chunk.touched(at as usize))?;
        let end = (0..CHUNK).rev().find(|&at| end.touched(at as usize))?;
        Some((first * CHUNK + begin, last * CHUNK + end + 1))
    }

    /// When a step begins, on the clock of the logs.
    #[must_use]
    pub fn time_of(&self, step: i64) -> f64 {
        self.origin + step as f64 * self.step.unwrap_or(1.0)
    }

    /// The steps that lie wholly between two instants: the first, and how many.
    #[must_use]
    pub fn steps_inside(&self, start: f64, end: f64) -> (i64, usize) {
        let step = self.step.unwrap_or(1.0);
        let place = |at: f64| on_boundary((at - self.origin) / step);
        let (first, last) = (place(start).ceil(), place(end).floor());
        let sane = first.abs() < FARTHEST && last.abs() < FARTHEST && last > first;
        (first as i64, if sane { (last - first) as usize } else { 0 })
    }

    /// The bandwidth in bytes per second over `steps` from `first` on, and the holes in it: steps
    /// that were seen by fewer targets than is usual around them.
    #[must_use]
    pub fn bandwidth(&self, first: i64, steps: usize, ops: &[Op]) -> (Vec<f64>, Vec<Hole>) {
        let step = self.step.unwrap_or(1.0);
        let mut rates = vec![0.0; steps];
        let mut holes: Vec<Hole> = Vec::new();
        let mut at = first;
        let end = first.saturating_add_unsigned(steps as u64);
        while at < end {
            let (key, offset) = (at.div_euclid(CHUNK), at.rem_euclid(CHUNK));
            let run = (CHUNK - offset).min(end - at);
            let chunk = self.chunks.get(&key);
            let usual = ops
                .iter()
                .map(|&op| self.usual(key, op))
                .fold(0.0, f32::max);
            for index in offset..offset + run {
                let here = at + index - offset;
                let index = index as usize;
                let seen = chunk.map_or(0.0, |chunk| chunk.seen_by(ops, index));
                if let Some(chunk) = chunk {
                    let bytes: f64 = ops.iter().map(|&op| chunk.bytes[op as usize][index]).sum();
                    rates[(here - first) as usize] = bytes / step;
                }
                if seen == 0.0 || seen < SEEN * usual {
                    extend(&mut holes, here);
                }
            }
            at += run;
        }
        (rates, holes)
    }

    /// How many targets are usually seen around a chunk.
    fn usual(&self, key: i64, op: Op) -> f32 {
        let Some(chunk) = self.chunks.get(&key) else {
            return 0.0;
        };
        let mut seen: Vec<f32> = chunk.seen[op as usize]
            .iter()
            .copied()
            .filter(|&seen| seen > 0.0)
            .collect();
        if seen.is_empty() {
            return 0.0;
        }
        let middle = seen.len() / 2;
        *seen.select_nth_unstable_by(middle, f32::total_cmp).1
    }

    fn put(&mut self, moved: Moved) {
        let Some(step) = self.step else { return };
        let (start, end) = (moved.when.start().get(), moved.when.end().get());
        let length = end - start;
        // Stamps of whole seconds are a second off at times; beyond 2⁵³ steps there are no single
        // ones any more.
        let coarse = length > COARSE * step && length > step + 1.0;
        if coarse || (end / step).abs().max((start / step).abs()) > FARTHEST {
            self.coarse_bytes += moved.bytes.get();
            return;
        }
        let op = moved.op as usize;
        let place = |at: f64| on_boundary((at - self.origin) / step);
        let (from, to) = (place(start), place(end));
        if to <= from {
            let chunk = self
                .chunks
                .entry((from as i64).div_euclid(CHUNK))
                .or_default();
            chunk.bytes[op][(from as i64).rem_euclid(CHUNK) as usize] += moved.bytes.get();
            return;
        }
        let mut at = from.floor();
        while at < to {
            let share = (to.min(at + 1.0) - from.max(at)).max(0.0);
            let bin = at as i64;
            let chunk = self.chunks.entry(bin.div_euclid(CHUNK)).or_default();
            let index = bin.rem_euclid(CHUNK) as usize;
            chunk.bytes[op][index] += moved.bytes.get() * share / (to - from);
            chunk.seen[op][index] += share as f32;
            at += 1.0;
        }
    }
}

impl ThroughputSink for Binned {
    fn target(&mut self, target: &Target) -> TargetId {
        let known = self.targets.iter().position(|other| other == target);
        let index = known.unwrap_or_else(|| {
            self.targets.push(target.clone());
            self.targets.len() - 1
        });
        TargetId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    fn moved(&mut self, moved: Moved) -> io::Result<()> {
        if self.step.is_some() && !self.chunks.is_empty() {
            self.put(moved);
            return Ok(());
        }
        self.waiting.push(moved);
        if self.waiting.len() >= LOOKED_AT {
            self.finish();
        }
        Ok(())
    }
}

impl Chunk {
    fn touched(&self, index: usize) -> bool {
        self.seen.iter().any(|seen| seen[index] > 0.0)
            || self.bytes.iter().any(|bytes| bytes[index] > 0.0)
    }

    /// How many targets were seen at a step, by the direction that saw most.
    fn seen_by(&self, ops: &[Op], index: usize) -> f32 {
        let seen = ops.iter().map(|&op| self.seen[op as usize][index]);
        seen.fold(0.0, f32::max)
    }
}

/// A number of steps; within a hundredth of a boundary it is on it. A log that stamps whole seconds, and
/// a clock that is late by a millisecond, must not leak into the next step.
fn on_boundary(position: f64) -> f64 {
    let whole = position.round();
    if (position - whole).abs() < 0.01 {
        whole
    } else {
        position
    }
}

/// The length that most intervals have, to the millisecond.
fn usual_length(waiting: &[Moved]) -> Option<f64> {
    let length = |moved: &Moved| (moved.when.end() - moved.when.start()).get();
    let mut lengths: Vec<f64> = waiting.iter().map(length).filter(|&l| l > 0.0).collect();
    lengths.sort_by(f64::total_cmp);
    let middle = *lengths.get(lengths.len() / 2)?;
    // Clocks jitter around what they were told: 1.003 s is a second.
    let round = if middle >= 0.5 {
        middle.round()
    } else {
        middle
    };
    Some(if (middle - round).abs() < 0.05 * round {
        round
    } else {
        (middle * 1000.0).round().max(1.0) / 1000.0
    })
}

fn extend(holes: &mut Vec<Hole>, at: i64) {
    match holes.last_mut() {
        Some(hole) if hole.first + hole.steps == at => hole.steps += 1,
        _ => holes.push(Hole {
            first: at,
            steps: 1,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Interval;
    use crate::units::Bytes;

    fn moved(start: f64, end: f64, bytes: f64) -> Moved {
        let seconds = |at| Seconds::new(at).expect("finite");
        Moved {
            target: TargetId(0),
            op: Op::Write,
            when: Interval::new(seconds(start), seconds(end)).expect("forwards"),
            bytes: Bytes::new(bytes).expect("a volume"),
        }
    }

    fn binned(all: &[Moved]) -> Binned {
        let mut binned = Binned::new();
        for &moved in all {
            binned.moved(moved).expect("taken");
        }
        binned.finish();
        binned
    }

    #[test]
    fn the_step_is_the_logs_own() {
        let binned = binned(&[
            moved(0.0, 2.004, 10.0),
            moved(2.004, 4.001, 20.0),
            moved(4.001, 6.0, 30.0),
        ]);
        assert_eq!(binned.step(), Some(2.0));
        assert_eq!(binned.span(), Some((0, 3)));
        let (rates, holes) = binned.bandwidth(0, 3, &[Op::Write]);
        assert_eq!(rates, [5.0, 10.0, 15.0]);
        assert_eq!(holes, []);
    }

    #[test]
    fn what_no_target_saw_is_a_hole_and_what_was_quiet_is_not() {
        let mut all: Vec<_> = (0..10)
            .map(|at| moved(f64::from(at), f64::from(at) + 1.0, 0.0))
            .collect();
        all.drain(4..6);
        // A second target that is missing once.
        for at in (0..10).filter(|at| *at != 8) {
            all.push(moved(f64::from(at), f64::from(at) + 1.0, 7.0));
        }
        let binned = binned(&all);
        let (rates, holes) = binned.bandwidth(0, 10, &[Op::Write]);
        assert_eq!(rates[0], 7.0);
        let hole = |first, steps| Hole { first, steps };
        assert_eq!(holes, [hole(4, 2), hole(8, 1)]);
        let (_, none) = binned.bandwidth(-3, 2, &[Op::Write]);
        assert_eq!(none, [hole(-3, 2)]);
    }

    #[test]
    fn steps_begin_where_the_logs_intervals_do() {
        let at = |n: u32| 1000.7 + 2.0 * f64::from(n);
        let all: Vec<_> = (0..4)
            .map(|n| moved(at(n), at(n + 1), f64::from(n)))
            .collect();
        let binned = binned(&all);
        let (first, end) = binned.span().expect("something");
        assert_eq!(end - first, 4);
        assert!((binned.time_of(first) - 1000.7).abs() < 1e-9);
        let (rates, holes) = binned.bandwidth(first, 4, &[Op::Write]);
        assert_eq!((rates, holes), (vec![0.0, 0.5, 1.0, 1.5], vec![]));
        assert_eq!(binned.steps_inside(1001.0, 1008.0), (first + 1, 2));
        assert_eq!(binned.steps_inside(5.0, 1.0).1, 0);
    }

    #[test]
    fn a_wild_stamp_costs_one_chunk() {
        let mut all: Vec<_> = (0..600)
            .map(|at| moved(f64::from(at), f64::from(at) + 1.0, 1.0))
            .collect();
        all.push(moved(4e18, 4e18, 1.0));
        all.push(moved(9.1e15, 9.1e15 + 2.0, 1.0));
        all.push(moved(1e12, 1e12 + 1.0, 1.0));
        let binned = binned(&all);
        assert_eq!(binned.chunks.len(), 2);
        assert_eq!(binned.coarse_bytes(), 2.0);
    }

    #[test]
    fn bytes_that_span_a_gap_are_in_no_step() {
        let mut all: Vec<_> = (0..5)
            .map(|at| moved(f64::from(at), f64::from(at) + 1.0, 1.0))
            .collect();
        all.push(moved(5.0, 65.0, 600.0));
        let binned = binned(&all);
        assert_eq!(binned.coarse_bytes(), 600.0);
        assert_eq!(binned.span(), Some((0, 5)));
    }
}
