//! What every output table can do.

use super::about::About;
use super::csv::Csv;
use super::json_lines::JsonLines;
#[cfg(feature = "tables")]
use super::parquet::Parquet;
use crate::cli::TableFormat;
use iotempo_model::{FileId, FileTable, RequestSink};
use std::io::{self, Write};

/// What the rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rows {
    Requests,
    Signal,
}

/// The columns of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) rows: Rows,
    /// Whether the first column names the input.
    pub(crate) input: bool,
}

impl Columns {
    /// Their names, in order.
    pub(super) fn names(self) -> impl Iterator<Item = &'static str> {
        let input = self.input.then_some("input");
        let names: &[_] = match self.rows {
            Rows::Requests => &["rank", "op", "api", "file", "start_s", "end_s", "bytes"],
            Rows::Signal => &["time_s", "read_bytes_per_s", "write_bytes_per_s"],
        };
        input.into_iter().chain(names.iter().copied())
    }
}

/// A table being written: requests are pushed into it, or samples.
pub(crate) trait Table: RequestSink + Send {
    /// The rows from here on are of `input`; ids of files before are forgotten.
    fn begin(&mut self, input: &str) -> io::Result<()>;

    /// Takes one step of a signal.
    fn sample(&mut self, time_s: f64, read: f64, write: f64) -> io::Result<()>;

    /// Writes what is left, and whatever the format can say about where rows came from.
    fn finish(self: Box<Self>, about: &[About]) -> io::Result<()>;
}

/// An empty table.
pub(crate) fn create(
    format: TableFormat,
    out: Box<dyn Write + Send>,
    columns: Columns,
) -> io::Result<Box<dyn Table>> {
    Ok(match format {
        #[cfg(feature = "tables")]
        TableFormat::Parquet => Box::new(Parquet::new(out, columns)?),
        TableFormat::Csv => Box::new(Csv::new(out, columns)),
        TableFormat::Jsonl => Box::new(JsonLines::new(out, columns)),
    })
}

/// The files of an input, each in the form in which a table writes it.
pub(super) struct Names<T> {
    ids: FileTable,
    written: Vec<T>,
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self {
            ids: FileTable::default(),
            written: Vec::new(),
        }
    }
}

impl<T> Names<T> {
    pub(super) fn intern(&mut self, name: &str, write: impl FnOnce(&str) -> T) -> FileId {
        let id = self.ids.intern(name);
        if id.0 as usize == self.written.len() {
            self.written.push(write(name));
        }
        id
    }

    pub(super) fn get(&self, id: FileId) -> Option<&T> {
        self.written.get(id.0 as usize)
    }
}
