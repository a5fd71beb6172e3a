//! What is to be known before a phase is believed.

use serde::Serialize;

/// Below this share of its length, a file was not in use all the time.
pub(super) const BUSY_SHARE: f64 = 0.2;

/// Above this, processes do not move the same.
pub(super) const EVEN_CV: f64 = 0.2;

/// What is to be known before a phase is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Flags {
    /// Another layer tells what the program moved: MPI-IO above POSIX, or POSIX where MPI-IO's counters
    /// overflowed. Who adds bytes up must leave it out.
    pub shadow: bool,
    /// Files came one after the other: their times were added up.
    pub serial: bool,
    /// A file was used for less than a fifth of the time from its first access to its last: it may
    /// hide several phases.
    pub long_lived: bool,
    /// Processes moved different amounts: the coefficient of variation is above 0.2.
    pub imbalance: bool,
    /// The profiler ran out of memory at this layer, and dropped files.
    pub partial: bool,
}

/// One of the flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flag {
    /// In a word.
    pub name: &'static str,
    /// In a sentence.
    pub meaning: &'static str,
}

impl Flags {
    /// Every flag, whether or not it is up.
    pub const ALL: [Flag; 5] = [
        Flag {
            name: "shadow",
            meaning: "a phase of another layer tells what the program moved here; not added up",
        },
        Flag {
            name: "serial",
            meaning: "files came one after the other: their times are added up",
        },
        Flag {
            name: "long-lived",
            meaning: "a file was in use for less than a fifth of its time: it may hide several phases",
        },
        Flag {
            name: "imbalance",
            meaning: "processes moved different amounts (coefficient of variation above 0.2)",
        },
        Flag {
            name: "partial",
            meaning: "the profiler ran out of memory and dropped files: there was more",
        },
    ];

    /// The flags that are up here or there.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            shadow: self.shadow || other.shadow,
            serial: self.serial || other.serial,
            long_lived: self.long_lived || other.long_lived,
            imbalance: self.imbalance || other.imbalance,
            partial: self.partial || other.partial,
        }
    }

    /// The flags that are up.
    pub fn up(self) -> impl Iterator<Item = Flag> {
        let values = [
            self.shadow,
            self.serial,
            self.long_lived,
            self.imbalance,
            self.partial,
        ];
        let flags = Self::ALL.into_iter().zip(values);
        flags.filter(|(_, up)| *up).map(|(flag, _)| flag)
    }
}
