//! The hard cases by name.

/// A hard case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeKind {
    /// Bursts of 0.2 s every 100 s: nearly all samples are idle.
    LowDuty,
    /// A rhythm that is seen four times only.
    FewRepetitions,
    /// A first phase of three periods before the rhythm sets in.
    LongFirst,
    /// A first phase that is late and slow, as of HACC-IO in FTIO's paper.
    DelayedFirst,
    /// Checkpoints, and a log twelve times as often.
    TwoPeriods,
    /// Repetitions that grow by half from the first to the last.
    Drift,
    /// A period that doubles midway.
    Doubling,
    /// A rhythm of small writes, which large checkpoints join midway.
    Joining,
    /// Epochs of 139 s with steps of 1.36 s, which at 1 Hz look like 3.78 s.
    Alias,
    /// Bursts in a background of random rates.
    Background,
    /// Phases of three bursts each.
    MultiBurst,
}

impl ShapeKind {
    /// Every case.
    pub const ALL: [Self; 11] = [
        Self::LowDuty,
        Self::FewRepetitions,
        Self::LongFirst,
        Self::TwoPeriods,
        Self::Drift,
        Self::Doubling,
        Self::Joining,
        Self::Alias,
        Self::Background,
        Self::MultiBurst,
        Self::DelayedFirst,
    ];

    /// The name of the case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LowDuty => "low-duty",
            Self::FewRepetitions => "few",
            Self::LongFirst => "long-first",
            Self::DelayedFirst => "delayed-first",
            Self::TwoPeriods => "two-periods",
            Self::Drift => "drift",
            Self::Doubling => "doubling",
            Self::Joining => "joining",
            Self::Alias => "alias",
            Self::Background => "background",
            Self::MultiBurst => "multi-burst",
        }
    }

    /// The period in seconds, and how often it repeats.
    pub(super) const fn usual(self) -> (f64, u32) {
        match self {
            Self::LowDuty => (100.0, 30),
            Self::FewRepetitions => (60.0, 4),
            Self::LongFirst => (40.0, 20),
            Self::DelayedFirst => (7.7, 10),
            Self::TwoPeriods => (120.0, 15),
            Self::Drift => (40.0, 20),
            Self::Doubling => (30.0, 24),
            Self::Joining => (20.0, 96),
            Self::Alias => (139.0, 10),
            Self::Background => (60.0, 20),
            Self::MultiBurst => (60.0, 20),
        }
    }

    /// How many bursts a rank makes in a repetition at most.
    pub(super) fn bursts_per_repetition(self, period: f64) -> u64 {
        match self {
            Self::LowDuty | Self::FewRepetitions | Self::LongFirst => 1,
            Self::DelayedFirst | Self::Drift | Self::Doubling => 1,
            Self::Joining => 2,
            Self::MultiBurst => 3,
            Self::TwoPeriods => 14,
            Self::Alias => 140,
            // One a second, or ten a period where that is more.
            Self::Background => 11 + (1.5 * period) as u64,
        }
    }
}
