//! The header of a 3.x log: the only part that is never compressed.

use super::MAGIC;
use super::bytes::{ByteOrder, text};
use crate::error::{Error, ErrorKind, Place};
use std::io::{Read, Seek, SeekFrom};

const SECTION: &str = "header";

/// The versions of the log format. Not those of Darshan: 3.5.0 writes 3.41.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogVersion {
    /// 3.00, of Darshan 3.0.
    V300,
    /// 3.10, of Darshan 3.1.
    V310,
    /// 3.20, of Darshan 3.2.0 only.
    V320,
    /// 3.21, of Darshan 3.2.1 to 3.4.0.
    V321,
    /// 3.41, of Darshan 3.4.1 and later.
    V341,
}

impl LogVersion {
    /// Every version, oldest first.
    pub const ALL: [Self; 5] = [Self::V300, Self::V310, Self::V320, Self::V321, Self::V341];

    /// As it stands in the header: `3.41`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::V300 => "3.00",
            Self::V310 => "3.10",
            Self::V320 => "3.20",
            Self::V321 => "3.21",
            Self::V341 => "3.41",
        }
    }

    pub(crate) fn header_size(self) -> u64 {
        if self < Self::V341 { 360 } else { 1328 }
    }

    pub(crate) fn slots(self) -> usize {
        if self < Self::V341 { 16 } else { 64 }
    }

    /// Slots were renumbered when H5D and when PNETCDF_VAR were put between others.
    pub(crate) fn module_id(self, slot: u32) -> u32 {
        let mut id = slot;
        if self < Self::V320 && id >= 4 {
            id += 1;
        }
        if self < Self::V341 && id >= 6 {
            id += 1;
        }
        id
    }
}

/// How regions are compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// What Darshan writes.
    Zlib,
    /// What `darshan-convert --bzip2` writes.
    Bzip2,
    /// What an application leaves behind that crashed while it logged to a mapped file.
    None,
}

impl Compression {
    /// Every compression, in the order of their codes.
    pub const ALL: [Self; 3] = [Self::Zlib, Self::Bzip2, Self::None];

    /// `zlib`, `bzip2` or `none`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zlib => "zlib",
            Self::Bzip2 => "bzip2",
            Self::None => "none",
        }
    }
}

/// A stretch of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Extent {
    pub(crate) offset: u64,
    pub(crate) len: u64,
}

/// Where the data of a module lies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ModuleEntry {
    pub(crate) id: u32,
    pub(crate) version: u32,
    pub(crate) partial: bool,
    pub(crate) extent: Extent,
}

/// The decoded header.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    pub(crate) version: LogVersion,
    pub(crate) order: ByteOrder,
    pub(crate) compression: Compression,
    pub(crate) job: Extent,
    pub(crate) names: Extent,
    /// Modules with data, and those that dropped all of theirs (partial, of no length).
    pub(crate) modules: Vec<ModuleEntry>,
    pub(crate) file_len: u64,
}

impl Header {
    pub(crate) fn read(log: &mut (impl Read + Seek)) -> Result<Self, Error> {
        let file_len = log.seek(SeekFrom::End(0))?;
        log.seek(SeekFrom::Start(0))?;
        let mut start = [0; 17];
        read_exact(log, &mut start, 0)?;
        let order = byte_order(&start[8..16])?;
        let version = log_version(&start[..8])?;
        let compression = compression(start[16])?;
        let mut rest = vec![0; version.header_size() as usize - start.len()];
        read_exact(log, &mut rest, start.len())?;
        let mut bytes = start.to_vec();
        bytes.append(&mut rest);
        Self::decode(&bytes, version, order, compression, file_len)
    }

    fn decode(
        bytes: &[u8],
        version: LogVersion,
        order: ByteOrder,
        compression: Compression,
        file_len: u64,
    ) -> Result<Self, Error> {
        let slots = version.slots();
        let (partial, names_at) = if version < LogVersion::V341 {
            (u64::from(order.u32(&bytes[20..])), 24)
        } else {
            (order.u64(&bytes[24..]), 32)
        };
        let extent = |at: usize| Extent {
            offset: order.u64(&bytes[at..]),
            len: order.u64(&bytes[at + 8..]),
        };
        let map_at = names_at + 16;
        let versions_at = map_at + 16 * slots;
        let entries: Vec<ModuleEntry> = (0..slots)
            .map(|slot| ModuleEntry {
                id: version.module_id(slot as u32),
                version: order.u32(&bytes[versions_at + 4 * slot..]),
                partial: partial >> slot & 1 == 1,
                extent: extent(map_at + 16 * slot),
            })
            .collect();
        let names = extent(names_at);
        let job = job_extent(version, names, &entries, file_len)?;
        let modules = entries
            .into_iter()
            .filter(|e| e.extent.len > 0 || e.partial)
            .collect();
        Ok(Self {
            version,
            order,
            compression,
            job,
            names,
            modules,
            file_len,
        })
    }
}

/// The job region fills the file up to the names, or to the first module.
fn job_extent(
    version: LogVersion,
    names: Extent,
    entries: &[ModuleEntry],
    file_len: u64,
) -> Result<Extent, Error> {
    let offset = version.header_size();
    let next = std::iter::once(names.offset)
        .chain(entries.iter().map(|entry| entry.extent.offset))
        .find(|&offset| offset != 0)
        .unwrap_or(file_len);
    match next.checked_sub(offset) {
        Some(len) if len > 0 => Ok(Extent { offset, len }),
        _ => Err(Error::invalid(
            SECTION,
            Place::Byte(24),
            "the job record is said to end at or before its own start, at byte",
            next,
        )),
    }
}

fn byte_order(magic: &[u8]) -> Result<ByteOrder, Error> {
    [ByteOrder::Little, ByteOrder::Big]
        .into_iter()
        .find(|order| order.i64(magic) == MAGIC)
        .ok_or_else(|| {
            let value = ByteOrder::Little.i64(magic);
            Error::invalid(SECTION, Place::Byte(8), "not Darshan's magic number", value)
        })
}

fn log_version(field: &[u8]) -> Result<LogVersion, Error> {
    let name = text(field);
    LogVersion::ALL
        .into_iter()
        .find(|version| version.name() == name)
        .ok_or_else(|| {
            let what = "a version of the log format that does not exist or is too new";
            Error::invalid(SECTION, Place::Byte(0), what, name)
        })
}

fn compression(code: u8) -> Result<Compression, Error> {
    match code {
        0 => Ok(Compression::Zlib),
        1 => Ok(Compression::Bzip2),
        2 => Ok(Compression::None),
        _ => Err(Error::invalid(
            SECTION,
            Place::Byte(16),
            "unknown compression",
            code,
        )),
    }
}

fn read_exact(log: &mut impl Read, buffer: &mut [u8], already: usize) -> Result<(), Error> {
    log.read_exact(buffer).map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => {
            let kind = ErrorKind::UnexpectedEnd("the header");
            Error::new(SECTION, Place::Byte(already as u64), kind)
        }
        _ => Error::new(SECTION, Place::Byte(already as u64), error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::darshan::Module;

    #[test]
    fn slots_of_old_logs_are_translated() {
        let id = |version: LogVersion, slot| Module::from_id(version.module_id(slot));
        assert_eq!(id(LogVersion::V300, 5), Some(Module::BgQ));
        assert_eq!(id(LogVersion::V310, 7), Some(Module::Stdio));
        assert_eq!(id(LogVersion::V321, 4), Some(Module::H5d));
        assert_eq!(id(LogVersion::V321, 14), Some(Module::Heatmap));
        assert_eq!(id(LogVersion::V341, 17), Some(Module::Daos));
        assert_eq!(id(LogVersion::V341, 18), None);
    }
}
