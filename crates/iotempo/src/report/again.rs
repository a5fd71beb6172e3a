//! An input that is read more than once.

use iotempo_formats::{Error, Input, Limits, ReadSeek};
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes that can be read from the start again. A stream is held in memory, up to the limit.
pub(super) struct Again(Shared);

impl Again {
    pub(super) fn new(input: Input, limits: &Limits) -> Result<Self, Error> {
        let bytes = input.into_seekable(limits)?;
        Ok(Self(Shared(Arc::new(Mutex::new(bytes)))))
    }

    /// The input from its first byte on. Only one may be read at a time.
    pub(super) fn input(&self) -> io::Result<Input> {
        let mut bytes = self.0.clone();
        bytes.seek(SeekFrom::Start(0))?;
        Input::seekable(bytes)
    }
}

#[derive(Clone)]
struct Shared(Arc<Mutex<Box<dyn ReadSeek>>>);

impl Read for Shared {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.read(buffer)
    }
}

impl Seek for Shared {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_can_be_read_twice() {
        let stream = Input::stream(&b"rank,op\n"[..]).expect("in memory");
        let Ok(again) = Again::new(stream, &Limits::default()) else {
            panic!("it is short");
        };
        for _ in 0..2 {
            let mut text = String::new();
            let input = again.input().expect("in memory");
            let read = input.into_reader().read_to_string(&mut text);
            assert_eq!((read.ok(), text.as_str()), (Some(8), "rank,op\n"));
        }
    }
}
