//! A row as it is stored: the types of its values, then the values.

use super::page::varint;
use super::{error, invalid};
use crate::error::{Error, ErrorKind};

/// What stands in a column of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in super::super) enum Value<'a> {
    Null,
    Whole(i64),
    Real(f64),
    Text(&'a str),
    /// Bytes, or text that is none.
    Other,
}

impl Value<'_> {
    /// As a number, where it is one; text that spells one is.
    pub(in super::super) fn number(self) -> Option<f64> {
        match self {
            Self::Whole(number) => Some(number as f64),
            Self::Real(number) => Some(number),
            Self::Text(text) => text.trim().parse().ok(),
            Self::Null | Self::Other => None,
        }
    }
}

/// A row.
pub(super) struct Record<'a> {
    types: &'a [u8],
    values: &'a [u8],
}

impl<'a> Record<'a> {
    pub(super) fn new(payload: &'a [u8], at: u64) -> Result<Self, Error> {
        let ends = || error(at, ErrorKind::UnexpectedEnd("a row"));
        let mut rest = payload;
        let header = varint(&mut rest).ok_or_else(ends)?;
        let before = payload.len() - rest.len();
        let header = usize::try_from(header).map_err(|_| ends())?;
        if header < before {
            return Err(invalid(at, "not the length of the header of a row", header));
        }
        Ok(Self {
            types: payload.get(before..header).ok_or_else(ends)?,
            values: payload.get(header..).ok_or_else(ends)?,
        })
    }

    /// What stands in a column; nothing where the row ends before it.
    pub(super) fn get(&self, column: usize) -> Value<'a> {
        let (mut types, mut values) = (self.types, self.values);
        let mut index = 0;
        while let Some(serial) = varint(&mut types) {
            let length = usize::try_from(length(serial)).unwrap_or(usize::MAX);
            let Some((value, rest)) = values.split_at_checked(length) else {
                return Value::Null;
            };
            if index == column {
                return decode(serial, value);
            }
            values = rest;
            index += 1;
        }
        Value::Null
    }
}

/// How many bytes a value of a type takes.
fn length(serial: u64) -> u64 {
    match serial {
        0 | 8..=11 => 0,
        1..=4 => serial,
        5 => 6,
        6 | 7 => 8,
        _ => (serial - 12) / 2,
    }
}

fn decode(serial: u64, value: &[u8]) -> Value<'_> {
    match serial {
        0 => Value::Null,
        1..=6 => {
            let negative = value.first().is_some_and(|&byte| byte >= 0x80);
            let start = if negative { -1 } else { 0 };
            let number = value
                .iter()
                .fold(start, |number: i64, &byte| number << 8 | i64::from(byte));
            Value::Whole(number)
        }
        7 => value
            .try_into()
            .map_or(Value::Other, |eight| Value::Real(f64::from_be_bytes(eight))),
        8 => Value::Whole(0),
        9 => Value::Whole(1),
        serial if serial >= 13 && serial % 2 == 1 => {
            std::str::from_utf8(value).map_or(Value::Other, Value::Text)
        }
        _ => Value::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_decoded_by_their_type() {
        // NULL, -2 in one byte, 258 in two, 0, 1, "ab", a blob.
        let payload = [8, 0, 1, 2, 8, 9, 17, 14, 0xfe, 1, 2, b'a', b'b', 7];
        let record = Record::new(&payload, 0).expect("a row");
        let values: Vec<_> = (0..8).map(|column| record.get(column)).collect();
        assert_eq!(
            values,
            [
                Value::Null,
                Value::Whole(-2),
                Value::Whole(258),
                Value::Whole(0),
                Value::Whole(1),
                Value::Text("ab"),
                Value::Other,
                Value::Null
            ]
        );
        assert!(Record::new(&[9, 0], 0).is_err());
        assert!(Record::new(&[0], 0).is_err());
    }
}
