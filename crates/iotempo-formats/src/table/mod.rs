//! Plain tables: requests or samples, as CSV or separated by tabs, semicolons or spaces; and
//! requests as JSON lines.
//!
//! What the columns mean is judged by their headings; `docs/tables.md` lists the names.

pub(crate) mod bad_rows;
pub(crate) mod clock;
mod field;
mod gate;
mod heading;
pub(crate) mod json_lines;
mod json_object;
mod layout;
pub(crate) mod lines;
pub(crate) mod numbers;
mod requests;
pub(crate) mod rows;
mod samples;
mod sniff;
mod times;
mod units;

use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::reading::{ReadOptions, Reading};
pub use clock::iso8601;
use iotempo_model::RequestSink;
use layout::Layout;
use lines::Lines;
use rows::Rows;

/// Whether these bytes begin a table.
///
/// # Errors
/// Where they do, or the user says so, but the columns do not make sense.
pub(crate) fn detect(head: &[u8], options: &ReadOptions) -> Result<bool, Error> {
    let table = sniff::sniff(head, options).transpose()?;
    Ok(table.is_some())
}

/// Reads a table into `sink`.
pub(crate) fn read(
    input: Input,
    options: &ReadOptions,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    let unknown = || {
        let kind = ErrorKind::UnknownFormat("no heading".to_owned());
        Error::new("table", Place::Line(1), kind)
    };
    let table = sniff::sniff(input.head(), options).ok_or_else(unknown)??;
    let lines = Lines::new(input.into_reader(), &options.limits);
    let mut rows = Rows::new(lines, table.delimiter);
    if !table.commented {
        rows.next()?;
    }
    match &table.layout {
        Layout::Requests(columns) => requests::read(rows, &table.names, columns, sink),
        Layout::Samples(columns) => samples::read(rows, &table.names, columns, sink),
    }
}

#[cfg(test)]
mod tests;
