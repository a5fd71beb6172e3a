//! Where a thread writes its records. Nothing on this path is shared with other threads.
//!
//! What a thread needs lies in a [`Lease`], and only a pointer to it in the thread's own memory: so
//! a thread that has ended leaves its half-filled chunk to the next one, without a destructor.

use crate::entry::store_thread;
use crate::process::Process;
use crate::{chunks, local, log, sys};
use core::cell::Cell;
use core::sync::atomic::{AtomicU32, Ordering::*, compiler_fence};
use iotempo_model::wire::{RECORD_SIZE, RECORDS_PER_CHUNK, Record};

/// Threads that can be traced at a time.
pub(crate) const LEASES: usize = 16384;
/// How many leases of others a new thread looks at before it takes one that nobody had.
const PROBES: usize = 32;

/// A chunk, and the thread that writes to it. All of it may be zero.
#[repr(C, align(64))]
pub(crate) struct Lease {
    /// The address of the next free record.
    cursor: Cell<usize>,
    end: Cell<usize>,
    /// The last request, where requests are coalesced.
    last: Cell<*mut Record>,
    pub(crate) chunk: Cell<chunks::Chunk>,
    thread: AtomicU32,
    /// A record is being written; a signal handler that interrupts it must not change the chunk.
    busy: Cell<bool>,
    /// A call of MPI is under way.
    in_mpi: Cell<bool>,
}

impl Lease {
    /// Takes free slots and hands the first one to `write`; they are this call's alone, even if a
    /// signal handler comes in between. Counts a dropped record where there is no room.
    #[inline(always)]
    fn with_slots(&self, process: &Process, count: usize, write: impl FnOnce(&Self, *mut Record)) {
        let nested = self.busy.replace(true);
        compiler_fence(SeqCst);
        let size = count * RECORD_SIZE;
        let mut slot = self.advance(size);
        while slot.wrapping_add(size) > self.end.get() {
            if nested || count > RECORDS_PER_CHUNK || !self.refill(process, size) {
                log::count_dropped(process);
                self.busy.set(nested);
                return;
            }
            slot = self.advance(size);
        }
        write(self, slot as *mut Record);
        compiler_fence(SeqCst);
        self.busy.set(nested);
    }

    /// Moves the cursor in one instruction, which no signal can split.
    #[inline(always)]
    fn advance(&self, size: usize) -> usize {
        let before;
        #[cfg(target_arch = "x86_64")]
        unsafe {
            // No lock prefix: only this thread's own signal handlers can interfere.
            core::arch::asm!(
                "xadd [{cursor}], {size}",
                cursor = in(reg) self.cursor.as_ptr(),
                size = inlateout(reg) size => before,
                options(nostack),
            );
        }
        #[cfg(not(target_arch = "x86_64"))]
        unsafe {
            use core::sync::atomic::AtomicUsize;
            before = AtomicUsize::from_ptr(self.cursor.as_ptr()).fetch_add(size, Relaxed);
        }
        before
    }

    /// Takes a new chunk, with all signals blocked. Until they are, a handler may do the same: the
    /// caller holds no slot that it could lose.
    #[cold]
    #[inline(never)]
    fn refill(&self, process: &Process, size: usize) -> bool {
        self.busy.set(false);
        compiler_fence(SeqCst);
        let mask = sys::block_signals();
        let has_room = self.cursor.get().wrapping_add(size) <= self.end.get();
        let has_room = has_room || self.take_chunk(process);
        self.busy.set(true);
        compiler_fence(SeqCst);
        sys::restore_signals(mask);
        has_room
    }

    fn take_chunk(&self, process: &Process) -> bool {
        self.last.set(core::ptr::null_mut());
        let records = log::next_chunk(process, &self.chunk);
        let (first, end) = records.unwrap_or_default();
        self.cursor.set(first);
        self.end.set(end);
        records.is_some()
    }

    /// The last request that this thread wrote, if it may still be added to.
    pub(crate) fn last(&self) -> &Cell<*mut Record> {
        &self.last
    }

    /// Whether a call of MPI is under way.
    pub(crate) fn in_mpi(&self) -> &Cell<bool> {
        &self.in_mpi
    }

    /// Acts unless a record is being written, and keeps signal handlers from writing meanwhile.
    pub(crate) fn alone(&self, act: impl FnOnce() -> bool) -> bool {
        if self.busy.replace(true) {
            return false;
        }
        compiler_fence(SeqCst);
        let done = act();
        compiler_fence(SeqCst);
        self.busy.set(false);
        done
    }

    fn claim(&self, process: &Process, me: u32) -> bool {
        let owner = self.thread.load(Acquire);
        let free = owner == 0 || owner == me || !sys::thread_lives(process.pid(), owner);
        free && self
            .thread
            .compare_exchange(owner, me, AcqRel, Relaxed)
            .is_ok()
    }
}

/// Takes free slots of the calling thread and hands the first one to `write`.
#[inline(always)]
pub(crate) fn with_slots(process: &Process, count: usize, write: impl FnOnce(&Lease, *mut Record)) {
    match lease(process) {
        Some(lease) => lease.with_slots(process, count, write),
        None => log::count_dropped(process),
    }
}

/// The lease of the calling thread.
#[inline(always)]
pub(crate) fn lease(process: &Process) -> Option<&Lease> {
    match unsafe { (local::get() as *const Lease).as_ref() } {
        None => find_lease(process),
        found => found,
    }
}

/// After a fork, what the thread had is the parent's.
pub(crate) fn forget() {
    local::set(0);
}

#[cold]
#[inline(never)]
fn find_lease(process: &Process) -> Option<&Lease> {
    let mask = sys::block_signals();
    let me = sys::gettid();
    let found = left_over(process, me, PROBES)
        .or_else(|| untouched(process, me))
        .or_else(|| left_over(process, me, LEASES));
    if let Some(lease) = found {
        // Whoever had it may have been ended while it wrote.
        lease.busy.set(false);
        lease.in_mpi.set(false);
        local::set(core::ptr::from_ref(lease) as usize);
        announce(process, lease, me);
    }
    sys::restore_signals(mask);
    found
}

/// A lease whose thread has ended.
fn left_over(process: &Process, me: u32, probes: usize) -> Option<&Lease> {
    let used = (process.leases_used.load(Relaxed) as usize).min(LEASES);
    let start = process.next_probe.fetch_add(probes as u32, Relaxed) as usize;
    (0..probes.min(used))
        .filter_map(|probe| process.leases.get(start.wrapping_add(probe) % used))
        .find(|lease| lease.claim(process, me))
}

fn untouched(process: &Process, me: u32) -> Option<&Lease> {
    if process.leases_used.load(Relaxed) as usize >= LEASES {
        return None;
    }
    let index = process.leases_used.fetch_add(1, Relaxed);
    process
        .leases
        .get(index as usize)
        .filter(|lease| lease.claim(process, me))
}

/// Tells readers that another thread goes on in a chunk.
fn announce(process: &Process, lease: &Lease, me: u32) {
    if lease.end.get() != 0 {
        lease.with_slots(process, 1, |_, slot| unsafe { store_thread(slot, me) });
    }
}
