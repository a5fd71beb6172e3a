//! Lines of a text of any length.

use crate::error::{Error, ErrorKind, Place};
use crate::limits::Limits;
use std::io::{self, BufRead};

/// Reads lines without ever holding one that is longer than the limit.
pub(super) struct Lines {
    reader: Box<dyn BufRead + Send>,
    number: u64,
    longest: u64,
}

impl Lines {
    pub(super) fn new(reader: Box<dyn BufRead + Send>, limits: &Limits) -> Self {
        Self {
            reader,
            number: 0,
            longest: limits.name,
        }
    }

    /// The number of the line read last, counted from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Appends the next line to `line`, without its end; `false` where there is none.
    pub(super) fn append_to(&mut self, line: &mut Vec<u8>) -> Result<bool, Error> {
        let before = line.len();
        self.number += 1;
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Error::new("", Place::Line(self.number), error)),
            };
            if buffer.is_empty() {
                return Ok(line.len() > before);
            }
            let end = memchr::memchr(b'\n', buffer);
            let taken = end.unwrap_or(buffer.len());
            line.extend_from_slice(&buffer[..taken]);
            self.reader.consume(end.map_or(taken, |end| end + 1));
            if (line.len() - before) as u64 > self.longest {
                return Err(self.too_long());
            }
            if end.is_some() {
                if line.len() > before && line.ends_with(b"\r") {
                    line.pop();
                }
                return Ok(true);
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
