//! CSV output.

use super::about::About;
use super::table::{Columns, Names, Table};
use crate::envelope::write_number;
use iotempo_model::{FileId, Request, RequestSink};
use std::io::{self, BufWriter, Write};

/// A table with a heading; fields are quoted where they must be.
pub(super) struct Csv<W: Write> {
    out: BufWriter<W>,
    columns: Columns,
    started: bool,
    input: Vec<u8>,
    files: Names<Vec<u8>>,
}

impl<W: Write> Csv<W> {
    pub(super) fn new(out: W, columns: Columns) -> Self {
        Self {
            out: BufWriter::with_capacity(64 << 10, out),
            columns,
            started: false,
            input: Vec::new(),
            files: Names::default(),
        }
    }

    /// The heading comes with the first row: what fails before leaves nothing behind.
    fn start_row(&mut self) -> io::Result<()> {
        if !self.started {
            self.started = true;
            let names: Vec<_> = self.columns.names().collect();
            writeln!(self.out, "{}", names.join(","))?;
        }
        Ok(())
    }
}

impl<W: Write> RequestSink for Csv<W> {
    fn file(&mut self, name: &str) -> FileId {
        self.files.intern(name, field)
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        self.start_row()?;
        let file = self.files.get(request.file).map_or(&b""[..], Vec::as_slice);
        let out = &mut self.out;
        out.write_all(&self.input)?;
        write!(
            out,
            "{},{},{},",
            request.rank,
            request.op.name(),
            request.api.name()
        )?;
        out.write_all(file)?;
        out.write_all(b",")?;
        write_number(out, request.when.start().get())?;
        out.write_all(b",")?;
        write_number(out, request.when.end().get())?;
        out.write_all(b",")?;
        write_number(out, request.bytes.get())?;
        out.write_all(b"\n")
    }
}

impl<W: Write + Send> Table for Csv<W> {
    fn begin(&mut self, input: &str) -> io::Result<()> {
        self.files = Names::default();
        self.input.clear();
        if self.columns.input {
            self.input = field(input);
            self.input.push(b',');
        }
        Ok(())
    }

    fn sample(&mut self, time_s: f64, read: f64, write: f64) -> io::Result<()> {
        self.start_row()?;
        let out = &mut self.out;
        out.write_all(&self.input)?;
        write_number(out, time_s)?;
        out.write_all(b",")?;
        write_number(out, read)?;
        out.write_all(b",")?;
        write_number(out, write)?;
        out.write_all(b"\n")
    }

    fn finish(mut self: Box<Self>, _: &[About]) -> io::Result<()> {
        self.start_row()?;
        self.out.flush()
    }
}

/// A text as a field. One that would read as a comment, or lose its spaces, is quoted too.
pub(crate) fn field(text: &str) -> Vec<u8> {
    let special = text.contains([',', '"', '\n', '\r']);
    let edges = text.starts_with('#') || text.trim() != text;
    if special || edges {
        format!("\"{}\"", text.replace('"', "\"\"")).into_bytes()
    } else {
        text.as_bytes().to_vec()
    }
}
