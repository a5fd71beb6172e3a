//! In a ring, old chunks are written over. Names must outlive that, so they have chunks of their
//! own, shared by all threads.

use crate::chunks::{self, Chunk};
use crate::entry::{slots_of, store_name};
use crate::process::Process;
use crate::{log, sys};
use core::cell::Cell;
use core::sync::atomic::{AtomicBool, Ordering::*};
use iotempo_model::wire::RECORD_SIZE;

/// The chunk that names go to. All of it may be zero.
pub(crate) struct RingNames {
    /// A file is met for the first time so seldom that a lock does no harm, with signals blocked.
    locked: AtomicBool,
    cursor: Cell<usize>,
    end: Cell<usize>,
    chunk: Cell<Chunk>,
}

impl RingNames {
    /// Writes a name where it will stay.
    pub(crate) fn put(&self, process: &Process, file: u32, name: &[u8]) {
        let mask = sys::block_signals();
        while self.locked.swap(true, Acquire) {
            sys::yield_now();
        }
        self.put_locked(process, file, name);
        self.locked.store(false, Release);
        sys::restore_signals(mask);
    }

    fn put_locked(&self, process: &Process, file: u32, name: &[u8]) {
        let size = slots_of(name) * RECORD_SIZE;
        if self.cursor.get() + size > self.end.get() && !self.refill(process) {
            return log::count_dropped(process);
        }
        unsafe { store_name(self.cursor.get() as *mut _, file, name) };
        self.cursor.set(self.cursor.get() + size);
    }

    /// Chunks that are full stay mapped: there are few of them.
    fn refill(&self, process: &Process) -> bool {
        let records = log::bounds(process, chunks::for_names(process, &self.chunk));
        if let Some((first, end)) = records {
            self.cursor.set(first);
            self.end.set(end);
        }
        records.is_some()
    }
}
