//! Records: what every hook calls when the real function has returned.

use crate::coalesce::coalesce;
use crate::entry::{Entry, flags, slots_of, store_name, what};
use crate::process::{self, Process};
use crate::{clock, files, log, mpi, settings, sys, thread};
use core::sync::atomic::Ordering::Relaxed;
use iotempo_model::wire::op::{READ, WRITE};
use iotempo_model::wire::record_flag::{BENEATH_MPI, COLLECTIVE};
use iotempo_model::wire::{api, kind};

/// Records one call of any layer, from `start` to `end` in ticks of the clock.
///
/// `op` is one of [`iotempo_model::wire::op`]; reads and writes become transfers, others metadata.
/// It touches no `errno`, takes no lock and allocates nothing.
#[inline(never)]
pub(crate) extern "C" fn record(op: u8, api: u8, file: u32, start: u64, end: u64, bytes: u64) {
    flagged(op, api, 0, file, [start, end], bytes);
}

/// Records a call of MPI-IO that all processes make together.
#[inline(never)]
pub(crate) extern "C" fn record_collective(op: u8, file: u32, start: u64, end: u64, bytes: u64) {
    flagged(op, api::MPIIO, COLLECTIVE, file, [start, end], bytes);
}

#[inline(always)]
fn flagged(op: u8, api: u8, bits: u8, file: u32, [start, end]: [u64; 2], bytes: u64) {
    let Some(process) = ready() else { return };
    log::tick(process, end);
    let transfers = op == READ || op == WRITE;
    let kind = if transfers {
        kind::TRANSFER
    } else {
        kind::METADATA
    };
    let entry = Entry {
        start,
        end,
        bytes,
        file,
        what: what(op, api, kind) | flags(bits) | beneath(process, api),
    };
    match process.coalesce_ticks.load(Relaxed) {
        window if transfers && window > 0 => coalesce(process, entry, window),
        _ => put(process, entry, false),
    }
}

/// Records I/O that cannot be seen: `which` is one of [`iotempo_model::wire::note`].
#[inline(never)]
pub(crate) extern "C" fn note(which: u8, file: u32, bytes: u64) {
    let Some(process) = ready() else { return };
    let now = clock::ticks();
    let what = what(which, api::MMAP, kind::NOTE) | beneath(process, api::MMAP);
    put(
        process,
        Entry {
            start: now,
            end: now,
            bytes,
            file,
            what,
        },
        false,
    );
    log::count_note(process);
}

/// The same, but only the first time for a file, this kind, and where it was met: beneath MPI or not.
#[inline(never)]
pub(crate) extern "C" fn note_once(which: u8, file: u32) {
    let Some(process) = ready() else { return };
    // A ring may have lost the first one.
    let ring = settings::get().is_some_and(|settings| settings.max_chunks.is_some());
    let inside = beneath(process, api::MMAP) != 0;
    if ring || files::is_first(process, file, 1 << (2 * which + u8::from(inside))) {
        note(which, file, 0);
    }
}

/// The flags of what a library of MPI does on behalf of a call of MPI-IO.
#[inline(always)]
fn beneath(process: &Process, api: u8) -> u32 {
    if !mpi::is_running() || api == api::MPIIO {
        return 0;
    }
    let inside = thread::lease(process).is_some_and(|lease| lease.mpi.is_entered());
    if inside { flags(BENEATH_MPI) } else { 0 }
}

/// Writes down how a file is called.
pub(crate) fn name(process: &Process, file: u32, name: &[u8]) {
    if !process.is_ready() {
        return;
    }
    if settings::get().is_some_and(|settings| settings.max_chunks.is_some()) {
        return process.ring_names.put(process, file, name);
    }
    // A handler that jumps away would leave slots that nobody can tell from records.
    let mask = sys::block_signals();
    thread::with_slots(process, slots_of(name), |_, slot| unsafe {
        store_name(slot, file, name)
    });
    sys::restore_signals(mask);
}

/// The process, if records can be written.
#[inline(always)]
pub(crate) fn ready() -> Option<&'static Process> {
    process::get().filter(|process| process.is_ready())
}

/// Takes a slot and stores an entry there; `remember`: later requests may be added to it.
#[inline(always)]
pub(crate) fn put(process: &Process, entry: Entry, remember: bool) {
    thread::with_slots(process, 1, |lease, slot| {
        unsafe { entry.store(slot) };
        if remember {
            lease.remember(slot);
        }
    });
}
