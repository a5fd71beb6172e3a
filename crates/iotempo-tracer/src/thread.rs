//! Where a thread writes its records. Nothing on this path is shared with other threads.
//!
//! What a thread needs lies in a [`Lease`], and only a pointer to it in the thread's own memory: so
//! a thread that has ended leaves its half-filled chunk to the next one, without a destructor.

use crate::entry::{mark_abandoned, store_thread};
use crate::process::Process;
use crate::{chunks, local, log, mpi, sys};
use core::cell::Cell;
use core::sync::atomic::{AtomicU32, Ordering::*, compiler_fence};
use iotempo_model::wire::{CHUNK_SIZE, RECORD_SIZE, RECORDS_PER_CHUNK, Record};

/// Threads that can be traced at a time.
pub(crate) const LEASES: usize = 16384;
/// How many leases of others a new thread looks at before it takes one that nobody had.
const PROBES: usize = 32;

/// Mappings that a process may keep because a signal handler jumped out of a record: the kernel
/// grants 65,530 of all kinds.
const MOST_KEPT: u32 = 8192;

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
    /// Not zero while a record is being written: [`BUSY`], and the address of its slot.
    busy: Cell<usize>,
    pub(crate) mpi: mpi::Inside,
}

/// The bit of [`Lease::busy`] that no address has.
const BUSY: usize = 1;
const IDLE: usize = 0;

/// A signal handler that interrupts a record must not take the chunk away. It may also never come
/// back: by `siglongjmp` it leaves a slot that nobody fills in and a thread that looks busy. Nobody
/// can tell the two apart for sure (handlers have stacks of their own, and some switch to other
/// stacks), so what a handler does is right for both: it marks the slot as one to skip, which the
/// record undoes, and where it needs another mapping, it keeps the one that it leaves.
impl Lease {
    /// Takes free slots and hands the first one to `write`; they are this call's alone, even if a
    /// signal handler comes in between. Counts a dropped record where there is no room.
    #[inline(always)]
    fn with_slots(&self, process: &Process, count: usize, write: impl FnOnce(&Self, *mut Record)) {
        let mut outer = self.begin();
        let size = count * RECORD_SIZE;
        let mut slot = self.advance(size);
        self.hold(slot);
        while !self.has(slot, size) {
            match self.refill(process, size, outer) {
                Some(now) if count <= RECORDS_PER_CHUNK => outer = now,
                _ => {
                    log::count_dropped(process);
                    return self.busy.set(outer);
                }
            }
            slot = self.advance(size);
            self.hold(slot);
        }
        write(self, slot as *mut Record);
        compiler_fence(SeqCst);
        self.busy.set(outer);
    }

    /// From here on a record is being written. Returns what is so again when it is done.
    #[inline(always)]
    fn begin(&self) -> usize {
        let outer = self.busy.get();
        // Most likely it is this slot, and then no signal finds a slot that is taken and unknown.
        self.hold(self.cursor.get());
        if outer == IDLE {
            return IDLE;
        }
        self.interrupts(outer)
    }

    #[inline(always)]
    fn hold(&self, slot: usize) {
        self.busy.set(slot | BUSY);
        compiler_fence(SeqCst);
    }

    /// Another record of this thread is under way, or was left for good.
    #[cold]
    #[inline(never)]
    fn interrupts(&self, outer: usize) -> usize {
        let slot = outer & !BUSY;
        if slot < self.cursor.get() && self.has(slot, RECORD_SIZE) {
            unsafe { mark_abandoned(slot as *mut Record) };
        }
        BUSY
    }

    /// Whether slots lie in the chunk that is in use.
    #[inline(always)]
    fn has(&self, slot: usize, size: usize) -> bool {
        let room = self.end.get().wrapping_sub(slot);
        slot != 0 && room >= size && room < CHUNK_SIZE
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
    /// caller holds no slot that it could lose. Returns what `outer` is from now on.
    #[cold]
    #[inline(never)]
    fn refill(&self, process: &Process, size: usize, outer: usize) -> Option<usize> {
        self.busy.set(outer);
        compiler_fence(SeqCst);
        let mask = sys::block_signals();
        let has_room = self.has(self.cursor.get(), size);
        let taken = if has_room {
            Some(outer)
        } else {
            self.take_chunk(process, outer)
        };
        self.hold(0);
        sys::restore_signals(mask);
        taken
    }

    fn take_chunk(&self, process: &Process, outer: usize) -> Option<usize> {
        self.last.set(core::ptr::null_mut());
        let set_aside = outer != IDLE && self.set_aside(process)?;
        let records = log::next_chunk(process, &self.chunk);
        let (first, end) = records.unwrap_or_default();
        self.cursor.set(first);
        self.end.set(end);
        records.map(|_| if set_aside { IDLE } else { outer })
    }

    /// Keeps the mapping of a record that may be under way; nothing where too many are kept.
    fn set_aside(&self, process: &Process) -> Option<bool> {
        static KEPT: AtomicU32 = AtomicU32::new(0);
        if KEPT.load(Relaxed) >= MOST_KEPT {
            return None;
        }
        let set_aside = chunks::set_aside(process, &self.chunk);
        KEPT.fetch_add(set_aside.into(), Relaxed);
        Some(set_aside)
    }

    /// The last request that this thread wrote, if it may still be added to, or null.
    pub(crate) fn last(&self) -> *mut Record {
        self.last.get()
    }

    /// Lets later requests be added to a record, unless a handler has left its chunk meanwhile.
    pub(crate) fn remember(&self, slot: *mut Record) {
        if self.has(slot as usize, RECORD_SIZE) {
            self.last.set(slot);
        }
    }

    /// Acts unless a record is being written, and keeps signal handlers from writing meanwhile.
    pub(crate) fn alone(&self, act: impl FnOnce() -> bool) -> bool {
        if self.busy.get() != IDLE {
            return false;
        }
        self.hold(0);
        let done = act();
        compiler_fence(SeqCst);
        self.busy.set(IDLE);
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
    match held() {
        None => find_lease(process),
        found => found,
    }
}

/// The same, if it has one already.
#[inline(always)]
pub(crate) fn held() -> Option<&'static Lease> {
    unsafe { (local::get() as *const Lease).as_ref() }
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
        lease.busy.set(IDLE);
        lease.last.set(core::ptr::null_mut());
        lease.mpi.reset();
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
