//! One request and the words it is made of.

use crate::units::{Bytes, Seconds};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The direction of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Op {
    /// From storage to memory.
    Read,
    /// From memory to storage.
    Write,
}

impl Op {
    /// Both directions, in the order in which tables show them.
    pub const ALL: [Self; 2] = [Self::Read, Self::Write];

    /// `read` or `write`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Op {
    type Err = UnknownWord;

    /// Reads the words that tracers use: `read`, `r`, `rd`, `write`, `w`, `wr`, in any case.
    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        const WORDS: [(&str, Op); 10] = [
            ("read", Op::Read),
            ("r", Op::Read),
            ("rd", Op::Read),
            ("reads", Op::Read),
            ("get", Op::Read),
            ("write", Op::Write),
            ("w", Op::Write),
            ("wr", Op::Write),
            ("writes", Op::Write),
            ("put", Op::Write),
        ];
        WORDS
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(word))
            .map(|&(_, op)| op)
            .ok_or_else(|| UnknownWord(word.to_owned()))
    }
}

/// A word that names nothing we know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord(pub String);

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown word {:?}", self.0)
    }
}

impl std::error::Error for UnknownWord {}

/// The layer that a request was seen at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Api {
    /// `read`, `pwrite`, …
    Posix,
    /// `MPI_File_write_all`, …: sits on POSIX.
    MpiIo,
    /// `fread`, `fprintf`, …: its calls into the kernel are not seen as POSIX.
    Stdio,
    /// DAOS file system.
    Dfs,
    /// DAOS objects.
    Daos,
    /// The source does not say.
    Unknown,
}

impl Api {
    /// Every layer, in the order of their codes.
    pub const ALL: [Self; 6] = [
        Self::Posix,
        Self::MpiIo,
        Self::Stdio,
        Self::Dfs,
        Self::Daos,
        Self::Unknown,
    ];

    /// The name in tables and JSON: `posix`, `mpiio`, `stdio`, `dfs`, `daos`, `unknown`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Posix => "posix",
            Self::MpiIo => "mpiio",
            Self::Stdio => "stdio",
            Self::Dfs => "dfs",
            Self::Daos => "daos",
            Self::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Api {
    type Err = UnknownWord;

    /// Reads the names of [`Api::name`] in any case, and `mpi-io`.
    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        let lower = word.to_ascii_lowercase().replace(['-', '_'], "");
        Self::ALL
            .into_iter()
            .find(|api| api.name() == lower)
            .ok_or_else(|| UnknownWord(word.to_owned()))
    }
}

/// The process that made a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rank(pub i32);

impl Rank {
    /// All ranks together: what a source reduced over the whole job (Darshan's rank −1).
    pub const SHARED: Self = Self(-1);

    /// The rank of a 64-bit field; any negative one is [`Rank::SHARED`], one beyond `i32` is `None`.
    #[must_use]
    pub fn from_i64(rank: i64) -> Option<Self> {
        if rank < 0 {
            Some(Self::SHARED)
        } else {
            i32::try_from(rank).ok().map(Self)
        }
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A file of a trace: an index into its [`FileTable`](crate::FileTable).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FileId(pub u32);

/// A closed stretch of time. `start <= end` always holds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Ends")]
pub struct Interval {
    start: Seconds,
    end: Seconds,
}

/// The ends of a stretch, in any order.
#[derive(Deserialize)]
struct Ends {
    start: Seconds,
    end: Seconds,
}

impl TryFrom<Ends> for Interval {
    type Error = Backwards;
    fn try_from(ends: Ends) -> Result<Self, Backwards> {
        Self::new(ends.start, ends.end)
    }
}

/// An end that lies before its start.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backwards {
    /// Where the stretch was said to start.
    pub start: Seconds,
    /// Where it was said to end.
    pub end: Seconds,
}

impl fmt::Display for Backwards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it ends at {} and starts at {}", self.end, self.start)
    }
}

impl std::error::Error for Backwards {}

impl Interval {
    /// A stretch from `start` to `end`.
    ///
    /// # Errors
    /// [`Backwards`] where `end < start`: clocks jump, and the caller must choose a repair.
    pub fn new(start: Seconds, end: Seconds) -> Result<Self, Backwards> {
        if start <= end {
            Ok(Self { start, end })
        } else {
            Err(Backwards { start, end })
        }
    }

    /// A stretch of no length.
    #[must_use]
    pub const fn at(instant: Seconds) -> Self {
        Self {
            start: instant,
            end: instant,
        }
    }

    /// Its first instant.
    #[must_use]
    pub const fn start(self) -> Seconds {
        self.start
    }

    /// Its last instant.
    #[must_use]
    pub const fn end(self) -> Seconds {
        self.end
    }

    /// How long it is.
    #[must_use]
    pub fn length(self) -> Seconds {
        self.end - self.start
    }

    /// The shortest stretch that holds both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self {
            start: if other.start < self.start {
                other.start
            } else {
                self.start
            },
            end: if other.end > self.end {
                other.end
            } else {
                self.end
            },
        }
    }

    /// What both have in common; `None` where they do not touch.
    #[must_use]
    pub fn intersection(self, other: Self) -> Option<Self> {
        let start = if other.start > self.start {
            other.start
        } else {
            self.start
        };
        let end = if other.end < self.end {
            other.end
        } else {
            self.end
        };
        Self::new(start, end).ok()
    }

    /// The same stretch, `by` later.
    #[must_use]
    pub fn shifted(self, by: Seconds) -> Self {
        Self {
            start: self.start + by,
            end: self.end + by,
        }
    }
}

/// One read or write: who, what, where, when, how much.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Request {
    /// The process.
    pub rank: Rank,
    /// The direction.
    pub op: Op,
    /// The layer it was seen at.
    pub api: Api,
    /// The file.
    pub file: FileId,
    /// From its first to its last instant.
    pub when: Interval,
    /// The data moved.
    pub bytes: Bytes,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(value: f64) -> Seconds {
        Seconds::new(value).expect("finite")
    }

    #[test]
    fn an_interval_never_runs_backwards() {
        assert!(Interval::new(seconds(2.0), seconds(1.0)).is_err());
        let one = Interval::new(seconds(1.0), seconds(2.0)).expect("forwards");
        let other = Interval::new(seconds(3.0), seconds(4.0)).expect("forwards");
        assert_eq!(one.intersection(other), None);
        assert_eq!(one.hull(other).length(), seconds(3.0));
    }

    #[test]
    fn words_of_many_tracers_are_understood() {
        assert_eq!("WRITE".parse(), Ok(Op::Write));
        assert_eq!("rd".parse(), Ok(Op::Read));
        assert_eq!("MPI-IO".parse(), Ok(Api::MpiIo));
        assert_eq!("seek".parse::<Op>(), Err(UnknownWord("seek".to_owned())));
    }

    #[test]
    fn every_negative_rank_is_shared() {
        assert_eq!(Rank::from_i64(-7), Some(Rank::SHARED));
        assert_eq!(Rank::from_i64(1 << 40), None);
    }
}
