//! How much the latest frequencies vary.

use std::collections::VecDeque;

/// How many frequencies the variation is taken from.
const LATEST: usize = 50;
/// Fewer tell nothing about it.
const FEWEST: usize = 3;
/// FTIO takes no variation for less than this, in hertz: what changes by half of it goes unseen.
const LEAST_HZ: f64 = 0.01;

/// The latest frequencies.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Recent {
    values: VecDeque<f64>,
}

impl Recent {
    /// A frequency after which everything before is forgotten.
    pub(super) fn from(frequency: f64) -> Self {
        Self {
            values: VecDeque::from([frequency]),
        }
    }

    pub(super) fn push(&mut self, frequency: f64) {
        if self.values.len() == LATEST {
            self.values.pop_front();
        }
        self.values.push_back(frequency);
    }

    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    pub(super) fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }

    /// `max(σ, 0.01 Hz)`; `None` of fewer than three. Not a number where a frequency is not one.
    pub(super) fn scale(&self) -> Option<f64> {
        if self.values.len() < FEWEST {
            return None;
        }
        let mean = self.mean();
        let squares = self.values.iter().map(|f| (f - mean).powi(2));
        let deviation = (squares.sum::<f64>() / self.values.len() as f64).sqrt();
        Some(greater(deviation, LEAST_HZ))
    }
}

/// `max(a, b)` of Python: `a` where the numbers cannot be compared.
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}
