//! Which processes take part, and how evenly.

use iotempo_model::Rank;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// The processes of a phase, as it states them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Involved {
    /// How many there are; `None` where all of a job take part that does not say how many it had.
    pub count: Option<u64>,
    /// Whether all processes of the job take part.
    pub all: bool,
    /// The process, where there is only one.
    pub rank: Option<Rank>,
}

impl fmt::Display for Involved {
    /// As SummarIO writes them: `all`, the rank of a single process, else how many there are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { all: true, .. } => f.pad("all"),
            Self {
                rank: Some(rank), ..
            } => f.pad(&rank.to_string()),
            Self { count, .. } => f.pad(&count.unwrap_or(0).to_string()),
        }
    }
}

/// A set of processes, with what each of them moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ranks {
    /// Whether there is a record of all processes together.
    all: bool,
    processes: Option<u64>,
    bytes: BTreeMap<Rank, u64>,
}

impl Ranks {
    /// One process, or all of them.
    pub(super) fn new(rank: Option<Rank>, processes: Option<u64>, bytes: u64) -> Self {
        Self {
            all: rank.is_none(),
            processes,
            bytes: rank.map(|rank| (rank, bytes)).into_iter().collect(),
        }
    }

    /// Adds others.
    pub(super) fn join(&mut self, other: Self) {
        self.all |= other.all;
        self.processes = self.processes.max(other.processes);
        for (rank, bytes) in other.bytes {
            let sum = self.bytes.entry(rank).or_default();
            *sum = sum.saturating_add(bytes);
        }
    }

    /// How many there are; `None` for all of a job that does not say.
    pub(super) fn count(&self) -> Option<u64> {
        match self.all {
            true => self.processes,
            false => Some(self.bytes.len() as u64),
        }
    }

    /// Whether several processes take part.
    pub(super) fn several(&self) -> bool {
        self.all || self.bytes.len() > 1
    }

    pub(super) fn involved(&self) -> Involved {
        let count = self.count();
        let single = (!self.all && self.bytes.len() == 1)
            .then(|| self.bytes.first_key_value().map(|(rank, _)| *rank));
        Involved {
            count,
            all: self.all || count.zip(self.processes).is_some_and(|(n, of)| n >= of),
            rank: single.flatten(),
        }
    }

    /// The coefficient of variation of what processes moved; `None` where they are not known one by
    /// one, or there is only one.
    pub(super) fn variation(&self) -> Option<f64> {
        if self.all || self.bytes.len() < 2 {
            return None;
        }
        let count = self.bytes.len() as f64;
        let mean = self.bytes.values().map(|&bytes| bytes as f64).sum::<f64>() / count;
        let squares = self
            .bytes
            .values()
            .map(|&bytes| (bytes as f64 - mean).powi(2));
        let variance = squares.sum::<f64>() / count;
        (mean > 0.0).then(|| variance.sqrt() / mean)
    }
}
