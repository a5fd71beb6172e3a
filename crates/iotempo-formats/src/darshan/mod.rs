//! Darshan logs, read without libdarshan.

mod autoperf;
mod bytes;
mod counters;
mod dxt;
mod header;
mod heatmap;
mod job;
mod layout;
mod log;
mod lustre;
mod module;
mod names;
mod reader;
mod region;
mod upgrade;
pub mod writer;

pub use bytes::ByteOrder;
pub use dxt::Segment;
pub use header::{Compression, LogVersion};
pub use layout::{Layout, latest_version};
pub use log::*;
pub use module::Module;

use crate::{Error, Format, Input, ReadOptions, Reading};
use iotempo_model::RequestSink;

/// Darshan's magic number, after the 8 bytes of the version.
const MAGIC: i64 = 6_567_223;

/// Whether these bytes begin a Darshan log, or the text of one of its tools.
pub(crate) fn detect(head: &[u8]) -> Option<Format> {
    let magic: [u8; 8] = head.get(8..16)?.try_into().ok()?;
    let known = [i64::from_le_bytes(magic), i64::from_be_bytes(magic)].contains(&MAGIC);
    known.then_some(Format::Darshan)
}

pub(crate) fn read(
    _input: Input,
    _options: &ReadOptions,
    _sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    todo!()
}
