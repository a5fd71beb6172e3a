//! What stands above a log: the command that printed it, behind a prompt, or what a machine greets with.

use super::{JobFormat, JobOptions, heading, text};
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use iotempo_model::{Warning, counted};
use std::io::{Cursor, Read};

/// Nobody greets with more lines.
const MOST_LINES: usize = 32;

/// Lines above a log.
pub(super) struct Banner {
    bytes: Vec<u8>,
}

impl Banner {
    /// What stands above a log of which kind, where `head` begins with something else.
    pub(super) fn above(head: &[u8], options: &JobOptions) -> Option<(Self, JobFormat)> {
        // No prompt begins so, and within a document of others may be much that looks like a log.
        if head.trim_ascii_start().starts_with(b"{") {
            return None;
        }
        let ends = memchr::memchr_iter(b'\n', head).map(|end| end + 1);
        let (end, format) = ends
            .take(MOST_LINES)
            .find_map(|end| Some((end, log_at(&head[end..], options)?)))?;
        let (above, log) = head.split_at(end);
        if has_rows(above, log, options) {
            return None;
        }
        let bytes = above.to_vec();
        Some((Self { bytes }, format))
    }

    /// The input with blanks in its place, so that all lines and bytes keep their numbers.
    pub(super) fn blanked(&self, input: Input) -> Result<Input, Error> {
        let broken = |error| Error::new("", Place::Byte(0), ErrorKind::Io(error));
        let mut rest = input.into_reader();
        let mut blanks = vec![0; self.bytes.len()];
        rest.read_exact(&mut blanks).map_err(broken)?;
        let of_lines = blanks.iter_mut().filter(|byte| **byte != b'\n');
        of_lines.for_each(|byte| *byte = b' ');
        Input::stream(Cursor::new(blanks).chain(rest)).map_err(broken)
    }

    /// Nothing is passed over in silence.
    pub(super) fn warning(&self) -> Warning {
        let lines = text::lines(&self.bytes).count();
        let message = format!(
            "{} above the log skipped (the first: {:?})",
            counted(lines as u64, "line"),
            text::beginning(self.bytes.trim_ascii_start()),
        );
        Warning::new("lines-above", message)
    }
}

/// The log that begins here: one that has names, as numbers alone may be anything.
fn log_at(head: &[u8], options: &JobOptions) -> Option<JobFormat> {
    let named = || {
        let heading = heading::sniff(head, options)?.ok()?;
        heading.has_names.then_some(heading.format)
    };
    super::with_names(head).or_else(named)
}

/// Whether lines above a table look like rows of another, as where one without a heading stands in front.
fn has_rows(above: &[u8], log: &[u8], options: &JobOptions) -> bool {
    let heading = heading::sniff(log, options).and_then(Result::ok);
    heading.is_some_and(|heading| text::lines(above).any(|line| heading.may_have(line)))
}
