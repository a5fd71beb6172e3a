//! What is counted of a system, and how much of it.

use iotempo_model::Op;
use serde::Serialize;
use std::fmt;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Series {
    /// Bytes that were read.
    ReadBytes,
    /// Bytes that were written.
    WriteBytes,
    /// Read operations.
    ReadOperations,
    /// Write operations.
    WriteOperations,
}

impl Series {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::ReadBytes,
        Self::WriteBytes,
        Self::ReadOperations,
        Self::WriteOperations,
    ];

    /// The bytes of a direction.
    #[must_use]
    pub const fn bytes(op: Op) -> Self {
        match op {
            Op::Read => Self::ReadBytes,
            Op::Write => Self::WriteBytes,
        }
    }

    /// The operations of a direction.
    #[must_use]
    pub const fn operations(op: Op) -> Self {
        match op {
            Op::Read => Self::ReadOperations,
            Op::Write => Self::WriteOperations,
        }
    }
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::ReadBytes => "bytes read",
            Self::WriteBytes => "bytes written",
            Self::ReadOperations => "read operations",
            Self::WriteOperations => "write operations",
        })
    }
}

/// What a system moved in a stretch of time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Amount {
    /// ψ: bytes, or operations.
    pub amount: f64,
    /// The length of the stretch. Of windows it is that of the intervals that they touch, without what lies
    /// before the first operation and behind the last.
    pub seconds: f64,
}

impl Amount {
    /// ψ per second; `None` for an instant. Longer jobs have a larger ψ whatever the traffic, and no larger
    /// rate.
    #[must_use]
    pub fn rate(self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.amount / self.seconds)
    }

    /// ψ − η: without what the job itself moved. Below 0 where the log saw less than the job moved, as
    /// where caches or other file systems took it.
    #[must_use]
    pub fn without(self, own: f64) -> Self {
        Self {
            amount: self.amount - own,
            ..self
        }
    }
}
