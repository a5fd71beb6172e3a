//! A rhythm that is believed, and what follows from that.

use super::accuracy::Outcome;
use super::past::PastRhythm;
use super::prediction::NextPhase;
use crate::period::{Phase, Rhythm};
use iotempo_model::{Bytes, Seconds};

/// The first request of a phase ends within this share of the period after its beginning.
const LATE: f64 = 0.25;

/// A rhythm whose phase is late by this share of its period is over.
const OVER: f64 = 0.5;

/// Nothing moves for this share of a period: the phase is over.
pub(super) const PAUSE: f64 = 0.05;

/// A phase that has moved this share of what was expected is over at the first pause, which is this share
/// of its length.
const MOVED: f64 = 0.9;
const SHORT: f64 = 0.1;

/// A phase that has moved this share of what was expected is over at once: should more come after all, that
/// is told at its end.
const ALL: f64 = 0.98;

/// A phase that has moved this many times what was expected is unlike the others.
const MORE: f64 = 1.1;

/// What has moved less than this share of what was expected is a trickle beside the phases.
const TRICKLE: f64 = 0.02;

/// A rhythm whose usual phases hold less than this share of what was moved is beside the point.
const MOST: f64 = 0.75;

/// A phase that has moved this share of what was expected has come.
pub(super) const SOME: f64 = 0.1;

/// A rhythm is a slower one where its period is this many times as long, and its phases move this many times as much
/// as those that are known would in that time.
const SLOWER: f64 = 2.0;
const LARGER: f64 = 2.0;

/// What was believed after a look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub(super) period: Seconds,
    /// The phase that the forecast was made after.
    pub(super) last: Phase,
    pub(super) forecast: NextPhase,
    /// When the rhythm is over unless a phase comes.
    pub(super) deadline: Seconds,
    /// Whether somebody was told that the phase is late.
    pub(super) overdue: bool,
    /// How sure it is.
    pub(super) confidence: f64,
    /// What phases move in the mean.
    pub(super) usual: Bytes,
}

impl Known {
    /// As the last prediction of another follower tells.
    pub(super) fn of(past: PastRhythm) -> Self {
        let (period, next) = (past.period, past.next);
        let start = next.start.value - period;
        let last = Phase {
            start,
            end: start + next.length,
            bytes: next.bytes,
        };
        Self {
            period,
            last,
            forecast: next,
            deadline: deadline(period, past.jitter, &last),
            overdue: past.overdue,
            confidence: past.confidence,
            usual: next.bytes,
        }
    }

    /// Whether a phase came after the one that the forecast was made after.
    pub(super) fn is_before(&self, phase: &Phase) -> bool {
        (phase.start - self.last.start).get() > 0.5 * self.period.get()
    }

    /// For how many seconds nothing must move before a phase that moved so many bytes is over.
    pub(super) fn pause(&self, moved: f64) -> f64 {
        let (pause, expected) = (PAUSE * self.period.get(), self.forecast.bytes.get());
        if moved >= ALL * expected {
            0.0
        } else if moved >= MOVED * expected {
            pause.min(SHORT * self.forecast.length.get())
        } else {
            pause
        }
    }

    /// Whether so many bytes are no more than what may flow between phases.
    pub(super) fn is_trickle(&self, moved: f64) -> bool {
        moved < TRICKLE * self.forecast.bytes.get()
    }

    /// Whether nearly all of the phase that was expected has come.
    pub(super) fn is_complete(&self, moved: f64) -> bool {
        moved >= MOVED * self.forecast.bytes.get()
    }

    /// What a phase has moved that is not over yet, of which the last `moved` bytes came up to `end`: a
    /// look in its middle must not make the rest of it look like a small phase, whose end would be noticed
    /// late. The last phase of the rhythm may be this one; or it does not count as one yet.
    pub(super) fn under_way(&self, moved: f64, end: Seconds, now: Seconds) -> f64 {
        let pause = PAUSE * self.period.get();
        let moved = match (end - self.last.end).get() < pause {
            true => self.last.bytes.get(),
            false => moved,
        };
        let over = moved >= MOVED * self.forecast.bytes.get() || (now - end).get() >= pause;
        if over { 0.0 } else { moved }
    }

    /// What came of the forecast, where that can be told: by the rhythms that were seen, or, where it is none of
    /// these any more, by the `bursts` since. Where a phase ends is known to `finest` seconds.
    pub(super) fn outcome(
        &self,
        rhythms: &[Rhythm],
        bursts: &[Phase],
        finest: f64,
        now: Seconds,
    ) -> Option<Outcome> {
        let is_over = |phase: &Phase| {
            // A phase that moves more than was expected may go on to do so.
            let pause = match phase.bytes.get() > MORE * self.forecast.bytes.get() {
                true => self.pause(0.0),
                false => self.pause(phase.bytes.get()),
            };
            // Where a phase ends is known to a sample.
            (now - phase.end).get() >= (0.5 * pause).max(finest)
        };
        match self.came(rhythms, bursts) {
            Some(phase) => is_over(&phase).then(|| Outcome::of(&self.forecast, &phase)),
            None => (now > self.deadline).then(|| Outcome::missed(&self.forecast)),
        }
    }

    /// The phase that was expected: the first of the rhythm since; where that is gone, the burst that is nearest to
    /// where it was expected, or the first phase of what took its place.
    fn came(&self, rhythms: &[Rhythm], bursts: &[Phase]) -> Option<Phase> {
        let expected = self.forecast.bytes.get();
        let first = |phases: &mut dyn Iterator<Item = &Phase>| {
            let new = phases.filter(|phase| self.is_before(phase));
            new.min_by(|a, b| a.start.get().total_cmp(&b.start.get()))
                .copied()
        };
        let burst = self.nearest(bursts);
        if let Some(same) = rhythms.iter().find(|rhythm| is_same(rhythm, self.period)) {
            let phase = first(&mut same.phases.iter());
            // What came soon after it may have been taken for a part of it.
            let alone = |burst: &Phase| (MOVED..MORE).contains(&(burst.bytes.get() / expected));
            let merged = phase.is_none_or(|phase| phase.bytes.get() > MORE * expected);
            return burst.filter(|burst| merged && alone(burst)).or(phase);
        }
        burst.or_else(|| first(&mut rhythms.iter().flat_map(|rhythm| &rhythm.phases)))
    }

    /// The burst that is large enough and nearest to where the phase was expected.
    fn nearest(&self, bursts: &[Phase]) -> Option<Phase> {
        let large = |phase: &&Phase| phase.bytes.get() >= SOME * self.forecast.bytes.get();
        let off = |phase: &Phase| (phase.start - self.forecast.start.value).get().abs();
        bursts
            .iter()
            .filter(large)
            .filter(|burst| self.is_before(burst) && burst.start <= self.deadline)
            .min_by(|a, b| off(a).total_cmp(&off(b)))
            .copied()
    }

    /// Whether a rhythm is a slower one that moves more than this one would.
    pub(super) fn gives_way_to(&self, rhythm: &Rhythm) -> bool {
        let (period, bytes) = (self.period.get(), self.usual.get());
        // It may be some of the phases that are known, or several of them taken for one.
        let known = bytes * (1.0 + rhythm.phase_length().get() / period);
        let larger = rhythm.bytes_per_phase().get() > LARGER * known;
        larger && rhythm.period.value.get() > SLOWER * period
    }

    /// Nothing moves for so many seconds between two bursts.
    pub(super) fn between_bursts(&self) -> f64 {
        PAUSE * self.period.get()
    }
}

/// Whether a rhythm has the period that was known.
pub(super) fn is_same(rhythm: &Rhythm, period: Seconds) -> bool {
    pub(super) const NEAR: f64 = 0.15;
    (rhythm.period.value.get() / period.get() - 1.0).abs() < NEAR
}

/// Whether phases as a rhythm's usually are make up most of so many bytes. The lines of a log do not where
/// checkpoints came in between: more of the past is needed to see how these repeat.
pub(super) fn explains(rhythm: &Rhythm, bytes: f64) -> bool {
    let mut moved: Vec<f64> = rhythm
        .phases
        .iter()
        .map(|phase| phase.bytes.get())
        .collect();
    moved.sort_by(f64::total_cmp);
    let usual = moved.get(moved.len() / 2).copied().unwrap_or_default();
    usual * moved.len() as f64 >= MOST * bytes
}

/// Whether the next phase of a rhythm may still come. One that was skipped is no reason to doubt it, but where the
/// last two distances are longer, the phases have become rarer.
pub(super) fn is_alive(rhythm: &Rhythm, now: Seconds) -> bool {
    let Some(last) = rhythm.phases.last() else {
        return false;
    };
    let longer = |pair: &[Phase]| {
        (pair[1].start - pair[0].start).get() > (1.0 + OVER) * rhythm.period.value.get()
    };
    let rarer = match rhythm.phases.as_slice() {
        [.., a, b, c] => longer(&[*a, *b]) && longer(&[*b, *c]),
        _ => false,
    };
    !rarer && now <= deadline(rhythm.period.value, rhythm.jitter, last)
}

/// Whether a rhythm took the place of another: it sets in after the last phase of that one, and is no trickle
/// beside it.
pub(super) fn follows(rhythm: &Rhythm, other: &Rhythm) -> bool {
    let first = rhythm.phases.first().map(|phase| phase.start);
    let last = other.phases.last().map(|phase| phase.start);
    let as_large = rhythm.bytes_per_phase().get() > 0.5 * other.bytes_per_phase().get();
    as_large && first.zip(last).is_some_and(|(first, last)| first > last)
}

/// When a phase is late of which nothing was heard: its requests are heard of when they end.
pub(super) fn overdue_at(forecast: &NextPhase, period: Seconds) -> Seconds {
    let length = forecast.length.get().min(LATE * period.get());
    forecast.start.high + Seconds::new(length).unwrap_or_default()
}

/// When the phase after `last` is so late that it will not come.
pub(super) fn deadline(period: Seconds, jitter: Option<f64>, last: &Phase) -> Seconds {
    let period = period.get();
    let late = (OVER * period).max(4.0 * jitter.unwrap_or(0.0) * period);
    last.start + Seconds::new(period + late).unwrap_or_default()
}

/// The start of the phase after which, since `since`, none came for too long.
pub(super) fn before_gap(rhythm: &Rhythm, since: Seconds, now: Seconds) -> Option<Seconds> {
    let starts = rhythm.phases.iter().skip_while(|phase| phase.start < since);
    let mut starts = starts.peekable();
    while let Some(phase) = starts.next() {
        let next = starts.peek().map_or(now, |next| next.start);
        if next > deadline(rhythm.period.value, rhythm.jitter, phase) {
            return Some(phase.start);
        }
    }
    None
}
