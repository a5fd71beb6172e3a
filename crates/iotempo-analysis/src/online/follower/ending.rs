//! How a job ends.

use super::{Follower, LONG, OFTEN};
use crate::online::known::overdue_at;
use crate::online::prediction::{Prediction, State};
use iotempo_model::Seconds;

impl Follower {
    /// Whether it was said to have ended, and nothing has come since.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether a job that may have ended has: the phase that was due has not come, or, where none was, nothing has
    /// for as long as it is known. What came since the last look may be that phase: that look is to be taken first.
    #[must_use]
    pub fn is_over(&self, now: Seconds) -> bool {
        if self.fresh {
            return false;
        }
        let Some(known) = &self.known else {
            let quiet = self.history.end().map_or(0.0, |end| (now - end).get());
            return quiet > self.span().clamp(OFTEN, LONG);
        };
        now > overdue_at(&known.forecast, known.period) && !self.has_come(known)
    }

    /// Says what was known when it ended. Nothing is expected any more, and what did not come is not missed. What
    /// was expected is kept aside, for a job that goes on all the same.
    pub fn end(&mut self, now: Seconds) -> Prediction {
        let end = self.history.end().unwrap_or_default();
        // What was withdrawn before the end does not come back with it.
        let withdrawn = self.known.is_none() && !self.fresh;
        // Just long enough after it that the last phase is over.
        let pause = self.known.map_or(0.0, |known| known.pause(0.0));
        let last = if withdrawn {
            self.number += 1;
            let window = self.history.known();
            self.nothing(now, self.verdict, window)
        } else {
            self.predict(end + Seconds::new(pause).unwrap_or_default())
        };
        self.known = None;
        self.tail = None;
        self.aside = std::mem::take(&mut self.pending);
        self.ended = true;
        Prediction {
            at: if now < end { end } else { now },
            state: State::Ended,
            next: None,
            ..last
        }
    }

    /// It goes on, with something that began at `start`: what was expected by then comes true after all.
    pub(super) fn go_on(&mut self, start: Seconds) {
        self.ended = false;
        let aside = std::mem::take(&mut self.aside).into_iter();
        self.pending = aside.filter(|known| start <= known.deadline).collect();
    }
}
