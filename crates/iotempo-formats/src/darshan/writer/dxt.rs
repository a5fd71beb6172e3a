//! Requests of extended tracing.

use super::super::dxt::Segment;
use super::super::module::Module;
use super::error::WriteError;
use super::hash::record_id;
use super::put::Put;

/// Length of the field for the host.
const HOSTNAME: usize = 64;

/// The requests of a rank on a file.
#[derive(Debug, Clone, PartialEq)]
pub struct DxtRun {
    /// `DXT_POSIX` or `DXT_MPIIO`.
    pub module: Module,
    /// The record's id.
    pub id: u64,
    /// The file; `None` leaves the id without a name.
    pub name: Option<String>,
    /// The rank.
    pub rank: i64,
    /// The host that the rank ran on, of at most 64 bytes.
    pub hostname: String,
    /// Writes, in the order of their starts.
    pub writes: Vec<Segment>,
    /// Reads, in the order of their starts.
    pub reads: Vec<Segment>,
}

impl DxtRun {
    /// No requests yet.
    #[must_use]
    pub fn new(module: Module, name: &str, rank: i64, hostname: &str) -> Self {
        Self {
            module,
            id: record_id(name),
            name: Some(name.to_owned()),
            rank,
            hostname: hostname.to_owned(),
            writes: Vec::new(),
            reads: Vec::new(),
        }
    }

    pub(super) fn encode(&self, put: &mut Put, version: u32) -> Result<(), WriteError> {
        let threads = has_threads(self.module, version)?;
        let head = DxtHead {
            id: self.id,
            rank: self.rank,
            hostname: &self.hostname,
        };
        head.encode(put, self.writes.len() as u64, self.reads.len() as u64);
        for segment in self.writes.iter().chain(&self.reads) {
            encode_segment(put, segment, threads);
        }
        Ok(())
    }
}

/// Who made the requests that follow, and on which file.
#[derive(Debug, Clone, Copy)]
pub struct DxtHead<'a> {
    /// The record's id.
    pub id: u64,
    /// The rank.
    pub rank: i64,
    /// The host that the rank ran on, of at most 64 bytes.
    pub hostname: &'a str,
}

impl DxtHead<'_> {
    pub(super) fn encode(&self, put: &mut Put, writes: u64, reads: u64) {
        put.u64(self.id);
        put.i64(self.rank);
        // Says whether the file is shared; 0 in every log.
        put.i64(0);
        put.text(self.hostname, HOSTNAME);
        put.u64(writes);
        put.u64(reads);
    }
}

/// Whether segments end with a thread.
pub(super) fn has_threads(module: Module, version: u32) -> Result<bool, WriteError> {
    match (module, version) {
        (Module::DxtPosix, 1) | (Module::DxtMpiio, 1 | 2) => Ok(false),
        (Module::DxtPosix, 2) | (Module::DxtMpiio, 3) => Ok(true),
        _ => Err(WriteError::NoSuchVersion { module, version }),
    }
}

pub(super) fn encode_segment(put: &mut Put, segment: &Segment, threads: bool) {
    put.i64(segment.offset);
    put.i64(segment.length);
    put.f64(segment.start);
    put.f64(segment.end);
    if threads {
        put.u64(segment.thread.unwrap_or(0));
    }
}

impl Segment {
    /// A request of a version that does not record threads.
    #[must_use]
    pub fn new(offset: i64, length: i64, start: f64, end: f64) -> Self {
        Self {
            offset,
            length,
            start,
            end,
            thread: None,
        }
    }
}
