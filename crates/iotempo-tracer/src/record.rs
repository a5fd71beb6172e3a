//! Records: what every hook calls when the real function has returned.

use crate::process::{self, Process};
use crate::{clock, log, settings, thread};
use core::ptr::{NonNull, copy_nonoverlapping};
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::*};
use iotempo_model::wire::{Record, api, coalesced, kind, name_slots, split_coalesced};

/// Records one call that began at `start` and has just returned.
///
/// `op` is one of [`iotempo_model::wire::op`]; reads and writes become transfers, others metadata.
/// It touches no `errno`, takes no lock and allocates nothing.
#[inline(never)]
pub(crate) extern "C" fn record(op: u8, api: u8, file: u32, start: u64, end: u64, bytes: u64) {
    use iotempo_model::wire::op::{READ, WRITE};
    let transfer = op == READ || op == WRITE;
    let kind = if transfer {
        kind::TRANSFER
    } else {
        kind::METADATA
    };
    let Some(process) = process::get().filter(|process| process.is_ready()) else {
        return;
    };
    let record = Record {
        start,
        end,
        bytes,
        file,
        op,
        api,
        flags: 0,
        kind,
    };
    if !transfer {
        put(process, record, false);
        log::tick(process, end);
        return;
    }
    match process.coalesce_ticks.load(Relaxed) {
        0 => put(process, record, false),
        window => coalesce(process, record, window),
    }
}

/// A record that may grow is one of a single request at first, so that one store can change it.
#[cold]
fn coalesce(process: &Process, record: Record, window: u64) {
    if add_to_last(process, &record, window) {
        return;
    }
    match coalesced(1, record.bytes) {
        Some(bytes) => put(
            process,
            Record {
                bytes,
                kind: kind::COALESCED,
                ..record
            },
            true,
        ),
        None => put(process, record, false),
    }
}

/// Records a character that was moved past the buffer of its stream.
#[inline(never)]
pub(crate) extern "C" fn record_byte(op: u8, file: u32, start: u64, end: u64) {
    let Some(process) = process::get().filter(|process| process.is_ready()) else {
        return;
    };
    let kind = kind::TRANSFER;
    let record = Record {
        start,
        end,
        bytes: 1,
        file,
        op,
        api: api::STDIO,
        flags: 0,
        kind,
    };
    let window = process
        .coalesce_ticks
        .load(Relaxed)
        .max(process.byte_ticks.load(Relaxed));
    coalesce(process, record, window);
}

/// Counts a character that stayed in the buffer of its stream.
#[inline(never)]
pub(crate) extern "C" fn count_byte(op: u8, file: u32) {
    let Some(process) = process::get().filter(|process| process.is_ready()) else {
        return;
    };
    if let Some(lease) = thread::lease(process)
        && let Some(last) = NonNull::new(lease.last().get())
        && lease.alone(|| unsafe { try_count(last.as_ptr(), op, file) })
    {
        return;
    }
    let now = clock::ticks();
    record_byte(op, file, now, now);
}

/// Adds a byte to a record without a look at the clock.
unsafe fn try_count(last: *mut Record, op: u8, file: u32) -> bool {
    let before = unsafe { last.read() };
    if (before.file, before.op, before.api) != (file, op, api::STDIO) {
        return false;
    }
    let (count, sum) = split_coalesced(before.bytes);
    let Some(word) = coalesced(count + 1, sum + 1) else {
        return false;
    };
    unsafe { AtomicU64::from_ptr(&raw mut (*last).bytes).store(word, Release) };
    true
}

/// Records I/O that cannot be seen: what is one of [`iotempo_model::wire::note`].
#[inline(never)]
pub(crate) extern "C" fn note(what: u8, file: u32, bytes: u64) {
    let Some(process) = process::get().filter(|process| process.is_ready()) else {
        return;
    };
    let now = clock::ticks();
    let record = Record {
        start: now,
        end: now,
        bytes,
        file,
        op: what,
        api: api::MMAP,
        flags: 0,
        kind: kind::NOTE,
    };
    put(process, record, false);
    log::count_note(process);
}

/// Writes down how a file is called.
pub(crate) fn name(process: &Process, file: u32, name: &[u8]) {
    if !process.is_ready() {
        return;
    }
    if settings::get().is_some_and(|settings| settings.max_chunks.is_some()) {
        return process.ring_names.put(process, file, name);
    }
    thread::with_slots(process, slots_of(name), |_, slot| unsafe {
        store_name(slot, file, name)
    });
}

/// How many slots a name takes with its record.
pub(crate) fn slots_of(name: &[u8]) -> usize {
    1 + name_slots(name.len())
}

/// Stores a name into the slots from `slot` on.
pub(crate) unsafe fn store_name(slot: *mut Record, file: u32, name: &[u8]) {
    unsafe {
        copy_nonoverlapping(name.as_ptr(), slot.add(1).cast(), name.len());
        store(
            slot,
            &Record {
                bytes: name.len() as u64,
                file,
                ..blank(kind::NAME)
            },
        );
    }
}

/// Stores that another thread goes on from here.
pub(crate) unsafe fn thread(slot: *mut Record, number: u32) {
    unsafe {
        store(
            slot,
            &Record {
                bytes: number.into(),
                ..blank(kind::THREAD)
            },
        )
    };
}

fn blank(kind: u8) -> Record {
    Record {
        start: 0,
        end: 0,
        bytes: 0,
        file: 0,
        op: 0,
        api: 0,
        flags: 0,
        kind,
    }
}

#[inline(always)]
fn put(process: &Process, record: Record, remember: bool) {
    thread::with_slots(process, 1, |lease, slot| {
        unsafe { store(slot, &record) };
        if remember {
            lease.last().set(slot);
        }
    });
}

/// Stores a record so that its kind is seen only when all the rest is there.
#[inline(always)]
unsafe fn store(slot: *mut Record, record: &Record) {
    let Record {
        op,
        api,
        flags,
        kind,
        ..
    } = *record;
    unsafe {
        (&raw mut (*slot).start).write(record.start);
        (&raw mut (*slot).end).write(record.end);
        (&raw mut (*slot).bytes).write(record.bytes);
        (&raw mut (*slot).file).write(record.file);
        let last_word = (&raw mut (*slot).op).cast::<u32>();
        AtomicU32::from_ptr(last_word).store(u32::from_le_bytes([op, api, flags, kind]), Release);
    }
}

/// Adds a request to the thread's last record if both fit into the window.
fn add_to_last(process: &Process, record: &Record, window: u64) -> bool {
    let Some(lease) = thread::lease(process) else {
        return false;
    };
    let last = lease.last().get();
    !last.is_null() && lease.alone(|| unsafe { try_add(last, record, window) })
}

unsafe fn try_add(last: *mut Record, record: &Record, window: u64) -> bool {
    let before = unsafe { last.read() };
    let same = (before.file, before.op, before.api) == (record.file, record.op, record.api);
    if !same || record.end.wrapping_sub(before.start) > window {
        return false;
    }
    let (count, sum) = split_coalesced(before.bytes);
    let Some(word) = coalesced(count + 1, sum.saturating_add(record.bytes)) else {
        return false;
    };
    unsafe {
        (&raw mut (*last).end).write(record.end);
        AtomicU64::from_ptr(&raw mut (*last).bytes).store(word, Release);
    }
    true
}
