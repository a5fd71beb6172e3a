//! A JSON document, value by value, each with the keys that lead to it.

use crate::error::{Error, Place};
use crate::json::Json;
use crate::limits::Limits;
use crate::series::{Token, Tokens, Window};
use crate::table::rows::BYTE_ORDER_MARK;
use std::io::Read;

/// What comes next at the [`path`](Walk::path).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// A list or an object begins.
    Open,
    /// A number, a text, or nothing.
    Value,
    /// The list or object at the path ends.
    Close,
}

/// Goes through a document. An element of a list has the empty key.
pub(super) struct Walk {
    json: Json,
    frames: Vec<Frame>,
    text: Option<String>,
    begun: bool,
    /// Whether the innermost object ends before more is read.
    ends: bool,
    /// What leads to the latest event: all keys, or all but that of the innermost frame.
    depth: usize,
}

struct Frame {
    is_map: bool,
    key: String,
    /// Whether a key comes next.
    at_key: bool,
    /// Whether an object `{"set": false, "number": 0}` says that its number is none.
    void: bool,
    /// The number of such an object, until all is said of it: keys may be sorted.
    number: Option<Option<String>>,
}

impl Walk {
    pub(super) fn new(reader: impl Read + Send + 'static, limits: &Limits) -> Self {
        Self {
            json: Json::new(Window::new(reader), limits),
            frames: Vec::new(),
            text: None,
            begun: false,
            ends: false,
            depth: 0,
        }
    }

    /// Where the latest value began.
    pub(super) fn place(&self) -> Place {
        Place::Byte(self.json.at())
    }

    /// The keys that lead to the latest event.
    pub(super) fn path(&self) -> Vec<&str> {
        let frames = self.frames.iter().take(self.depth);
        frames.map(|frame| frame.key.as_str()).collect()
    }

    /// The latest value as text; `None` where it is null.
    pub(super) fn text(&self) -> Option<String> {
        self.text.clone()
    }

    /// Whether another document follows: logs of several months are put together with `cat`.
    fn another(&mut self) -> Result<bool, Error> {
        while let Some(byte) = self.json.bytes().peek()? {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.json.bytes().advance(1),
                b'{' | b'[' => return Ok(true),
                _ => {
                    let what = "behind a JSON document stands neither another nor its end, but";
                    let value = super::super::text::beginning(self.json.bytes().rest());
                    return Err(Error::invalid("", self.json.bytes().place(), what, value));
                }
            }
        }
        Ok(false)
    }

    /// Goes on; `None` behind the last document.
    pub(super) fn next(&mut self) -> Result<Option<Event>, Error> {
        if !self.begun {
            self.begun = true;
            self.json.bytes().peek()?;
            if self.json.bytes().rest().starts_with(BYTE_ORDER_MARK) {
                self.json.bytes().advance(BYTE_ORDER_MARK.len());
            }
        } else if self.frames.is_empty() && !self.another()? {
            return Ok(None);
        }
        if std::mem::take(&mut self.ends) {
            return Ok(Some(take(
                Token::End,
                &mut self.frames,
                &mut self.text,
                &mut self.depth,
            )));
        }
        loop {
            let token = self.json.next()?;
            let map = self.frames.last_mut().filter(|frame| frame.is_map);
            if let (Some(frame), Token::Text(key)) = (map, token)
                && frame.at_key
            {
                key.clone_into(&mut frame.key);
                frame.at_key = false;
                continue;
            }
            if let Some(frame) = self.frames.last_mut().filter(|frame| frame.is_map) {
                if frame.key == NUMBER && is_scalar(token) {
                    frame.number = Some(text_of(token));
                    frame.at_key = true;
                    continue;
                }
                if token == Token::End
                    && let Some(number) = frame.number.take()
                {
                    NUMBER.clone_into(&mut frame.key);
                    self.text = number.filter(|_| !frame.void);
                    self.depth = self.frames.len();
                    self.ends = true;
                    return Ok(Some(Event::Value));
                }
            }
            return Ok(Some(take(
                token,
                &mut self.frames,
                &mut self.text,
                &mut self.depth,
            )));
        }
    }
}

/// What newer versions of Slurm call a number that may be none.
const NUMBER: &str = "number";

fn is_scalar(token: Token<'_>) -> bool {
    !matches!(token, Token::List | Token::Map | Token::End)
}

fn text_of(scalar: Token<'_>) -> Option<String> {
    match scalar {
        Token::Number(number) => Some(number.to_string()),
        Token::Text(text) => Some(text.to_owned()),
        Token::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

fn take(
    token: Token<'_>,
    frames: &mut Vec<Frame>,
    text: &mut Option<String>,
    depth: &mut usize,
) -> Event {
    *depth = frames.len();
    match token {
        Token::List | Token::Map => {
            frames.push(Frame {
                is_map: token == Token::Map,
                key: String::new(),
                at_key: token == Token::Map,
                void: false,
                number: None,
            });
            Event::Open
        }
        Token::End => {
            frames.pop();
            *depth = frames.len();
            if let Some(frame) = frames.last_mut() {
                frame.at_key = frame.is_map;
            }
            Event::Close
        }
        scalar => {
            *text = text_of(scalar);
            if let Some(frame) = frames.last_mut() {
                frame.void |= matches!(
                    (frame.key.as_str(), scalar),
                    ("set", Token::Bool(false)) | ("infinite", Token::Bool(true))
                );
                frame.at_key = frame.is_map;
            }
            Event::Value
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn events(text: &'static str) -> Vec<String> {
        let mut walk = Walk::new(Cursor::new(text), &Limits::default());
        let mut all = Vec::new();
        while let Some(event) = walk.next().expect("sound") {
            let path = walk.path().join("/");
            all.push(match event {
                Event::Open => format!("{path}<"),
                Event::Close => format!("{path}>"),
                Event::Value => format!("{path}={}", walk.text().unwrap_or_default()),
            });
        }
        all
    }

    #[test]
    fn every_value_has_its_path() {
        assert_eq!(
            events(r#"{"a":{"b":[1,"x",{"c":null}]},"d":true} "#),
            [
                "<", "a<", "a/b<", "a/b/=1", "a/b/=x", "a/b/<", "a/b//c=", "a/b/>", "a/b>", "a>",
                "d=true", ">"
            ]
        );
    }

    #[test]
    fn numbers_that_are_not_set_are_none() {
        let text = r#"[{"set":false,"number":0},{"set":true,"infinite":true,"number":7}]"#;
        let sorted = r#"[{"number":0,"set":false},{"infinite":true,"number":7,"set":true}]"#;
        let told = events(sorted).join(" ");
        assert_eq!(
            told,
            "< < /set=false /number= > < /infinite=true /set=true /number= > >"
        );
        let numbers: Vec<_> = events(text)
            .into_iter()
            .filter(|event| event.contains("number"))
            .collect();
        assert_eq!(numbers, ["/number=", "/number="]);
        assert!(events(r#"{"set":true,"number":7}"#).contains(&"number=7".to_owned()));
    }
}
