//! MessagePack, token by token, as it comes.

use crate::error::{Error, ErrorKind, Place};
use crate::limits::Limits;
use crate::series::{DEEPEST, Token, Tokens, Window};
use rmp::Marker;

const VALUE: &str = "a MessagePack value";

/// One MessagePack value after another. Lengths that the data claims are only ever counted down.
pub(crate) struct MessagePack {
    bytes: Window,
    /// How many values each open list or map still has; a map counts keys and values.
    open: Vec<u64>,
    began: u64,
    text: String,
    longest_text: u64,
}

impl MessagePack {
    pub(crate) fn new(bytes: Window, limits: &Limits) -> Self {
        Self {
            bytes,
            open: Vec::new(),
            began: 0,
            text: String::new(),
            longest_text: limits.name,
        }
    }

    /// How far it was read.
    pub(crate) fn reached(&self) -> u64 {
        self.bytes.offset()
    }

    fn open(&mut self, values: u64, token: Token<'static>) -> Result<Token<'_>, Error> {
        if self.open.len() == DEEPEST {
            let place = Place::Byte(self.began);
            return Err(Error::invalid(
                "",
                place,
                "MessagePack nested deeper than",
                DEEPEST,
            ));
        }
        self.open.push(values);
        Ok(token)
    }

    fn text(&mut self, length: u64) -> Result<Token<'_>, Error> {
        if length > self.longest_text {
            let kind = ErrorKind::Budget {
                what: "a text",
                limit: self.longest_text,
            };
            return Err(Error::new("", Place::Byte(self.began), kind));
        }
        let mut bytes = Vec::new();
        self.bytes.pass(length, "a MessagePack text", |part| {
            bytes.extend_from_slice(part)
        })?;
        self.text.clear();
        self.text.push_str(&String::from_utf8_lossy(&bytes));
        Ok(Token::Text(&self.text))
    }

    fn opaque(&mut self, length: u64) -> Result<Token<'_>, Error> {
        self.bytes
            .pass(length, "MessagePack's binary data", |_| {})?;
        Ok(Token::Opaque)
    }

    /// An unsigned number of `N` bytes.
    fn unsigned<const N: usize>(&mut self) -> Result<u64, Error> {
        let bytes: [u8; N] = self.bytes.take(VALUE)?;
        Ok(bytes
            .iter()
            .fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// A signed number of `N` bytes.
    fn signed<const N: usize>(&mut self) -> Result<f64, Error> {
        let unused = 64 - 8 * N as u32;
        Ok(((self.unsigned::<N>()? << unused) as i64 >> unused) as f64)
    }

    fn number(&mut self, marker: Marker) -> Result<Option<f64>, Error> {
        Ok(Some(match marker {
            Marker::FixPos(value) => f64::from(value),
            Marker::FixNeg(value) => f64::from(value),
            Marker::U8 => self.unsigned::<1>()? as f64,
            Marker::U16 => self.unsigned::<2>()? as f64,
            Marker::U32 => self.unsigned::<4>()? as f64,
            Marker::U64 => self.unsigned::<8>()? as f64,
            Marker::I8 => self.signed::<1>()?,
            Marker::I16 => self.signed::<2>()?,
            Marker::I32 => self.signed::<4>()?,
            Marker::I64 => self.signed::<8>()?,
            Marker::F32 => f64::from(f32::from_be_bytes(self.bytes.take(VALUE)?)),
            Marker::F64 => f64::from_be_bytes(self.bytes.take(VALUE)?),
            _ => return Ok(None),
        }))
    }

    /// How many bytes of text or binary data, or values of a list or map, follow a marker.
    fn length(&mut self, marker: Marker) -> Result<u64, Error> {
        match marker {
            Marker::FixStr(length) | Marker::FixArray(length) | Marker::FixMap(length) => {
                Ok(u64::from(length))
            }
            Marker::Str8 | Marker::Bin8 | Marker::Ext8 => self.unsigned::<1>(),
            Marker::Str16 | Marker::Bin16 | Marker::Ext16 | Marker::Array16 | Marker::Map16 => {
                self.unsigned::<2>()
            }
            Marker::FixExt1 => Ok(1),
            Marker::FixExt2 => Ok(2),
            Marker::FixExt4 => Ok(4),
            Marker::FixExt8 => Ok(8),
            Marker::FixExt16 => Ok(16),
            _ => self.unsigned::<4>(),
        }
    }

    fn value(&mut self, marker: Marker) -> Result<Token<'_>, Error> {
        if let Some(number) = self.number(marker)? {
            return Ok(Token::Number(number));
        }
        match marker {
            Marker::Null => return Ok(Token::Null),
            Marker::True => return Ok(Token::Bool(true)),
            Marker::False => return Ok(Token::Bool(false)),
            Marker::Reserved => {
                let place = Place::Byte(self.began);
                return Err(Error::invalid(
                    "",
                    place,
                    "a byte without a meaning in MessagePack",
                    "0xc1",
                ));
            }
            _ => {}
        }
        let length = self.length(marker)?;
        match marker {
            Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => self.text(length),
            Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => {
                self.open(length, Token::List)
            }
            Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => self.open(2 * length, Token::Map),
            Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => self.opaque(length),
            // The type of an extension takes a byte before its data.
            _ => self.opaque(length + 1),
        }
    }
}

/// A number of one of the kinds that long lists are made of, and its length.
#[inline]
fn plain_number(bytes: &[u8]) -> Option<(f64, usize)> {
    let (&marker, bytes) = bytes.split_first()?;
    Some(match Marker::from_u8(marker) {
        Marker::FixPos(value) => (f64::from(value), 1),
        Marker::F64 => (f64::from_be_bytes(*bytes.first_chunk()?), 9),
        Marker::U16 => (f64::from(u16::from_be_bytes(*bytes.first_chunk()?)), 3),
        Marker::U32 => (f64::from(u32::from_be_bytes(*bytes.first_chunk()?)), 5),
        Marker::U64 => (u64::from_be_bytes(*bytes.first_chunk()?) as f64, 9),
        _ => return None,
    })
}

impl Tokens for MessagePack {
    fn more(&mut self) -> Result<bool, Error> {
        Ok(self.bytes.peek()?.is_some())
    }

    fn next(&mut self) -> Result<Token<'_>, Error> {
        self.began = self.bytes.offset();
        match self.open.last_mut() {
            Some(0) => {
                self.open.pop();
                return Ok(Token::End);
            }
            Some(left) => *left -= 1,
            None => {}
        }
        let [marker] = self.bytes.take(VALUE)?;
        self.value(Marker::from_u8(marker))
    }

    fn plain_number(&mut self) -> Option<f64> {
        let left = self.open.last_mut().filter(|left| **left > 0)?;
        let (number, length) = plain_number(self.bytes.rest())?;
        *left -= 1;
        self.began = self.bytes.offset();
        self.bytes.advance(length);
        Some(number)
    }

    fn plain_list<const N: usize>(&mut self) -> Option<[f64; N]> {
        let left = self.open.last_mut().filter(|left| **left > 0)?;
        let (&marker, mut rest) = self.bytes.rest().split_first()?;
        if Marker::from_u8(marker) != Marker::FixArray(u8::try_from(N).ok()?) {
            return None;
        }
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            let (value, length) = plain_number(rest)?;
            (*number, rest) = (value, &rest[length..]);
        }
        *left -= 1;
        self.began = self.bytes.offset();
        let length = self.bytes.rest().len() - rest.len();
        self.bytes.advance(length);
        Some(numbers)
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
    use rmp::encode;

    fn tokens(bytes: &[u8]) -> Result<Vec<String>, Error> {
        let window = Window::new(std::io::Cursor::new(bytes.to_vec()));
        let mut decoder = MessagePack::new(window, &Limits::default());
        let mut seen = Vec::new();
        while decoder.more()? {
            seen.push(decoder.next()?.to_string());
            while decoder.depth() > 0 {
                seen.push(decoder.next()?.to_string());
            }
        }
        Ok(seen)
    }

    #[test]
    fn every_kind_of_number_is_read() {
        let mut bytes = Vec::new();
        for value in [0, 127, 200, 40_000, 3_000_000_000, u64::MAX] {
            encode::write_uint(&mut bytes, value).expect("memory");
        }
        for value in [-1, -32, -100, -30_000, -2_000_000_000, i64::MIN] {
            encode::write_sint(&mut bytes, value).expect("memory");
        }
        encode::write_f32(&mut bytes, 0.5).expect("memory");
        encode::write_f64(&mut bytes, -1e300).expect("memory");
        let seen = tokens(&bytes).expect("numbers");
        let read: Vec<f64> = seen
            .iter()
            .map(|text| text.parse().expect("a number"))
            .collect();
        let expected = [
            0.0,
            127.0,
            200.0,
            4e4,
            3e9,
            u64::MAX as f64,
            -1.0,
            -32.0,
            -100.0,
            -3e4,
            -2e9,
            i64::MIN as f64,
            0.5,
            -1e300,
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn the_short_way_takes_whole_lists_of_plain_numbers_or_nothing() {
        let lists: [&[u8]; 4] = [
            &[0x93, 1, 0xcd, 1, 0, 0xcb, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0],
            &[0x92, 1, 2],
            &[0x93, 1, 2, 0xc0],
            &[0x93, 1, 2, 0xff],
        ];
        let bytes = [&[0x94], &lists.concat()[..]].concat();
        let expected = tokens(&bytes).expect("well formed").join(" ");
        let window = Window::new(std::io::Cursor::new(bytes));
        let mut decoder = MessagePack::new(window, &Limits::default());
        let mut seen = vec![decoder.next().expect("a list").to_string()];
        let list = decoder.plain_list().expect("three plain numbers");
        assert_eq!(list, [1.0, 256.0, 0.5]);
        seen.push("a list 1 256 0.5 nothing".to_owned());
        while decoder.depth() > 0 {
            assert_eq!(decoder.plain_list::<3>(), None);
            seen.push(match decoder.plain_number() {
                Some(number) => number.to_string(),
                None => decoder.next().expect("a token").to_string(),
            });
        }
        assert_eq!(seen.join(" "), expected);
        let window = Window::new(std::io::Cursor::new([0x91, 0x93, 1, 2]));
        let mut decoder = MessagePack::new(window, &Limits::default());
        decoder.next().expect("a list");
        assert_eq!(decoder.plain_list::<3>(), None, "cut off");
    }

    #[test]
    fn lists_maps_texts_and_binary_data_are_read() {
        let mut bytes = Vec::new();
        encode::write_map_len(&mut bytes, 2).expect("memory");
        encode::write_str(&mut bytes, "a").expect("memory");
        encode::write_array_len(&mut bytes, 0).expect("memory");
        encode::write_str(&mut bytes, &"long ".repeat(60)).expect("memory");
        encode::write_bin(&mut bytes, &[0; 300]).expect("memory");
        bytes.extend([0xc0, 0xc2, 0xc3, 0xd4, 1, 2, 0xc7, 3, 9, 1, 2, 3]);
        let seen = tokens(&bytes).expect("well formed").join("|");
        let long = "long ".repeat(60);
        let expected = format!(
            "a map|a|a list|nothing|{long}|binary data|nothing|null|false|true|binary data|binary data"
        );
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_claimed_length_takes_no_memory() {
        for claim in [
            [0xdd, 255, 255, 255, 255],
            [0xdf, 255, 255, 255, 255],
            [0xc6, 255, 255, 255, 255],
        ] {
            let error = tokens(&claim).expect_err("nothing follows");
            assert!(matches!(error.kind, ErrorKind::UnexpectedEnd(_)), "{error}");
            assert_eq!(error.offset(), Some(5));
        }
        let error = tokens(&[0xdb, 255, 255, 255, 255]).expect_err("a text of 4 GiB");
        assert!(matches!(error.kind, ErrorKind::Budget { .. }), "{error}");
    }

    #[test]
    fn nesting_and_unused_bytes_are_errors() {
        let error = tokens(&[0x91; 1000]).expect_err("too deep");
        assert_eq!(
            error.to_string(),
            "byte 128: MessagePack nested deeper than: 128"
        );
        let error = tokens(&[0x91, 0xc1]).expect_err("reserved");
        assert_eq!(
            error.to_string(),
            "byte 1: a byte without a meaning in MessagePack: 0xc1"
        );
    }
}
