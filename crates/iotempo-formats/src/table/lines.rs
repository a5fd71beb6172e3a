//! Lines of a text of any length.

use crate::error::{Error, ErrorKind, Place};
use crate::limits::Limits;
use std::io::{self, BufRead};

/// Reads lines without ever holding one that is longer than the limit.
pub(crate) struct Lines {
    reader: Box<dyn BufRead + Send>,
    /// What was read ahead.
    buffer: Vec<u8>,
    /// Where in it the next line begins.
    next: usize,
    /// Where in it the last line ends that is whole.
    whole: usize,
    number: u64,
    longest: u64,
    /// Whether the last line has no end.
    unended: bool,
}

impl Lines {
    pub(crate) fn new(reader: Box<dyn BufRead + Send>, limits: &Limits) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            next: 0,
            whole: 0,
            number: 0,
            longest: limits.name,
            unended: false,
        }
    }

    /// Whether the line read last has no end: it may be cut off.
    pub(crate) fn is_unended(&self) -> bool {
        self.unended
    }

    /// The number of the line read last, counted from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The next line, without its end; `None` where there is none.
    pub(crate) fn next(&mut self) -> Result<Option<&[u8]>, Error> {
        self.number += 1;
        let mut searched = 0;
        let end = loop {
            let unsearched = &self.buffer[self.next + searched..];
            if let Some(end) = memchr::memchr(b'\n', unsearched) {
                break Some(searched + end);
            }
            searched += unsearched.len();
            if searched as u64 > self.longest || !self.fill()? {
                break None;
            }
        };
        let length = end.unwrap_or(searched);
        if length as u64 > self.longest {
            return Err(self.too_long());
        }
        self.unended = end.is_none();
        let start = self.next;
        self.next += end.map_or(length, |end| end + 1);
        let line = &self.buffer[start..start + length];
        Ok(match end {
            Some(_) => Some(line.strip_suffix(b"\r").unwrap_or(line)),
            None => (!line.is_empty()).then_some(line),
        })
    }

    /// The lines that were read ahead and are whole, with their ends.
    pub(crate) fn ahead(&self) -> &[u8] {
        &self.buffer[self.next.min(self.whole)..self.whole]
    }

    /// Takes the first of the lines ahead, so many bytes with its end; `false` where that is longer
    /// than a line may be, and nothing is taken.
    pub(crate) fn take(&mut self, length: usize) -> bool {
        let fits = length as u64 <= self.longest;
        if fits {
            self.next += length;
            self.number += 1;
        }
        fits
    }

    /// Appends the next line to `line`, without its end; `false` where there is none.
    pub(crate) fn append_to(&mut self, line: &mut Vec<u8>) -> Result<bool, Error> {
        let next = self.next()?;
        line.extend_from_slice(next.unwrap_or_default());
        Ok(next.is_some())
    }

    /// Reads ahead, behind what no line has taken yet; `false` at the end.
    fn fill(&mut self) -> Result<bool, Error> {
        self.buffer.drain(..self.next);
        self.next = 0;
        loop {
            match self.reader.fill_buf() {
                Ok(more) => {
                    let length = more.len();
                    self.buffer.extend_from_slice(more);
                    self.reader.consume(length);
                    self.whole = memchr::memrchr(b'\n', &self.buffer).map_or(0, |end| end + 1);
                    return Ok(length > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::new("", Place::Line(self.number), error)),
            }
        }
    }

    fn too_long(&self) -> Error {
        let kind = ErrorKind::Budget {
            what: "a line",
            limit: self.longest,
        };
        Error::new("", Place::Line(self.number), kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn lines(text: &'static str, longest: u64) -> Lines {
        let limits = Limits {
            name: longest,
            ..Limits::default()
        };
        Lines::new(Box::new(Cursor::new(text)), &limits)
    }

    #[test]
    fn every_kind_of_line_end_is_taken_off() {
        let mut lines = lines("a\r\n\nb", 100);
        let mut seen = Vec::new();
        let mut line = Vec::new();
        while lines.append_to(&mut line).expect("readable") {
            seen.push((
                lines.number(),
                String::from_utf8(line.clone()).expect("text"),
            ));
            line.clear();
        }
        let expected = [(1, "a"), (2, ""), (3, "b")];
        assert_eq!(seen, expected.map(|(n, text)| (n, text.to_owned())));
    }

    #[test]
    fn an_endless_line_is_an_error_and_not_an_allocation() {
        let mut lines = lines("short\nmuch too long", 5);
        let mut line = Vec::new();
        assert!(lines.append_to(&mut line).expect("short enough"));
        let error = lines.append_to(&mut line).expect_err("too long");
        assert_eq!(
            error.to_string(),
            "line 2: it would take more than 5 bytes (a line)"
        );
    }
}
