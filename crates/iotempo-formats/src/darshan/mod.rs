//! Darshan logs, read without libdarshan.

mod autoperf;
mod bytes;
mod counters;
mod coverage;
mod dxt;
mod emitter;
mod header;
mod heatmap;
mod inspection;
mod job;
mod layers;
mod layout;
mod log;
mod lustre;
mod module;
mod names;
mod opened;
mod reader;
mod region;
mod requests;
mod survey;
mod totals;
mod upgrade;

pub use layout::{Layout, latest_version};
pub use log::*;
pub use module::Module;

use crate::{Error, Format, Input, Inspection, ReadOptions, Reading};
use iotempo_model::{RequestSink, Selection};
use opened::Opened;
use reader::Reader;

/// Darshan's magic number, after the 8 bytes of the version.
const MAGIC: i64 = 6_567_223;

/// Whether these bytes begin a Darshan log, or the text of one of its tools.
pub(crate) fn detect(head: &[u8]) -> Option<Format> {
    let magic: [u8; 8] = head.get(8..16)?.try_into().ok()?;
    let known = [i64::from_le_bytes(magic), i64::from_be_bytes(magic)].contains(&MAGIC);
    known.then_some(Format::Darshan)
}

/// Reads a log, or the text of one of Darshan's tools.
pub(crate) fn read(
    input: Input,
    format: Format,
    options: &ReadOptions,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
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

fn open(input: Input, _format: Format, options: &ReadOptions) -> Result<Opened, Error> {
    let bytes = input.into_seekable(&options.limits)?;
    Ok(Opened::File(Box::new(Reader::open(bytes, options.limits)?)))
}

/// What the stamps of a module's counters count from.
fn time_origin(_log: &mut Opened, _module: Module) -> f64 {
    0.0
}
