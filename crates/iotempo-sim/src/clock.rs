//! The clock of generated traces ticks in whole nanoseconds.
//!
//! Draws are rounded to ticks at once and added up as integers. The last digit of a machine's `exp`
//! or `ln` then cannot show in a trace, and a time is written with nine decimals at most.

use crate::error::SimError;
use iotempo_model::{Interval, Seconds};

/// Nanoseconds since the start of the run.
pub(crate) type Ticks = u64;

/// Ticks in a second.
pub(crate) const SECOND: Ticks = 1_000_000_000;

/// The longest draw, 32 years: 585 years of ticks fit in the integer.
const LONGEST: f64 = 1e9;

/// The tick nearest to a number of seconds.
pub(crate) fn ticks(seconds: f64) -> Ticks {
    (seconds.clamp(0.0, LONGEST) * SECOND as f64).round() as Ticks
}

/// A tick in seconds.
pub(crate) fn seconds(ticks: Ticks) -> Seconds {
    Seconds::new(ticks as f64 / SECOND as f64).unwrap_or_default()
}

/// The sum of two times.
pub(crate) fn after(start: Ticks, length: Ticks) -> Result<Ticks, SimError> {
    start.checked_add(length).ok_or(SimError::TooLong)
}

/// From one tick to a later one.
pub(crate) fn interval(start: Ticks, end: Ticks) -> Interval {
    Interval::new(seconds(start), seconds(end.max(start))).unwrap_or(Interval::at(Seconds::ZERO))
}
