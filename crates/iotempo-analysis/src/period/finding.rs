//! What was found out about the repetition of I/O.

use iotempo_model::{Bytes, Seconds};
use serde::Serialize;
use std::fmt;

/// What was found out about the repetition of a signal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PeriodFinding {
    /// Whether it repeats; if not, why not.
    pub verdict: Verdict,
    /// What repeats, the one that moves most data first. Empty unless the verdict is
    /// [`Verdict::Periodic`].
    pub rhythms: Vec<Rhythm>,
    /// The best guess where the verdict is not [`Verdict::Periodic`]: not to be relied on.
    pub candidate: Option<Rhythm>,
    /// The stretches of one behaviour each, in order of time; one where nothing changes, none where
    /// there is no data.
    pub segments: Vec<Segment>,
    /// Set where a period lies too close to the sampling step to be told from an alias.
    pub alias: Option<Alias>,
    /// What each witness said, whether it was believed or not.
    pub witnesses: Vec<Witness>,
}

impl PeriodFinding {
    /// A finding of nothing.
    pub(super) fn without(verdict: Verdict) -> Self {
        Self {
            verdict,
            rhythms: Vec::new(),
            candidate: None,
            segments: Vec::new(),
            alias: None,
            witnesses: Vec::new(),
        }
    }

    /// The rhythm that moves most data, where I/O repeats.
    #[must_use]
    pub fn main(&self) -> Option<&Rhythm> {
        self.rhythms.first()
    }

    /// The rhythm that moves most data, or else the best guess.
    #[must_use]
    pub fn best(&self) -> Option<&Rhythm> {
        self.main().or(self.candidate.as_ref())
    }

    /// Whether I/O repeats.
    #[must_use]
    pub fn is_periodic(&self) -> bool {
        self.verdict == Verdict::Periodic
    }
}

/// Whether I/O repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It repeats.
    Periodic,
    /// Nothing moved.
    Empty,
    /// All I/O is one phase.
    SinglePhase,
    /// Fewer phases than it takes to tell a rhythm from chance.
    TooFewPhases,
    /// Data moves at an even rate all the time.
    Constant,
    /// Phases come at irregular times.
    Irregular,
    /// The signal never comes back to what it was.
    NoRepetition,
    /// Something repeats every few samples: they cannot tell at which period.
    TooFast,
    /// Something repeats, but not as surely as was asked for.
    TooUnsure,
}

impl Verdict {
    /// The verdict for a person.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Periodic => "I/O repeats",
            Self::Empty => "no data moved",
            Self::SinglePhase => "all I/O is one phase",
            Self::TooFewPhases => "too few phases to tell a rhythm from chance",
            Self::Constant => "data moves at an even rate all the time",
            Self::Irregular => "phases come at irregular times",
            Self::NoRepetition => "no repetition stands out from the noise",
            Self::TooFast => "it repeats faster than these samples can show",
            Self::TooUnsure => "what repeats may be chance",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.sentence())
    }
}

/// A number with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The best value.
    pub value: Seconds,
    /// The lower end of the interval.
    pub low: Seconds,
    /// The upper end of the interval.
    pub high: Seconds,
}

/// Something that repeats.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rhythm {
    /// The mean time from the start of a phase to the start of the next.
    pub period: Estimate,
    /// The probability that I/O does repeat and that the true mean period lies within 5 % of this.
    pub confidence: f64,
    /// The standard deviation of the time from start to start, as a share of the period; `None` where
    /// single phases are not seen, only their mean.
    pub jitter: Option<f64>,
    /// Its phases, in order of time.
    pub phases: Vec<Phase>,
    /// When the next phase would have begun, had the run gone on.
    pub next_start: Option<Estimate>,
    /// All bytes that its phases moved.
    pub bytes: Bytes,
}

impl Rhythm {
    /// The mean length of a phase.
    #[must_use]
    pub fn phase_length(&self) -> Seconds {
        let sum: f64 = self
            .phases
            .iter()
            .map(|p| p.end.get() - p.start.get())
            .sum();
        Seconds::new(sum / self.phases.len().max(1) as f64).unwrap_or_default()
    }

    /// The mean volume of a phase.
    #[must_use]
    pub fn bytes_per_phase(&self) -> Bytes {
        Bytes::new(self.bytes.get() / self.phases.len().max(1) as f64).unwrap_or_default()
    }
}

/// One I/O phase.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Phase {
    /// When it begins.
    pub start: Seconds,
    /// When it ends.
    pub end: Seconds,
    /// How much it moves.
    pub bytes: Bytes,
}

/// A stretch of one behaviour.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Segment {
    /// When it begins.
    pub start: Seconds,
    /// When it ends.
    pub end: Seconds,
    /// What moved in it.
    pub bytes: Bytes,
    /// Its period; `None` where nothing repeats in it.
    pub period: Option<Estimate>,
    /// How sure the period is, as in [`Rhythm::confidence`]; 0 without one.
    pub confidence: f64,
}

/// A period that may not be what it looks like.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Alias {
    /// The period that the samples show.
    pub apparent: Seconds,
    /// The sampling step.
    pub step: Seconds,
    /// Faster periods that would look the same at this step: `1/(1/step ∓ 1/apparent)`.
    pub could_be: [Seconds; 2],
}

/// An independent way to look for a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WitnessKind {
    /// Idle time recurs after equal volumes.
    Volume,
    /// Bursts begin at equal distances of time.
    Spacing,
    /// Lines stand out of the spectrum.
    Spectrum,
    /// The signal resembles itself one period later.
    Autocorrelation,
}

/// What one witness said.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Witness {
    /// Who.
    pub kind: WitnessKind,
    /// The period it saw.
    pub period: Seconds,
    /// The probability that chance alone gives evidence as strong.
    pub p_value: f64,
    /// Whether the answer agrees with it.
    pub agrees: bool,
}
