//! Which format an input has.

use crate::error::{Error, ErrorKind, Place};
use crate::{darshan, ftio_text, json, msgpack};

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
    /// JSON or JSON lines: TMIO, FTIO's custom files, GekkoFS.
    Json,
    /// MessagePack: TMIO, GekkoFS, the metric proxy.
    MessagePack,
    /// FTIO's plain text: `name: [numbers]` lines.
    FtioText,
    /// A table with a heading: requests or samples.
    Table,
}

/// Judges an input by its first bytes, never by its name.
///
/// # Errors
/// [`ErrorKind::Empty`] and [`ErrorKind::UnknownFormat`].
pub fn detect(head: &[u8]) -> Result<Format, Error> {
    if head.is_empty() {
        return Err(Error::new("", Place::Whole, ErrorKind::Empty));
    }
    darshan::detect(head)
        .or_else(|| json::sniff(head).then_some(Format::Json))
        .or_else(|| msgpack::sniff(head).then_some(Format::MessagePack))
        .or_else(|| ftio_text::sniff(head).then_some(Format::FtioText))
        .ok_or_else(|| {
            let begin = String::from_utf8_lossy(&head[..head.len().min(16)]).into_owned();
            Error::new(
                "",
                Place::Byte(0),
                ErrorKind::UnknownFormat(format!("{begin:?}")),
            )
        })
}
