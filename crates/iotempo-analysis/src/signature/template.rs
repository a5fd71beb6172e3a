//! A signature in the making: rates by points, and where its bursts are.

use super::finding::{Signature, SignatureBurst};

/// The share of its peak at which a burst begins and ends.
const EDGE: f64 = 0.05;

/// A burst that samples have in common, in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Common {
    pub(super) start: usize,
    /// Its last point.
    pub(super) end: usize,
    /// How many samples have it.
    pub(super) support: usize,
    /// The point that it is said to be at, be it between two.
    pub(super) time: f64,
    /// The first and the last point whose bytes are its own: where it is an average, some samples begin
    /// earlier than it does, and some end later.
    pub(super) extent: (usize, usize),
    /// Between which sums of rates most samples lie.
    pub(super) spread: (f64, f64),
}

impl Common {
    pub(super) fn points(&self) -> usize {
        self.end - self.start + 1
    }

    /// The same without its ends, where it is hardly above nothing.
    pub(super) fn tightened(mut self, rates: &[f64]) -> Self {
        let own = &rates[self.start..=self.end];
        let least = EDGE * own.iter().copied().fold(0.0, f64::max);
        let above = |rate: &f64| *rate > least;
        let (first, last) = (own.iter().position(above), own.iter().rposition(above));
        if let (Some(first), Some(last)) = (first, last) {
            self.end = self.start + last;
            self.start += first;
            self.time = 0.5 * (self.start + self.end) as f64;
            self.extent = (self.start, self.end);
        }
        self
    }
}

/// A signature in the making.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Template {
    pub(super) rates: Vec<f64>,
    /// In order of time.
    pub(super) bursts: Vec<Common>,
}

impl Template {
    /// Lets bursts begin and end where they are a little above nothing, not where they are least.
    pub(super) fn tighten(&mut self) {
        for burst in &mut self.bursts {
            *burst = burst.tightened(&self.rates);
        }
    }

    /// Takes away what is outside of all bursts.
    pub(super) fn silence(&mut self) {
        let mut from = 0;
        for burst in &self.bursts {
            let until = burst.start.max(from);
            self.rates[from..until].fill(0.0);
            from = burst.end + 1;
        }
        self.rates[from..].fill(0.0);
    }

    /// The volume that is common: that of each burst, as far as samples have it.
    pub(super) fn common_volume(&self) -> f64 {
        let volume = |burst: &Common| {
            let own = &self.rates[burst.start..=burst.end];
            own.iter().sum::<f64>() * burst.support as f64
        };
        self.bursts.iter().map(volume).sum()
    }

    /// The signature, whose first point begins at `start` and whose points are `step` apart.
    pub(super) fn into_signature(self, start: f64, step: f64) -> Signature {
        let told = |burst: &Common| {
            let rates = &self.rates[burst.extent.0..=burst.extent.1];
            SignatureBurst {
                time_s: start + step * (burst.time + 0.5),
                start_s: start + step * burst.start as f64,
                end_s: start + step * (burst.end + 1) as f64,
                bytes: step * rates.iter().sum::<f64>(),
                bytes_low: step * burst.spread.0,
                bytes_high: step * burst.spread.1,
                peak: rates.iter().copied().fold(0.0, f64::max),
                support: burst.support,
            }
        };
        Signature {
            start_s: start,
            step_s: step,
            bursts: self.bursts.iter().map(told).collect(),
            rates: self.rates,
        }
    }
}
