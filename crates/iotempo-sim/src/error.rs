//! Why a trace could not be generated.

use iotempo_model::SamplingError;
use std::fmt;

/// Why a trace could not be generated.
#[derive(Debug, Clone, PartialEq)]
pub enum SimError {
    /// A parameter has a value that makes no trace.
    Parameter {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        must_be: &'static str,
    },
    /// The parameters together ask for more requests than are kept in memory.
    TooManyRequests {
        /// How many they ask for.
        requests: u64,
        /// How many are made at most.
        most: u64,
    },
    /// The parameters together ask for a run that is longer than the clock goes on.
    TooLong,
    /// The trace cannot be sampled at this rate.
    Sampling(SamplingError),
}

impl fmt::Display for SimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter {
                name,
                value,
                must_be,
            } => write!(f, "{name} is {value} and must be {must_be}"),
            Self::TooManyRequests { requests, most } => {
                write!(f, "{requests} requests, and at most {most} are made")
            }
            Self::TooLong => write!(f, "the run would last longer than the clock goes on"),
            Self::Sampling(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SimError {}

impl From<SamplingError> for SimError {
    fn from(error: SamplingError) -> Self {
        Self::Sampling(error)
    }
}

/// `value`, if it lies in `range`.
pub(crate) fn within(
    name: &'static str,
    value: f64,
    range: std::ops::RangeInclusive<f64>,
    must_be: &'static str,
) -> Result<f64, SimError> {
    if range.contains(&value) {
        return Ok(value);
    }
    Err(SimError::Parameter {
        name,
        value,
        must_be,
    })
}
