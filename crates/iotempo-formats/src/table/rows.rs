//! Rows of a delimited text.
//!
//! Split by hand rather than with the `csv` crate: here a stray quote costs one row instead of the
//! rest of the file, line numbers stay exact between comments, and runs of spaces can separate.

use super::lines::Lines;
use super::numbers::Wanted;
use crate::error::Error;
use std::collections::VecDeque;
use std::ops::Range;

/// What stands between two fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delimiter {
    Byte(u8),
    /// Any run of spaces and tabs.
    Whitespace,
}

/// What some editors put in front of UTF-8.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A quoted field may go on over this many lines and bytes; beyond, its quote is a stray one.
const QUOTED_LINES: usize = 16;
const QUOTED_BYTES: usize = 1 << 20;

/// The rows of a text, one in memory at a time; blank lines and those that begin with `#` are none.
pub(crate) struct Rows {
    lines: Lines,
    delimiter: Delimiter,
    /// Whether lines that begin with `#` are rows.
    comments: bool,
    /// Lines that were read in search of a closing quote, and are rows of their own.
    ahead: VecDeque<(u64, Vec<u8>)>,
    line: Vec<u8>,
    row: Row,
}

impl Rows {
    pub(crate) fn new(lines: Lines, delimiter: Delimiter) -> Self {
        Self {
            lines,
            delimiter,
            comments: false,
            ahead: VecDeque::new(),
            line: Vec::new(),
            row: Row::default(),
        }
    }

    /// For texts whose heading begins with `#`: such lines are rows, too.
    pub(crate) fn keeping_comments(lines: Lines, delimiter: Delimiter) -> Self {
        Self {
            comments: true,
            ..Self::new(lines, delimiter)
        }
    }

    pub(crate) fn delimiter(&self) -> Delimiter {
        self.delimiter
    }

    /// The next row; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<&Row>, Error> {
        loop {
            let Some(number) = self.next_line()? else {
                return Ok(None);
            };
            let comment = !self.comments && self.line.starts_with(b"#");
            if comment || self.line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            self.row.number = number;
            if !self.row.split(&self.line, self.delimiter) {
                self.close_quote()?;
            }
            self.row.ended = !self.ahead.is_empty() || self.lines.is_whole();
            return Ok(Some(&self.row));
        }
    }

    /// The next row, and the numbers in it where that is all there is to it: most rows of samples
    /// are, and need not be taken apart.
    pub(crate) fn next_numbers(
        &mut self,
        wanted: &Wanted,
        numbers: &mut [f64],
    ) -> Result<Next<'_>, Error> {
        if self.ahead.is_empty()
            && let Some(length) = wanted.find(self.lines.ahead(), numbers)
            && self.lines.take(length)
        {
            return Ok(Next::Numbers);
        }
        Ok(self.next()?.map_or(Next::End, Next::Row))
    }

    fn next_line(&mut self) -> Result<Option<u64>, Error> {
        if let Some((number, line)) = self.ahead.pop_front() {
            self.line = line;
            return Ok(Some(number));
        }
        self.line.clear();
        let more = self.lines.append_to(&mut self.line)?;
        let number = self.lines.number();
        if number == 1 && self.line.starts_with(BYTE_ORDER_MARK) {
            self.line.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(more.then_some(number))
    }

    /// Takes following lines into a row whose last field is an open quote. Where none of them
    /// closes it, they stay rows of their own and the row keeps what it has.
    fn close_quote(&mut self) -> Result<(), Error> {
        let mut joined = self.line.clone();
        for taken in 0..QUOTED_LINES {
            if taken == self.ahead.len() {
                let mut line = Vec::new();
                if !self.lines.append_to(&mut line)? {
                    break;
                }
                self.ahead.push_back((self.lines.number(), line));
            }
            let next = &self.ahead[taken].1;
            if joined.len() + next.len() > QUOTED_BYTES {
                break;
            }
            joined.push(b'\n');
            joined.extend_from_slice(next);
            let may_close = memchr::memchr(b'"', next).is_some();
            if may_close && self.row.split(&joined, self.delimiter) {
                self.ahead.drain(..=taken);
                return Ok(());
            }
        }
        self.row.split(&self.line, self.delimiter);
        Ok(())
    }
}

/// What comes next in a table of numbers.
pub(crate) enum Next<'a> {
    /// A row of nothing but numbers, where they are wanted.
    Numbers,
    /// Another row.
    Row(&'a Row),
    End,
}

/// One row, split into fields.
#[derive(Debug, Default)]
pub(crate) struct Row {
    text: Vec<u8>,
    fields: Vec<Range<usize>>,
    /// The line it begins on.
    pub(crate) number: u64,
    /// Whether its line has an end: one that has none may have been cut off.
    pub(crate) ended: bool,
}

impl Row {
    pub(crate) fn len(&self) -> usize {
        self.fields.len()
    }

    /// A field's text without quotes; empty beyond the end.
    pub(crate) fn get(&self, index: usize) -> &[u8] {
        let range = self.fields.get(index).cloned().unwrap_or(0..0);
        &self.text[range]
    }

    /// Splits a line; `false` where a quote is left open. Spaces around fields do not belong to
    /// them, unless quoted.
    pub(crate) fn split(&mut self, line: &[u8], delimiter: Delimiter) -> bool {
        self.text.clear();
        self.fields.clear();
        let mut rest = Some(trim_start(line, delimiter));
        let mut closed = true;
        while let Some(field) = rest {
            let start = self.text.len();
            rest = if let Some(quoted) = field.strip_prefix(b"\"") {
                let after = self.unquote(quoted);
                closed = after.is_some();
                after.and_then(|after| self.plain(after, delimiter))
            } else {
                self.plain(field, delimiter)
            };
            self.fields.push(start..self.text.len());
        }
        closed
    }

    /// Takes text up to the closing quote; what follows it, or `None` where it is missing.
    fn unquote<'a>(&mut self, mut text: &'a [u8]) -> Option<&'a [u8]> {
        loop {
            let quote = memchr::memchr(b'"', text);
            let inside = &text[..quote.unwrap_or(text.len())];
            self.text.extend_from_slice(inside);
            text = &text[quote? + 1..];
            let Some(after) = text.strip_prefix(b"\"") else {
                return Some(text);
            };
            self.text.push(b'"');
            text = after;
        }
    }

    /// Takes text up to the delimiter; the next field, or `None` where this was the last.
    fn plain<'a>(&mut self, text: &'a [u8], delimiter: Delimiter) -> Option<&'a [u8]> {
        let end = match delimiter {
            Delimiter::Byte(byte) => memchr::memchr(byte, text),
            Delimiter::Whitespace => memchr::memchr2(b' ', b'\t', text),
        };
        let field = &text[..end.unwrap_or(text.len())];
        self.text.extend_from_slice(field.trim_ascii_end());
        let rest = trim_start(&text[end? + 1..], delimiter);
        let ended = delimiter == Delimiter::Whitespace && rest.is_empty();
        (!ended).then_some(rest)
    }
}

fn trim_start(text: &[u8], delimiter: Delimiter) -> &[u8] {
    let space =
        |byte: &u8| *byte == b' ' || (*byte == b'\t' && delimiter != Delimiter::Byte(b'\t'));
    let start = text.iter().position(|byte| !space(byte));
    &text[start.unwrap_or(text.len())..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use std::io::Cursor;

    fn rows(text: &str, delimiter: Delimiter) -> Vec<(u64, Vec<String>)> {
        let reader = Box::new(Cursor::new(text.to_owned()));
        let mut rows = Rows::new(Lines::new(reader, &Limits::default()), delimiter);
        let mut all = Vec::new();
        while let Some(row) = rows.next().expect("readable") {
            let field = |i| String::from_utf8_lossy(row.get(i)).into_owned();
            all.push((row.number, (0..row.len()).map(field).collect()));
        }
        all
    }

    fn comma(text: &str) -> Vec<Vec<String>> {
        let all = rows(text, Delimiter::Byte(b','));
        all.into_iter().map(|(_, fields)| fields).collect()
    }

    #[test]
    fn comments_and_blank_lines_are_no_rows_but_count_as_lines() {
        let all = rows("# made by hand\na,b\n\n  \n1, 2 \n", Delimiter::Byte(b','));
        let numbers: Vec<_> = all.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, [2, 5]);
        assert_eq!(all[1].1, ["1", "2"]);
    }

    #[test]
    fn quoted_fields_may_hold_anything() {
        let expected = [["a,b", "c\"d", "e\nf", ""]];
        assert_eq!(comma("\"a,b\", \"c\"\"d\" ,\"e\nf\",\"\"\n"), expected);
    }

    #[test]
    fn a_stray_quote_costs_one_row() {
        let text = format!("1,\"2\n{}", "3,4\n".repeat(100));
        assert_eq!(comma(&text).len(), 101);
        assert_eq!(comma("1,\"2"), [["1", "2"]]);
    }

    #[test]
    fn runs_of_spaces_separate_once() {
        let all = rows("  a   b\tc  \n 1 \"2 3\" \"\"\n", Delimiter::Whitespace);
        assert_eq!(all[0].1, ["a", "b", "c"]);
        assert_eq!(all[1].1, ["1", "2 3", ""]);
    }

    #[test]
    fn a_trailing_delimiter_opens_an_empty_field() {
        assert_eq!(comma("a,b,"), [["a", "b", ""]]);
        let tabs = rows("\ta\t\n", Delimiter::Byte(b'\t'));
        assert_eq!(tabs[0].1, ["", "a", ""]);
    }
}
