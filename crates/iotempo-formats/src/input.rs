//! An input as readers see it: bytes with a name left outside.

use crate::budget::Budgeted;
use crate::error::{Error, ErrorKind, Place};
use crate::limits::Limits;
use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};

/// How many bytes the judgement of the format may look at.
const HEAD: usize = 64 << 10;

/// Bytes that can be sought in.
pub trait ReadSeek: Read + Seek + Send {}
impl<T: Read + Seek + Send> ReadSeek for T {}

/// The bytes to read, wherever they come from.
pub struct Input {
    head: Vec<u8>,
    body: Body,
}

enum Body {
    /// Stands at its start.
    Seekable(Box<dyn ReadSeek>),
    /// Stands behind the head.
    Stream(Box<dyn Read + Send>),
}

impl Input {
    /// A file, or any other bytes that can be sought in, from first to last.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn seekable(mut bytes: impl Read + Seek + Send + 'static) -> io::Result<Self> {
        let mut head = Vec::new();
        fill_head(&mut bytes, &mut head)?;
        bytes.seek(SeekFrom::Start(0))?;
        Ok(Self {
            head,
            body: Body::Seekable(Box::new(bytes)),
        })
    }

    /// A file; a pipe or another special file is read as a stream.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn file(file: File) -> io::Result<Self> {
        if file.metadata()?.is_file() {
            Self::seekable(file)
        } else {
            Self::stream(file)
        }
    }

    /// Bytes in memory.
    #[must_use]
    pub fn bytes(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self {
            head: bytes[..bytes.len().min(HEAD)].to_vec(),
            body: Body::Seekable(Box::new(Cursor::new(bytes))),
        }
    }

    /// Bytes that come once and in order.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn stream(mut bytes: impl Read + Send + 'static) -> io::Result<Self> {
        let mut head = Vec::new();
        let rest: Box<dyn Read + Send> = match fill_head(&mut bytes, &mut head) {
            Ok(()) => Box::new(bytes),
            Err(error) if head.is_empty() => return Err(error),
            // What came before can still be read; the error comes where it came.
            Err(error) => Box::new(Broken(Some(error))),
        };
        let body = Body::Stream(rest);
        Ok(Self { head, body })
    }

    /// The first bytes: all there is, or 64 KiB.
    #[must_use]
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The input without the gzip or bzip2 that the whole of it may be wrapped in.
    ///
    /// # Errors
    /// Where the wrapping is damaged at its very beginning.
    pub fn unwrapped(self) -> Result<Self, Error> {
        let damaged = |error: io::Error| {
            let kind = ErrorKind::Compression(error.to_string());
            Error::new("whole-file compression", Place::Byte(0), kind)
        };
        if self.head.starts_with(b"\x1f\x8b") {
            Self::stream(Budgeted::new(self.into_reader(), MultiGzDecoder::new)).map_err(damaged)
        } else if self.head.starts_with(b"BZh") {
            Self::stream(Budgeted::new(self.into_reader(), MultiBzDecoder::new)).map_err(damaged)
        } else {
            Ok(self)
        }
    }

    /// All bytes in order.
    #[must_use]
    pub fn into_reader(self) -> Box<dyn BufRead + Send> {
        match self.body {
            Body::Seekable(bytes) => Box::new(BufReader::with_capacity(HEAD, bytes)),
            Body::Stream(rest) => {
                let all = Cursor::new(self.head).chain(rest);
                Box::new(BufReader::with_capacity(HEAD, all))
            }
        }
    }

    /// All bytes, to be sought in; a stream is held in memory up to the limit.
    ///
    /// # Errors
    /// [`ErrorKind::Budget`] beyond the limit, and whatever reading the stream answers.
    pub fn into_seekable(self, limits: &Limits) -> Result<Box<dyn ReadSeek>, Error> {
        match self.body {
            Body::Seekable(bytes) => Ok(bytes),
            Body::Stream(_) => Ok(Box::new(Cursor::new(self.into_bytes(limits)?))),
        }
    }

    /// All bytes in memory, up to the limit.
    ///
    /// # Errors
    /// [`ErrorKind::Budget`] beyond the limit, and whatever reading answers.
    pub fn into_bytes(self, limits: &Limits) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let read = self
            .into_reader()
            .take(limits.spooled + 1)
            .read_to_end(&mut bytes);
        let place = Place::Byte(bytes.len() as u64);
        read.map_err(|error| Error::new("", place, error))?;
        if bytes.len() as u64 > limits.spooled {
            let kind = ErrorKind::Budget {
                what: "an input that must be held in memory",
                limit: limits.spooled,
            };
            return Err(Error::new("", place, kind));
        }
        Ok(bytes)
    }
}

fn fill_head(bytes: &mut impl Read, head: &mut Vec<u8>) -> io::Result<()> {
    bytes.take(HEAD as u64).read_to_end(head).map(drop)
}

/// Fails once.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
