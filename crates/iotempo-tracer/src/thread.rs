//! The chunk that a thread writes to. Nothing here is shared with other threads.

use crate::process::Process;
use crate::{log, sys};
use core::cell::Cell;
use core::ptr::null_mut;
use core::sync::atomic::{Ordering, compiler_fence};
use iotempo_model::wire::{CHUNK_SIZE, ChunkHeader, RECORD_SIZE, Record};

thread_local! {
    // Constant and without a destructor: plain memory of the thread, there from its first moment.
    static THREAD: Thread = const { Thread::new() };
}

/// A chunk that is mapped.
#[derive(Clone, Copy)]
pub(crate) struct Chunk {
    pub(crate) base: *mut u8,
    pub(crate) index: u32,
    /// Records that it holds already.
    pub(crate) used: usize,
}

pub(crate) struct Thread {
    /// The address of the next free record.
    cursor: Cell<usize>,
    end: Cell<usize>,
    base: Cell<*mut u8>,
    index: Cell<u32>,
    /// A record is being written; a signal handler that interrupts it must not unmap its chunk.
    busy: Cell<bool>,
    /// The last request, where requests are coalesced.
    last: Cell<*mut Record>,
    /// A chunk's index, plus one, that was taken but could not be mapped.
    spare: Cell<u32>,
}

impl Thread {
    const fn new() -> Self {
        Self {
            cursor: Cell::new(0),
            end: Cell::new(0),
            base: Cell::new(null_mut()),
            index: Cell::new(0),
            busy: Cell::new(false),
            last: Cell::new(null_mut()),
            spare: Cell::new(0),
        }
    }

    /// Takes free slots and hands the first one to `write`; they are this call's alone, even if a
    /// signal handler comes in between. False where there is no room.
    #[inline(always)]
    pub(crate) fn with_slots(
        &self,
        process: &Process,
        count: usize,
        write: impl FnOnce(*mut Record),
    ) -> bool {
        let nested = self.busy.replace(true);
        compiler_fence(Ordering::SeqCst);
        let size = count * RECORD_SIZE;
        let mut slot = self.advance(size);
        if slot.wrapping_add(size) > self.end.get() {
            if nested || !self.refill(process, count) {
                log::count_dropped(process);
                self.busy.set(nested);
                return false;
            }
            slot = self.advance(size);
        }
        write(slot as *mut Record);
        compiler_fence(Ordering::SeqCst);
        self.busy.set(nested);
        true
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
            before = AtomicUsize::from_ptr(self.cursor.as_ptr()).fetch_add(size, Ordering::Relaxed);
        }
        before
    }

    /// Takes a new chunk, with all signals blocked.
    #[cold]
    #[inline(never)]
    fn refill(&self, process: &Process, count: usize) -> bool {
        if size_of::<ChunkHeader>() + count * RECORD_SIZE > CHUNK_SIZE {
            return false;
        }
        let mask = sys::block_signals();
        self.release(process);
        let chunk = log::next_chunk(process, &self.spare);
        if let Some(chunk) = chunk {
            self.adopt(chunk);
        }
        sys::restore_signals(mask);
        chunk.is_some()
    }

    fn adopt(&self, chunk: Chunk) {
        let first = chunk.base as usize + size_of::<ChunkHeader>();
        self.cursor.set(first + chunk.used * RECORD_SIZE);
        self.end.set(chunk.base as usize + CHUNK_SIZE);
        self.base.set(chunk.base);
        self.index.set(chunk.index);
        self.last.set(null_mut());
    }

    /// Gives up the chunk in use.
    fn release(&self, process: &Process) {
        let base = self.base.replace(null_mut());
        self.cursor.set(0);
        self.end.set(0);
        self.last.set(null_mut());
        if !base.is_null() {
            sys::unmap(base, CHUNK_SIZE);
            log::retire(process, self.index.get());
        }
    }

    /// The last request that this thread wrote, if it may still be added to.
    pub(crate) fn last(&self) -> &Cell<*mut Record> {
        &self.last
    }

    /// Acts unless a record is being written, and keeps signal handlers from writing meanwhile.
    pub(crate) fn alone(&self, act: impl FnOnce() -> bool) -> bool {
        if self.busy.replace(true) {
            return false;
        }
        compiler_fence(Ordering::SeqCst);
        let done = act();
        compiler_fence(Ordering::SeqCst);
        self.busy.set(false);
        done
    }
}

/// The state of the thread that calls.
#[inline(always)]
pub(crate) fn with<R>(act: impl FnOnce(&Thread) -> R) -> R {
    THREAD.with(act)
}

/// After a fork the chunk is the parent's: it must not be written to, and it keeps its owner.
pub(crate) fn forget_chunk() {
    with(|thread| {
        let base = thread.base.replace(null_mut());
        if !base.is_null() {
            sys::unmap(base, CHUNK_SIZE);
        }
        thread.cursor.set(0);
        thread.end.set(0);
        thread.last.set(null_mut());
        thread.spare.set(0);
        thread.busy.set(false);
    });
}
