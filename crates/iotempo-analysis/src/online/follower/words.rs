//! What a follower says.

use super::Follower;
use crate::online::accuracy::Outcome;
use crate::online::look::Look;
use crate::online::prediction::{Prediction, State};
use crate::period::{Rhythm, Verdict};
use iotempo_model::{Interval, Seconds};

impl Follower {
    pub(super) fn with_rhythm(
        &mut self,
        now: Seconds,
        look: &Look,
        rhythm: &Rhythm,
        outcomes: Vec<Outcome>,
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
            outcomes,
            accuracy: self.accuracy,
        }
    }

    pub(super) fn without_rhythm(
        &mut self,
        now: Seconds,
        look: &Look,
        outcomes: Vec<Outcome>,
    ) -> Prediction {
        self.known = None;
        let nothing = self.nothing(now, look.verdict, Some(look.window));
        Prediction {
            outcomes,
            ..nothing
        }
    }

    pub(super) fn nothing(
        &mut self,
        now: Seconds,
        verdict: Verdict,
        window: Option<Interval>,
    ) -> Prediction {
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
        // What repeats within the first phases is not told.
        let verdict = match (state, verdict) {
            (State::Learning, Verdict::Periodic) => Verdict::TooFewPhases,
            (_, verdict) => verdict,
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
            outcomes: Vec::new(),
            accuracy: self.accuracy,
        }
    }
}
