//! Requests that share a record: where that is asked for, and always the single characters of
//! streams.

use crate::entry::{Entry, what};
use crate::process::Process;
use crate::record::{put, ready};
use crate::{clock, log, thread};
use core::sync::atomic::{AtomicU64, Ordering::*};
use iotempo_model::wire::{Record, api, coalesced, kind, split_coalesced};

/// Which file and what was done to it: requests must agree in it to share a record.
type Sort = (u32, u32);

/// Adds a request to the thread's last record if both fit into a window of so many ticks.
///
/// A record that may grow is one of a single request at first, so that one store can change it.
#[cold]
pub(crate) fn coalesce(process: &Process, entry: Entry, window: u64) {
    let what = entry.what & 0x00ff_ffff | what(0, 0, kind::COALESCED);
    let sort = (entry.file, what);
    let within = |first: u64| entry.end.wrapping_sub(first) <= window;
    if add_to_last(process, sort, |last| unsafe {
        within((*last).start) && add(last, entry.bytes, Some(entry.end))
    }) {
        return;
    }
    match coalesced(1, entry.bytes) {
        Some(bytes) => put(
            process,
            Entry {
                bytes,
                what,
                ..entry
            },
            true,
        ),
        None => put(process, entry, false),
    }
}

/// Records a character that was moved past the buffer of its stream.
#[inline(never)]
pub(crate) extern "C" fn record_byte(op: u8, file: u32, start: u64, end: u64) {
    let Some(process) = ready() else { return };
    log::tick(process, end);
    let what = what(op, api::STDIO, kind::TRANSFER);
    let asked = process.coalesce_ticks.load(Relaxed);
    let window = asked.max(process.byte_ticks.load(Relaxed));
    coalesce(
        process,
        Entry {
            start,
            end,
            bytes: 1,
            file,
            what,
        },
        window,
    );
}

/// Counts a character that stayed in the buffer of its stream, without a look at the clock.
#[inline(never)]
pub(crate) extern "C" fn count_byte(op: u8, file: u32) {
    let Some(process) = ready() else { return };
    let sort = (file, what(op, api::STDIO, kind::COALESCED));
    if !add_to_last(process, sort, |last| unsafe { add(last, 1, None) }) {
        let now = clock::ticks();
        record_byte(op, file, now, now);
    }
}

/// Changes the thread's last record if it is of this sort.
#[inline(always)]
fn add_to_last(process: &Process, sort: Sort, change: impl FnOnce(*mut Record) -> bool) -> bool {
    let Some(lease) = thread::lease(process) else {
        return false;
    };
    lease.alone(|| {
        // Only now: a handler that fills the chunk moves the thread on to another one.
        let last = lease.last();
        !last.is_null() && unsafe { sort_of(last) } == sort && change(last)
    })
}

unsafe fn sort_of(record: *mut Record) -> Sort {
    unsafe {
        let last_word = (&raw const (*record).op).cast::<u32>();
        ((*record).file, u32::from_le(last_word.read()))
    }
}

/// Adds one request: the end first, so that a reader never finds bytes beyond it.
#[inline(always)]
unsafe fn add(record: *mut Record, bytes: u64, end: Option<u64>) -> bool {
    unsafe {
        let (count, sum) = split_coalesced((*record).bytes);
        let Some(word) = coalesced(count + 1, sum.saturating_add(bytes)) else {
            return false;
        };
        if let Some(end) = end {
            (&raw mut (*record).end).write(end);
        }
        AtomicU64::from_ptr(&raw mut (*record).bytes).store(word, Release);
    }
    true
}
