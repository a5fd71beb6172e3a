//! What is read of a log: the bytes that targets moved, or the operations that it took.

use crate::error::{Error, ErrorKind, Place};
use serde::Serialize;

/// What a reader hands on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Bytes read and written.
    #[default]
    Bytes,
    /// Read and write operations, as servers count them: requests to a disk or a target, not the calls of
    /// programs.
    Operations,
}

impl Quantity {
    /// In the plural.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Operations => "operations",
        }
    }

    /// No target moves more than this in a second, a hundred times what the largest file system does: a
    /// value above it is damage.
    pub(super) const fn impossible(self) -> f64 {
        match self {
            Self::Bytes => 1e14,
            Self::Operations => 1e10,
        }
    }

    /// The same for a person.
    pub(super) const fn too_much(self) -> &'static str {
        match self {
            Self::Bytes => "100 TB a second",
            Self::Operations => "10 billion operations a second",
        }
    }

    /// One of two, by what is asked for.
    pub(super) fn pick<T>(self, bytes: T, operations: T) -> T {
        match self {
            Self::Bytes => bytes,
            Self::Operations => operations,
        }
    }
}

/// The error of a log that counts bytes alone, where operations are asked for; `instead` says which log does.
pub(super) fn no_operations(what: &str, instead: &str) -> Error {
    let message = format!("{what} counts no read and write operations: {instead}");
    Error::new("", Place::Whole, ErrorKind::Unsupported(message))
}
