//! Darshan logs of every version, written without libdarshan.
//!
//! [`LogWriter`] builds a log in memory, in words; [`LogStream`] writes one of any size, region
//! after region.
//!
//! ```
//! use iotempo_formats::darshan::writer::{CounterRecord, DxtRun, LogWriter};
//! use iotempo_formats::darshan::{Log, LogVersion, Module, Segment};
//!
//! let bytes = LogWriter::new(LogVersion::V341)
//!     .record(
//!         CounterRecord::new(Module::Posix, "/scratch/checkpoint.0")
//!             .counter("POSIX_WRITES", 1)
//!             .counter("POSIX_BYTES_WRITTEN", 4096)
//!             .float("POSIX_F_WRITE_START_TIMESTAMP", 0.5)
//!             .float("POSIX_F_WRITE_END_TIMESTAMP", 0.7),
//!     )
//!     .record(DxtRun {
//!         writes: vec![Segment::new(0, 4096, 0.5, 0.7)],
//!         ..DxtRun::new(Module::DxtPosix, "/scratch/checkpoint.0", 0, "node1")
//!     })
//!     .finish()?;
//! let log = Log::read(std::io::Cursor::new(bytes), &Default::default()).unwrap();
//! assert_eq!(log.counters(Module::Posix).unwrap().len(), 1);
//! # Ok::<(), iotempo_formats::darshan::writer::WriteError>(())
//! ```

mod counters;
mod dxt;
mod error;
mod hash;
mod job;
mod put;
mod record;
mod runtime;
mod stream;
mod versions;

pub use counters::CounterRecord;
pub use dxt::{DxtHead, DxtRun};
pub use error::WriteError;
pub use hash::record_id;
pub use record::Record;
pub use runtime::{Call, Runtime};
pub use stream::{LogFormat, LogStream, Stream};
pub use versions::module_version;

use super::bytes::ByteOrder;
use super::header::{Compression, LogVersion};
use super::log::JobRecord;
use super::module::Module;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Seek, Write};

/// Builds a log in memory. Little-endian, compressed with zlib and with one stream per rank, as
/// Darshan writes it, unless told otherwise.
#[derive(Debug, Clone)]
pub struct LogWriter {
    format: LogFormat,
    one_stream: bool,
    job: JobRecord,
    job_text: Option<Vec<u8>>,
    names: BTreeMap<StreamKey, Vec<(u64, Vec<u8>)>>,
    named: BTreeSet<u64>,
    partial: BTreeSet<u32>,
    versions: BTreeMap<u32, u32>,
    modules: BTreeMap<u32, BTreeMap<StreamKey, Vec<Content>>>,
}

/// Where in a region something stands: the rank whose stream it is in, and whether it comes behind
/// what the rank has for itself. Rank 0 writes what all ranks share, and writes it last.
type StreamKey = (u64, bool);

#[derive(Debug, Clone)]
enum Content {
    Record(Record),
    Bytes(Vec<u8>),
}

fn stream_key(rank: i64) -> StreamKey {
    (rank.max(0) as u64, rank < 0)
}

impl LogWriter {
    /// A log without modules, of one process.
    #[must_use]
    pub fn new(version: LogVersion) -> Self {
        Self {
            format: LogFormat {
                version,
                order: ByteOrder::Little,
                compression: Compression::Zlib,
            },
            one_stream: false,
            job: JobRecord {
                nprocs: 1,
                ..JobRecord::default()
            },
            job_text: None,
            names: BTreeMap::new(),
            named: BTreeSet::new(),
            partial: BTreeSet::new(),
            versions: BTreeMap::new(),
            modules: BTreeMap::new(),
        }
    }

    /// Sets the order of the bytes of a number.
    #[must_use]
    pub fn byte_order(mut self, order: ByteOrder) -> Self {
        self.format.order = order;
        self
    }

    /// Sets how regions are compressed.
    #[must_use]
    pub fn compression(mut self, compression: Compression) -> Self {
        self.format.compression = compression;
        self
    }

    /// Writes each region as one stream, as `darshan-convert` does.
    #[must_use]
    pub fn one_stream_per_region(mut self) -> Self {
        self.one_stream = true;
        self
    }

    /// Sets the job. Its run time follows from its other fields.
    #[must_use]
    pub fn job(mut self, job: JobRecord) -> Self {
        self.job = job;
        self
    }

    /// Writes `text` in the place of the job's command line and mounts, as it stands: for logs
    /// whose command line filled the space and has no end.
    #[must_use]
    pub fn job_text(mut self, text: impl Into<Vec<u8>>) -> Self {
        self.job_text = Some(text.into());
        self
    }

    /// Names a record, as rank 0 would. Names may be given twice, as ranks do.
    #[must_use]
    pub fn name(self, id: u64, name: impl Into<Vec<u8>>) -> Self {
        self.name_by_rank(0, id, name)
    }

    /// Names a record in the stream of a rank.
    #[must_use]
    pub fn name_by_rank(mut self, rank: i64, id: u64, name: impl Into<Vec<u8>>) -> Self {
        self.named.insert(id);
        let names = self.names.entry(stream_key(rank)).or_default();
        names.push((id, name.into()));
        self
    }

    /// Writes records of `module` in `version` rather than in the one that goes with the log.
    #[must_use]
    pub fn module_version(mut self, module: Module, version: u32) -> Self {
        self.versions.insert(module as u32, version);
        self
    }

    /// Says that a module ran out of memory and dropped records.
    #[must_use]
    pub fn partial(mut self, module: Module) -> Self {
        self.partial.insert(module as u32);
        self
    }

    /// Adds a record, and its name where it has one that is not in the log yet.
    #[must_use]
    pub fn record(mut self, record: impl Into<Record>) -> Self {
        let record = record.into();
        if let Some((id, name)) = record.name()
            && !self.named.contains(&id)
        {
            let name = name.to_owned();
            self = self.name_by_rank(record.rank(), id, name);
        }
        let (module, key) = (record.module() as u32, stream_key(record.rank()));
        self.content(module, key, Content::Record(record))
    }

    /// Adds records.
    #[must_use]
    pub fn records(self, records: impl IntoIterator<Item = impl Into<Record>>) -> Self {
        records.into_iter().fold(self, Self::record)
    }

    /// Adds bytes as they are to the region of a module, which may be one that does not exist.
    #[must_use]
    pub fn raw(mut self, module: u32, version: u32, bytes: impl Into<Vec<u8>>) -> Self {
        self.versions.insert(module, version);
        self.content(module, stream_key(0), Content::Bytes(bytes.into()))
    }

    fn content(mut self, module: u32, key: StreamKey, content: Content) -> Self {
        let streams = self.modules.entry(module).or_default();
        streams.entry(key).or_default().push(content);
        self
    }

    /// The bytes of the log.
    ///
    /// # Errors
    /// Where a record does not fit the version of the log or of its module.
    pub fn finish(&self) -> Result<Vec<u8>, WriteError> {
        Ok(self.write_to(Cursor::new(Vec::new()))?.into_inner())
    }

    /// Writes the log from the start of `out` on, and gives `out` back.
    ///
    /// # Errors
    /// Where a record does not fit the version of the log or of its module, and where `out` does
    /// not take it.
    pub fn write_to<W: Write + Seek>(&self, out: W) -> Result<W, WriteError> {
        let mut log = LogStream::new(out, self.format)?;
        match &self.job_text {
            Some(text) => log.job_with_text(&self.job, text)?,
            None => log.job(&self.job)?,
        }
        log.names()?;
        for names in self.streams(&self.names) {
            log.stream(|stream| {
                names
                    .iter()
                    .try_for_each(|(id, name)| stream.name(*id, name))
            })?;
        }
        for (&module, streams) in &self.modules {
            log.module(module, self.version_of(module)?)?;
            for contents in self.streams(streams) {
                log.stream(|stream| contents.iter().try_for_each(|one| one.write(stream)))?;
            }
        }
        self.partial.iter().try_for_each(|&id| log.partial(id))?;
        log.finish()
    }

    fn version_of(&self, module: u32) -> Result<u32, WriteError> {
        let log = self.format.version;
        let usual = || Module::from_id(module).and_then(|module| module_version(log, module));
        self.versions
            .get(&module)
            .copied()
            .or_else(usual)
            .ok_or(WriteError::NoSuchModule { log, module })
    }

    /// What goes into each stream of a region, in order.
    fn streams<'a, T>(&self, parts: &'a BTreeMap<StreamKey, Vec<T>>) -> Vec<Vec<&'a T>> {
        let mut streams: BTreeMap<u64, Vec<&T>> = BTreeMap::new();
        for ((rank, _), items) in parts {
            let stream = if self.one_stream { 0 } else { *rank };
            streams.entry(stream).or_default().extend(items);
        }
        streams.into_values().collect()
    }
}

impl Content {
    fn write(&self, stream: &mut Stream<'_>) -> Result<(), WriteError> {
        match self {
            Self::Record(record) => stream.record(record),
            Self::Bytes(bytes) => stream.bytes(bytes),
        }
    }
}
