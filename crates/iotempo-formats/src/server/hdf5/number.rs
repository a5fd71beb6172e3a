//! Types of elements, and shapes.

use super::bytes::Bytes;
use super::{invalid, unsupported};
use crate::error::Error;

/// What an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Whole {
        size: usize,
        big_endian: bool,
        signed: bool,
    },
    Float {
        size: usize,
        big_endian: bool,
    },
    /// Text of a fixed length.
    Text {
        size: usize,
    },
    /// Text that lies in a heap.
    TextElsewhere,
    Other {
        class: u8,
        size: usize,
    },
}

impl Type {
    pub(super) fn parse(bytes: &[u8], at: u64) -> Result<Self, Error> {
        let mut bytes = Bytes::new(bytes, at);
        let (class, bits) = (bytes.u8()? & 0x0f, bytes.take(3)?[0]);
        let size = bytes.u32()? as usize;
        let big_endian = bits & 1 != 0;
        Ok(match (class, size) {
            (_, 0) => return Err(invalid(at, "a type without a size", class)),
            (0, 1..=8) => Self::Whole {
                size,
                big_endian,
                signed: bits & 8 != 0,
            },
            (1, 4 | 8) => Self::Float { size, big_endian },
            (3, _) => Self::Text { size },
            (9, 16) if bits & 0x0f == 1 => Self::TextElsewhere,
            _ => Self::Other { class, size },
        })
    }

    /// How many bytes an element takes.
    pub(super) fn size(self) -> usize {
        match self {
            Self::Whole { size, .. }
            | Self::Float { size, .. }
            | Self::Text { size }
            | Self::Other { size, .. } => size,
            Self::TextElsewhere => 16,
        }
    }

    /// An error unless its elements are numbers.
    pub(super) fn must_be_number(self, at: u64) -> Result<(), Error> {
        match self {
            Self::Whole { .. } | Self::Float { .. } => Ok(()),
            other => Err(unsupported(
                at,
                format!("a data set of {other:?}, not of numbers"),
            )),
        }
    }

    /// An element as a number; not one where it is none.
    pub(super) fn number(self, bytes: &[u8]) -> f64 {
        let (size, big_endian) = match self {
            Self::Whole {
                size, big_endian, ..
            }
            | Self::Float { size, big_endian } => (size, big_endian),
            _ => return f64::NAN,
        };
        let push = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
        let bits = match big_endian {
            true => bytes.iter().fold(0, push),
            false => bytes.iter().rev().fold(0, push),
        };
        match self {
            Self::Whole { signed: true, .. } => {
                let unused = 64 - 8 * size;
                ((bits << unused).cast_signed() >> unused) as f64
            }
            Self::Float { size: 4, .. } => f64::from(f32::from_bits(bits as u32)),
            Self::Float { .. } => f64::from_bits(bits),
            _ => bits as f64,
        }
    }
}

/// How many elements lie in each dimension; none for a single element.
pub(super) fn shape(bytes: &[u8], at: u64) -> Result<Vec<u64>, Error> {
    let mut bytes = Bytes::new(bytes, at);
    let (version, rank) = (bytes.u8()?, bytes.u8()?);
    match version {
        1 => bytes.skip(6)?,
        2 => bytes.skip(2)?,
        other => return Err(unsupported(at, format!("a shape of version {other}"))),
    }
    (0..rank).map(|_| bytes.u64()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_every_size_and_order_are_numbers() {
        let whole = |size, big_endian, signed| Type::Whole {
            size,
            big_endian,
            signed,
        };
        assert_eq!(whole(2, false, true).number(&[0xfe, 0xff]), -2.0);
        assert_eq!(whole(2, false, false).number(&[0xfe, 0xff]), 65_534.0);
        assert_eq!(whole(4, true, true).number(&[0, 0, 1, 2]), 258.0);
        assert_eq!(whole(8, false, true).number(&(-5_i64).to_le_bytes()), -5.0);
        let float = |size, big_endian| Type::Float { size, big_endian };
        assert_eq!(float(8, true).number(&1.5_f64.to_be_bytes()), 1.5);
        assert_eq!(float(4, false).number(&1.5_f32.to_le_bytes()), 1.5);
    }
}
