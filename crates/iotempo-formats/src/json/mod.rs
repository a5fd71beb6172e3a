//! JSON and JSON lines: TMIO's flushes, FTIO's own files, GekkoFS, the metric proxy.

pub(crate) mod lexer;

pub(crate) use lexer::Json;

use crate::error::Error;
use crate::input::Input;
use crate::reading::{ReadOptions, Reading};
use crate::series::{self, Window};
use iotempo_model::RequestSink;

/// The mark that some editors put before a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Whether these bytes begin a JSON object or list.
pub(crate) fn sniff(head: &[u8]) -> bool {
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    matches!(text.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// Reads one object, or one after another.
pub(crate) fn read(
    input: Input,
    options: &ReadOptions,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    let mut bytes = Window::new(input.into_reader());
    bytes.peek()?;
    if bytes.rest().starts_with(BYTE_ORDER_MARK) {
        bytes.advance(BYTE_ORDER_MARK.len());
    }
    let json = Json::new(bytes, &options.limits);
    let container = |documents| if documents > 1 { "json lines" } else { "json" };
    series::read_documents(json, container, options, sink)
}
