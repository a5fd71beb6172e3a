//! What is found, with its evidence.

use iotempo_model::Warning;
use serde::Serialize;

/// What was found of an application.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SignatureFinding {
    /// The signature, or why there is none.
    pub outcome: Outcome,
    /// How many samples there were.
    pub samples: usize,
    /// The ids of those that were used, in the order they came in.
    pub used: Vec<String>,
    /// Their places among the samples: ids may come twice.
    pub used_places: Vec<usize>,
    /// Those that were left out, in the order they came in.
    pub outliers: Vec<Outlier>,
    /// What was taken for the load that is always there, in bytes per second.
    pub background: f64,
    /// The same around the samples, while the application did not run, where enough of that is known.
    pub background_around: Option<f64>,
    /// The cells by which common bursts were found, where they were found so.
    pub grid: Option<Grid>,
    /// The bursts of each sample that was used, in the order of `used`. Times are those of the sample.
    pub sample_bursts: Vec<Vec<SampleBurst>>,
    /// What a person should know.
    pub warnings: Vec<Warning>,
}

impl SignatureFinding {
    /// The signature, if there is one.
    #[must_use]
    pub fn signature(&self) -> Option<&Signature> {
        match &self.outcome {
            Outcome::Found(signature) => Some(signature),
            Outcome::Undetermined(_) => None,
        }
    }
}

/// The signature, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It was found.
    Found(Signature),
    /// It was not, for this reason.
    Undetermined(Undetermined),
}

/// Why there is no signature.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "reason")]
pub enum Undetermined {
    /// What is common to so few samples may be chance.
    TooFewSamples {
        /// How many are left.
        left: usize,
        /// How many are needed.
        needed: usize,
    },
    /// Samples have steps of different length, in seconds.
    StepsDiffer {
        /// The first step.
        one: f64,
        /// Another.
        other: f64,
    },
    /// A step is no length of time.
    NoStep,
    /// Nobody moved anything.
    NothingMoved,
    /// No burst is common to enough runs.
    NothingInCommon,
    /// Bursts leave so little time beside them that nothing tells them from what is always there.
    NoRoom,
    /// A setting has a value that makes no sense.
    Setting {
        /// Its name.
        name: &'static str,
    },
    /// So long that what was asked for would take hours.
    TooLong {
        /// The points of the longest sample.
        points: usize,
        /// As many would do.
        most: usize,
    },
}

impl std::fmt::Display for Undetermined {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooFewSamples { left, needed } => {
                let left = iotempo_model::counted(*left as u64, "run");
                write!(f, "{left}, and it takes {needed} to tell what is common")
            }
            Self::StepsDiffer { one, other } => {
                write!(f, "runs have steps of {one} s and of {other} s")
            }
            Self::NoStep => write!(f, "a step that is no length of time"),
            Self::NothingMoved => write!(f, "nothing was moved in any run"),
            Self::NothingInCommon => f.write_str(
                "too few runs share a burst, or what they share is as frequent where others are",
            ),
            Self::NoRoom => write!(
                f,
                "bursts fill the runs, and leave too little quiet time to tell what is always there"
            ),
            Self::Setting { name } => write!(f, "the setting {name} makes no sense"),
            Self::TooLong { points, most } => {
                write!(
                    f,
                    "a sample has {points} points, and at most {most} are warped"
                )
            }
        }
    }
}

/// What an application does to the servers when it is alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Signature {
    /// When the first rate begins, in seconds after the start of a run: a little earlier or later than 0 where points
    /// were put between those of the log, which are means over its intervals.
    pub start_s: f64,
    /// The time between two rates, in seconds.
    pub step_s: f64,
    /// Its throughput, in bytes per second.
    pub rates: Vec<f64>,
    /// Its bursts, in order of time.
    pub bursts: Vec<SignatureBurst>,
    /// How sure the times between them are, where the method tells.
    pub timing: Option<Timing>,
}

/// What is known of the times between bursts, beyond what they are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Timing {
    /// What share of the usual time between two bursts was taken for delays, and taken out.
    pub delay_share: f64,
    /// How far, as a share, what is told may be from the true time between two bursts, by how much runs differ: meant
    /// for 95 %, and of few runs 80 to 95 % are nearer.
    pub gap_error_share: f64,
}

/// Sums of steps are exact to this share of one.
const EXACT: f64 = 1e-6;

/// A burst that fewer samples have, as a share of those that have the commonest one, may be of others.
const SUPPORTED: f64 = 0.75;

impl Signature {
    /// Its throughput without bursts that considerably fewer samples have than others: whether an
    /// application repeats itself is told by what it surely does.
    #[must_use]
    pub fn supported_rates(&self) -> Vec<f64> {
        let mut rates = self.rates.clone();
        for burst in self.by_support(false) {
            let points = |at_s: f64| (at_s - self.start_s) / self.step_s;
            let place = |points: f64| (points as usize).min(rates.len());
            // A burst begins with its run at the earliest, and that may be in the middle of its first point.
            let start = place((points(burst.start_s) + EXACT).floor());
            let end = place(points(burst.end_s).round());
            rates[start..end.max(start)].fill(0.0);
        }
        rates
    }

    /// The bursts of these rates.
    pub(super) fn supported_bursts(&self) -> Vec<SignatureBurst> {
        self.by_support(true).copied().collect()
    }

    fn by_support(&self, is_supported: bool) -> impl Iterator<Item = &SignatureBurst> {
        let most = self.bursts.iter().map(|burst| burst.support).max();
        let least = SUPPORTED * most.unwrap_or(0) as f64;
        let wanted = move |b: &&SignatureBurst| (b.support as f64 >= least) == is_supported;
        self.bursts.iter().filter(wanted)
    }

    /// What it moves, in bytes.
    #[must_use]
    pub fn bytes(&self) -> f64 {
        self.rates.iter().sum::<f64>() * self.step_s
    }
}

/// A burst that samples have in common.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SignatureBurst {
    /// When it is: the time to which samples are aligned.
    pub time_s: f64,
    /// When it begins.
    pub start_s: f64,
    /// When it ends.
    pub end_s: f64,
    /// What it moves, in bytes: the sum of the signature's rates in it.
    pub bytes: f64,
    /// The least that samples move in it beyond the background, but for the lowest tenth of them, and for
    /// `bytes` where that is less: what others move at another moment in each sample is in no signature.
    pub bytes_low: f64,
    /// The most, but for the highest tenth of samples, and for `bytes` where that is more.
    pub bytes_high: f64,
    /// Its highest rate, in bytes per second.
    pub peak: f64,
    /// How many samples have it.
    pub support: usize,
}

/// A burst of one sample, be it whose it may.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SampleBurst {
    /// When it begins.
    pub start_s: f64,
    /// When it is highest.
    pub crest_s: f64,
    /// When it ends.
    pub end_s: f64,
    /// What it moves beyond the background, in bytes.
    pub bytes: f64,
}

/// A sample that was left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outlier {
    /// Its id.
    pub id: String,
    /// Its place among the samples.
    #[serde(skip)]
    pub place: usize,
    /// Its local outlier factor among the samples; none where it was left out before.
    pub factor: Option<f64>,
    /// Why it was left out.
    pub reason: String,
}

/// Cells that were laid over bursts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Grid {
    /// How wide they are, in seconds.
    pub width_s: f64,
    /// How high they are, in units of correlation.
    pub height: f64,
    /// How many bursts of samples belong to common ones.
    pub selected: usize,
    /// Whether the time of a burst was its crest; else it was its centroid.
    pub crest: bool,
    /// Whether shapes were compared in windows; else they were stretched.
    pub window: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fewer_samples_have_does_not_count() {
        let burst = |start: usize, support: usize| SignatureBurst {
            time_s: start as f64 + 2.0,
            start_s: start as f64,
            end_s: start as f64 + 4.0,
            bytes: 4.0,
            bytes_low: 4.0,
            bytes_high: 4.0,
            peak: 1.0,
            support,
        };
        let signature = Signature {
            start_s: 0.0,
            step_s: 1.0,
            rates: vec![1.0; 20],
            bursts: vec![burst(2, 21), burst(8, 13), burst(14, 18)],
            timing: None,
        };
        let rates = signature.supported_rates();
        let gone = |rates: &[f64]| -> Vec<usize> {
            let places = 0..rates.len();
            places.filter(|&i| rates[i] == 0.0).collect()
        };
        assert_eq!(gone(&rates), [8, 9, 10, 11]);
        // A curve may begin half a point before its run, and a burst does not.
        let early = Signature {
            start_s: -0.5,
            bursts: vec![
                SignatureBurst {
                    end_s: 2.5,
                    ..burst(0, 13)
                },
                burst(8, 21),
            ],
            ..signature
        };
        assert_eq!(gone(&early.supported_rates()), [0, 1, 2]);
    }
}
