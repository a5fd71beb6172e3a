//! Units as types: only the honest operations exist.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, Sub};

/// Seconds since the origin of a trace, or a length of time. Always finite.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Seconds(f64);

impl Seconds {
    /// The origin, or no time at all.
    pub const ZERO: Self = Self(0.0);

    /// `None` for NaN and the infinities: readers turn those away where they enter.
    #[must_use]
    pub fn new(seconds: f64) -> Option<Self> {
        seconds.is_finite().then_some(Self(seconds))
    }

    /// The number of seconds.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl Add for Seconds {
    type Output = Self;
    /// Stays finite: what would overflow stops at the largest number.
    fn add(self, other: Self) -> Self {
        Self((self.0 + other.0).clamp(f64::MIN, f64::MAX))
    }
}

impl Sub for Seconds {
    type Output = Self;
    /// Stays finite: what would overflow stops at the largest number.
    fn sub(self, other: Self) -> Self {
        Self((self.0 - other.0).clamp(f64::MIN, f64::MAX))
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.precision() {
            Some(digits) => write!(f, "{:.*} s", digits, self.0),
            None => write!(f, "{} s", self.0),
        }
    }
}

/// A volume of data. Never negative, always finite.
///
/// A whole number where a source counts bytes (exact to 2⁵³, 9 PB a request); a rate times a time
/// where a source knows nothing but rates.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Bytes(f64);

impl Bytes {
    /// No data.
    pub const ZERO: Self = Self(0.0);

    /// `None` for negative numbers, NaN and the infinities.
    #[must_use]
    pub fn new(bytes: f64) -> Option<Self> {
        (bytes.is_finite() && bytes >= 0.0).then_some(Self(bytes))
    }

    /// The number of bytes.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// Mean rate over `span`; `None` for the zero-length requests that a coarse clock records.
    #[must_use]
    pub fn over(self, span: Seconds) -> Option<BytesPerSecond> {
        (span.0 > 0.0)
            .then(|| self.0 / span.0)
            .and_then(BytesPerSecond::new)
    }
}

impl From<u64> for Bytes {
    fn from(bytes: u64) -> Self {
        Self(bytes as f64)
    }
}

impl Add for Bytes {
    type Output = Self;
    /// Stays finite: what would overflow stops at the largest number.
    fn add(self, other: Self) -> Self {
        Self((self.0 + other.0).min(f64::MAX))
    }
}

impl std::iter::Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(volumes: I) -> Self {
        volumes.fold(Self::ZERO, Add::add)
    }
}

/// A bandwidth. Always finite.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct BytesPerSecond(f64);

impl BytesPerSecond {
    /// `None` for NaN and the infinities.
    #[must_use]
    pub fn new(rate: f64) -> Option<Self> {
        rate.is_finite().then_some(Self(rate))
    }

    /// The number of bytes per second.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

/// A frequency or a sampling rate. Positive and finite.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Hertz(f64);

impl Hertz {
    /// `None` unless `hertz` and its period are positive, finite numbers.
    #[must_use]
    pub fn new(hertz: f64) -> Option<Self> {
        (hertz.is_finite() && hertz > 0.0 && hertz.recip().is_finite()).then_some(Self(hertz))
    }

    /// The number of cycles per second.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The length of one cycle.
    #[must_use]
    pub fn period(self) -> Seconds {
        Seconds(self.0.recip())
    }
}

/// A number that is not a value of this unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NotAUnit(pub f64);

impl fmt::Display for NotAUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a value of this unit: {}", self.0)
    }
}

impl std::error::Error for NotAUnit {}

macro_rules! checked_conversions {
    ($($unit:ident)*) => {$(
        impl TryFrom<f64> for $unit {
            type Error = NotAUnit;
            fn try_from(number: f64) -> Result<Self, NotAUnit> {
                Self::new(number).ok_or(NotAUnit(number))
            }
        }

        impl From<$unit> for f64 {
            fn from(value: $unit) -> Self {
                value.0
            }
        }
    )*};
}

checked_conversions! { Seconds Bytes BytesPerSecond Hertz }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_number_is_not_a_unit() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(Seconds::new(bad).is_none());
            assert!(Bytes::new(bad).is_none());
            assert!(BytesPerSecond::new(bad).is_none());
            assert!(Hertz::new(bad).is_none());
        }
        assert!(Bytes::new(-1.0).is_none());
        assert!(Hertz::new(0.0).is_none());
        assert!(
            Hertz::new(f64::from_bits(1)).is_none(),
            "its period is infinite"
        );
    }

    #[test]
    fn a_volume_over_no_time_has_no_rate() {
        let volume = Bytes::from(4096);
        assert_eq!(volume.over(Seconds::ZERO), None);
        let two = Seconds::new(2.0).expect("finite");
        assert_eq!(volume.over(two).map(BytesPerSecond::get), Some(2048.0));
    }

    #[test]
    fn sums_stay_finite() {
        let most = Seconds::new(f64::MAX).expect("finite");
        assert_eq!((most + most).get(), f64::MAX);
        assert_eq!((Seconds::ZERO - most - most).get(), f64::MIN);
    }
}
