//! What one follower leaves to the next.

use super::accuracy::Accuracy;
use super::prediction::NextPhase;
use iotempo_model::{Interval, Seconds};

/// What was told of a job, for a [`Follower`](super::Follower) that goes on with it: the last
/// prediction, and the periods of some before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Past {
    /// The number of the last prediction.
    pub number: u64,
    /// When it was made.
    pub at: Seconds,
    /// The stretch of time that it was made from.
    pub window: Option<Interval>,
    /// The rhythm that was believed.
    pub rhythm: Option<PastRhythm>,
    /// When the behaviour before that ended, where it changed.
    pub changed_at: Option<Seconds>,
    /// How wrong forecasts were.
    pub accuracy: Accuracy,
    /// Whether it was said to have ended.
    pub ended: bool,
    /// Whether it went on after it had been said to have ended, once or more.
    pub returned: bool,
    /// The periods of the last predictions, this one's included, oldest first.
    pub periods: Vec<Option<Seconds>>,
}

/// A rhythm that was believed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PastRhythm {
    /// Its period.
    pub period: Seconds,
    /// Its jitter, as a share of the period.
    pub jitter: Option<f64>,
    /// How sure it was.
    pub confidence: f64,
    /// The phase that was expected next.
    pub next: NextPhase,
    /// Whether it was said to be late.
    pub overdue: bool,
}

impl Past {
    /// Data up to here was known. What is read again may lie a little later than it did, because the
    /// rate of a clock is known ever better.
    pub(super) fn known_until(&self) -> Option<Seconds> {
        let end = self.window?.end();
        Seconds::new(end.get() + 1e-3 + 1e-6 * end.get().abs())
    }
}
