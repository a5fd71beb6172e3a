//! collectl: what it records (`.raw`), and what it prints for plots (`-P`) and for people.
//!
//! KB are 1024 bytes; stamps are the ends of intervals. Numbers that it prints are rates over an
//! interval, without fractions, unless `-on` asks for totals; what it records are counters.

mod brief;
mod family;
mod header;
mod plot;
mod raw;

use super::options::{Options, Reading};
use super::quantity::Quantity;
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use iotempo_model::ThroughputSink;

/// Headings stand this far down at most.
const LOOKED_AT: usize = 200;

/// What a log without any interval is told.
const NOTHING: &str = "the log holds no disk and nothing of Lustre: collectl shows them with \
                       -sd, -sD and -sl";

const KIB: f64 = 1024.0;

/// How much one of a column is: columns of bytes are in KB.
fn unit(quantity: Quantity) -> f64 {
    quantity.pick(KIB, 1.0)
}

/// How collectl writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Raw,
    Plot,
    Brief,
    /// What people read, over several lines.
    Verbose,
}

fn form(head: &[u8]) -> Option<Form> {
    let lines = head.split(|&byte| byte == b'\n').take(LOOKED_AT);
    let mut recorded = false;
    let mut groups = false;
    for line in lines {
        let line = std::str::from_utf8(line).ok()?.trim_end();
        if line.starts_with("# Collectl:") {
            recorded = true;
        } else if plot::is_heading(line) {
            return Some(Form::Plot);
        } else if recorded && raw::stamp(line).is_some() {
            return Some(Form::Raw);
        } else if groups && brief::is_heading(line) {
            return Some(Form::Brief);
        } else if line.starts_with("# ") && line.contains(" STATISTICS") && line.contains("/sec") {
            return Some(Form::Verbose);
        } else if !line.is_empty() && !line.starts_with('#') && !line.starts_with("waiting for ") {
            return None;
        }
        groups = brief::is_groups(line);
    }
    None
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
        Some(Form::Raw) => raw::read(input, options, sink),
        Some(Form::Plot) => plot::read(input, options, sink),
        Some(Form::Brief) => brief::read(input, options, sink),
        Some(Form::Verbose) => Err(unsupported(
            "text of collectl that spans several lines: -P prints what can be read, and so does a \
             recording (-f)",
        )),
        None => Err(unsupported("not a log of collectl")),
    }
}

fn unsupported(message: &str) -> Error {
    Error::new("", Place::Whole, ErrorKind::Unsupported(message.to_owned()))
}
