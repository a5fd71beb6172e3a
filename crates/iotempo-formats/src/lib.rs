//! Readers of I/O traces: bytes in, requests out.
//!
//! [`read`] judges an input by its first bytes, never by its name, and pushes its requests into a
//! sink as it goes; [`read_trace`] gathers them in memory. Readers never print, never panic on bad
//! input, and never allocate what a length field asks for before the bytes are there.
//!
//! ```
//! use iotempo_formats::{Input, ReadOptions, read_trace};
//! use iotempo_model::{Hertz, Sampling};
//!
//! let table = "rank,op,start,end,bytes\n0,write,0,2,4096\n1,write,10,12,4096\n";
//! let (reading, trace) = read_trace(Input::bytes(table), &ReadOptions::default())?;
//! assert_eq!(reading.format, "table of requests");
//! let signal = trace.bandwidth().sample(Sampling::Rate(Hertz::new(1.0).unwrap())).unwrap();
//! assert_eq!(signal.samples()[..3], [2048.0, 2048.0, 0.0]);
//! # Ok::<(), iotempo_formats::Error>(())
//! ```

mod budget;
mod columns;
mod detect;
mod error;
mod foreign;
mod ftio_text;
mod input;
mod inspect;
mod iot;
mod json;
mod limits;
mod msgpack;
mod reading;
mod regular;
mod series;
mod table;

pub mod benchmarks;
pub mod darshan;
pub mod jobs;
pub mod live;
pub mod server;
pub mod zone;

pub use columns::{Columns, read_columns};
pub use detect::{Format, detect, detect_with};
pub use error::{Error, ErrorKind, Place};
pub use input::{Input, Part, ReadSeek};
pub use inspect::{Details, Evidence, Inspection, inspect, inspect_part};
pub use limits::Limits;
pub use reading::{Layer, ReadOptions, Reading, Section};
pub use table::iso8601;

use iotempo_model::{RequestSink, Trace, TraceBuilder};

/// Reads any known format and pushes its requests into `sink`.
///
/// # Errors
/// Where the format is unknown, or the input is damaged before its first request.
pub fn read(
    input: Input,
    options: &ReadOptions,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    let input = input.unwrapped()?;
    let format = detect_with(input.head(), options)?;
    match format {
        Format::Darshan
        | Format::DarshanLegacy
        | Format::DarshanParserText
        | Format::DarshanDxtText => darshan::read(input, format, options, sink),
        Format::Iot => iot::read(input, options, sink),
        Format::RequestLines => table::json_lines::read(input, options, sink),
        Format::Json => json::read(input, options, sink),
        Format::MessagePack => msgpack::read(input, options, sink),
        Format::FtioText => ftio_text::read(input, options, sink),
        Format::Server(kind) => server::read_requests(kind, input, options, sink),
        Format::Table => table::read(input, options, sink),
    }
}

/// Reads any known format into memory.
///
/// # Errors
/// As [`read`].
pub fn read_trace(input: Input, options: &ReadOptions) -> Result<(Reading, Trace), Error> {
    let mut builder = TraceBuilder::default();
    let reading = read(input, options, &mut builder)?;
    let trace = builder.finish(reading.origin.clone(), reading.warnings.clone());
    Ok((reading, trace))
}
