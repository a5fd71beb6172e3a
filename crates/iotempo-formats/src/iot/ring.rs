//! What a log that keeps to a size has written over, as the sequence of its chunks tells.

use super::header::Header;
use iotempo_model::wire::NAMES_BIT;
use std::collections::BTreeMap;

/// When a chunk was taken, and by whom it was filled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken {
    pub(super) sequence: u64,
    pub(super) ticks: u64,
    pub(super) first_thread: u32,
    pub(super) last_thread: u32,
}

/// What was lost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Loss {
    /// Chunks that were written over.
    pub(super) chunks: u64,
    /// From when on the log is complete, in ns since the program was loaded.
    pub(super) complete_from_ns: f64,
}

/// What the chunks of a ring do not hold; `None` where all are there.
///
/// A lost chunk was in use until its thread took the next one. So the log is complete where every
/// thread that has no older chunk has begun its first, after the last that is missing.
pub(super) fn loss(chunks: &[Taken], header: &Header) -> Option<Loss> {
    let sound = chunks.iter().filter(|chunk| {
        chunk.sequence <= u64::from(u32::MAX) && header.is_possible(header.elapsed_ns(chunk.ticks))
    });
    let kept: BTreeMap<u64, &Taken> = sound.map(|chunk| (chunk.sequence, chunk)).collect();
    let (&newest, last) = kept.last_key_value()?;
    let lost = newest + 1 - kept.len() as u64;
    if lost == 0 {
        return None;
    }
    let mut after = newest;
    while after > 0 && kept.contains_key(&(after - 1)) {
        after -= 1;
    }
    let begins = kept.range(after..).map(|(_, chunk)| *chunk);
    let begins = begins.filter(|chunk| chunk.first_thread & NAMES_BIT == 0);
    let begins = begins.filter(|chunk| !has_older(chunk, &kept));
    let begins = begins.map(|chunk| header.elapsed_ns(chunk.ticks));
    let first = kept.get(&after).unwrap_or(last);
    Some(Loss {
        chunks: lost,
        complete_from_ns: begins.fold(header.elapsed_ns(first.ticks), f64::max),
    })
}

/// Whether an older chunk of the same thread is still there.
fn has_older(chunk: &Taken, kept: &BTreeMap<u64, &Taken>) -> bool {
    let mut older = kept.range(..chunk.sequence);
    older.any(|(_, older)| older.last_thread == chunk.first_thread)
}
