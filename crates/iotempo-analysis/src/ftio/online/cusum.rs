//! Cumulative sums against the mean of the first three frequencies.

use super::recent::{Recent, greater};

/// How many frequencies make the reference.
const REFERENCE: usize = 3;

/// FTIO's `cusum`: deviations from a reference are added up, less half a standard deviation each,
/// until they exceed two. Works in hertz, so that changes of long periods go unseen.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cusum {
    recent: Recent,
    reference: Option<f64>,
    up: f64,
    down: f64,
}

impl Cusum {
    /// Takes the next frequency. Where it changes, the reference it changed from. A step without a
    /// frequency forgets all before.
    pub fn step(&mut self, frequency: Option<f64>) -> Option<f64> {
        let Some(frequency) = frequency else {
            *self = Self::default();
            return None;
        };
        let scale = self.recent.scale();
        self.recent.push(frequency);
        if self.reference.is_none() && self.recent.len() >= REFERENCE {
            self.reference = Some(self.recent.mean());
        }
        let (reference, scale) = self.reference.zip(scale)?;
        let deviation = frequency - reference;
        self.up = greater(0.0, self.up + deviation - 0.5 * scale);
        self.down = greater(0.0, self.down - deviation - 0.5 * scale);
        if self.up.max(self.down) <= 2.0 * scale {
            return None;
        }
        *self = Self {
            recent: Recent::from(frequency),
            reference: Some(frequency),
            ..Self::default()
        };
        Some(reference)
    }

    /// How much of the end to keep after a change of the frequency, in seconds: the less, the
    /// larger the change is.
    pub(super) fn kept(reference: f64, frequency: f64) -> f64 {
        let percent = if reference > 0.0 {
            (frequency - reference).abs() / reference * 100.0
        } else {
            0.0
        };
        match percent {
            p if p > 100.0 => 0.5,
            p if p > 50.0 => 1.0,
            _ => 2.0,
        }
    }
}
