//! Equal steps of time being filled with bytes.

use crate::signal::Signal;
use crate::units::Seconds;

/// A volume per step of time.
pub(crate) struct Bins {
    start: f64,
    step: f64,
    /// Instants closer to a boundary than this share of a step lie on it.
    slack: f64,
    bytes: Vec<f64>,
}

/// A few roundings of a time that was read as decimal text and added to.
const ROUNDINGS: f64 = 8.0;

/// However coarse the clock, a step that is seen to begin inside another does not begin with it.
const MOST_SLACK: f64 = 1e-3;

impl Bins {
    /// As many steps as cover the time from `start` to `end`: at least one, and perhaps more than
    /// memory has, so ask for their [`number`](Self::number) first.
    pub(crate) fn new(start: f64, end: f64, step: f64) -> Self {
        let len = Self::number(start, end, step);
        Self {
            start,
            step,
            slack: slack(start, end, step),
            bytes: vec![0.0; len as usize],
        }
    }

    /// How many steps cover the time from `start` to `end`.
    pub(crate) fn number(start: f64, end: f64, step: f64) -> f64 {
        let steps = (end - start) / step;
        (steps - slack(start, end, step)).ceil().max(1.0)
    }

    /// How many steps after the start an instant lies. Samples that were taken at these very steps
    /// must not leak into their neighbours for the rounding of their times.
    pub(crate) fn position(&self, at: f64) -> f64 {
        let position = (at - self.start) / self.step;
        // Rounds by conversion: without SSE 4.1, `round` and `ceil` are calls into a library.
        let boundary = (position + 0.5) as i64 as f64;
        if (position - boundary).abs() <= self.slack {
            boundary
        } else {
            position
        }
    }

    /// Puts `bytes` into the step at a position; one at the very end belongs to the last step.
    pub(crate) fn drop_at(&mut self, position: f64, bytes: f64) {
        let index = (position as usize).min(self.bytes.len() - 1);
        self.bytes[index] += bytes;
    }

    /// Spreads `bytes` evenly from one position to another. The last step takes what is left, so
    /// that nothing is lost.
    pub(crate) fn spread(&mut self, from: f64, to: f64, bytes: f64) {
        let first = (from as usize).min(self.bytes.len() - 1);
        // A stretch that ends on a boundary has no share in the step beyond it.
        let whole = to as usize;
        let beyond = whole.saturating_add(usize::from(to > whole as f64));
        let last = beyond.clamp(first + 1, self.bytes.len()) - 1;
        if first == last {
            self.bytes[first] += bytes;
            return;
        }
        let whole = bytes / (to - from);
        let head = whole * ((first + 1) as f64 - from);
        let middle = &mut self.bytes[first + 1..last];
        let rest = bytes - head - whole * middle.len() as f64;
        middle.iter_mut().for_each(|bin| *bin += whole);
        self.bytes[first] += head;
        self.bytes[last] += rest.max(0.0);
    }

    pub(crate) fn finish(mut self) -> Signal {
        for value in &mut self.bytes {
            *value /= self.step;
        }
        let seconds = |value| Seconds::new(value).unwrap_or_default();
        Signal::new(seconds(self.start), seconds(self.step), self.bytes)
    }
}

/// How far rounding may carry an instant, in steps.
fn slack(start: f64, end: f64, step: f64) -> f64 {
    let largest = start.abs().max(end.abs());
    (ROUNDINGS * f64::EPSILON * largest / step).min(MOST_SLACK)
}
