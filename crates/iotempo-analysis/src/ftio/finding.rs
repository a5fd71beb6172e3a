//! What FTIO finds, with its evidence.

use iotempo_model::Warning;
use serde::Serialize;
use std::fmt;

/// What was found in the bandwidth of a job.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// Whether it is periodic; if not, why not.
    pub verdict: Verdict,
    /// The dominant frequency; `None` where there is none.
    pub dominant_frequency_hz: Option<f64>,
    /// Its period.
    pub period_s: Option<f64>,
    /// How sure it is, 0 to 1: of the spectrum, refined by the autocorrelation where that was asked.
    pub confidence: Option<f64>,
    /// The candidates of the spectrum, lowest frequency first. At most two, or there would be no
    /// dominant one.
    pub candidates: Vec<Bin>,
    /// The strongest bins, strongest first, the mean included. As many as were asked for.
    pub top_bins: Vec<Bin>,
    /// The samples that were taken; `None` where none could be.
    #[serde(flatten)]
    pub sampling: Option<Sampling>,
    /// What the autocorrelation says, where it was asked.
    pub autocorrelation: Option<Autocorrelation>,
    /// `c_s`: how similar the periods of both are.
    pub similarity: Option<f64>,
    /// `(c_d + c_a + c_s)/3`; `None` where one of both has no answer.
    pub refined_confidence: Option<f64>,
    /// What a person should know about the answer.
    pub notes: Vec<Warning>,
}

/// Whether the bandwidth is periodic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// One or two frequencies stand out of the spectrum.
    Periodic,
    /// None stands out of the spectrum, but the autocorrelation has a period.
    AutocorrelationOnly,
    /// No frequency stands out.
    NoCandidate,
    /// More than two stand out.
    TooManyCandidates,
    /// The spectrum and the autocorrelation together are less than 20 % sure.
    TooUnsure,
    /// Undetermined: there are no events in the window.
    Empty,
    /// Undetermined: the window is too short for this rate or this way to find outliers.
    TooShort,
    /// Undetermined: the rate asks for more samples than a signal may have.
    TooManySamples,
    /// Undetermined: a sample is not a finite number.
    NotFinite,
    /// Undetermined: the bandwidth never changes, so that it has no frequencies.
    Constant,
}

impl Verdict {
    /// Whether there is an answer at all, be it that nothing is periodic.
    #[must_use]
    pub const fn is_determined(self) -> bool {
        !matches!(
            self,
            Self::Empty | Self::TooShort | Self::TooManySamples | Self::NotFinite | Self::Constant
        )
    }

    /// The verdict for a person.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Periodic => "a frequency stands out",
            Self::AutocorrelationOnly => {
                "no frequency stands out, but the autocorrelation has a period"
            }
            Self::NoCandidate => "no frequency stands out",
            Self::TooManyCandidates => "more than two frequencies stand out",
            Self::TooUnsure => "spectrum and autocorrelation together are less than 20 % sure",
            Self::Empty => "there are no events in the window",
            Self::TooShort => "the window is too short",
            Self::TooManySamples => "the sampling rate asks for too many samples",
            Self::NotFinite => "a sample is not a finite number",
            Self::Constant => "the bandwidth never changes",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.sentence())
    }
}

/// A bin of the spectrum.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// Its number: cycles in the window.
    pub k: usize,
    /// Its frequency.
    pub frequency_hz: f64,
    /// How sure it is, 0 to 1; `None` for the mean.
    pub confidence: Option<f64>,
    /// `|X_k|`.
    #[serde(rename = "amplitude_bytes_per_s")]
    pub amplitude: f64,
    /// The angle of its wave at time 0.
    pub phase_rad: f64,
}

/// The samples that were taken.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sampling {
    /// How many.
    pub n_samples: usize,
    /// How many per second.
    #[serde(rename = "sampling_rate_hz")]
    pub rate_hz: f64,
    /// The first event of the window.
    pub t_start_s: f64,
    /// The last event of the window.
    pub t_end_s: f64,
    /// What moved in the window.
    pub volume_bytes: f64,
    /// What moved according to the samples.
    pub sampled_volume_bytes: f64,
    /// How far both volumes are apart, as a share of the true one; 0 where nothing moved.
    pub abstraction_error: f64,
}

/// What the autocorrelation says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Autocorrelation {
    /// The period; `None` where there is none, or where its mean is not positive.
    pub period_s: Option<f64>,
    /// `c_a`: how sure it is, at most 1; `None` without a period.
    pub confidence: Option<f64>,
    /// Where the autocorrelation has peaks.
    pub peak_lags_s: Vec<f64>,
    /// How high they are.
    pub peak_heights: Vec<f64>,
    /// The times from peak to peak that were not left out as outliers.
    pub candidates_s: Vec<f64>,
}

impl Finding {
    /// A finding without an answer.
    pub(super) fn undetermined(verdict: Verdict) -> Self {
        Self {
            verdict,
            dominant_frequency_hz: None,
            period_s: None,
            confidence: None,
            candidates: Vec::new(),
            top_bins: Vec::new(),
            sampling: None,
            autocorrelation: None,
            similarity: None,
            refined_confidence: None,
            notes: Vec::new(),
        }
    }

    /// Whether there is a dominant frequency.
    #[must_use]
    pub const fn is_periodic(&self) -> bool {
        self.dominant_frequency_hz.is_some()
    }
}
