//! Cumulative sums against the mean of all frequencies.

use super::recent::{Recent, greater};

/// FTIO's `ph`, a Page-Hinkley test: deviations from the running mean are added up, less half a
/// standard deviation each, until they exceed two. Works in hertz.
///
/// Steps without a frequency before the first one with one count as not-a-number, as they do in
/// FTIO: the test is blind until they are 50 frequencies away.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageHinkley {
    recent: Recent,
    sum: f64,
    count: usize,
    up: f64,
    down: f64,
}

impl PageHinkley {
    /// Takes the next frequency and tells whether it changes.
    pub fn step(&mut self, frequency: Option<f64>) -> bool {
        let Some(frequency) = frequency else {
            if self.count == 0 {
                self.recent.push(f64::NAN);
            }
            return false;
        };
        let scale = self.recent.scale();
        self.recent.push(frequency);
        self.sum += frequency;
        self.count += 1;
        let deviation = frequency - self.sum / self.count as f64;
        let drift = 0.5 * scale.unwrap_or(0.0);
        self.up = greater(0.0, self.up + (deviation - drift));
        self.down = greater(0.0, self.down + (-deviation - drift));
        let changed = scale.is_some_and(|scale| self.up.max(self.down) > 2.0 * scale);
        if changed {
            *self = Self {
                recent: Recent::from(frequency),
                sum: frequency,
                count: 1,
                ..Self::default()
            };
        }
        changed
    }
}
