//! Follows one job.

use super::accuracy::{Accuracy, Outcome};
use super::history::History;
use super::intervals::Recent;
use super::past::{Past, PastRhythm};
use super::prediction::{NextPhase, Prediction, State};
use super::stretches::{self, Stretches};
use super::window::{Settings, Window};
use crate::period::{Estimate, Phase, Rhythm, Verdict};
use crate::sampling;
use iotempo_model::{Bandwidth, Bytes, Interval, Origin, Seconds, Signal};
use std::collections::VecDeque;

/// Samples that one look takes at the most, unless all of the past is to be looked at as an analysis
/// after the run would.
const SAMPLES: usize = 1 << 12;

/// The same of a look at a stretch of the past: there are some of them, and each has few periods.
const FEWER_SAMPLES: usize = 1 << 10;

/// Transfers that are remembered: 24 bytes each, and more of them where all of the past is asked for.
const TRANSFERS: usize = 1 << 13;
const ALL_TRANSFERS: usize = 1 << 16;

/// A rhythm in a stretch of the past is believed with so many phases, and so surely: of many stretches,
/// one is regular by chance. In ten hours of random bursts that is once or twice at 0.95, and five times
/// at 0.9.
const PHASES: usize = 5;
const SURELY: f64 = 0.95;

/// The first request of a phase ends within this share of the period after its beginning.
const LATE: f64 = 0.25;

/// A rhythm whose phase is late by this share of its period is over.
const OVER: f64 = 0.5;

/// Data that flows without a pause is looked at all the same: after this many seconds, or, while nothing is
/// known, when this share of all is new, but not more often than so.
const LONG: f64 = 60.0;
const GROWN: f64 = 0.25;
const OFTEN: f64 = 2.0;

/// Nothing moves for this share of a period: the phase is over.
const PAUSE: f64 = 0.05;

/// A phase that has moved this share of what was expected is over at the first pause, which is this share
/// of its length.
const MOVED: f64 = 0.9;
const SHORT: f64 = 0.1;

/// A phase that has moved this share of what was expected has come.
const SOME: f64 = 0.1;

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
    /// Where what was known ended, until something new is known.
    tail: Option<Seconds>,
    changed_at: Option<Seconds>,
    recent: Recent,
    accuracy: Accuracy,
    number: u64,
    /// The end of the data at the last look, and whether more has come since.
    looked: Option<Seconds>,
    fresh: bool,
    /// Bytes that came since the last look.
    moved: f64,
    /// When the first transfer began.
    began: Option<Seconds>,
    stretches: Stretches,
    /// What was last said of all that is known.
    verdict: Verdict,
    /// Transfers up to here are no news: another follower knew them.
    old: Option<Seconds>,
}

/// What was believed after a look.
#[derive(Debug, Clone, Copy)]
struct Known {
    period: Seconds,
    /// The phase that the forecast was made after.
    last: Phase,
    forecast: NextPhase,
    /// When the rhythm is over unless a phase comes.
    deadline: Seconds,
    /// Whether somebody was told that the phase is late.
    overdue: bool,
}

impl Known {
    /// As the last prediction of another follower tells.
    fn of(past: PastRhythm) -> Self {
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
        }
    }

    /// Whether a phase came after the one that the forecast was made after.
    fn is_before(&self, phase: &Phase) -> bool {
        (phase.start - self.last.start).get() > 0.5 * self.period.get()
    }

    /// For how many seconds nothing must move before a phase that moved so many bytes is over.
    fn pause(&self, moved: f64) -> f64 {
        let pause = PAUSE * self.period.get();
        if moved >= MOVED * self.forecast.bytes.get() {
            pause.min(SHORT * self.forecast.length.get())
        } else {
            pause
        }
    }

    fn outcome(&self, rhythms: &[Rhythm], now: Seconds) -> Option<Outcome> {
        let is_over = |phase: &Phase| {
            // Where a phase ends is known to a sample.
            (now - phase.end).get() >= 0.5 * self.pause(phase.bytes.get())
        };
        match self.came(rhythms) {
            Some(phase) => is_over(&phase).then(|| Outcome::of(&self.forecast, &phase)),
            None => (now > self.deadline).then(|| Outcome::missed(&self.forecast)),
        }
    }

    /// The phase that was expected: the first of the rhythm since, or of any that took its place.
    fn came(&self, rhythms: &[Rhythm]) -> Option<Phase> {
        let same = rhythms.iter().find(|rhythm| is_same(rhythm, self.period));
        let rhythms = same.map_or(rhythms, std::slice::from_ref);
        let phases = rhythms.iter().flat_map(|rhythm| &rhythm.phases);
        let new = phases.filter(|phase| self.is_before(phase));
        new.min_by(|a, b| a.start.get().total_cmp(&b.start.get()))
            .copied()
    }
}

/// What was seen in a window.
struct Look {
    window: Interval,
    verdict: Verdict,
    rhythms: Vec<Rhythm>,
}

impl Look {
    fn repeats(&self, now: Seconds) -> bool {
        self.rhythms.iter().any(|rhythm| is_alive(rhythm, now))
    }
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
            tail: None,
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
        }
    }

    /// Goes on where another follower ended. What that one knew is to be added again, before or after,
    /// and in any order.
    pub fn resume(&mut self, past: &Past) {
        self.number = past.number;
        self.changed_at = past.changed_at;
        self.accuracy = past.accuracy;
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
        let pending = self.pending.capacity() * size_of::<Known>();
        size_of::<Self>() + pending + parts.iter().sum::<usize>()
    }

    /// Whether a prediction would say something new: a phase has ended, a phase is late, or data has
    /// flowed for long without a pause.
    #[must_use]
    pub fn is_due(&self, now: Seconds) -> bool {
        if let Some(known) = &self.known {
            let came = self.moved >= SOME * known.forecast.bytes.get();
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
        let span = self
            .history
            .known()
            .map_or(0.0, |known| known.length().get());
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

    /// Says what is expected now.
    pub fn predict(&mut self, now: Seconds) -> Prediction {
        self.number += 1;
        self.fresh = false;
        self.moved = 0.0;
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
        self.believe(rhythm, now);
        if let Some(start) = self.settings.window.start(&alive, end) {
            self.history.forget_before(start);
        }
        self.with_rhythm(now, &look, rhythm, outcome)
    }

    /// Looks at what is remembered while that repeats or did until now, else at what may repeat in it.
    fn look(&mut self, end: Seconds, now: Seconds) -> Option<Look> {
        let known = self.history.known()?;
        self.forget_old_change(known);
        if self.known.is_none() && self.tail.is_none() {
            return self.search(known, now);
        }
        let bandwidth = self.history.bandwidth();
        let all = self.seen(&bandwidth, None, SAMPLES)?;
        self.notice_change(&all.rhythms, now);
        let Some(tail) = self.tail else {
            return Some(all);
        };
        let after = Interval::new(tail, end).ok();
        let after = after.and_then(|window| self.seen(&bandwidth, Some(window), SAMPLES));
        Some(after.filter(|look| look.repeats(now)).unwrap_or(all))
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
            let all = self.seen(&self.history.bandwidth(), None, SAMPLES)?;
            self.verdict = all.verdict;
            if all.repeats(now) || due.is_empty() {
                return Some(all);
            }
        }
        for window in due {
            let bandwidth = self.history.bandwidth_after(window.start());
            let look = self.seen(&bandwidth, Some(window), FEWER_SAMPLES);
            if let Some(look) = look.filter(|look| is_sure(look, now)) {
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

    fn seen(&self, bandwidth: &Bandwidth, part: Option<Interval>, most: usize) -> Option<Look> {
        let window = sampling::window(bandwidth, None, part)?;
        let signal = self.sampled(bandwidth, window, most)?;
        let finding = self.settings.detector.detect(&signal);
        Some(Look {
            window,
            verdict: finding.verdict,
            rhythms: finding.rhythms,
        })
    }

    /// As an analysis after the run would see it where all is asked for, until something was forgotten or
    /// that takes too many samples; else in a few.
    fn sampled(&self, bandwidth: &Bandwidth, window: Interval, most: usize) -> Option<Signal> {
        let length = window.length().get();
        let whole = self.settings.window == Window::All && !self.history.has_forgotten();
        let most = if whole { sampling::STEPS } else { most } as f64;
        let own = self.origin.resolution.map(Seconds::get);
        if own.map_or(whole, |step| length / step <= most) {
            let origin = Origin {
                observed: Some(window),
                ..self.origin.clone()
            };
            return sampling::as_recorded(bandwidth, &origin, window).ok();
        }
        let step = match own.filter(|step| *step > 0.0) {
            Some(own) => own * (length / most / own).ceil(),
            None => sampling::own_step(bandwidth, window)
                .map_or(0.0, Seconds::get)
                .max(length / most),
        };
        bandwidth
            .sample_window(window.start(), window.end(), Seconds::new(step)?)
            .ok()
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

    fn believe(&mut self, rhythm: &Rhythm, now: Seconds) {
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
        let forecast = next_phase(rhythm, last);
        let known = Known {
            period: rhythm.period.value,
            last: *last,
            forecast,
            deadline: deadline(rhythm.period.value, rhythm.jitter, last),
            overdue: now > overdue_at(&forecast, rhythm.period.value),
        };
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

/// Whether a rhythm has the period that was known.
fn is_same(rhythm: &Rhythm, period: Seconds) -> bool {
    const NEAR: f64 = 0.15;
    (rhythm.period.value.get() / period.get() - 1.0).abs() < NEAR
}

/// Whether the next phase of a rhythm may still come.
fn is_alive(rhythm: &Rhythm, now: Seconds) -> bool {
    rhythm
        .phases
        .last()
        .is_some_and(|last| now <= deadline(rhythm.period.value, rhythm.jitter, last))
}

/// Whether what is alive was seen often and surely enough.
fn is_sure(look: &Look, now: Seconds) -> bool {
    let alive = look.rhythms.iter().find(|rhythm| is_alive(rhythm, now));
    alive.is_some_and(|rhythm| rhythm.phases.len() >= PHASES && rhythm.confidence >= SURELY)
}

/// When a phase is late of which nothing was heard: its requests are heard of when they end.
fn overdue_at(forecast: &NextPhase, period: Seconds) -> Seconds {
    let length = forecast.length.get().min(LATE * period.get());
    forecast.start.high + Seconds::new(length).unwrap_or_default()
}

/// When the phase after `last` is so late that it will not come.
fn deadline(period: Seconds, jitter: Option<f64>, last: &Phase) -> Seconds {
    let period = period.get();
    let late = (OVER * period).max(4.0 * jitter.unwrap_or(0.0) * period);
    last.start + Seconds::new(period + late).unwrap_or_default()
}

/// The start of the phase after which, since `since`, none came for too long.
fn before_gap(rhythm: &Rhythm, since: Seconds, now: Seconds) -> Option<Seconds> {
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

/// The phase after the last: like the others, a period later.
fn next_phase(rhythm: &Rhythm, last: &Phase) -> NextPhase {
    let period = rhythm.period;
    let spread = 2.0 * rhythm.jitter.unwrap_or(0.0) * period.value.get();
    let error = (period.high.get() - period.value.get()).hypot(spread);
    let start = last.start.get() + period.value.get();
    let seconds = |value: f64| Seconds::new(value).unwrap_or_default();
    // The last phase may still be going on.
    let whole = &rhythm.phases[..rhythm.phases.len().saturating_sub(1).max(1)];
    let mean = |of: fn(&Phase) -> f64| whole.iter().map(of).sum::<f64>() / whole.len() as f64;
    NextPhase {
        start: Estimate {
            value: seconds(start),
            low: seconds(start - error),
            high: seconds(start + error),
        },
        length: seconds(mean(|phase| (phase.end - phase.start).get())),
        bytes: Bytes::new(mean(|phase| phase.bytes.get())).unwrap_or_default(),
    }
}
