//! Follows one job.

mod continued;
mod ending;
mod looking;
mod words;

use super::accuracy::{Accuracy, Outcome};
use super::forecast::{Lateness, next_phase};
use super::history::History;
use super::intervals::Recent;
use super::known::{
    Known, PAUSE, SOME, deadline, explains, follows, is_alive, is_same, overdue_at,
};
use super::past::Past;
use super::prediction::Prediction;
use super::stretches::{self, Stretches};
use super::window::{Settings, Window};
use crate::period::{Rhythm, Verdict};
use iotempo_model::{Bytes, Interval, Origin, Seconds};
use std::collections::VecDeque;

/// Transfers that are remembered: 24 bytes each, and more of them where all of the past is asked for.
const TRANSFERS: usize = 1 << 13;
const ALL_TRANSFERS: usize = 1 << 16;

/// Data that flows without a pause is looked at all the same: after this many seconds, or, while nothing is
/// known, when this share of all is new, but not more often than so.
const LONG: f64 = 60.0;
const GROWN: f64 = 0.25;
const OFTEN: f64 = 2.0;

/// A rhythm is not told before it has lasted for so many seconds: requests within a phase are regular, too.
const LASTING: f64 = 1.0;

/// No look at a stretch of the past takes fewer samples, unless the source has fewer.
const FEWEST_SAMPLES: f64 = 1024.0;

/// A rhythm breaks off where nothing comes for so many of its periods.
const BREAK: f64 = 6.0;

/// Requests within a phase go on for no longer than this many times the longest phase so far.
const STRETCHED: f64 = 1.5;

/// What comes before a rhythm sets in was something else where it lasted for so many of its periods.
const SOMETHING: f64 = 4.0;

/// The last seconds are remembered in any case.
const AT_LEAST: f64 = 10.0;

/// Phases are no more than this share of a period away from where they are seen.
const SHARPENED: f64 = 0.05;

/// Follows one job: takes in what it moves, says what it will do next.
#[derive(Debug, Clone)]
pub struct Follower {
    settings: Settings,
    origin: Origin,
    history: History,
    /// The rhythm that was last believed.
    known: Option<Known>,
    /// Forecasts that were not judged yet, in order of time.
    pending: VecDeque<Known>,
    /// The same of a job that was said to have ended.
    aside: VecDeque<Known>,
    /// What is known repeats since then, and may have been something else before.
    since: Option<Seconds>,
    /// Where what was known ended, until something new is known.
    tail: Option<Seconds>,
    changed_at: Option<Seconds>,
    /// The period that was last believed.
    believed: Option<Seconds>,
    recent: Recent,
    accuracy: Accuracy,
    lateness: Lateness,
    number: u64,
    /// The end of the data at the last look, and whether more has come since.
    looked: Option<Seconds>,
    fresh: bool,
    /// Bytes that came since the last look, and what a phase had moved then that was not over.
    moved: f64,
    /// When the last transfer ended that was no trickle, and what trickled since.
    busy: Option<Seconds>,
    trickled: f64,
    /// When the first transfer began.
    began: Option<Seconds>,
    stretches: Stretches,
    /// What was last said of all that is known.
    verdict: Verdict,
    /// Transfers up to here are no news: another follower knew them.
    old: Option<Seconds>,
    /// It was said to have ended, and nothing has come since.
    ended: bool,
}

impl Follower {
    /// Follows a job of whose transfers the origin says how finely they are known.
    #[must_use]
    pub fn new(settings: Settings, origin: Origin) -> Self {
        Self {
            settings,
            origin,
            history: History::new(match settings.window {
                Window::All => ALL_TRANSFERS,
                Window::Periods(_) | Window::Last(_) => TRANSFERS,
            }),
            known: None,
            pending: VecDeque::new(),
            aside: VecDeque::new(),
            since: None,
            tail: None,
            believed: None,
            changed_at: None,
            recent: Recent::default(),
            accuracy: Accuracy::default(),
            lateness: Lateness::default(),
            number: 0,
            looked: None,
            fresh: false,
            moved: 0.0,
            busy: None,
            trickled: 0.0,
            began: None,
            stretches: Stretches::default(),
            verdict: Verdict::Empty,
            old: None,
            ended: false,
        }
    }

    /// Goes on where another follower ended. What that one knew is to be added again, before or after,
    /// and in any order.
    pub fn resume(&mut self, past: &Past) {
        self.number = past.number;
        self.changed_at = past.changed_at;
        self.accuracy = past.accuracy;
        self.ended = past.ended;
        for period in &past.periods {
            self.recent.push(*period);
        }
        self.believed = past.periods.iter().rev().flatten().next().copied();
        self.known = past.rhythm.map(Known::of);
        self.pending = self.known.into_iter().collect();
        self.looked = past.window.map(|window| window.end());
        self.old = past.known_until();
        if let Some(window) = past.window.filter(|_| self.known.is_some()) {
            self.history.forget_before(window.start());
        }
    }

    /// Takes note of how finely transfers are known.
    pub fn set_origin(&mut self, origin: Origin) {
        self.origin = origin;
    }

    /// Takes in a transfer. They may come in any order, but not long after what was believed at the
    /// time.
    pub fn add(&mut self, when: Interval, bytes: Bytes) {
        let new = self.old.is_none_or(|old| when.end() > old);
        if new {
            self.fresh |= bytes.get() > 0.0;
            self.moved += bytes.get();
            self.tell_trickle(when.end(), bytes);
            if self.ended && self.fresh {
                self.go_on(when.start());
            }
        }
        self.began.get_or_insert(when.start());
        self.history.add(when, bytes);
    }

    /// Takes note of when a phase was last at work.
    fn tell_trickle(&mut self, end: Seconds, bytes: Bytes) {
        self.trickled += bytes.get();
        let trickled = self.trickled;
        if self.known.is_none_or(|known| !known.is_trickle(trickled)) {
            self.trickled = 0.0;
            self.busy = Some(self.busy.filter(|busy| *busy > end).unwrap_or(end));
        }
    }

    /// Whether something was moved since the last prediction.
    #[must_use]
    pub fn has_news(&self) -> bool {
        self.fresh
    }

    /// What is remembered of the job takes so many bytes of memory.
    #[must_use]
    pub fn memory(&self) -> usize {
        let parts = [
            self.history.memory(),
            self.stretches.memory(),
            self.recent.memory(),
            self.lateness.memory(),
        ];
        let pending = self.pending.capacity() + self.aside.capacity();
        let pending = pending * size_of::<Known>();
        size_of::<Self>() + pending + parts.iter().sum::<usize>()
    }

    /// Whether a prediction would say something new: a phase has ended, a phase is late, or data has
    /// flowed for long without a pause.
    #[must_use]
    pub fn is_due(&self, now: Seconds) -> bool {
        if let Some(known) = &self.known {
            let came = self.has_come(known);
            let late = now > overdue_at(&known.forecast, known.period) && !known.overdue && !came;
            if late || now > known.deadline {
                return true;
            }
        }
        let Some(end) = self.history.end().filter(|_| self.fresh) else {
            return false;
        };
        let period = self.known.map(|known| known.period.get());
        let last = self.looked.or(self.began).unwrap_or(end);
        let span = self.span();
        if period.is_none() && (now - last).get() < stretches::pause(span) {
            return false;
        }
        let resolution = self.origin.resolution.map_or(0.0, Seconds::get);
        let flowed = (end - last).get();
        let (pause, rests) = match self.known {
            // Where something always flows, phases end all the same.
            Some(known) if known.is_complete(self.moved) => (known.pause(self.moved), self.busy),
            Some(known) if known.is_trickle(self.moved) => (f64::INFINITY, None),
            Some(known) => (known.pause(self.moved), None),
            None => (PAUSE * flowed, None),
        };
        (now - rests.unwrap_or(end)).get() >= pause.max(resolution)
            || flowed
                > period.map_or_else(|| (GROWN * span).clamp(OFTEN, LONG), |period| 2.0 * period)
    }

    /// Whether enough has come since the last look to be the phase that was expected.
    fn has_come(&self, known: &Known) -> bool {
        self.moved >= SOME * known.forecast.bytes.get()
    }

    /// Says what is expected now.
    pub fn predict(&mut self, now: Seconds) -> Prediction {
        self.number += 1;
        self.fresh = false;
        let moved = std::mem::take(&mut self.moved);
        self.looked = self.history.end();
        let Some(end) = self.looked else {
            return self.nothing(now, Verdict::Empty, None);
        };
        let now = if now < end { end } else { now };
        let Some(mut look) = self.look(end, now) else {
            return self.nothing(now, Verdict::Empty, None);
        };
        self.verdict = look.verdict;
        if self.settings.window != Window::All {
            let sample = look.window.length().get() / FEWEST_SAMPLES;
            for rhythm in &mut look.rhythms {
                let most = (2.0 * sample).max(SHARPENED * rhythm.period.value.get());
                self.history.sharpen(&mut rhythm.phases, sample, most);
            }
            if let Some(continued) = self.continued(&look.rhythms, now) {
                look.rhythms.insert(0, continued);
            }
        }
        let outcomes = self.judged(&look.rhythms, now);
        let alive = look.rhythms.iter().filter(|r| is_alive(r, now));
        let mut alive: Vec<&Rhythm> = alive.filter(|r| !self.is_texture(r)).collect();
        let all = alive.clone();
        alive.retain(|rhythm| !all.iter().any(|other| follows(other, rhythm)));
        let Some(rhythm) = alive.first().copied() else {
            // Who comes late to a job finds what was, and is not any more.
            let over = look.rhythms.first().map(|rhythm| rhythm.period.value);
            if self.number == 1 {
                self.believed = over.filter(|period| period.get() >= LASTING);
            }
            return self.without_rhythm(now, &look, outcomes);
        };
        if look.rhythms.iter().any(|other| follows(rhythm, other)) {
            self.tail = rhythm.phases.first().map(|first| first.start);
        }
        self.tail = look.sets_in.or(self.tail);
        self.believe(rhythm, moved, end, now);
        self.narrow(self.settings.window.start(&alive, end), rhythm);
        self.with_rhythm(now, &look, rhythm, outcomes)
    }

    /// Whether a rhythm that was not known before is that of requests within a phase: it has not lasted yet, or
    /// data broke off before, and it has not lasted longer than the pauses that followed, nor much longer than
    /// what was between them.
    fn is_texture(&self, rhythm: &Rhythm) -> bool {
        let known = self
            .known
            .is_some_and(|known| is_same(rhythm, known.period));
        let (Some(first), Some(last)) = (rhythm.phases.first(), rhythm.phases.last()) else {
            return false;
        };
        if known || self.settings.window == Window::All {
            return false;
        }
        let period = rhythm.period.value.get();
        if (last.start - first.start).get() < LASTING {
            return true;
        }
        self.history
            .interrupted(BREAK * period)
            .is_some_and(|interrupted| {
                let stretch = STRETCHED * interrupted.longest_stretch;
                let enough = interrupted.longest_pause.min(stretch);
                // One that was interrupted once, and is not as fast as requests, goes on.
                let phases = interrupted.times > 1
                    || (period < LASTING
                        && interrupted.longest_pause > interrupted.longest_stretch);
                phases && (last.start - interrupted.resumed).get() < enough
            })
    }

    /// What is known repeats since `start`: nothing before is looked at while it does. That is forgotten unless
    /// most of it was something else, which may repeat more slowly.
    fn narrow(&mut self, start: Option<Seconds>, rhythm: &Rhythm) {
        if self.settings.window == Window::All {
            self.since = None;
            return;
        }
        if let Some(start) = start {
            self.since = Some(self.since.filter(|since| *since > start).unwrap_or(start));
        }
        let bytes = self.history.bytes();
        if let Some(since) = self.since.filter(|_| explains(rhythm, bytes)) {
            // What seems to repeat may be requests within a phase, and the first one is not to be cut.
            let some =
                self.history.end().unwrap_or_default() - Seconds::new(AT_LEAST).unwrap_or_default();
            self.history
                .forget_before(if some < since { some } else { since });
        }
    }

    /// The length of what is remembered, in seconds.
    fn span(&self) -> f64 {
        let known = self.history.known();
        known.map_or(0.0, |known| known.length().get())
    }

    /// What came of forecasts whose phase is over, or will not come.
    fn judged(&mut self, rhythms: &[Rhythm], now: Seconds) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        let finest = self.origin.resolution.map_or(0.0, Seconds::get);
        while let Some(forecast) = self.pending.front() {
            let pause = forecast.between_bursts().max(finest);
            let bursts = self.history.bursts_after(forecast.last.end, pause);
            let Some(outcome) = forecast.outcome(rhythms, &bursts, finest, now) else {
                break;
            };
            self.accuracy.judge(&outcome, forecast.period);
            self.pending.pop_front();
            if let Some(late) = outcome.late_s {
                self.lateness.push(late);
            }
            outcomes.push(outcome);
        }
        outcomes
    }

    fn believe(&mut self, rhythm: &Rhythm, moved: f64, end: Seconds, now: Seconds) {
        let Some(last) = rhythm.phases.last() else {
            return;
        };
        if let Some(tail) = self.tail.take() {
            let whole = rhythm
                .phases
                .first()
                .is_some_and(|first| first.start < tail);
            if !whole {
                if self.was_something_else(tail, rhythm) {
                    self.changed_at = Some(tail);
                }
                self.since = Some(tail);
            }
        }
        let period = rhythm.period.value;
        if !self.believed.is_some_and(|old| is_same(rhythm, old)) {
            self.lateness.clear();
        }
        self.believed = Some(period);
        let mut forecast = next_phase(rhythm, last, 1, &self.lateness);
        // The newest phase may not count as one yet: what is expected is the one after it.
        let came = end > forecast.start.value && moved >= SOME * forecast.bytes.get();
        let mut before = *last;
        if came {
            let passed = (end - forecast.start.value).get() / period.get();
            let later = passed.floor() + 1.0;
            forecast = next_phase(rhythm, last, 1 + later as usize, &self.lateness);
            before.start = before.start + Seconds::new(period.get() * later).unwrap_or_default();
        }
        let known = Known {
            period,
            last: *last,
            forecast,
            deadline: deadline(period, rhythm.jitter, &before),
            overdue: !came && now > overdue_at(&forecast, period),
            confidence: rhythm.confidence,
            usual: rhythm.bytes_per_phase(),
        };
        self.moved = known.under_way(moved, end, now);
        self.known = Some(known);
        if self
            .pending
            .back()
            .is_none_or(|newest| newest.is_before(&before))
        {
            self.pending.push_back(Known {
                last: before,
                ..known
            });
        }
    }

    /// Whether what was before a rhythm set in was something that was told, or lasted.
    fn was_something_else(&self, tail: Seconds, rhythm: &Rhythm) -> bool {
        let before = self.began.map_or(0.0, |began| (tail - began).get());
        self.believed.is_some() || before > SOMETHING * rhythm.period.value.get()
    }
}
