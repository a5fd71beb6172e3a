//! Which format an input has.

use crate::error::{Error, ErrorKind, Place};
use crate::reading::ReadOptions;
use crate::{darshan, ftio_text, iot, jobs, json, msgpack, server, table};

/// The formats that can be read. A closed set, judged by content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// A Darshan log of version 3.
    Darshan,
    /// A Darshan log of version 1 or 2, without its compression.
    DarshanLegacy,
    /// The text that `darshan-parser` prints.
    DarshanParserText,
    /// The text that `darshan-dxt-parser` prints.
    DarshanDxtText,
    /// A log of iotempo's own tracer.
    Iot,
    /// JSON or JSON lines: TMIO, FTIO's custom files, GekkoFS.
    Json,
    /// MessagePack: TMIO, GekkoFS, the metric proxy.
    MessagePack,
    /// FTIO's plain text: `name: [numbers]` lines.
    FtioText,
    /// A table with a heading: requests or samples.
    Table,
    /// The log of a server.
    Server(server::Kind),
    /// JSON lines, each of them a request.
    RequestLines,
}

impl Format {
    /// Whether it is a log of Darshan, or the text of one of its tools.
    #[must_use]
    pub const fn is_darshan(self) -> bool {
        matches!(
            self,
            Self::Darshan | Self::DarshanLegacy | Self::DarshanParserText | Self::DarshanDxtText
        )
    }

    /// Whether its first bytes are those of no other format. What is certain and cannot be read is
    /// damaged; what is not may be something else altogether.
    #[must_use]
    pub const fn is_certain(self) -> bool {
        self.is_darshan() || matches!(self, Self::Iot)
    }
}

/// Judges an input by its first bytes, never by its name.
///
/// # Errors
/// [`ErrorKind::Empty`] and [`ErrorKind::UnknownFormat`].
pub fn detect(head: &[u8]) -> Result<Format, Error> {
    detect_with(head, &ReadOptions::default())
}

/// As [`detect`], for a user who may have said what the columns of a table are.
///
/// # Errors
/// As [`detect`], and [`ErrorKind::Invalid`] for a table whose columns do not make sense.
pub fn detect_with(head: &[u8], options: &ReadOptions) -> Result<Format, Error> {
    if head.is_empty() {
        return Err(Error::new("", Place::Whole, ErrorKind::Empty));
    }
    if let Some(format) = jobs::as_json(head) {
        return Err(job_log(format));
    }
    let columns = &options.columns;
    let format = darshan::detect(head)
        .or_else(|| iot::sniff(head).then_some(Format::Iot))
        .or_else(|| server::detect(head).map(Format::Server))
        .or_else(|| table::json_lines::detect(head, columns).then_some(Format::RequestLines))
        .or_else(|| json::sniff(head).then_some(Format::Json))
        .or_else(|| msgpack::sniff(head).then_some(Format::MessagePack))
        .or_else(|| ftio_text::sniff(head).then_some(Format::FtioText));
    match format {
        Some(format) => Ok(format),
        // Last, because a table is judged by its words alone.
        None if table::detect(head, options)? => Ok(Format::Table),
        None => Err(unknown(head)),
    }
}

/// Compressions that are not undone here, by how they begin.
const COMPRESSIONS: [(&[u8], &str); 5] = [
    (b"\xfd7zXZ\0", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"PK\x03\x04", "zip"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\x04\x22\x4d\x18", "lz4"),
];

/// What tells of jobs tells nothing of their requests.
fn job_log(format: jobs::JobFormat) -> Error {
    let message = format!("a job log ({}), not a trace of I/O", format.name());
    Error::new("", Place::Whole, ErrorKind::Unsupported(message))
}

fn unknown(head: &[u8]) -> Error {
    let compression = COMPRESSIONS
        .iter()
        .find(|(magic, _)| head.starts_with(magic));
    if let Some((_, name)) = compression {
        let message = format!("compressed with {name}: unpack it first");
        return Error::new("", Place::Byte(0), ErrorKind::Unsupported(message));
    }
    if let Some(format) = jobs::recognised(head) {
        return job_log(format);
    }
    let begin = String::from_utf8_lossy(&head[..head.len().min(16)]).into_owned();
    let kind = ErrorKind::UnknownFormat(format!("{begin:?}"));
    Error::new("", Place::Byte(0), kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foreign_compression_is_named() {
        for (magic, name) in COMPRESSIONS {
            let mut head = magic.to_vec();
            head.extend_from_slice(&[0; 300]);
            let error = detect(&head).expect_err("not unpacked");
            let expected = format!("byte 0: compressed with {name}: unpack it first");
            assert_eq!(error.to_string(), expected);
        }
    }
}
