//! An input as readers see it: bytes with a name left outside.

use crate::budget::Budgeted;
use crate::error::{Error, ErrorKind, Place};
use crate::iot;
use crate::limits::Limits;
use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::vec;

/// How many bytes the judgement of the format may look at.
const HEAD: usize = 64 << 10;

/// How many bytes of a stream are held for a look ahead.
const LOOKED_AT: u64 = 64 << 20;

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
    /// Opened when they are wanted.
    Parts(Vec<Part>),
}

/// Opens a part, from its first byte on, as often as it is asked to.
type Opening = Box<dyn Fn() -> io::Result<Box<dyn ReadSeek>> + Send>;

/// One of several files that are one input together.
pub struct Part {
    name: String,
    opening: Opening,
}

impl Part {
    /// A part that people know by `name`.
    pub fn new(
        name: impl Into<String>,
        opening: impl Fn() -> io::Result<Box<dyn ReadSeek>> + Send + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            opening: Box::new(opening),
        }
    }

    pub(crate) fn open(&self) -> io::Result<Box<dyn ReadSeek>> {
        (self.opening)()
    }

    /// What a sentence about it begins with: its name, where it has one.
    pub(crate) fn prefix(&self) -> String {
        match self.name.as_str() {
            "" => String::new(),
            name => format!("{name}: "),
        }
    }
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

    /// Several files that are one input: the logs of all processes of a job.
    ///
    /// # Errors
    /// Where none of them can be read.
    pub fn several(parts: Vec<Part>) -> io::Result<Self> {
        let mut heads = parts.iter().map(|part| {
            let mut head = Vec::new();
            fill_head(&mut part.open()?, &mut head)?;
            Ok(head)
        });
        let known = |head: &io::Result<Vec<u8>>| head.as_ref().is_ok_and(|head| iot::sniff(head));
        let first = heads.next().unwrap_or_else(|| Ok(Vec::new()));
        // A process that has not begun in earnest says nothing about the others.
        let head = match known(&first) {
            true => first,
            false => heads.find(known).unwrap_or(first),
        }?;
        let body = Body::Parts(parts);
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
            Body::Parts(parts) => Box::new(BufReader::with_capacity(HEAD, InOrder::new(parts))),
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
            Body::Stream(_) | Body::Parts(_) => Ok(Box::new(Cursor::new(self.into_bytes(limits)?))),
        }
    }

    /// The files that make up the input; a stream is held in memory up to the limit.
    pub(crate) fn into_parts(self, limits: &Limits) -> Result<Vec<Part>, Error> {
        if let Body::Parts(parts) = self.body {
            return Ok(parts);
        }
        let bytes = Arc::new(Mutex::new(self.into_seekable(limits)?));
        let opening = move || {
            let shared: Box<dyn ReadSeek> = Box::new(Shared(Arc::clone(&bytes)));
            Ok(shared)
        };
        Ok(vec![Part::new("", opening)])
    }

    /// A look ahead, and all bytes in order. The look sees everything where the bytes can be sought in;
    /// of a stream it sees the first 64 MiB, which are held in memory.
    ///
    /// # Errors
    /// Whatever reading a stream answers before its first byte.
    pub(crate) fn twice(self) -> Result<[Box<dyn BufRead + Send>; 2], Error> {
        if let Body::Seekable(bytes) = self.body {
            let shared = Arc::new(Mutex::new(bytes));
            let opened = [Arc::clone(&shared), shared].map(|bytes| {
                let reader = FromStart {
                    bytes: Shared(bytes),
                    begun: false,
                };
                let reader: Box<dyn BufRead + Send> =
                    Box::new(BufReader::with_capacity(HEAD, reader));
                reader
            });
            return Ok(opened);
        }
        let mut rest = self.into_reader();
        let mut held = Vec::new();
        let read = rest.by_ref().take(LOOKED_AT).read_to_end(&mut held);
        let after: Box<dyn BufRead + Send> = match read {
            Ok(_) => rest,
            Err(error) if held.is_empty() => return Err(Error::new("", Place::Byte(0), error)),
            // What came before can still be read; the error comes where it came.
            Err(error) => Box::new(BufReader::new(Broken(Some(error)))),
        };
        let held: Arc<[u8]> = held.into();
        let look = Cursor::new(Arc::clone(&held));
        Ok([Box::new(look), Box::new(Cursor::new(held).chain(after))])
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

/// Bytes that are opened again, by who has read them before. Whoever opens them seeks first.
struct Shared(Arc<Mutex<Box<dyn ReadSeek>>>);

impl Shared {
    fn get(&self) -> MutexGuard<'_, Box<dyn ReadSeek>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Read for Shared {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.get().read(buffer)
    }
}

impl Seek for Shared {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.get().seek(to)
    }
}

/// Bytes that others may have read from, from their first on.
struct FromStart {
    bytes: Shared,
    begun: bool,
}

impl Read for FromStart {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.begun {
            self.bytes.seek(SeekFrom::Start(0))?;
            self.begun = true;
        }
        self.bytes.read(buffer)
    }
}

/// Parts one after the other.
struct InOrder {
    parts: vec::IntoIter<Part>,
    open: Option<Box<dyn ReadSeek>>,
}

impl InOrder {
    fn new(parts: Vec<Part>) -> Self {
        Self {
            parts: parts.into_iter(),
            open: None,
        }
    }
}

impl Read for InOrder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = match &mut self.open {
                Some(bytes) => bytes.read(buffer)?,
                None => 0,
            };
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let Some(part) = self.parts.next() else {
                return Ok(0);
            };
            self.open = Some(part.open()?);
        }
    }
}

/// Fails once.
struct Broken(Option<io::Error>);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
