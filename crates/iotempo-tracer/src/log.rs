//! The log as a file: its header, and the chunks that threads take from it.

use crate::chunks::Chunk;
use crate::process::Process;
use crate::settings::Settings;
use crate::text::{PathText, copy_name};
use crate::{chunks, clock, elsewhere, settings, sys};
use core::cell::Cell;
use core::ffi::CStr;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::*, fence};
use iotempo_model::wire::{
    CHUNK_SIZE, ChunkHeader, HEADER_SIZE, Header, MAGIC, RECORD_SIZE, VERSION, flag,
};

/// Programs that a process may become by `exec`, each with a log of its own.
const MOST_LOGS_OF_A_PID: u64 = 10_000;
/// How often both clocks are read together while there are records.
const CLOCK_PERIOD_S: f64 = 0.1;
/// How long characters of a stream share a record.
const BYTE_WINDOW_S: f64 = 1e-3;

/// Makes the folder and the file, and fills in the header.
pub(crate) fn create(process: &Process, settings: &Settings) -> Result<(), i32> {
    let path = unsafe { &mut *process.path.get() };
    let not_made = make_folders(settings.folder.as_bytes(), path);
    let page = elsewhere::with_descriptor(|| first_page(process, settings));
    // Where a folder is missing, the reason is why it could not be made.
    let reason = |error| match error {
        libc::ENOENT => not_made.unwrap_or(error),
        _ => error,
    };
    let header = page.map_err(reason)?.cast::<Header>();
    let per_second = clock::ticks_per_second();
    fill_in(unsafe { &mut *header }, settings, per_second);
    process
        .byte_ticks
        .store((BYTE_WINDOW_S * per_second) as u64, Relaxed);
    let coalesce = settings.coalesce_ns as f64 * per_second / 1e9;
    process.coalesce_ticks.store(coalesce as u64, Relaxed);
    process
        .clock_ticks
        .store((CLOCK_PERIOD_S * per_second) as u64, Relaxed);
    process.header.store(header, Release);
    Ok(())
}

/// A new file with room for its header. Without that, no file: an empty one is no log.
fn first_page(process: &Process, settings: &Settings) -> Result<*mut u8, i32> {
    let path = unsafe { &mut *process.path.get() };
    let fd = create_file(settings, process.pid(), path)?;
    let page = chunks::room_for(fd, 0, HEADER_SIZE);
    sys::close(fd);
    if page.is_err() {
        sys::unlink(path.as_c());
    }
    page
}

/// Makes what is missing of a path; the last reason why a part of it could not be made.
fn make_folders(folder: &[u8], path: &mut PathText) -> Option<i32> {
    path.clear();
    let mut refused = None;
    for (index, part) in folder.split(|&byte| byte == b'/').enumerate() {
        if index > 0 {
            path.push(b"/");
        }
        path.push(part);
        match sys::mkdir(path.as_c(), 0o700) {
            // What lies in a folder that is missing is missing, too: that is no reason.
            Ok(()) | Err(libc::EEXIST | libc::ENOENT) => {}
            Err(error) => refused = Some(error),
        }
    }
    refused
}

fn create_file(settings: &Settings, pid: u32, path: &mut PathText) -> Result<i32, i32> {
    let flags = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL | libc::O_NOFOLLOW;
    for attempt in 0..MOST_LOGS_OF_A_PID {
        path.clear();
        path.push(settings.folder.as_bytes());
        path.push(b"/");
        path.push(settings.host.as_bytes());
        path.push(b".");
        path.push_number(pid.into());
        if attempt > 0 {
            path.push(b".");
            path.push_number(attempt);
        }
        path.push(b".iot");
        match sys::open(path.as_c(), flags, 0o600) {
            Err(libc::EEXIST) => {}
            other => return other,
        }
    }
    Err(libc::EEXIST)
}

/// Fills in a header that is all zero, in its place: the stack may be small.
fn fill_in(header: &mut Header, settings: &Settings, ticks_per_second: f64) {
    let (first, now) = (clock::at_load(), clock::pair());
    header.version = VERSION;
    header.header_size = HEADER_SIZE as u32;
    header.record_size = RECORD_SIZE as u32;
    header.chunk_size = CHUNK_SIZE as u32;
    header.flags = flags(settings);
    header.first_ticks = first.ticks;
    header.first_monotonic_ns = first.monotonic_ns;
    header.first_realtime_ns = clock::wall_ns(first.monotonic_ns);
    header.last_ticks = now.ticks;
    header.last_monotonic_ns = now.monotonic_ns;
    header.ticks_per_second = ticks_per_second;
    header.pid = sys::getpid();
    header.ppid = sys::getppid();
    header.rank = settings.rank;
    header.ranks = settings.ranks;
    header.coalesce_ns = settings.coalesce_ns;
    copy_name(settings.host.as_bytes(), &mut header.host);
    copy_name(settings.job.as_bytes(), &mut header.job);
    if let Some((_, room)) = header.exe.split_last_mut() {
        sys::readlink(c"/proc/self/exe", room);
    }
    // A reader that finds the magic finds the rest.
    fence(Release);
    unsafe { (&raw mut header.magic).write_volatile(MAGIC) };
}

fn flags(settings: &Settings) -> u64 {
    let ring = if settings.max_chunks.is_some() {
        flag::RING
    } else {
        0
    };
    let counter = if clock::is_counter() {
        flag::CPU_CLOCK
    } else {
        0
    };
    ring | counter
}

/// The path of the log, for those who know that it exists.
pub(crate) fn path(process: &Process) -> &CStr {
    unsafe { &*process.path.get() }.as_c()
}

/// Moves a thread on to its next chunk: where records begin and end, or nothing if there is no
/// room now.
pub(crate) fn next_chunk(process: &Process, place: &Cell<Chunk>) -> Option<(usize, usize)> {
    let taken = chunks::advance(process, settings::get()?, place);
    read_clocks(process);
    bounds(process, taken)
}

/// Where the records of a chunk begin and end. Errors that will not pass end the log.
pub(crate) fn bounds(process: &Process, chunk: Result<*mut u8, i32>) -> Option<(usize, usize)> {
    match chunk {
        Ok(base) => Some((
            base as usize + size_of::<ChunkHeader>(),
            base as usize + CHUNK_SIZE,
        )),
        Err(libc::EMFILE | libc::ENFILE | libc::ENOMEM | libc::EAGAIN) => None,
        Err(error) => {
            process.stop(error);
            None
        }
    }
}

/// Reads both clocks together if that was long ago: many programs end without a last word.
#[inline(always)]
pub(crate) fn tick(process: &Process, now: u64) {
    if now > process.clock_due.load(Relaxed) {
        read_clocks(process);
    }
}

/// Writes the last clock pair, unless another thread is doing so.
#[cold]
pub(crate) fn read_clocks(process: &Process) {
    let Some(header) = header(process) else {
        return;
    };
    let sequence = unsafe { AtomicU32::from_ptr(&raw mut (*header).last_sequence) };
    let before = sequence.load(Relaxed);
    let odd = before.wrapping_add(1);
    if before % 2 == 1
        || sequence
            .compare_exchange(before, odd, AcqRel, Relaxed)
            .is_err()
    {
        return;
    }
    let now = clock::pair();
    let pause = process.clock_ticks.load(Relaxed);
    process
        .clock_due
        .store(now.ticks.saturating_add(pause), Relaxed);
    fence(Release);
    unsafe {
        AtomicU64::from_ptr(&raw mut (*header).last_ticks).store(now.ticks, Relaxed);
        AtomicU64::from_ptr(&raw mut (*header).last_monotonic_ns).store(now.monotonic_ns, Relaxed);
    }
    sequence.store(before.wrapping_add(2), Release);
}

/// Counts a record that could not be kept.
#[cold]
pub(crate) fn count_dropped(process: &Process) {
    if let Some(header) = header(process) {
        unsafe { AtomicU64::from_ptr(&raw mut (*header).dropped) }.fetch_add(1, Relaxed);
    }
}

pub(crate) fn count_note(process: &Process) {
    if let Some(header) = header(process) {
        unsafe { AtomicU64::from_ptr(&raw mut (*header).notes) }.fetch_add(1, Relaxed);
    }
}

pub(crate) fn count_chunks(process: &Process, count: u32) {
    if let Some(header) = header(process) {
        unsafe { AtomicU32::from_ptr(&raw mut (*header).chunks) }.fetch_add(count, Relaxed);
    }
}

pub(crate) fn mark_stopped(process: &Process) {
    if let Some(header) = header(process) {
        unsafe { AtomicU64::from_ptr(&raw mut (*header).flags) }.fetch_or(flag::STOPPED, Relaxed);
    }
}

/// The program has come to its end: what is in the log is all, unless it goes on after all.
pub(crate) fn mark_ended(process: &Process) {
    if let Some(header) = header(process) {
        unsafe { AtomicU64::from_ptr(&raw mut (*header).flags) }.fetch_or(flag::ENDED, Release);
    }
}

pub(crate) fn unmark_ended(process: &Process) {
    if let Some(header) = header(process) {
        unsafe { AtomicU64::from_ptr(&raw mut (*header).flags) }.fetch_and(!flag::ENDED, Relaxed);
    }
}

fn header(process: &Process) -> Option<*mut Header> {
    let header = process.header.load(Acquire);
    (!header.is_null()).then_some(header)
}
