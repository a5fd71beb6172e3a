//! Why a log cannot be written.

use super::super::header::LogVersion;
use super::super::module::Module;
use super::super::reader::module_name;
use std::io;

/// Why a log cannot be written as it was asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The output does not take it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A log of this version cannot carry the module.
    #[error("a log of version {} does not carry {}", .log.name(), module_name(*.module))]
    NoSuchModule {
        /// The version of the log.
        log: LogVersion,
        /// The number of the module in log version 3.41.
        module: u32,
    },
    /// The module has no such version.
    #[error("{module} has no version {version} that can be written")]
    NoSuchVersion {
        /// The module.
        module: Module,
        /// The version that was asked for.
        version: u32,
    },
    /// The version of the module has no such counter.
    #[error("version {version} of {module} has no counter {name}")]
    NoSuchCounter {
        /// The module.
        module: Module,
        /// The version that is written.
        version: u32,
        /// The name that was given.
        name: String,
    },
    /// A record was put into the region of another module.
    #[error("a record of {record} does not belong into the region of {region}")]
    WrongRegion {
        /// The module of the record.
        record: Module,
        /// The region that is open.
        region: String,
    },
    /// A text is longer than its field.
    #[error("{what} takes {bytes} bytes, and its field has {room}")]
    TooLong {
        /// What was too long.
        what: &'static str,
        /// Its length.
        bytes: usize,
        /// The room for it.
        room: usize,
    },
}
