//! HDF5, as far as logs of servers need it: files of the oldest layout (superblock 0 or 1), which
//! is what h5py writes unless it is told otherwise.
//!
//! Groups are trees of names, data sets of one or two dimensions are stored as a whole or in chunks,
//! compressed with gzip, with or without the filters that go with it. Every address is checked
//! against the length of the file, and no tree is followed in circles.

mod attribute;
mod bytes;
mod dataset;
mod filter;
mod number;
mod object;

pub(super) use dataset::Table;
pub(super) use object::Object;

use crate::error::{Error, ErrorKind, Place};
use crate::input::{Input, ReadSeek};
use crate::limits::Limits;
use bytes::Bytes;
use std::io::{Read, Seek, SeekFrom};

/// So many nodes of trees, blocks of headers and heaps one object may be made of.
const MOST_NODES: usize = 1 << 16;

/// An open file.
pub(super) struct File {
    file: Box<dyn ReadSeek>,
    length: u64,
    root: u64,
    limits: Limits,
}

impl File {
    pub(super) fn open(input: Input, limits: &Limits) -> Result<Self, Error> {
        let mut file = input.into_seekable(limits)?;
        let length = file.seek(SeekFrom::End(0))?;
        let mut opened = Self {
            file,
            length,
            root: 0,
            limits: *limits,
        };
        let start = opened.at(0, 16, "the superblock")?;
        let (version, offsets, lengths) = (start[8], start[13], start[14]);
        if version > 1 {
            let message = format!(
                "HDF5 with superblock {version}: only the older layouts 0 and 1 are read (h5repack \
                 --low=0 --high=0 writes them)"
            );
            return Err(unsupported(8, message));
        }
        if (offsets, lengths) != (8, 8) {
            let message =
                format!("HDF5 with addresses of {offsets} and lengths of {lengths} bytes");
            return Err(unsupported(13, message));
        }
        let place = if version == 0 { 64 } else { 68 };
        let root = opened.at(place, 8, "the superblock")?;
        opened.root = Bytes::new(&root, place).u64()?;
        Ok(opened)
    }

    /// The group that holds all others.
    pub(super) fn root(&mut self) -> Result<Object, Error> {
        Object::read(self, self.root)
    }

    /// So many bytes from an offset. They are asked for only where the file has them.
    fn at(&mut self, offset: u64, length: u64, what: &'static str) -> Result<Vec<u8>, Error> {
        let end = offset.checked_add(length).filter(|&end| end <= self.length);
        let length = usize::try_from(length).ok().filter(|_| end.is_some());
        let Some(length) = length else {
            let kind = ErrorKind::UnexpectedEnd(what);
            return Err(Error::new("HDF5", Place::Byte(offset), kind));
        };
        self.file.seek(SeekFrom::Start(offset))?;
        let mut bytes = vec![0; length];
        self.file.read_exact(&mut bytes)?;
        Ok(bytes)
    }
}

fn invalid(at: u64, what: &'static str, value: impl std::fmt::Display) -> Error {
    Error::invalid("HDF5", Place::Byte(at), what, value)
}

fn unsupported(at: u64, message: String) -> Error {
    Error::new("HDF5", Place::Byte(at), ErrorKind::Unsupported(message))
}
