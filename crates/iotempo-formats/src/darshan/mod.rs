//! Darshan logs, read without libdarshan.

mod autoperf;
mod bytes;
mod choice;
mod counted;
mod counters;
mod coverage;
pub mod derived;
mod dxt;
mod dxt_text;
mod emitter;
mod header;
mod heatmap;
mod inspection;
mod job;
mod layers;
mod layout;
mod legacy;
mod log;
mod lustre;
mod module;
mod names;
mod opened;
mod parser_text;
mod reader;
mod region;
mod requests;
mod survey;
mod text;
mod totals;
mod upgrade;
mod whole;
pub mod writer;

pub use bytes::ByteOrder;
pub use counted::{ActiveBin, CountedLog, TracedRequest};
pub use dxt::Segment;
pub use dxt_text::{
    DXT_TEXT_RESOLUTION_S, DxtText, DxtTextModule, DxtTextRecord, DxtTextRequest,
    for_each_dxt_request, read_dxt_text,
};
pub use header::{Compression, LogVersion};
pub use layout::{Layout, latest_version};
pub use legacy::{legacy_time_origin, read_legacy};
pub use log::*;
pub use module::Module;
pub use names::NameTable;
pub use parser_text::read_parser_text;

use crate::{Error, Format, Input, Inspection, ReadOptions, Reading};
use iotempo_model::{RequestSink, Selection};
use opened::Opened;
use reader::Reader;

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

/// Reads a log, or the text of one of Darshan's tools.
pub(crate) fn read(
    input: Input,
    format: Format,
    options: &ReadOptions,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    if format == Format::DarshanDxtText {
        return requests::read_dxt_text(input, options, sink);
    }
    requests::read(&mut open(input, format, options)?, options, sink)
}

/// Looks at all of a log.
pub(crate) fn inspect(
    input: Input,
    format: Format,
    options: &ReadOptions,
    selection: &Selection,
) -> Result<Inspection, Error> {
    inspection::inspect(&mut open(input, format, options)?, options, selection)
}

fn open(input: Input, format: Format, options: &ReadOptions) -> Result<Opened, Error> {
    let limits = &options.limits;
    let log = match format {
        Format::DarshanLegacy => read_legacy(input.into_reader(), limits)?,
        Format::DarshanParserText => read_parser_text(input.into_reader(), limits)?,
        Format::DarshanDxtText => read_dxt_text(input.into_reader(), limits)?,
        _ => {
            let bytes = input.into_seekable(limits)?;
            return Ok(Opened::File(Box::new(Reader::open(bytes, *limits)?)));
        }
    };
    Ok(Opened::memory(log, format))
}
