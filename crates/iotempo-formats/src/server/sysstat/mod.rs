//! sysstat: what `iostat` and `sar` print, what `sadf` makes of the files of `sadc`.
//!
//! Stamps are the ends of intervals. kB are 1024 bytes, blocks and sectors 512.

mod iostat;
mod json;
mod sadf;
mod sar;
mod table;
mod words;
mod xml;

use super::options::{Options, Reading};
use super::quantity::Quantity;
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use iotempo_model::ThroughputSink;

/// What a log without any interval of a disk is told.
fn nothing(quantity: Quantity) -> &'static str {
    quantity.pick(
        "the log holds no disk: iostat shows disks, sar and sadf do with -d",
        "the log counts no reads and writes of disks apart: iostat does with -x, sar and sadf with -b",
    )
}

/// The unit of a log that holds `bytes`, or operations.
fn unit(quantity: Quantity, bytes: &'static str) -> &'static str {
    quantity.pick(
        bytes,
        "operations per second; stamps are the ends of intervals",
    )
}

/// How sysstat's tools write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Iostat,
    Sar,
    /// `sadf -d`.
    Semicolons,
    /// `sadf -p`.
    Tabs,
    Json,
    Xml,
    /// What `sadc` writes.
    Binary,
}

/// Which form these are the first bytes of.
fn form(head: &[u8]) -> Option<Form> {
    if is_binary(head) {
        return Some(Form::Binary);
    }
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    match text.trim_ascii_start().first()? {
        b'{' => json::sniff(text).then_some(Form::Json),
        b'<' => xml::sniff(text).then_some(Form::Xml),
        b'#' => sadf::sniff_semicolons(text).then_some(Form::Semicolons),
        _ if sadf::sniff_tabs(text) => Some(Form::Tabs),
        _ if iostat::sniff(text) => Some(Form::Iostat),
        _ => sar::sniff(text).then_some(Form::Sar),
    }
}

/// The magic number of sysstat's files and that of their format, in either order of bytes.
fn is_binary(head: &[u8]) -> bool {
    matches!(
        head,
        [0x96, 0xd5, 0x70..=0x7f, 0x21, ..] | [0xd5, 0x96, 0x21, 0x70..=0x7f, ..]
    )
}

pub(super) fn sniff(head: &[u8]) -> bool {
    form(head).is_some()
}

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    match form(input.head()) {
        Some(Form::Iostat) => iostat::read(input, options, sink),
        Some(Form::Sar) => sar::read(input, options, sink),
        Some(Form::Semicolons) => sadf::read_semicolons(input, options, sink),
        Some(Form::Tabs) => sadf::read_tabs(input, options, sink),
        Some(Form::Json) => json::read(input, options, sink),
        Some(Form::Xml) => xml::read(input, options, sink),
        Some(Form::Binary) => Err(unsupported(
            "a binary file of sadc: `sadf -d FILE -- -d` makes it readable",
        )),
        None => Err(unsupported("not a log of sysstat")),
    }
}

fn unsupported(message: &str) -> Error {
    Error::new(
        "",
        Place::Byte(0),
        ErrorKind::Unsupported(message.to_owned()),
    )
}

/// The first lines of a text, as far as they are whole.
fn lines_of(head: &[u8]) -> impl Iterator<Item = &str> {
    let lines = head.split(|&byte| byte == b'\n');
    lines.map_while(|line| std::str::from_utf8(line).ok())
}
