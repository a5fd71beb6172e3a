//! Follows one job.

mod ending;

use super::accuracy::{Accuracy, Outcome};
use super::history::History;
use super::intervals::Recent;
use super::known::{
    Known, PAUSE, SOME, before_gap, deadline, is_alive, is_same, next_phase, overdue_at,
};
use super::look::{Eyes, Look};
use super::past::Past;
use super::prediction::{Prediction, State};
use super::stretches::{self, Stretches};
use super::window::{Settings, Window};
use crate::period::{Rhythm, Verdict};
use iotempo_model::{Bytes, Interval, Origin, Seconds};
use std::collections::VecDeque;

/// Samples that one look takes at the most, unless all of the past is to be looked at as an analysis
/// after the run would.
const SAMPLES: usize = 1 << 12;

/// The same of a look at a stretch of the past: there are some of them, and each has few periods.
const FEWER_SAMPLES: usize = 1 << 10;

/// Transfers that are remembered: 24 bytes each, and more of them where all of the past is asked for.
const TRANSFERS: usize = 1 << 13;
const ALL_TRANSFERS: usize = 1 << 16;

/// Data that flows without a pause is looked at all the same: after this many seconds, or, while nothing is
/// known, when this share of all is new, but not more often than so.
const LONG: f64 = 60.0;
const GROWN: f64 = 0.25;
const OFTEN: f64 = 2.0;

/// What is looked at after a change begins this share of a period before the last phase that was on time.
const MARGIN: f64 = 0.05;

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
    /// Where what was known ended, until something new is known.
    tail: Option<Seconds>,
    changed_at: Option<Seconds>,
    /// The period that was last believed.
    believed: Option<Seconds>,
    recent: Recent,
    accuracy: Accuracy,
    number: u64,
    /// The end of the data at the last look, and whether more has come since.
    looked: Option<Seconds>,
    fresh: bool,
    /// Bytes that came since the last look, and what a phase had moved then that was not over.
    moved: f64,
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
            tail: None,
            believed: None,
            changed_at: None,
            recent: Recent::default(),
            accuracy: Accuracy::default(),
            number: 0,
            looked: None,
            fresh: false,
            moved: 0.0,
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
            if self.ended && self.fresh {
                self.go_on(when.start());
            }
        }
        self.began.get_or_insert(when.start());
        self.history.add(when, bytes);
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
        let pause = match self.known {
            Some(known) => known.pause(self.moved),
            None => PAUSE * flowed,
        };
        (now - end).get() >= pause.max(resolution)
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
        let Some(look) = self.look(end, now) else {
            return self.nothing(now, Verdict::Empty, None);
        };
        let outcome = self.judged(&look.rhythms, now);
        let alive = look.rhythms.iter().filter(|r| is_alive(r, now));
        let alive: Vec<&Rhythm> = alive.collect();
        let Some(rhythm) = alive.first().copied() else {
            return self.without_rhythm(now, &look, outcome);
        };
        self.believe(rhythm, moved, end, now);
        if let Some(start) = self.settings.window.start(&alive, end) {
            self.history.forget_before(start);
        }
        self.with_rhythm(now, &look, rhythm, outcome)
    }

    /// The length of what is remembered, in seconds.
    fn span(&self) -> f64 {
        let known = self.history.known();
        known.map_or(0.0, |known| known.length().get())
    }

    /// Looks at what is remembered while that repeats or did until now, else at what may repeat in it.
    fn look(&mut self, end: Seconds, now: Seconds) -> Option<Look> {
        let known = self.history.known()?;
        self.forget_old_change(known);
        if self.known.is_none() && self.tail.is_none() {
            return self.search(known, now);
        }
        let bandwidth = self.history.bandwidth();
        let all = self.eyes().seen(&bandwidth, None, SAMPLES)?;
        self.notice_change(&all.rhythms, now);
        let Some(tail) = self.tail else {
            return Some(all);
        };
        let after = Interval::new(tail, end).ok();
        let after = after.and_then(|window| self.eyes().seen(&bandwidth, Some(window), SAMPLES));
        let after = after.filter(|look| look.repeats(now));
        Some(
            after
                .or_else(|| self.resumed(tail, end, now))
                .unwrap_or(all),
        )
    }

    /// Looks at what came after the longest pause since a change: a job that goes on as before after a pause
    /// has the last phase before it in the way. Few phases are enough for what was known before.
    fn resumed(&mut self, tail: Seconds, end: Seconds, now: Seconds) -> Option<Look> {
        let start = self.history.resumed_after(tail)?;
        let window = Interval::new(start, end).ok()?;
        let bandwidth = self.history.bandwidth_after(start);
        let look = self.eyes().seen(&bandwidth, Some(window), FEWER_SAMPLES)?;
        let as_before = |rhythm: &Rhythm| {
            is_alive(rhythm, now) && self.believed.is_some_and(|period| is_same(rhythm, period))
        };
        let goes_on = look.rhythms.iter().any(as_before);
        (goes_on || look.is_sure(now)).then(|| {
            self.tail = Some(start);
            look
        })
    }

    /// A change that is longer ago than what is known of the time before it is none any more.
    fn forget_old_change(&mut self, known: Interval) {
        let Some(tail) = self.tail.filter(|_| self.known.is_none()) else {
            return;
        };
        if 2.0 * (known.end() - tail).get() > known.length().get() {
            self.tail = None;
            self.changed_at = Some(tail);
            self.history.forget_before(tail);
        }
    }

    /// Looks for a rhythm where none is known: in all that is remembered, and in the last stretches.
    fn search(&mut self, known: Interval, now: Seconds) -> Option<Look> {
        let whole = self.settings.window == Window::All;
        let due = self.stretches.due(known);
        let due = if whole { Vec::new() } else { due };
        if self.stretches.all_is_due(known) || due.is_empty() {
            let all = self.eyes().seen(&self.history.bandwidth(), None, SAMPLES)?;
            self.verdict = all.verdict;
            if all.repeats(now) {
                return Some(all);
            }
            let resumed = if whole {
                None
            } else {
                self.resumed(known.start(), known.end(), now)
            };
            if resumed.is_some() {
                return resumed;
            }
            if due.is_empty() {
                return Some(all);
            }
        }
        for window in due {
            let bandwidth = self.history.bandwidth_after(window.start());
            let look = self.eyes().seen(&bandwidth, Some(window), FEWER_SAMPLES);
            if let Some(look) = look.filter(|look| look.is_sure(now)) {
                self.tail = look.rhythms[0].phases.first().map(|phase| phase.start);
                return Some(look);
            }
        }
        Some(Look {
            window: known,
            verdict: self.verdict,
            rhythms: Vec::new(),
        })
    }

    fn eyes(&self) -> Eyes<'_> {
        Eyes {
            settings: &self.settings,
            origin: &self.origin,
            forgetful: self.history.has_forgotten(),
        }
    }

    /// A phase that was due and did not come is where a change may have begun.
    fn notice_change(&mut self, rhythms: &[Rhythm], now: Seconds) {
        let Some(known) = &self.known else {
            return;
        };
        let same = rhythms.iter().find(|rhythm| is_same(rhythm, known.period));
        let last = match same {
            None => Some(known.last.start),
            Some(rhythm) => before_gap(rhythm, known.last.start, now),
        };
        if let (Some(last), None) = (last, self.tail) {
            // Where a phase begins is known to a sample.
            let margin = Seconds::new(MARGIN * known.period.get());
            self.tail = Some(last - margin.unwrap_or_default());
        }
    }

    /// What came of the last forecast whose phase is over, or will not come.
    fn judged(&mut self, rhythms: &[Rhythm], now: Seconds) -> Option<Outcome> {
        let mut last = None;
        while let Some(forecast) = self.pending.front() {
            let Some(outcome) = forecast.outcome(rhythms, now) else {
                break;
            };
            self.accuracy.judge(&outcome, forecast.period);
            self.pending.pop_front();
            last = Some(outcome);
        }
        last
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
                self.changed_at = Some(tail);
                self.history.forget_before(tail);
            }
        }
        let period = rhythm.period.value;
        self.believed = Some(period);
        let mut forecast = next_phase(rhythm, last);
        // The newest phase may not count as one yet: what is expected is the one after it.
        let came = end > forecast.start.value && moved >= SOME * forecast.bytes.get();
        if came && (now - end).get() >= PAUSE * period.get() {
            forecast.start = forecast.start.later(period);
        }
        let known = Known {
            period,
            last: *last,
            forecast,
            deadline: deadline(period, rhythm.jitter, last),
            overdue: !came && now > overdue_at(&forecast, period),
        };
        self.moved = known.under_way(moved, end, now);
        self.known = Some(known);
        if self
            .pending
            .back()
            .is_none_or(|newest| newest.is_before(last))
        {
            self.pending.push_back(known);
        }
    }

    fn with_rhythm(
        &mut self,
        now: Seconds,
        look: &Look,
        rhythm: &Rhythm,
        outcome: Option<Outcome>,
    ) -> Prediction {
        self.recent.push(Some(rhythm.period.value));
        let overdue = self.known.is_some_and(|known| known.overdue);
        Prediction {
            number: self.number,
            at: now,
            state: if overdue {
                State::Overdue
            } else {
                State::Periodic
            },
            verdict: look.verdict,
            period: Some(rhythm.period),
            confidence: rhythm.confidence,
            jitter: rhythm.jitter,
            next: self.known.map(|known| known.forecast),
            window: Some(look.window),
            phases: rhythm.phases.len(),
            past: rhythm.phases.clone(),
            changed_at: self.changed_at,
            intervals: self.recent.intervals(),
            outcome,
            accuracy: self.accuracy,
        }
    }

    fn without_rhythm(
        &mut self,
        now: Seconds,
        look: &Look,
        outcome: Option<Outcome>,
    ) -> Prediction {
        self.known = None;
        let nothing = self.nothing(now, look.verdict, Some(look.window));
        Prediction { outcome, ..nothing }
    }

    fn nothing(&mut self, now: Seconds, verdict: Verdict, window: Option<Interval>) -> Prediction {
        self.recent.push(None);
        let state = match verdict {
            _ if self.tail.is_some() => State::Changed,
            // It did, until some time ago; within the first burst, nobody was told so.
            Verdict::Periodic if self.believed.is_some() => State::Changed,
            Verdict::Periodic => State::Learning,
            _ if self.number < 4 => State::Learning,
            Verdict::Empty | Verdict::SinglePhase | Verdict::TooFewPhases => State::Learning,
            _ => State::NotPeriodic,
        };
        Prediction {
            number: self.number,
            at: now,
            state,
            verdict,
            period: None,
            confidence: 0.0,
            jitter: None,
            next: None,
            window,
            phases: 0,
            past: Vec::new(),
            changed_at: self.changed_at,
            intervals: self.recent.intervals(),
            outcome: None,
            accuracy: self.accuracy,
        }
    }
}
