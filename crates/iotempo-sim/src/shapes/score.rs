//! Rhythms played on top of each other, and what is true of the whole.

use crate::clock::{Ticks, seconds};
use crate::synthetic::{Recorder, Synthetic, covered};
use crate::truth::{TrueRhythm, TrueSegment, Truth};
use iotempo_analysis::period::Phase;
use iotempo_model::{Bytes, Op, Seconds};
use std::ops::Range;

/// One repetition: from, to.
pub(super) type Cycle = (Ticks, Ticks);

/// What repeats: bursts of some ranks at the end of each repetition.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) name: &'static str,
    pub(super) ranks: Range<u32>,
    pub(super) op: Op,
    /// Bytes per second of a rank.
    pub(super) rate: u64,
    /// How long before the end of the repetition a burst begins, and how long it lasts.
    pub(super) bursts: Vec<(Ticks, Ticks)>,
}

impl Part {
    /// A burst that ends with its repetition.
    pub(super) fn last(length: Ticks) -> (Ticks, Ticks) {
        (length, length)
    }

    /// The bursts of one repetition; what does not fit into it is cut off.
    fn bursts_in(&self, cycle: Cycle) -> Vec<(Ticks, Ticks)> {
        let place = |&(before, length): &(Ticks, Ticks)| {
            let start = cycle.1.saturating_sub(before).max(cycle.0);
            (start, (start + length).min(cycle.1))
        };
        self.bursts.iter().map(place).collect()
    }
}

/// A run being put together from rhythms.
#[derive(Debug, Default)]
pub(super) struct Score {
    recorder: Recorder,
    active: Vec<(Ticks, Ticks)>,
    rhythms: Vec<TrueRhythm>,
    segments: Vec<(Ticks, Ticks)>,
    end: Ticks,
}

/// The volume that a rate moves between two times.
fn volume(when: (Ticks, Ticks), rate: u64) -> u64 {
    (u128::from(when.1 - when.0) * u128::from(rate) / 1_000_000_000) as u64
}

impl Score {
    /// Plays a part in each of its repetitions. Parts of one name are one rhythm.
    pub(super) fn play(&mut self, part: &Part, cycles: &[Cycle]) {
        let mut periods = Vec::new();
        let mut phases = Vec::new();
        for &cycle in cycles {
            let bursts = part.bursts_in(cycle);
            let mut bytes = 0;
            for &when in &bursts {
                bytes += self.burst(part, when);
            }
            periods.push(seconds(cycle.1 - cycle.0));
            phases.push(Phase {
                start: seconds(bursts.iter().map(|b| b.0).min().unwrap_or(cycle.0)),
                end: seconds(bursts.iter().map(|b| b.1).max().unwrap_or(cycle.1)),
                bytes: Bytes::from(bytes),
            });
            self.end = self.end.max(cycle.1);
        }
        self.add(part.name, periods, phases);
    }

    fn add(&mut self, name: &'static str, periods: Vec<Seconds>, phases: Vec<Phase>) {
        if phases.is_empty() {
            return;
        }
        if let Some(known) = self.rhythms.iter_mut().find(|rhythm| rhythm.name == name) {
            known.periods.extend(periods);
            known.phases.extend(phases);
            return;
        }
        self.rhythms.push(TrueRhythm {
            name,
            periods,
            phases,
        });
    }

    /// A burst of all ranks of a part; gives its volume.
    fn burst(&mut self, part: &Part, when: (Ticks, Ticks)) -> u64 {
        let bytes = volume(when, part.rate);
        for rank in part.ranks.clone() {
            let file = self.recorder.file(&format!("{}.{rank}", part.name));
            self.recorder.take(rank, part.op, file, when, bytes);
        }
        self.active.push(when);
        bytes * part.ranks.len() as u64
    }

    /// A phase that does not repeat.
    pub(super) fn write_once(
        &mut self,
        name: &'static str,
        ranks: u32,
        when: (Ticks, Ticks),
        rate: u64,
    ) {
        let part = Part {
            name,
            ranks: 0..ranks,
            op: Op::Write,
            rate,
            bursts: Vec::new(),
        };
        self.burst(&part, when);
        self.end = self.end.max(when.1);
    }

    /// What another process moves: it is no part of any rhythm.
    pub(super) fn noise(&mut self, rank: u32, when: (Ticks, Ticks), rate: u64) {
        let file = self.recorder.file("background");
        self.recorder.write(rank, file, when, volume(when, rate));
    }

    /// A rhythm that the phases of another one make together, a repetition at a time.
    pub(super) fn gather(&mut self, name: &'static str, of: &'static str, cycles: &[Cycle]) {
        let Some(parts) = self.rhythms.iter().find(|rhythm| rhythm.name == of) else {
            return;
        };
        let mut periods = Vec::new();
        let mut phases = Vec::new();
        let mut rest = parts.phases.iter().peekable();
        for &(start, end) in cycles {
            let inside = std::iter::from_fn(|| rest.next_if(|phase| phase.start < seconds(end)));
            phases.extend(inside.copied().reduce(|whole, next| Phase {
                start: whole.start,
                end: next.end,
                bytes: whole.bytes + next.bytes,
            }));
            periods.push(seconds(end - start));
            self.end = self.end.max(end);
        }
        // The longer rhythm comes first: both move the same bytes.
        self.rhythms.insert(
            0,
            TrueRhythm {
                name,
                periods,
                phases,
            },
        );
    }

    /// The whole run behaves alike.
    pub(super) fn one_segment(&mut self) {
        self.segments_at(&[]);
    }

    /// The run changes its behaviour at these times.
    pub(super) fn segments_at(&mut self, changes: &[Ticks]) {
        let mut from = 0;
        for &to in changes.iter().chain([&self.end]) {
            if to > from {
                self.segments.push((from, to));
                from = to;
            }
        }
    }

    pub(super) fn finish(mut self) -> Synthetic {
        self.rhythms
            .sort_by(|a, b| b.bytes().get().total_cmp(&a.bytes().get()));
        let truth = Truth {
            span: seconds(self.end),
            segments: self.true_segments(),
            active_fraction: covered(std::mem::take(&mut self.active), self.end),
            rhythms: self.rhythms,
        };
        self.recorder.finish(truth)
    }

    fn true_segments(&self) -> Vec<TrueSegment> {
        self.segments
            .iter()
            .map(|&(start, end)| {
                let (start, end) = (seconds(start), seconds(end));
                TrueSegment {
                    start,
                    end,
                    period: self.period_between(start, end),
                }
            })
            .collect()
    }

    /// The mean period of the rhythm that moves most data between two times.
    fn period_between(&self, start: Seconds, end: Seconds) -> Option<Seconds> {
        let parts = self.rhythms.iter().map(|rhythm| {
            let inside = |phase: &Phase| phase.start >= start && phase.end <= end;
            let (periods, phases) = rhythm
                .periods
                .iter()
                .zip(&rhythm.phases)
                .filter(|(_, phase)| inside(phase))
                .unzip();
            TrueRhythm {
                name: rhythm.name,
                periods,
                phases,
            }
        });
        // The first of equals is the longer rhythm.
        let most = parts.reduce(|a, b| if b.bytes() > a.bytes() { b } else { a });
        most.and_then(|rhythm| rhythm.mean_period())
    }
}
