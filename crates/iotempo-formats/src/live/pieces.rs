//! Bytes that come piece by piece.

use crate::detect::{Format, detect_with};
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::reading::{ReadOptions, Reading};
use crate::{msgpack, read};
use iotempo_model::RequestSink;

/// With so many bytes, a beginning that nothing is known to begin with is all there.
const BEGINNING: usize = 64 << 10;
/// A line or item longer than this is none.
const LONGEST: usize = 256 << 20;

/// JSON lines, MessagePack or a table that comes piece by piece, from wherever.
///
/// What is whole is read; the rest waits for its end. Once it is clear that nothing can be read, nothing
/// is kept of what comes.
#[derive(Debug)]
pub struct Pieces {
    options: ReadOptions,
    /// What came but is not whole yet.
    rest: Vec<u8>,
    kind: Option<Kind>,
    /// Why nothing more can be read, whatever comes.
    hopeless: Option<String>,
    longest: usize,
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
            hopeless: None,
            longest: LONGEST,
        }
    }

    /// Takes in what came; [`read`](Self::read) looks at it.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.hopeless.is_none() {
            self.rest.extend_from_slice(bytes);
        }
    }

    /// Bytes that wait for the rest of their line or item.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.rest.len()
    }

    /// Whether nothing more can be read, whatever comes.
    #[must_use]
    pub fn is_hopeless(&self) -> bool {
        self.hopeless.is_some()
    }

    /// Whether its writer gathers requests and writes them after a phase.
    #[must_use]
    pub fn come_in_flushes(&self) -> bool {
        matches!(self.kind, Some(Kind::Flushes | Kind::Items))
    }

    /// Pushes the requests of all that is whole into `sink`; `None` where nothing is.
    ///
    /// # Errors
    /// Where the bytes are of a format that does not grow, or damaged, or a line or item does not end.
    pub fn read(&mut self, sink: &mut dyn RequestSink) -> Result<Option<Reading>, Error> {
        if let Some(reason) = &self.hopeless {
            let kind = ErrorKind::Unsupported(reason.clone());
            return Err(Error::new("", Place::Whole, kind));
        }
        if let Err(error) = self.judge() {
            // A few lines more may make sense of it.
            let final_word = self.rest.len() >= BEGINNING;
            return Err(if final_word {
                self.give_up(error)
            } else {
                error
            });
        }
        let whole = match self.whole() {
            Ok(0) if self.rest.len() > self.longest => {
                let message = format!("a line or item of more than {} MiB", self.longest >> 20);
                let kind = ErrorKind::Unsupported(message);
                return Err(self.give_up(Error::new("", Place::Whole, kind)));
            }
            Ok(0) => return Ok(None),
            Ok(whole) => whole,
            Err(error) => return Err(self.give_up(error)),
        };
        let mut bytes = self.heading().to_vec();
        bytes.extend(self.rest.drain(..whole));
        read(Input::bytes(bytes), &self.options, sink).map(Some)
    }

    /// Nothing that comes after this can be read.
    fn give_up(&mut self, error: Error) -> Error {
        self.rest = Vec::new();
        self.hopeless = Some(error.to_string());
        error
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

    fn whole(&self) -> Result<usize, Error> {
        let lines = || self.rest.iter().rposition(|byte| *byte == b'\n');
        match &self.kind {
            None => Ok(0),
            Some(Kind::Items) => msgpack::whole_items(&self.rest, &self.options.limits),
            Some(Kind::Lines | Kind::Flushes | Kind::Rows(_)) => {
                Ok(lines().map_or(0, |end| end + 1))
            }
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
    Error::new("", Place::Whole, ErrorKind::Unsupported(message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_model::TraceBuilder;

    fn read_now(pieces: &mut Pieces) -> Result<Option<Reading>, Error> {
        pieces.read(&mut TraceBuilder::default())
    }

    fn is_given_up(pieces: &mut Pieces) -> bool {
        let first = read_now(pieces).expect_err("unreadable").to_string();
        pieces.feed(&[b'x'; 1 << 16]);
        let again = read_now(pieces).expect_err("unreadable").to_string();
        assert_eq!(first, again);
        pieces.is_hopeless() && pieces.waiting() == 0
    }

    #[test]
    fn nothing_is_kept_of_what_cannot_be_read() {
        let mut unknown = Pieces::new(ReadOptions::default());
        unknown.feed(&b"What is this?\n".repeat(10_000));
        assert!(is_given_up(&mut unknown));
        // A flush of TMIO, and then a byte that no item has.
        let mut damaged = Pieces::new(ReadOptions::default());
        damaged.feed(b"\x81\xa1a\x01\xc1");
        damaged.judge().expect("MessagePack");
        damaged.rest.drain(..4);
        assert!(is_given_up(&mut damaged));
    }

    #[test]
    fn a_line_without_an_end_is_none() {
        let mut pieces = Pieces::new(ReadOptions::default());
        pieces.longest = 1 << 20;
        pieces.feed(b"op,start,end,bytes\nwrite");
        assert!(matches!(read_now(&mut pieces), Ok(None)));
        pieces.feed(&vec![b'x'; 1 << 20]);
        assert!(is_given_up(&mut pieces));
    }

    #[test]
    fn a_beginning_that_makes_no_sense_alone_is_looked_at_again() {
        let mut pieces = Pieces::new(ReadOptions::default());
        pieces.feed(b"\n");
        let _ = read_now(&mut pieces);
        pieces.feed(b"op,start,end,bytes\nwrite,0,1,5\n");
        assert!(matches!(read_now(&mut pieces), Ok(Some(_))));
    }

    #[test]
    fn an_item_that_has_not_ended_is_waited_for() {
        let mut pieces = Pieces::new(ReadOptions::default());
        pieces.feed(b"\x81\xa9bandwidth\x82");
        assert!(matches!(read_now(&mut pieces), Ok(None)));
        assert_eq!(pieces.waiting(), 12);
    }
}
