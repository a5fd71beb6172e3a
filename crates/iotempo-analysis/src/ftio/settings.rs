//! What FTIO can be asked: its options, under its names and with its defaults.

use crate::spectrum::Measure;
use iotempo_model::{Bytes, Hertz, Seconds};
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// How FTIO looks for a period. The defaults are those of FTIO 0.0.9.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Settings {
    /// Whether to do what the tool does or what its paper says.
    pub method: Method,
    /// How many samples to take per second. FTIO's `-f`; default: 10 Hz.
    pub freq: Rate,
    /// What a sample is. FTIO knows points only.
    pub samples: Samples,
    /// Share of the highest score that a bin must exceed to be a candidate, 0 to 1. FTIO's `-t`;
    /// default: 0.8.
    pub tolerance: f64,
    /// How bins that stand out are found. FTIO's `-o`; default: Z-score.
    pub outlier: Outlier,
    /// What bins are measured by. FTIO's `-np` takes amplitudes; default: power.
    pub spectrum: Measure,
    /// Whether to ask the autocorrelation too. FTIO's `-au`; default: no.
    pub autocorrelation: bool,
    /// How many of the strongest bins to report, candidates or not. FTIO's `-n`; default: 0.
    pub top_bins: usize,
    /// Events before this are left out. FTIO's `-ts`.
    #[serde(rename = "ts_s")]
    pub ts: Option<Seconds>,
    /// Events after this are left out. FTIO's `-te`.
    #[serde(rename = "te_s")]
    pub te: Option<Seconds>,
    /// What the isolation forest draws its random numbers from; FTIO's change from run to run.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            method: Method::Ftio,
            freq: Rate::default(),
            samples: Samples::Points,
            tolerance: 0.8,
            outlier: Outlier::ZScore,
            spectrum: Measure::Power,
            autocorrelation: false,
            top_bins: 0,
            ts: None,
            te: None,
            seed: 0,
        }
    }
}

/// The tool and its paper differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// As FTIO 0.0.9 does it.
    #[default]
    Ftio,
    /// As Tarraf et al. describe it: Z-scores from 3 on, without their absolute value, and from the
    /// tolerance on; harmonics are powers of two; peaks of the autocorrelation weigh as much as
    /// they are high; the similarity of both periods is computed.
    ///
    /// IPDPS 2024, <https://doi.org/10.1109/IPDPS57955.2024.00048>.
    Paper,
}

/// How many samples to take per second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub enum Rate {
    /// So many.
    #[serde(rename = "rate_hz")]
    Fixed(Hertz),
    /// Two for the shortest time between two events, or as many as fit into the memory.
    #[serde(rename = "memory_limit_bytes")]
    Auto(Bytes),
}

impl Rate {
    /// FTIO's limit where `--memory_limit` does not say: 0.5 GB of samples.
    pub const MEMORY_LIMIT: u64 = 500_000_000;

    /// As many samples as FTIO's `-f -1` takes.
    #[must_use]
    pub fn auto() -> Self {
        Self::Auto(Bytes::from(Self::MEMORY_LIMIT))
    }
}

impl Default for Rate {
    fn default() -> Self {
        Hertz::new(10.0).map_or_else(Self::auto, Self::Fixed)
    }
}

/// What a sample of the bandwidth is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Samples {
    /// The bandwidth at one instant: what lies between two samples is not seen, and may alias.
    #[default]
    Points,
    /// The mean bandwidth from one sample to the next.
    Bins,
}

/// How bins that stand out of a spectrum are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outlier {
    /// Three standard deviations from the mean.
    #[default]
    ZScore,
    /// In no cluster of DBSCAN.
    Dbscan,
    /// Early alone in the trees of an isolation forest.
    Forest,
    /// Less dense surroundings than its neighbours have: local outlier factor.
    Lof,
    /// Higher than both neighbours and than the tolerated share of the highest.
    Peak,
}

impl Outlier {
    /// Every way, in the order of FTIO's help.
    pub const ALL: [Self; 5] = [
        Self::ZScore,
        Self::Dbscan,
        Self::Forest,
        Self::Lof,
        Self::Peak,
    ];

    /// The name on FTIO's command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ZScore => "z-score",
            Self::Dbscan => "dbscan",
            Self::Forest => "forest",
            Self::Lof => "lof",
            Self::Peak => "peak",
        }
    }
}

impl fmt::Display for Outlier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that names no way to find outliers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownOutlier(pub String);

impl fmt::Display for UnknownOutlier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Outlier::ALL.map(Outlier::name).join(", ");
        write!(f, "unknown outlier detection {:?}: one of {known}", self.0)
    }
}

impl std::error::Error for UnknownOutlier {}

impl FromStr for Outlier {
    type Err = UnknownOutlier;

    /// Reads the names that FTIO takes, in any case: `z-score`, `zscore`, `db-scan`, `peaks`, ….
    fn from_str(word: &str) -> Result<Self, UnknownOutlier> {
        match word.to_ascii_lowercase().as_str() {
            "z-score" | "zscore" => Ok(Self::ZScore),
            "dbscan" | "db-scan" | "db" => Ok(Self::Dbscan),
            "forest" | "isolation_forest" => Ok(Self::Forest),
            "lof" | "local outlier factor" => Ok(Self::Lof),
            "peak" | "peaks" | "find peaks" => Ok(Self::Peak),
            _ => Err(UnknownOutlier(word.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_understood() {
        for outlier in Outlier::ALL {
            assert_eq!(outlier.name().parse(), Ok(outlier));
        }
        assert_eq!("Find Peaks".parse(), Ok(Outlier::Peak));
        let error = "median".parse::<Outlier>().expect_err("unknown");
        assert!(error.to_string().contains("z-score, dbscan"), "{error}");
    }

    #[test]
    fn settings_are_written_with_their_units() {
        let json = serde_json::to_value(Settings::default()).expect("plain data");
        assert_eq!(json["freq"]["rate_hz"], 10.0);
        assert_eq!(json["outlier"], "z-score");
        assert_eq!(json["tolerance"], 0.8);
        assert_eq!(json["ts_s"], serde_json::Value::Null);
    }
}
