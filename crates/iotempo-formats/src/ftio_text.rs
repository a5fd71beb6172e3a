//! FTIO's plain text: `name: [numbers]` and `name: value` lines.

use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::json::Json;
use crate::limits::Limits;
use crate::reading::{ReadOptions, Reading};
use crate::series::{self, Token, Tokens, Window};
use iotempo_model::RequestSink;

/// Whether these bytes begin with a line of a name and a colon, and one of their lines goes on with
/// a list. A table may hold such a line, but not as its first one.
pub(crate) fn sniff(head: &[u8]) -> bool {
    let lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let mut lines = lines
        .filter(|line| !line.is_empty() && !line.starts_with(b"#"))
        .peekable();
    let named = |line: &&[u8]| value_of(line).is_some();
    lines.peek().is_some_and(named)
        && lines.any(|line| value_of(line).is_some_and(|value| value.starts_with(b"[")))
}

/// What stands behind the name and the colon of a line.
fn value_of(line: &[u8]) -> Option<&[u8]> {
    let colon = memchr::memchr(b':', line)?;
    is_name(&line[..colon]).then(|| line[colon + 1..].trim_ascii_start())
}

fn is_name(name: &[u8]) -> bool {
    let name = name.trim_ascii();
    !name.is_empty()
        && name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Reads the whole text as one document.
pub(crate) fn read(
    input: Input,
    options: &ReadOptions,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    let lines = Lines::new(Window::new(input.into_reader()), &options.limits);
    series::read_documents(lines, |_| "text", options, sink)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Before,
    Name,
    Value,
    After,
}

/// The lines as the tokens of one map.
struct Lines {
    json: Json,
    state: State,
    began: u64,
    line: String,
    longest_line: u64,
}

impl Lines {
    fn new(bytes: Window, limits: &Limits) -> Self {
        Self {
            json: Json::new(bytes, limits),
            state: State::Before,
            began: 0,
            line: String::new(),
            longest_line: limits.name,
        }
    }

    /// Reads up to one of the `stops`, which is taken too, or the end.
    fn read_until(&mut self, stops: &[u8]) -> Result<Option<u8>, Error> {
        let mut read = Vec::new();
        let bytes = self.json.bytes();
        let stop = loop {
            if bytes.peek()?.is_none() {
                break None;
            }
            let here = bytes.rest();
            let length = here
                .iter()
                .position(|byte| stops.contains(byte))
                .unwrap_or(here.len());
            let stop = here.get(length).copied();
            read.extend_from_slice(&here[..length]);
            bytes.advance(length + usize::from(stop.is_some()));
            if stop.is_some() {
                break stop;
            }
            if read.len() as u64 > self.longest_line {
                let kind = ErrorKind::Budget {
                    what: "a line",
                    limit: self.longest_line,
                };
                return Err(Error::new("", Place::Byte(self.began), kind));
            }
        };
        self.line = String::from_utf8_lossy(&read).trim().to_owned();
        Ok(stop)
    }

    fn name(&mut self) -> Result<Token<'_>, Error> {
        if !self.json.more()? {
            self.state = State::After;
            return Ok(Token::End);
        }
        self.began = self.json.bytes().offset();
        let stop = self.read_until(b":\n")?;
        if stop != Some(b':') || self.line.is_empty() {
            let place = Place::Byte(self.began);
            return Err(Error::invalid(
                "",
                place,
                "not a line of a name, a colon and a value",
                &self.line,
            ));
        }
        self.state = State::Value;
        Ok(Token::Text(self.line.trim_matches('"')))
    }

    fn value(&mut self) -> Result<Token<'_>, Error> {
        let bytes = self.json.bytes();
        while let Some(b' ' | b'\t') = bytes.peek()? {
            bytes.advance(1);
        }
        self.began = bytes.offset();
        self.state = State::Name;
        if bytes.peek()? == Some(b'[') {
            return self.json.next();
        }
        self.read_until(b"\n")?;
        let value = self.line.trim_end_matches(',');
        Ok(match value.parse() {
            Ok(number) => Token::Number(number),
            Err(_) => Token::Text(value.trim_matches('"')),
        })
    }
}

impl Tokens for Lines {
    fn more(&mut self) -> Result<bool, Error> {
        Ok(self.state == State::Before)
    }

    fn next(&mut self) -> Result<Token<'_>, Error> {
        match self.state {
            // Inside a list, which looks as in JSON.
            _ if self.json.depth() > 0 => self.json.next(),
            State::Before => {
                self.state = State::Name;
                Ok(Token::Map)
            }
            State::Name => self.name(),
            State::Value => self.value(),
            State::After => Ok(Token::End),
        }
    }

    fn plain_number(&mut self) -> Option<f64> {
        self.json.plain_number()
    }

    fn at(&self) -> u64 {
        self.began.max(self.json.at())
    }

    fn depth(&self) -> usize {
        match self.state {
            State::Before | State::After => 0,
            _ => 1 + self.json.depth(),
        }
    }
}
