//! Output as JSON lines.

use super::about::About;
use super::table::{Columns, Names, Table};
use crate::envelope::write_number;
use iotempo_model::{FileId, Request, RequestSink};
use std::io::{self, BufWriter, Write};

/// One object a line.
pub(super) struct JsonLines<W: Write> {
    out: BufWriter<W>,
    columns: Columns,
    /// How every line begins.
    begin: Vec<u8>,
    files: Names<Vec<u8>>,
}

impl<W: Write> JsonLines<W> {
    pub(super) fn new(out: W, columns: Columns) -> Self {
        Self {
            out: BufWriter::with_capacity(64 << 10, out),
            columns,
            begin: b"{".to_vec(),
            files: Names::default(),
        }
    }
}

impl<W: Write> RequestSink for JsonLines<W> {
    fn file(&mut self, name: &str) -> FileId {
        self.files.intern(name, |name| match name {
            "" => b"null".to_vec(),
            name => text(name),
        })
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        let out = &mut self.out;
        let file = self
            .files
            .get(request.file)
            .map_or(&b"null"[..], Vec::as_slice);
        out.write_all(&self.begin)?;
        let (op, api) = (request.op.name(), request.api.name());
        write!(
            out,
            "\"rank\":{},\"op\":\"{op}\",\"api\":\"{api}\",\"file\":",
            request.rank
        )?;
        out.write_all(file)?;
        out.write_all(b",\"start_s\":")?;
        write_number(out, request.when.start().get())?;
        out.write_all(b",\"end_s\":")?;
        write_number(out, request.when.end().get())?;
        out.write_all(b",\"bytes\":")?;
        write_number(out, request.bytes.get())?;
        out.write_all(b"}\n")
    }
}

impl<W: Write + Send> Table for JsonLines<W> {
    fn begin(&mut self, input: &str) -> io::Result<()> {
        self.files = Names::default();
        self.begin = b"{".to_vec();
        if self.columns.input {
            self.begin.extend_from_slice(b"\"input\":");
            self.begin.extend_from_slice(&text(input));
            self.begin.push(b',');
        }
        Ok(())
    }

    fn sample(&mut self, time_s: f64, read: f64, write: f64) -> io::Result<()> {
        let out = &mut self.out;
        out.write_all(&self.begin)?;
        out.write_all(b"\"time_s\":")?;
        write_number(out, time_s)?;
        out.write_all(b",\"read_bytes_per_s\":")?;
        write_number(out, read)?;
        out.write_all(b",\"write_bytes_per_s\":")?;
        write_number(out, write)?;
        out.write_all(b"}\n")
    }

    fn finish(mut self: Box<Self>, _: &[About]) -> io::Result<()> {
        self.out.flush()
    }
}

/// A text with its quotes and escapes.
fn text(text: &str) -> Vec<u8> {
    serde_json::Value::from(text).to_string().into_bytes()
}
