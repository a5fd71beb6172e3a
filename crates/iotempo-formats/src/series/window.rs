//! The bytes of an input, one by one, with their place.

use crate::error::{Error, ErrorKind, Place};
use std::io::{self, Read};

/// How many bytes are asked for at once.
const WINDOW: usize = 64 << 10;

/// A part of an input that moves forward, and how far it is.
pub(crate) struct Window {
    reader: Box<dyn Read + Send>,
    bytes: Vec<u8>,
    filled: usize,
    at: usize,
    before: u64,
}

impl Window {
    pub(crate) fn new(reader: impl Read + Send + 'static) -> Self {
        Self {
            reader: Box::new(reader),
            bytes: Vec::new(),
            filled: 0,
            at: 0,
            before: 0,
        }
    }

    /// How many bytes were taken.
    pub(crate) fn offset(&self) -> u64 {
        self.before + self.at as u64
    }

    /// The place after the bytes that were taken.
    pub(crate) fn place(&self) -> Place {
        Place::Byte(self.offset())
    }

    /// The next byte, which stays; `None` at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> Result<Option<u8>, Error> {
        if self.at == self.filled && !self.refill()? {
            return Ok(None);
        }
        Ok(Some(self.bytes[self.at]))
    }

    /// What can be looked at without reading on; empty before the first [`Window::peek`].
    #[inline]
    pub(crate) fn rest(&self) -> &[u8] {
        &self.bytes[self.at..self.filled]
    }

    /// Takes `count` bytes of [`Window::rest`].
    #[inline]
    pub(crate) fn advance(&mut self, count: usize) {
        self.at = (self.at + count).min(self.filled);
    }

    /// The next `N` bytes, which belong to `what`.
    pub(crate) fn take<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], Error> {
        let mut taken = [0; N];
        if let Some(bytes) = self.rest().get(..N) {
            taken.copy_from_slice(bytes);
            self.advance(N);
            return Ok(taken);
        }
        for byte in &mut taken {
            *byte = self.peek()?.ok_or_else(|| self.ended(what))?;
            self.advance(1);
        }
        Ok(taken)
    }

    /// Hands `count` bytes, which belong to `what`, to `receive` as they come.
    pub(crate) fn pass(
        &mut self,
        mut count: u64,
        what: &'static str,
        mut receive: impl FnMut(&[u8]),
    ) -> Result<(), Error> {
        while count > 0 {
            self.peek()?.ok_or_else(|| self.ended(what))?;
            let here = self.rest();
            let part = usize::try_from(count).map_or(here.len(), |count| here.len().min(count));
            receive(&here[..part]);
            self.advance(part);
            count -= part as u64;
        }
        Ok(())
    }

    /// The error of an input that ends inside `what`.
    pub(crate) fn ended(&self, what: &'static str) -> Error {
        Error::new("", self.place(), ErrorKind::UnexpectedEnd(what))
    }

    #[cold]
    fn refill(&mut self) -> Result<bool, Error> {
        self.before += self.filled as u64;
        (self.at, self.filled) = (0, 0);
        self.bytes.resize(WINDOW, 0);
        loop {
            match self.reader.read(&mut self.bytes) {
                Ok(count) => {
                    self.filled = count;
                    return Ok(count > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::new("", self.place(), error)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives one byte at a time, as a slow pipe does.
    struct Drip(Vec<u8>);

    impl Read for Drip {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            into[0] = self.0.remove(0);
            Ok(1)
        }
    }

    #[test]
    fn bytes_that_drip_in_are_put_together() {
        let mut window = Window::new(Drip(b"abcdefg".to_vec()));
        assert_eq!(window.take::<3>("it").expect("there"), *b"abc");
        let mut passed = Vec::new();
        window
            .pass(2, "it", |part| passed.extend_from_slice(part))
            .expect("there");
        assert_eq!((passed.as_slice(), window.offset()), (&b"de"[..], 5));
        let error = window.take::<4>("a number").expect_err("only two are left");
        assert_eq!(error.to_string(), "byte 7: the data ends inside a number");
    }

    #[test]
    fn a_length_beyond_the_input_ends_where_the_input_ends() {
        let mut window = Window::new(&b"abc"[..]);
        let error = window
            .pass(u64::MAX, "a text", |_| {})
            .expect_err("three bytes");
        assert_eq!(error.offset(), Some(3));
    }
}
