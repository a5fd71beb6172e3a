//! How the requests of an I/O phase lie in its files.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Where the requests of a phase lie in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Spatiality {
    /// Each begins where the one before it ended.
    Consecutive,
    /// Each begins behind the end of the one before it: strided, say.
    Sequential,
    /// Anywhere.
    Random,
    /// Made by all processes together.
    Collective,
    /// The source does not tell.
    Unknown,
}

/// Who uses a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileStrategy {
    /// Several processes.
    Shared,
    /// One process.
    Unique,
}

impl Spatiality {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Consecutive,
        Self::Sequential,
        Self::Random,
        Self::Collective,
        Self::Unknown,
    ];

    /// In a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Consecutive => "consecutive",
            Self::Sequential => "sequential",
            Self::Random => "random",
            Self::Collective => "collective",
            Self::Unknown => "unknown",
        }
    }
}

impl FileStrategy {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Shared, Self::Unique];

    /// In a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Unique => "unique",
        }
    }
}

impl fmt::Display for Spatiality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for FileStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
