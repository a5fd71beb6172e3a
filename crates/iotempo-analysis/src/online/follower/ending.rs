//! How a job ends.

use super::{Follower, GROWN, LONG, OFTEN};
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
    /// for a while.
    #[must_use]
    pub fn is_over(&self, now: Seconds) -> bool {
        let Some(known) = &self.known else {
            let quiet = self.history.end().map_or(0.0, |end| (now - end).get());
            return quiet > (GROWN * self.span()).clamp(OFTEN, LONG);
        };
        now > overdue_at(&known.forecast, known.period)
    }

    /// Says what was known when it ended. Nothing is expected any more, and what did not come is not missed.
    pub fn end(&mut self, now: Seconds) -> Prediction {
        let end = self.history.end().unwrap_or_default();
        // Just long enough after it that the last phase is over.
        let pause = self.known.map_or(0.0, |known| known.pause(0.0));
        let last = self.predict(end + Seconds::new(pause).unwrap_or_default());
        self.known = None;
        self.tail = None;
        self.pending.clear();
        self.ended = true;
        Prediction {
            at: if now < end { end } else { now },
            state: State::Ended,
            next: None,
            ..last
        }
    }
}
