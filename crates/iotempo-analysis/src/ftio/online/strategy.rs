//! What moves the start of the window.

use iotempo_model::Seconds;
use std::fmt;
use std::str::FromStr;

/// What moves the start of the window. FTIO's `-w`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Strategy {
    /// Nothing: all that was read is looked at.
    #[default]
    Whole,
    /// A dominant frequency that was found several times: a few of its periods are kept.
    FrequencyHits,
    /// New data: after a few steps, what the step before last had seen is left out.
    Data,
    /// A change of the frequency, by an adaptive window.
    Adwin,
    /// A change of the frequency, by cumulative sums.
    Cusum,
    /// A change of the frequency, by a Page-Hinkley test.
    PageHinkley,
    /// Time: the window always has this length. Not in FTIO, but in its paper.
    Length(Seconds),
}

impl Strategy {
    /// Every strategy that FTIO has.
    pub const ALL: [Self; 6] = [
        Self::Whole,
        Self::FrequencyHits,
        Self::Data,
        Self::Adwin,
        Self::Cusum,
        Self::PageHinkley,
    ];

    /// The name on FTIO's command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Whole => "none",
            Self::FrequencyHits => "frequency_hits",
            Self::Data => "data",
            Self::Adwin => "adwin",
            Self::Cusum => "cusum",
            Self::PageHinkley => "ph",
            Self::Length(_) => "length",
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no strategy of FTIO.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownStrategy(pub String);

impl fmt::Display for UnknownStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Strategy::ALL.map(Strategy::name).join(", ");
        write!(f, "unknown window adaptation {:?}: one of {known}", self.0)
    }
}

impl std::error::Error for UnknownStrategy {}

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(word: &str) -> Result<Self, UnknownStrategy> {
        let known = Self::ALL.into_iter().find(|s| s.name() == word);
        known.ok_or_else(|| UnknownStrategy(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_understood() {
        for strategy in Strategy::ALL {
            assert_eq!(strategy.name().parse(), Ok(strategy));
        }
        let error = "hits".parse::<Strategy>().expect_err("unknown");
        assert!(error.to_string().contains("frequency_hits"), "{error}");
    }
}
