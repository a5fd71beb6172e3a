//! Bytes that come piece by piece.

use crate::detect::{Format, detect_with};
use crate::error::{Error, Place};
use crate::input::Input;
use crate::reading::{ReadOptions, Reading};
use crate::{msgpack, read};
use iotempo_model::RequestSink;
use std::io;

/// JSON lines, MessagePack or a table that comes piece by piece, from wherever.
///
/// What is whole is read; the rest waits for its end.
#[derive(Debug)]
pub struct Pieces {
    options: ReadOptions,
    /// What came but is not whole yet.
    rest: Vec<u8>,
    kind: Option<Kind>,
}

/// How bytes are cut into what can be read by itself.
#[derive(Debug)]
enum Kind {
    /// Lines, each a request.
    Lines,
    /// Lines, each a part of what was gathered since the flush before.
    Flushes,
    /// The same in MessagePack.
    Items,
    /// A table, with its heading.
    Rows(Vec<u8>),
}

impl Pieces {
    /// Nothing has come yet.
    #[must_use]
    pub fn new(options: ReadOptions) -> Self {
        Self {
            options,
            rest: Vec::new(),
            kind: None,
        }
    }

    /// Takes in what came; [`read`](Self::read) looks at it.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.rest.extend_from_slice(bytes);
    }

    /// Bytes that wait for the rest of their line or item.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.rest.len()
    }

    /// Whether its writer gathers requests and writes them after a phase.
    #[must_use]
    pub fn come_in_flushes(&self) -> bool {
        matches!(self.kind, Some(Kind::Flushes | Kind::Items))
    }

    /// Pushes the requests of all that is whole into `sink`; `None` where nothing is.
    ///
    /// # Errors
    /// Where the bytes are of a format that does not grow, or damaged.
    pub fn read(&mut self, sink: &mut dyn RequestSink) -> Result<Option<Reading>, Error> {
        self.judge()?;
        let whole = self.whole();
        if whole == 0 {
            return Ok(None);
        }
        let mut bytes = self.heading().to_vec();
        bytes.extend(self.rest.drain(..whole));
        read(Input::bytes(bytes), &self.options, sink).map(Some)
    }

    /// Finds out what it is, once its beginning is there.
    fn judge(&mut self) -> Result<(), Error> {
        if self.kind.is_some() || self.rest.is_empty() {
            return Ok(());
        }
        self.kind = match detect_with(&self.rest, &self.options) {
            Ok(Format::Json) => Some(Kind::Flushes),
            Ok(Format::RequestLines) => Some(Kind::Lines),
            Ok(Format::MessagePack) => Some(Kind::Items),
            Ok(Format::Table) => self.first_line().map(Kind::Rows),
            Ok(format) => return Err(does_not_grow(format)),
            // The beginning may not be there yet.
            Err(_) if self.rest.len() < 4096 && !self.rest.contains(&b'\n') => None,
            Err(error) => return Err(error),
        };
        Ok(())
    }

    fn first_line(&mut self) -> Option<Vec<u8>> {
        let end = self.rest.iter().position(|byte| *byte == b'\n')?;
        Some(self.rest.drain(..=end).collect())
    }

    fn whole(&self) -> usize {
        let lines = || self.rest.iter().rposition(|byte| *byte == b'\n');
        match &self.kind {
            None => 0,
            Some(Kind::Items) => msgpack::whole_items(&self.rest, &self.options.limits),
            Some(Kind::Lines | Kind::Flushes | Kind::Rows(_)) => lines().map_or(0, |end| end + 1),
        }
    }

    fn heading(&self) -> &[u8] {
        match &self.kind {
            Some(Kind::Rows(heading)) => heading,
            _ => &[],
        }
    }
}

fn does_not_grow(format: Format) -> Error {
    let message = format!("a file of this format ({format:?}) is written when the job has ended");
    Error::new("", Place::Whole, io::Error::other(message))
}
