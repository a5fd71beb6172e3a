//! How a thread comes by chunks. The log is opened anew for that: a descriptor that stayed open
//! could be closed by the program and come back as another file.

use crate::process::{KNOWN_CHUNKS, Process};
use crate::settings::Settings;
use crate::{clock, elsewhere, log, sys};
use core::cell::Cell;
use core::ptr::{null_mut, write_bytes};
use core::sync::atomic::{AtomicU32, Ordering::*, fence};
use iotempo_model::wire::{CHUNK_MAGIC, CHUNK_SIZE, ChunkHeader, HEADER_SIZE, NAMES_BIT};

/// A thread that fills its chunks gets twice as many each time, which makes each cheaper, and at
/// most so many at once.
const MOST_AT_ONCE: u32 = 16;

/// Chunks that lie one after another in one mapping. All of it may be zero.
#[derive(Clone, Copy)]
pub(crate) struct Chunk {
    /// The mapping, or null.
    base: *mut u8,
    /// The index in the file of the first chunk of the mapping.
    index: u32,
    /// How many chunks the mapping has, and which of them is in use.
    count: u32,
    current: u32,
    sequence: u32,
    /// Indices that were taken and could not be mapped: the first of them, plus one, and how many.
    spare: u32,
    spare_count: u32,
}

/// Moves on to a chunk that is the caller's alone.
pub(crate) fn advance(
    process: &Process,
    settings: &Settings,
    place: &Cell<Chunk>,
) -> Result<*mut u8, i32> {
    let chunk = place.get();
    if chunk.current + 1 < chunk.count {
        let next = Chunk {
            current: chunk.current + 1,
            ..chunk
        };
        return Ok(begin(process, place, next, sys::gettid()));
    }
    let size = match settings.max_chunks {
        None => (2 * chunk.count).clamp(1, MOST_AT_ONCE),
        Some(_) => 1,
    };
    release(process, place);
    let full = |most| process.chunks.load(Relaxed) >= most;
    if settings.max_chunks.is_some_and(full)
        && let Some(index) = oldest(process)
    {
        return again(process, place, index);
    }
    fresh(process, place, size, sys::gettid())
}

/// Chunks that nobody has had.
fn fresh(process: &Process, place: &Cell<Chunk>, size: u32, thread: u32) -> Result<*mut u8, i32> {
    let chunk = place.get();
    let (index, count) = match chunk.spare {
        0 => (process.chunks.fetch_add(size, Relaxed), size),
        spare => (spare - 1, chunk.spare_count),
    };
    // What cannot be mapped now is tried again, so that no hole is left in the file.
    place.set(Chunk {
        spare: index.wrapping_add(1),
        spare_count: count,
        ..chunk
    });
    let base = map(process, index, count as usize, room_for)?;
    let taken = Chunk {
        base,
        index,
        count,
        current: 0,
        sequence: 0,
        spare: 0,
        spare_count: 0,
    };
    log::count_chunks(process, count);
    Ok(begin(process, place, taken, thread))
}

/// A chunk for names that a ring must keep; nobody else may hold `place` meanwhile.
pub(crate) fn for_names(process: &Process, place: &Cell<Chunk>) -> Result<*mut u8, i32> {
    place.set(Chunk {
        base: null_mut(),
        ..place.get()
    });
    fresh(process, place, 1, sys::gettid() | NAMES_BIT)
}

/// A chunk whose data is old enough to be written over.
fn again(process: &Process, place: &Cell<Chunk>, index: u32) -> Result<*mut u8, i32> {
    let mapped = map(process, index, 1, sys::map_shared);
    let Ok(base) = mapped else {
        retire(process, index, 0);
        return mapped;
    };
    unsafe {
        AtomicU32::from_ptr(base.cast()).store(0, Relaxed);
        fence(Release);
        write_bytes(base, 0, CHUNK_SIZE);
    }
    let taken = Chunk {
        base,
        index,
        count: 1,
        current: 0,
        sequence: 0,
        ..place.get()
    };
    Ok(begin(process, place, taken, sys::gettid()))
}

/// Unmaps what a thread has filled.
fn release(process: &Process, place: &Cell<Chunk>) {
    let chunk = place.get();
    if chunk.base.is_null() {
        return;
    }
    sys::unmap(chunk.base, chunk.count as usize * CHUNK_SIZE);
    retire(process, chunk.index + chunk.current, chunk.sequence);
    place.set(Chunk {
        base: null_mut(),
        count: 0,
        current: 0,
        ..chunk
    });
}

/// Lets a thread move on to another mapping and keeps this one, where a record may still be under
/// way. It takes addresses only: the pages go back to the kernel until somebody writes to them.
///
/// Says no where the next chunk lies in the same mapping.
pub(crate) fn set_aside(process: &Process, place: &Cell<Chunk>) -> bool {
    let chunk = place.get();
    if chunk.base.is_null() || chunk.current + 1 < chunk.count {
        return false;
    }
    sys::give_back_pages(chunk.base, chunk.count as usize * CHUNK_SIZE);
    retire(process, chunk.index + chunk.current, chunk.sequence);
    place.set(Chunk {
        base: null_mut(),
        ..chunk
    });
    true
}

/// Lets a ring write over a chunk.
fn retire(process: &Process, index: u32, sequence: u32) {
    if let Some(retired) = process.retired.get(index as usize) {
        retired.store(sequence.saturating_add(1), Release);
    }
}

/// Takes the chunk that was filled first, of those that are filled.
fn oldest(process: &Process) -> Option<u32> {
    let known = (process.chunks.load(Relaxed) as usize).min(KNOWN_CHUNKS);
    loop {
        let chunks = process.retired.iter().take(known).enumerate();
        let filled = chunks.map(|(index, retired)| (retired.load(Acquire), index));
        let (sequence, index) = filled.filter(|&(sequence, _)| sequence != 0).min()?;
        let retired = process.retired.get(index)?;
        if retired
            .compare_exchange(sequence, 0, AcqRel, Relaxed)
            .is_ok()
        {
            return u32::try_from(index).ok();
        }
    }
}

/// Writes the header of a chunk, its magic last, and returns where the chunk begins.
fn begin(process: &Process, place: &Cell<Chunk>, chunk: Chunk, thread: u32) -> *mut u8 {
    let base = chunk.base.wrapping_add(chunk.current as usize * CHUNK_SIZE);
    let header = base.cast::<ChunkHeader>();
    let now = clock::pair();
    let sequence = process.sequence.fetch_add(1, Relaxed);
    unsafe {
        header.write(ChunkHeader {
            magic: 0,
            thread,
            ticks: now.ticks,
            monotonic_ns: now.monotonic_ns,
            sequence: sequence.into(),
        });
        AtomicU32::from_ptr(&raw mut (*header).magic).store(CHUNK_MAGIC, Release);
    }
    place.set(Chunk { sequence, ..chunk });
    base
}

type Mapper = fn(i32, u64, usize) -> Result<*mut u8, i32>;

fn map(process: &Process, index: u32, count: usize, how: Mapper) -> Result<*mut u8, i32> {
    let offset = HEADER_SIZE as u64 + u64::from(index) * CHUNK_SIZE as u64;
    elsewhere::with_descriptor(|| {
        let fd = sys::open(log::path(process), libc::O_RDWR | libc::O_NOFOLLOW, 0)?;
        let base = how(fd, offset, count * CHUNK_SIZE);
        sys::close(fd);
        base
    })
}

/// Maps a stretch of a file after making sure that the disk has room for it.
pub(crate) fn room_for(fd: i32, offset: u64, length: usize) -> Result<*mut u8, i32> {
    // Beyond the limit the kernel would kill the program by a signal.
    if offset + length as u64 > sys::file_size_limit() {
        return Err(libc::EFBIG);
    }
    sys::write_zeros(fd, offset, length)?;
    sys::map_shared(fd, offset, length)
}
