//! How much of the past an answer is made from.

use crate::period::{Detector, Rhythm};
use iotempo_model::Seconds;

/// How a job is followed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Settings {
    /// Finds the period.
    pub detector: Detector,
    /// How much of the past it looks at.
    pub window: Window,
}

/// How much of the past is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Window {
    /// All there is until that many phases of a rhythm were seen, then that many periods.
    Periods(usize),
    /// The last seconds.
    Last(Seconds),
    /// All there is.
    All,
}

impl Default for Window {
    /// Enough for a tight interval, and few enough to see a change at once.
    fn default() -> Self {
        Self::Periods(16)
    }
}

impl Window {
    /// The instant before which nothing is needed any more, where these rhythms are alive and the last
    /// data is from `end`.
    pub(super) fn start(self, rhythms: &[&Rhythm], end: Seconds) -> Option<Seconds> {
        match self {
            Self::All => None,
            Self::Last(length) => Some(end - length),
            Self::Periods(count) => rhythms
                .iter()
                .map(|rhythm| periods_back(rhythm, count))
                .reduce(|a, b| a.zip(b).map(|(a, b)| if a < b { a } else { b }))
                .flatten(),
        }
    }
}

/// Half a period before the first of the last `count` phases; `None` where there are no more than that.
fn periods_back(rhythm: &Rhythm, count: usize) -> Option<Seconds> {
    let first = rhythm.phases.len().checked_sub(count.max(3))?;
    let half = 0.5 * rhythm.period.value.get();
    (first > 0).then_some(())?;
    Some(rhythm.phases[first].start - Seconds::new(half)?)
}
