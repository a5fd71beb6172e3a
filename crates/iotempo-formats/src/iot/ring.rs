//! What a log that keeps to a size has written over, as the sequence of its chunks tells.

use super::header::Header;
use iotempo_model::wire::NAMES_BIT;
use std::collections::{BTreeMap, HashSet};

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
    let first = kept.get(&after).unwrap_or(last);
    Some(Loss {
        chunks: lost,
        complete_from_ns: beginners(&kept, after)
            .map(|chunk| header.elapsed_ns(chunk.ticks))
            .fold(header.elapsed_ns(first.ticks), f64::max),
    })
}

/// The chunks from a sequence on of which no older chunk of the same thread is there.
fn beginners(kept: &BTreeMap<u64, &Taken>, after: u64) -> impl Iterator<Item = Taken> {
    let mut threads = HashSet::new();
    kept.values().filter_map(move |chunk| {
        let begins = !threads.contains(&chunk.first_thread);
        threads.insert(chunk.last_thread);
        let counts = begins && chunk.sequence >= after && chunk.first_thread & NAMES_BIT == 0;
        counts.then_some(**chunk)
    })
}
