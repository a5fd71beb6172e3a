//! When data that a look brought was written, by our clock.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Data that is older than this whenever it comes was written by a machine whose clock is behind ours.
const DELAY_S: f64 = 10.0;

/// Tells how old data is when it comes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Clock {
    /// Whether there was a look before: what the first one brings may be of any age.
    live: bool,
    /// The least age of data that came at a later look, in seconds.
    least: Option<f64>,
}

impl Clock {
    /// When data that ended at `epoch_s` did so, where it was just read.
    pub(crate) fn ended(&mut self, epoch_s: f64) -> Instant {
        let now = Instant::now();
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
        let age = since_1970.map_or(0.0, |since| since.as_secs_f64()) - epoch_s;
        let age = Duration::try_from_secs_f64(self.corrected(age)).unwrap_or_default();
        now.checked_sub(age).unwrap_or(now)
    }

    /// An age, less what the clock of the other machine is behind.
    fn corrected(&mut self, age: f64) -> f64 {
        if self.live {
            self.least = Some(self.least.map_or(age, |least| least.min(age)));
        }
        self.live = true;
        let behind = self.least.filter(|least| *least > DELAY_S);
        (age - behind.unwrap_or(0.0)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_long_ago_is_old_and_what_comes_later_is_new() {
        let mut clock = Clock::default();
        let ages = [300.0, 0.4, 1.2, -3.0];
        assert_eq!(ages.map(|age| clock.corrected(age)), [300.0, 0.4, 1.2, 0.0]);
    }

    #[test]
    fn a_clock_that_is_behind_makes_nothing_old() {
        let mut clock = Clock::default();
        let ages = [120.5, 120.8, 120.2, 121.0];
        let corrected = ages.map(|age| clock.corrected(age));
        assert_eq!(corrected[0], 120.5);
        assert!(corrected[1..].iter().all(|age| (0.0..1.0).contains(age)));
    }
}
