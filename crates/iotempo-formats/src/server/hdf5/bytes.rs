//! Numbers out of a stretch of the file, least significant byte first.

use crate::error::{Error, ErrorKind, Place};

/// What is left of a stretch, and where that lies.
pub(super) struct Bytes<'a> {
    rest: &'a [u8],
    at: u64,
}

impl<'a> Bytes<'a> {
    pub(super) fn new(rest: &'a [u8], at: u64) -> Self {
        Self { rest, at }
    }

    pub(super) fn place(&self) -> u64 {
        self.at
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            let kind = ErrorKind::UnexpectedEnd("a field");
            return Err(Error::new("HDF5", Place::Byte(self.at), kind));
        };
        self.rest = rest;
        self.at += count as u64;
        Ok(taken)
    }

    pub(super) fn skip(&mut self, count: usize) -> Result<(), Error> {
        self.take(count).map(drop)
    }

    fn number(&mut self, count: usize) -> Result<u64, Error> {
        let bytes = self.take(count)?.iter().rev();
        Ok(bytes.fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    pub(super) fn u8(&mut self) -> Result<u8, Error> {
        Ok(self.number(1)? as u8)
    }

    pub(super) fn u16(&mut self) -> Result<u16, Error> {
        Ok(self.number(2)? as u16)
    }

    pub(super) fn u32(&mut self) -> Result<u32, Error> {
        Ok(self.number(4)? as u32)
    }

    pub(super) fn u64(&mut self) -> Result<u64, Error> {
        self.number(8)
    }
}

/// The next multiple of eight.
pub(super) fn padded(length: usize) -> usize {
    length.div_ceil(8) * 8
}
