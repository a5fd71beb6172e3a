//! JSON, token by token, as it comes.
//!
//! Two things that JSON forbids are met in real files and read here: bare `NaN` and `Infinity`,
//! which TMIO and Python write, and numbers with leading zeros. A decoder by the book would turn
//! such files away, or need them whole in memory to mend them first.

use crate::error::{Error, ErrorKind, Place};
use crate::limits::Limits;
use crate::series::{DEEPEST, Token, Tokens, Window};
use crate::table::numbers::decimal;
use memchr::{memchr2, memrchr};

/// The longest number or bare word that means anything.
const LONGEST_WORD: usize = 1024;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    List,
    Map,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    ValueOrEnd,
    CommaOrEnd,
    Key,
    KeyOrEnd,
}

/// One JSON value after another, with or without white space between them.
pub(crate) struct Json {
    bytes: Window,
    open: Vec<Open>,
    expect: Expect,
    began: u64,
    word: Vec<u8>,
    text: String,
    longest_text: u64,
}

impl Json {
    pub(crate) fn new(bytes: Window, limits: &Limits) -> Self {
        Self {
            bytes,
            open: Vec::new(),
            expect: Expect::Value,
            began: 0,
            word: Vec::new(),
            text: String::new(),
            longest_text: limits.name,
        }
    }

    /// The bytes behind the latest token.
    pub(crate) fn bytes(&mut self) -> &mut Window {
        &mut self.bytes
    }

    fn in_map(&self) -> bool {
        self.open.last() == Some(&Open::Map)
    }

    /// The next byte that is not white space, which stays.
    fn significant(&mut self) -> Result<Option<u8>, Error> {
        loop {
            match self.bytes.peek()? {
                Some(byte) if is_space(byte) => self.bytes.advance(1),
                other => return Ok(other),
            }
        }
    }

    fn required(&mut self) -> Result<u8, Error> {
        let what = if self.in_map() {
            "a JSON object"
        } else {
            "a JSON list"
        };
        self.significant()?.ok_or_else(|| self.bytes.ended(what))
    }

    fn unexpected(&self, byte: u8) -> Error {
        let wanted = match self.expect {
            Expect::Value | Expect::ValueOrEnd => "not a JSON value",
            Expect::CommaOrEnd => "not a comma or the end of a JSON list or object",
            Expect::Key | Expect::KeyOrEnd => "not a key of a JSON object",
        };
        Error::invalid("", self.bytes.place(), wanted, char::from(byte))
    }

    /// A value is complete.
    fn complete(&mut self) {
        self.expect = if self.open.is_empty() {
            Expect::Value
        } else {
            Expect::CommaOrEnd
        };
    }

    fn open(&mut self, what: Open) -> Result<Token<'_>, Error> {
        if self.open.len() == DEEPEST {
            return Err(Error::invalid(
                "",
                self.bytes.place(),
                "JSON nested deeper than",
                DEEPEST,
            ));
        }
        self.bytes.advance(1);
        self.open.push(what);
        Ok(match what {
            Open::List => {
                self.expect = Expect::ValueOrEnd;
                Token::List
            }
            Open::Map => {
                self.expect = Expect::KeyOrEnd;
                Token::Map
            }
        })
    }

    fn close(&mut self) -> Token<'_> {
        self.bytes.advance(1);
        self.open.pop();
        self.complete();
        Token::End
    }

    fn key(&mut self) -> Result<Token<'_>, Error> {
        self.string()?;
        match self.required()? {
            b':' => self.bytes.advance(1),
            byte => {
                let place = self.bytes.place();
                return Err(Error::invalid(
                    "",
                    place,
                    "not a colon after a JSON key",
                    char::from(byte),
                ));
            }
        }
        self.expect = Expect::Value;
        Ok(Token::Text(&self.text))
    }

    fn value(&mut self, byte: u8) -> Result<Token<'_>, Error> {
        match byte {
            b'{' => self.open(Open::Map),
            b'[' => self.open(Open::List),
            b'"' => {
                self.string()?;
                self.complete();
                Ok(Token::Text(&self.text))
            }
            _ => self.bare(byte),
        }
    }

    /// A number, `null`, `true`, `false`, `NaN` or `Infinity`.
    fn bare(&mut self, first: u8) -> Result<Token<'_>, Error> {
        self.read_word()?;
        let word = str::from_utf8(&self.word).unwrap_or_default();
        let token = match word {
            "" => return Err(self.unexpected(first)),
            "null" => Token::Null,
            "true" => Token::Bool(true),
            "false" => Token::Bool(false),
            number => match number.parse() {
                Ok(number) => Token::Number(number),
                Err(_) => {
                    let place = Place::Byte(self.began);
                    return Err(Error::invalid("", place, "not a number", number));
                }
            },
        };
        self.complete();
        Ok(token)
    }

    fn read_word(&mut self) -> Result<(), Error> {
        self.word.clear();
        loop {
            let here = self.bytes.rest();
            let length = here
                .iter()
                .position(|byte| !is_of_word(*byte))
                .unwrap_or(here.len());
            let ends_here = length < here.len();
            self.word.extend_from_slice(&here[..length]);
            self.bytes.advance(length);
            if ends_here {
                return Ok(());
            }
            if self.word.len() > LONGEST_WORD {
                let place = Place::Byte(self.began);
                let begin = String::from_utf8_lossy(&self.word).into_owned();
                return Err(Error::invalid("", place, "not a number", begin));
            }
            if self.bytes.peek()?.is_none() {
                // A number at the very end of an open list may have lost digits.
                return if self.open.is_empty() {
                    Ok(())
                } else {
                    Err(self.bytes.ended("a JSON number"))
                };
            }
        }
    }

    /// Reads a text in quotes into `self.text`.
    fn string(&mut self) -> Result<(), Error> {
        const WHAT: &str = "a JSON text";
        self.bytes.advance(1);
        self.word.clear();
        loop {
            self.bytes.peek()?.ok_or_else(|| self.bytes.ended(WHAT))?;
            let here = self.bytes.rest();
            let length = memchr2(b'"', b'\\', here).unwrap_or(here.len());
            let stop = here.get(length).copied();
            self.word.extend_from_slice(&here[..length]);
            self.bytes.advance(length);
            if self.word.len() as u64 > self.longest_text {
                let kind = ErrorKind::Budget {
                    what: WHAT,
                    limit: self.longest_text,
                };
                return Err(Error::new("", Place::Byte(self.began), kind));
            }
            match stop {
                None => {}
                Some(b'"') => break,
                Some(_) => self.escape(WHAT)?,
            }
        }
        self.bytes.advance(1);
        self.text.clear();
        match str::from_utf8(&self.word) {
            Ok(text) => self.text.push_str(text),
            Err(_) => self.text.push_str(&String::from_utf8_lossy(&self.word)),
        }
        Ok(())
    }

    fn escape(&mut self, what: &'static str) -> Result<(), Error> {
        let [_, kind] = self.bytes.take(what)?;
        let meant = match kind {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => self.code_point(what)?,
            other => char::from(other),
        };
        self.word
            .extend_from_slice(meant.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    /// What `\u` introduces; two of them make a character beyond 16 bits.
    fn code_point(&mut self, what: &'static str) -> Result<char, Error> {
        let high = self.hex(what)?;
        if !(0xd800..0xdc00).contains(&high) || !self.bytes.rest().starts_with(b"\\u") {
            return Ok(char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        self.bytes.advance(2);
        let low = self.hex(what)?;
        let joined = 0x10000 + ((high - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff);
        Ok(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex(&mut self, what: &'static str) -> Result<u32, Error> {
        let place = self.bytes.place();
        let digits: [u8; 4] = self.bytes.take(what)?;
        let text = String::from_utf8_lossy(&digits);
        u32::from_str_radix(&text, 16)
            .map_err(|_| Error::invalid("", place, "not four hexadecimal digits", &text))
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// A text without the white space that it begins with.
fn from_significant(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text
        && is_space(*first)
    {
        text = rest;
    }
    text
}

/// The bytes that numbers of a list and what separates them are made of.
const IN_LISTS: [bool; 256] = {
    let bytes = b"0123456789+-.eE, \t\n\r";
    let mut table = [false; 256];
    let mut index = 0;
    while index < bytes.len() {
        table[bytes[index] as usize] = true;
        index += 1;
    }
    table
};

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-' | b'_')
}

impl Tokens for Json {
    fn more(&mut self) -> Result<bool, Error> {
        Ok(self.significant()?.is_some())
    }

    fn next(&mut self) -> Result<Token<'_>, Error> {
        let mut byte = self.required()?;
        if self.expect == Expect::CommaOrEnd && byte == b',' {
            self.bytes.advance(1);
            self.expect = if self.in_map() {
                Expect::Key
            } else {
                Expect::Value
            };
            byte = self.required()?;
        }
        self.began = self.bytes.offset();
        match (self.expect, byte) {
            (Expect::CommaOrEnd, b']') if !self.in_map() => Ok(self.close()),
            (Expect::CommaOrEnd, b'}') if self.in_map() => Ok(self.close()),
            (Expect::ValueOrEnd, b']') | (Expect::KeyOrEnd, b'}') => Ok(self.close()),
            (Expect::Key | Expect::KeyOrEnd, b'"') => self.key(),
            (Expect::Value | Expect::ValueOrEnd, _) => self.value(byte),
            _ => Err(self.unexpected(byte)),
        }
    }

    #[inline]
    fn plain_number(&mut self) -> Option<f64> {
        if self.open.last() != Some(&Open::List) {
            return None;
        }
        let here = self.bytes.rest();
        let text = match self.expect {
            Expect::Value | Expect::ValueOrEnd => here,
            Expect::CommaOrEnd => from_significant(here).strip_prefix(b",")?,
            Expect::Key | Expect::KeyOrEnd => return None,
        };
        let text = from_significant(text);
        let (number, after) = decimal(text)?;
        // What goes on may have an exponent; what ends the window may go on.
        if after.first().is_none_or(|byte| is_of_word(*byte)) {
            return None;
        }
        let (began, length) = (here.len() - text.len(), here.len() - after.len());
        self.began = self.bytes.offset() + began as u64;
        self.expect = Expect::CommaOrEnd;
        self.bytes.advance(length);
        Some(number)
    }

    /// Up to the last comma among them: what follows it may go on in the next window.
    fn skip_numbers(&mut self) {
        if self.open.last() != Some(&Open::List) {
            return;
        }
        let here = self.bytes.rest();
        let other = here.iter().position(|byte| !IN_LISTS[usize::from(*byte)]);
        let numbers = &here[..other.unwrap_or(here.len())];
        if let Some(comma) = memrchr(b',', numbers) {
            self.bytes.advance(comma + 1);
            self.expect = Expect::Value;
        }
    }

    fn at(&self) -> u64 {
        self.began
    }

    fn depth(&self) -> usize {
        self.open.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    fn tokens(reader: impl Read + Send + 'static) -> Result<Vec<String>, Error> {
        let mut json = Json::new(Window::new(reader), &Limits::default());
        let mut seen = Vec::new();
        while json.more()? {
            loop {
                seen.push(json.next()?.to_string());
                if json.depth() == 0 {
                    break;
                }
            }
        }
        Ok(seen)
    }

    fn joined(text: &'static str) -> String {
        tokens(text.as_bytes()).map_or_else(|error| error.to_string(), |seen| seen.join(" "))
    }

    #[test]
    fn lists_and_objects_lie_in_each_other() {
        assert_eq!(
            joined(r#" {"a": [1, -2.5e3], "b": {}, "c": [null, true, "x"]} [] "#),
            "a map a a list 1 -2500 nothing b a map nothing c a list null true x nothing nothing \
             a list nothing"
        );
    }

    #[test]
    fn what_python_and_tmio_write_beyond_json_is_read() {
        assert_eq!(
            joined("[NaN, Infinity, -Infinity, 0500]"),
            "a list NaN inf -inf 500 nothing"
        );
    }

    #[test]
    fn the_short_way_through_a_list_gives_the_same_tokens() {
        let text = "[1, -2.5 ,\t3e2,\n0500 , NaN,4.25, [5,\"6\"], 12345678901234567890, 7 ]";
        let expected = joined(text);
        for length in 1..=text.len() {
            // As much at a time as may end inside a number.
            let (begin, end) = text.as_bytes().split_at(length);
            let mut json = Json::new(Window::new(begin.chain(end)), &Limits::default());
            let mut seen = vec![json.next().expect("a list").to_string()];
            let mut short = 0;
            while json.depth() > 0 {
                let number = json.plain_number();
                short += usize::from(number.is_some());
                seen.push(match number {
                    Some(number) => Token::Number(number).to_string(),
                    None => json.next().expect("a token").to_string(),
                });
            }
            assert_eq!(seen.join(" "), expected, "{length}");
            assert!(short >= 3, "{length}: {short}");
        }
    }

    #[test]
    fn a_list_that_nobody_asks_for_is_passed_over_wherever_the_window_ends() {
        let text = "[[1, -2.5 ,\t3e2,\n0500 , NaN,4.25, [5,\"6, 7\"], 12], 8]";
        for length in 1..=text.len() {
            let (begin, end) = text.as_bytes().split_at(length);
            let mut json = Json::new(Window::new(begin.chain(end)), &Limits::default());
            for list in 1..=2 {
                assert_eq!(json.next().expect("a list"), Token::List, "{list}");
            }
            json.leave(2).expect("the end of the inner list");
            assert_eq!(json.next().expect("a number"), Token::Number(8.0));
            assert_eq!(json.next().expect("the end"), Token::End);
            assert_eq!(json.depth(), 0, "{length}");
        }
    }

    #[test]
    fn texts_keep_their_escapes_meaning() {
        assert_eq!(joined(r#""a\"\\\/\n\u00e9\ud83d\ude00""#), "a\"\\/\né😀");
        assert_eq!(joined(r#""\ud83d!""#), "\u{fffd}!", "half of a pair");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, expected) in [
            ("[1, 2,]", "byte 6: not a JSON value: ]"),
            (
                "[1 2]",
                "byte 3: not a comma or the end of a JSON list or object: 2",
            ),
            ("{1: 2}", "byte 1: not a key of a JSON object: 1"),
            (r#"{"a" 1}"#, "byte 5: not a colon after a JSON key: 1"),
            (
                "[1}",
                "byte 2: not a comma or the end of a JSON list or object: }",
            ),
            (
                r#"{"a":1]"#,
                "byte 6: not a comma or the end of a JSON list or object: ]",
            ),
            ("[1, abc]", "byte 4: not a number: abc"),
            (r#"["\u12g4"]"#, "byte 4: not four hexadecimal digits: 12g4"),
            ("[1, 2", "byte 5: the data ends inside a JSON number"),
            ("[1, 2 ", "byte 6: the data ends inside a JSON list"),
            (r#"{"a"#, "byte 3: the data ends inside a JSON text"),
            (r#"{"a":"#, "byte 5: the data ends inside a JSON object"),
            ("[?", "byte 1: not a JSON value: ?"),
        ] {
            assert_eq!(joined(text), expected, "{text}");
        }
    }

    #[test]
    fn nesting_is_bounded() {
        let error = tokens(std::io::repeat(b'[')).expect_err("no end");
        assert_eq!(error.to_string(), "byte 128: JSON nested deeper than: 128");
    }

    #[test]
    fn a_word_without_end_is_not_gathered() {
        let error = tokens(std::io::repeat(b'1')).expect_err("no number");
        assert!(
            error.to_string().starts_with("byte 0: not a number: 111"),
            "{error}"
        );
    }

    #[test]
    fn a_text_without_end_stops_at_the_limit() {
        let limits = Limits {
            name: 1000,
            ..Limits::default()
        };
        let endless = b"\"".chain(std::io::repeat(b'x'));
        let mut json = Json::new(Window::new(endless), &limits);
        let error = json.next().expect_err("no end");
        assert!(matches!(error.kind, ErrorKind::Budget { limit: 1000, .. }));
    }
}
