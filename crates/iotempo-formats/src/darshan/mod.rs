//! Darshan logs, read without libdarshan.

pub mod derived;
mod dxt_text;
mod layout;
mod legacy;
mod log;
mod module;
mod parser_text;
mod text;

pub use dxt_text::{
    DXT_TEXT_RESOLUTION_S, DxtText, DxtTextModule, DxtTextRecord, DxtTextRequest,
    for_each_dxt_request, read_dxt_text,
};
pub use layout::{Layout, latest_version};
pub use legacy::{legacy_time_origin, read_legacy};
pub use log::*;
pub use module::Module;
pub use parser_text::read_parser_text;

use crate::{Error, Format, Input, ReadOptions, Reading};
use iotempo_model::RequestSink;

/// Darshan's magic number, after the 8 bytes of the version.
const MAGIC: i64 = 6_567_223;

/// Whether these bytes begin a Darshan log, or the text of one of its tools.
pub(crate) fn detect(head: &[u8]) -> Option<Format> {
    if legacy::is_legacy(head) {
        return Some(Format::DarshanLegacy);
    }
    let magic = head.get(8..16).and_then(|m| <[u8; 8]>::try_from(m).ok());
    if magic.is_some_and(|m| [i64::from_le_bytes(m), i64::from_be_bytes(m)].contains(&MAGIC)) {
        return Some(Format::Darshan);
    }
    text::detect(head)
}

pub(crate) fn read(
    _input: Input,
    _options: &ReadOptions,
    _sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    todo!()
}
