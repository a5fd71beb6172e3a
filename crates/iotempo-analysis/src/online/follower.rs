//! Follows one job.

use super::accuracy::{Accuracy, Outcome};
use super::history::History;
use super::intervals::Recent;
use super::past::{Past, PastRhythm};
use super::prediction::{NextPhase, Prediction, State};
use super::window::Settings;
use crate::period::{Estimate, PeriodFinding, Phase, Rhythm, Verdict};
use crate::sampling;
use iotempo_model::{Bandwidth, Bytes, Interval, Origin, Seconds, Signal};
use std::collections::VecDeque;

/// Samples that one look takes where not all of the past is looked at as finely as its source has it.
const SAMPLES: usize = 1 << 12;

/// A rhythm whose phase is late by this share of its period is over.
const OVER: f64 = 0.5;

/// Data that flows for this many seconds without a pause is looked at all the same.
const LONG: f64 = 60.0;

/// Nothing moves for this share of a period: the phase is over.
const PAUSE: f64 = 0.05;

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
    /// When the first transfer began.
    began: Option<Seconds>,
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

    fn outcome(&self, finding: &PeriodFinding, now: Seconds) -> Option<Outcome> {
        let over = |end: Seconds| (now - end).get() >= 0.5 * PAUSE * self.period.get();
        match self.came(finding) {
            Some(phase) => over(phase.end).then(|| Outcome::of(&self.forecast, &phase)),
            None => (now > self.deadline).then(|| Outcome::missed(&self.forecast)),
        }
    }

    /// The phase that was expected: the first of the rhythm since, or of any that took its place.
    fn came(&self, finding: &PeriodFinding) -> Option<Phase> {
        let same = finding
            .rhythms
            .iter()
            .find(|rhythm| is_same(rhythm, self.period));
        let rhythms = same.map_or(&finding.rhythms[..], std::slice::from_ref);
        let phases = rhythms.iter().flat_map(|rhythm| &rhythm.phases);
        let new = phases.filter(|phase| self.is_before(phase));
        new.min_by(|a, b| a.start.get().total_cmp(&b.start.get()))
            .copied()
    }
}

/// What was seen in a window.
struct Look {
    window: Interval,
    finding: PeriodFinding,
}

impl Follower {
    /// Follows a job of whose transfers the origin says how finely they are known.
    #[must_use]
    pub fn new(settings: Settings, origin: Origin) -> Self {
        Self {
            settings,
            origin,
            history: History::default(),
            known: None,
            pending: VecDeque::new(),
            tail: None,
            changed_at: None,
            recent: Recent::default(),
            accuracy: Accuracy::default(),
            number: 0,
            looked: None,
            fresh: false,
            began: None,
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
        self.fresh |= new && bytes.get() > 0.0;
        self.began.get_or_insert(when.start());
        self.history.add(when, bytes);
    }

    /// Whether something was moved since the last prediction.
    #[must_use]
    pub fn has_news(&self) -> bool {
        self.fresh
    }

    /// Whether a prediction would say something new: a phase has ended, a phase is late, or data has
    /// flowed for long without a pause.
    #[must_use]
    pub fn is_due(&self, now: Seconds) -> bool {
        if let Some(known) = &self.known {
            let late = now > known.forecast.start.high && !known.overdue;
            if late || now > known.deadline {
                return true;
            }
        }
        let Some(end) = self.history.end().filter(|_| self.fresh) else {
            return false;
        };
        let period = self.known.map(|known| known.period.get());
        let resolution = self.origin.resolution.map_or(0.0, Seconds::get);
        let since = self.looked.or(self.began).unwrap_or(end);
        let flowed = (end - since).get();
        let pause = PAUSE * period.unwrap_or(flowed);
        (now - end).get() >= pause.max(resolution)
            || flowed > period.map_or(LONG, |period| 2.0 * period)
    }

    /// Says what is expected now.
    pub fn predict(&mut self, now: Seconds) -> Prediction {
        self.number += 1;
        self.fresh = false;
        self.looked = self.history.end();
        let Some(end) = self.looked else {
            return self.nothing(now, Verdict::Empty, None);
        };
        let now = if now < end { end } else { now };
        let bandwidth = self.history.bandwidth();
        let look = self.look(&bandwidth, end, now);
        let Some(Look { window, finding }) = look else {
            return self.nothing(now, Verdict::Empty, None);
        };
        let outcome = self.judged(&finding, now);
        let alive: Vec<&Rhythm> = finding
            .rhythms
            .iter()
            .filter(|r| is_alive(r, now))
            .collect();
        let Some(rhythm) = alive.first().copied() else {
            return self.without_rhythm(now, &finding, window, outcome);
        };
        self.believe(rhythm, now);
        if let Some(start) = self.settings.window.start(&alive, end) {
            self.history.forget_before(start);
        }
        self.with_rhythm(now, &finding, rhythm, window, outcome)
    }

    /// Looks at what came after a change, and where nothing repeats in that, at all that is remembered.
    fn look(&mut self, bandwidth: &Bandwidth, end: Seconds, now: Seconds) -> Option<Look> {
        let all = self.seen(bandwidth, None)?;
        self.notice_change(&all.finding, now);
        let Some(tail) = self.tail else {
            return Some(all);
        };
        let after = Interval::new(tail, end).ok();
        let after = after.and_then(|window| self.seen(bandwidth, Some(window)));
        let repeats = |look: &Look| look.finding.rhythms.iter().any(|r| is_alive(r, now));
        Some(after.filter(repeats).unwrap_or(all))
    }

    fn seen(&self, bandwidth: &Bandwidth, part: Option<Interval>) -> Option<Look> {
        let window = sampling::window(bandwidth, None, part)?;
        let signal = self.sampled(bandwidth, window)?;
        let finding = self.settings.detector.detect(&signal);
        Some(Look { window, finding })
    }

    /// As an analysis after the run would see it, until something was forgotten or that takes too many
    /// samples.
    fn sampled(&self, bandwidth: &Bandwidth, window: Interval) -> Option<Signal> {
        let length = window.length().get();
        let own = self.origin.resolution.map(|step| length / step.get());
        let many = own.is_some_and(|samples| samples > sampling::STEPS as f64);
        let all = !(many || own.is_none() && self.history.has_forgotten());
        if all {
            let observed = Some(window);
            let origin = Origin {
                observed,
                ..self.origin.clone()
            };
            return sampling::as_recorded(bandwidth, &origin, window).ok();
        }
        let step = Seconds::new(length / SAMPLES as f64)?;
        bandwidth
            .sample_window(window.start(), window.end(), step)
            .ok()
    }

    /// A phase that was due and did not come is where a change may have begun.
    fn notice_change(&mut self, finding: &PeriodFinding, now: Seconds) {
        let Some(known) = &self.known else {
            return;
        };
        let same = finding
            .rhythms
            .iter()
            .find(|rhythm| is_same(rhythm, known.period));
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
    fn judged(&mut self, finding: &PeriodFinding, now: Seconds) -> Option<Outcome> {
        let mut last = None;
        while let Some(forecast) = self.pending.front() {
            let Some(outcome) = forecast.outcome(finding, now) else {
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
            overdue: now > forecast.start.high,
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
        finding: &PeriodFinding,
        rhythm: &Rhythm,
        window: Interval,
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
            verdict: finding.verdict,
            period: Some(rhythm.period),
            confidence: rhythm.confidence,
            jitter: rhythm.jitter,
            next: self.known.map(|known| known.forecast),
            window: Some(window),
            phases: rhythm.phases.len(),
            changed_at: self.changed_at,
            intervals: self.recent.intervals(),
            outcome,
            accuracy: self.accuracy,
        }
    }

    fn without_rhythm(
        &mut self,
        now: Seconds,
        finding: &PeriodFinding,
        window: Interval,
        outcome: Option<Outcome>,
    ) -> Prediction {
        self.known = None;
        let nothing = self.nothing(now, finding.verdict, Some(window));
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
