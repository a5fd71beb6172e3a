//! What a finding rests on, as pictures need it.

use iotempo_model::Seconds;

/// How strongly each frequency takes part in a signal.
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrum {
    /// Frequencies in Hz, ascending.
    pub frequencies_hz: Vec<f64>,
    /// The power at each of them, in any unit: pictures show shares of the whole.
    pub power: Vec<f64>,
    /// Frequencies that stand out.
    pub candidates: Vec<Mark>,
}

/// A place in a picture that has a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Where: a frequency in Hz, or a lag in seconds.
    pub at: f64,
    /// What it is, in a word or two.
    pub label: String,
}

/// How much a signal resembles itself some time later.
#[derive(Debug, Clone, PartialEq)]
pub struct Autocorrelation {
    /// The time from one lag to the next; the first lag is 0.
    pub step: Seconds,
    /// The coefficient at each lag, from -1 to 1.
    pub coefficients: Vec<f64>,
    /// Lags that stand out, in seconds.
    pub peaks: Vec<Mark>,
}
