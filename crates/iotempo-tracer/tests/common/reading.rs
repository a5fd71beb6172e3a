//! The least that reads a log.

use iotempo_model::wire::{
    CHUNK_MAGIC, CHUNK_SIZE, HEADER_SIZE, Header, MAGIC, NAMES_BIT, RECORD_SIZE, api, kind,
    name_slots, op, split_coalesced,
};
use std::collections::BTreeMap;
use std::path::Path;

/// One record as it lies in the log.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    pub(crate) thread: u32,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) bytes: u64,
    /// How many requests it stands for.
    pub(crate) count: u64,
    pub(crate) file: u32,
    pub(crate) op: u8,
    pub(crate) api: u8,
    pub(crate) flags: u8,
    pub(crate) kind: u8,
}

/// One log.
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) bytes: Vec<u8>,
    pub(crate) names: BTreeMap<u32, String>,
    pub(crate) records: Vec<Seen>,
    pub(crate) chunks: usize,
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

impl Log {
    pub(crate) fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).unwrap();
        assert!(bytes.starts_with(&MAGIC), "{path:?} has a header");
        let mut log = Self {
            bytes,
            names: BTreeMap::new(),
            records: Vec::new(),
            chunks: 0,
        };
        let body = log.bytes[HEADER_SIZE..].to_vec();
        for chunk in body.chunks_exact(CHUNK_SIZE) {
            if u32_at(chunk, 0) == CHUNK_MAGIC {
                log.chunks += 1;
                log.read_chunk(chunk);
            }
        }
        log
    }

    fn read_chunk(&mut self, chunk: &[u8]) {
        let mut thread = u32_at(chunk, 4) & !NAMES_BIT;
        let mut rest = &chunk[RECORD_SIZE..];
        while let Some((slot, after)) = rest.split_at_checked(RECORD_SIZE) {
            let kind = slot[31];
            let (bytes, file) = (u64_at(slot, 16), u32_at(slot, 24));
            rest = after;
            match kind {
                kind::EMPTY => return,
                kind::NAME => {
                    let length = bytes as usize;
                    let name = String::from_utf8_lossy(&rest[..length]).into_owned();
                    self.names.insert(file, name);
                    rest = &rest[name_slots(length) * RECORD_SIZE..];
                }
                kind::THREAD => thread = bytes as u32,
                kind::TRANSFER | kind::NOTE | kind::COALESCED | kind::METADATA => {
                    let coalesced = kind == kind::COALESCED;
                    let (count, bytes) = if coalesced {
                        split_coalesced(bytes)
                    } else {
                        (1, bytes)
                    };
                    self.records.push(Seen {
                        thread,
                        start: u64_at(slot, 0),
                        end: u64_at(slot, 8),
                        bytes,
                        count,
                        file,
                        op: slot[28],
                        api: slot[29],
                        flags: slot[30],
                        kind,
                    });
                }
                _ => {}
            }
        }
    }

    /// Records of the file with this name.
    pub(crate) fn of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Seen> + 'a {
        let named = move |seen: &&Seen| self.names.get(&seen.file).is_some_and(|n| n == name);
        self.records.iter().filter(named)
    }

    /// Transfers of any file.
    pub(crate) fn transfers(&self) -> impl Iterator<Item = &Seen> {
        let kinds = [kind::TRANSFER, kind::COALESCED];
        self.records
            .iter()
            .filter(move |seen| kinds.contains(&seen.kind))
    }

    /// Bytes read from and written to a file; POSIX and STDIO are never both seen for one call.
    pub(crate) fn bytes(&self, name: &str) -> (u64, u64) {
        let mut sums = (0, 0);
        for seen in self.of(name).filter(|seen| seen.api != api::MMAP) {
            match seen.op {
                op::READ => sums.0 += seen.bytes,
                op::WRITE => sums.1 += seen.bytes,
                _ => {}
            }
        }
        sums
    }

    /// A field of the header by its offset.
    pub(crate) fn header_u64(&self, offset: usize) -> u64 {
        u64_at(&self.bytes, offset)
    }

    pub(crate) fn flags(&self) -> u64 {
        self.header_u64(std::mem::offset_of!(Header, flags))
    }

    pub(crate) fn dropped(&self) -> u64 {
        self.header_u64(std::mem::offset_of!(Header, dropped))
    }

    pub(crate) fn threads(&self) -> usize {
        let threads: std::collections::BTreeSet<_> =
            self.records.iter().map(|seen| seen.thread).collect();
        threads.len()
    }
}
