//! How a thread comes by a chunk. The log is opened anew for each: a descriptor that stayed open
//! could be closed by the program and come back as another file.

use crate::process::Process;
use crate::settings::Settings;
use crate::thread::Chunk;
use crate::{clock, log, sys};
use core::cell::Cell;
use core::sync::atomic::{AtomicU32, Ordering::*};
use iotempo_model::wire::{CHUNK_MAGIC, CHUNK_SIZE, ChunkHeader, HEADER_SIZE};

/// A chunk that is the caller's alone.
pub(crate) fn take(
    process: &Process,
    _settings: &Settings,
    spare: &Cell<u32>,
) -> Result<Chunk, i32> {
    let index = match spare.take() {
        0 => process.chunks.fetch_add(1, Relaxed),
        kept => kept - 1,
    };
    // What cannot be mapped now is tried again, so that no hole is left in the file.
    spare.set(index.wrapping_add(1));
    let base = map(process, index)?;
    spare.set(0);
    own(process, index);
    unsafe { begin(process, base, sys::gettid()) };
    log::count_chunk(process);
    Ok(Chunk {
        base,
        index,
        used: 0,
    })
}

fn own(process: &Process, index: u32) {
    if let Some(owner) = process.owners.get(index as usize) {
        owner.store(sys::gettid(), Release);
    }
}

/// Writes the header of a chunk, its magic last.
unsafe fn begin(process: &Process, base: *mut u8, thread: u32) {
    let header = base.cast::<ChunkHeader>();
    let now = clock::pair();
    unsafe {
        header.write(ChunkHeader {
            magic: 0,
            thread,
            ticks: now.ticks,
            monotonic_ns: now.monotonic_ns,
            sequence: process.sequence.fetch_add(1, Relaxed),
        });
        AtomicU32::from_ptr(&raw mut (*header).magic).store(CHUNK_MAGIC, Release);
    }
}

fn map(process: &Process, index: u32) -> Result<*mut u8, i32> {
    let offset = HEADER_SIZE as u64 + u64::from(index) * CHUNK_SIZE as u64;
    let fd = sys::open(log::path(process), libc::O_RDWR | libc::O_NOFOLLOW, 0)?;
    let base = room_for(fd, offset, CHUNK_SIZE);
    sys::close(fd);
    base
}

/// Maps a stretch of a file after making sure that the disk has room for it.
pub(crate) fn room_for(fd: i32, offset: u64, length: usize) -> Result<*mut u8, i32> {
    // Beyond the limit the kernel would kill the program by a signal.
    if offset + length as u64 > sys::file_size_limit() {
        return Err(libc::EFBIG);
    }
    sys::reserve(fd, offset, length)?;
    sys::map_shared(fd, offset, length)
}
