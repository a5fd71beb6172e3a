//! From the chunks of a log to its records, one chunk in memory at a time.

use super::fields::{u32_at, u64_at};
use super::ring::Taken;
use core::mem::offset_of;
use iotempo_model::wire::{
    CHUNK_MAGIC, CHUNK_SIZE, ChunkHeader, RECORD_SIZE, Record, kind, name_slots,
};
use std::io::{self, Read};

/// What a slot holds.
pub(super) enum Slot<'a> {
    /// A chunk begins.
    Chunk(Taken),
    Record(Record),
    Name {
        file: u32,
        name: &'a [u8],
    },
}

/// How much of the chunks was there.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Extent {
    /// Bytes behind the header.
    pub(super) bytes: u64,
    /// Whether the last chunk was cut. One that holds nothing yet was not: the tracer makes room for
    /// a chunk before it uses it, and may find room for a part only.
    pub(super) cut: bool,
}

/// Hands every record and every name behind the header to `take`, up to `most` bytes.
pub(super) fn for_each(
    bytes: impl Read,
    most: u64,
    take: &mut dyn FnMut(Slot<'_>) -> io::Result<()>,
) -> io::Result<Extent> {
    let mut bytes = bytes.take(most);
    let mut buffer = Vec::with_capacity(CHUNK_SIZE);
    let mut extent = Extent::default();
    loop {
        buffer.clear();
        let read = (&mut bytes)
            .take(CHUNK_SIZE as u64)
            .read_to_end(&mut buffer)?;
        extent.bytes += read as u64;
        walk(&buffer, take)?;
        if read < CHUNK_SIZE {
            extent.cut = buffer.iter().any(|byte| *byte != 0);
            return Ok(extent);
        }
    }
}

fn walk(chunk: &[u8], take: &mut dyn FnMut(Slot<'_>) -> io::Result<()>) -> io::Result<()> {
    let Some((head, slots)) = chunk.split_at_checked(RECORD_SIZE) else {
        return Ok(());
    };
    if sequence(head).is_none() {
        return Ok(());
    }
    take(Slot::Chunk(taken(head)))?;
    records(slots, take).map(drop)
}

/// The number of a chunk in the order of their use; `None` of one that nobody uses.
pub(super) fn sequence(head: &[u8]) -> Option<u64> {
    let used = u32_at(head, 0) == CHUNK_MAGIC;
    used.then(|| u64_at(head, offset_of!(ChunkHeader, sequence)))
}

/// Whether nothing was written to a slot yet.
pub(super) fn is_empty(slot: &[u8; RECORD_SIZE]) -> bool {
    slot[offset_of!(Record, kind)] == kind::EMPTY
}

/// Hands all records and names to `take` up to the first that is not written yet, and says how many bytes
/// they are.
pub(super) fn records(
    slots: &[u8],
    take: &mut dyn FnMut(Slot<'_>) -> io::Result<()>,
) -> io::Result<usize> {
    let mut rest = slots;
    while let Some((slot, after)) = rest.split_at_checked(RECORD_SIZE) {
        let record = record(slot);
        match record.kind {
            kind::EMPTY => break,
            kind::NAME => {
                let Some((name, after)) = name(record.bytes, after) else {
                    break;
                };
                rest = after;
                let file = record.file;
                take(Slot::Name { file, name })?;
            }
            _ => {
                rest = after;
                take(Slot::Record(record))?;
            }
        }
    }
    Ok(slots.len() - rest.len())
}

/// A name and what follows its slots; `None` where it would pass the end of the chunk.
fn name(length: u64, rest: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = usize::try_from(length).ok()?;
    let name = rest.get(..length)?;
    Some((name, rest.get(name_slots(length) * RECORD_SIZE..)?))
}

fn taken(head: &[u8]) -> Taken {
    let thread = u32_at(head, offset_of!(ChunkHeader, thread));
    Taken {
        sequence: u64_at(head, offset_of!(ChunkHeader, sequence)),
        ticks: u64_at(head, offset_of!(ChunkHeader, ticks)),
        first_thread: thread,
        last_thread: thread,
    }
}

fn record(slot: &[u8]) -> Record {
    Record {
        start: u64_at(slot, 0),
        end: u64_at(slot, 8),
        bytes: u64_at(slot, 16),
        file: u32_at(slot, 24),
        op: slot[28],
        api: slot[29],
        flags: slot[30],
        kind: slot[31],
    }
}
