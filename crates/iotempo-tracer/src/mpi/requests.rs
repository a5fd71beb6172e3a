//! Requests that were started and are not complete.

use super::slots::Slots;
use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use iotempo_model::wire::op;

/// Requests that can be under way at a time.
const REQUESTS: usize = 8192;

/// All of it may be zero.
pub(super) struct Requests {
    under_way: AtomicUsize,
    slots: Slots<REQUESTS>,
    entries: [Entry; REQUESTS],
}

struct Entry {
    start: AtomicU64,
    asked: AtomicU64,
    file: AtomicU32,
    op: AtomicU8,
    /// Where it lies in the array of the call that waits for it.
    index: AtomicU32,
    /// The place of the next one that the same call waits for, plus one.
    next: AtomicU32,
}

/// What was asked for.
#[derive(Clone, Copy)]
pub(super) struct Started {
    pub(super) start: u64,
    pub(super) asked: u64,
    pub(super) file: u32,
    pub(super) op: Op,
}

/// Which way data goes, and whether all processes call together: one byte, for a table of atomics.
#[derive(Clone, Copy)]
pub(super) struct Op(u8);

pub(super) const READ: Op = Op(op::READ);
pub(super) const WRITE: Op = Op(op::WRITE);
pub(super) const READ_ALL: Op = Op(op::READ | Op::TOGETHER);
pub(super) const WRITE_ALL: Op = Op(op::WRITE | Op::TOGETHER);

impl Op {
    const TOGETHER: u8 = 1 << 7;

    /// The value of the record's field.
    pub(super) fn code(self) -> u8 {
        self.0 & !Self::TOGETHER
    }

    pub(super) fn is_collective(self) -> bool {
        self.0 & Self::TOGETHER != 0
    }
}

/// Those of our requests that a call waits for: a chain through the table, of any length.
#[derive(Clone, Copy, Default)]
pub(super) struct Listed {
    first: u32,
}

impl Listed {
    pub(super) fn is_empty(self) -> bool {
        self.first == 0
    }
}

impl Requests {
    /// Whether any request is under way; without one, waiting costs nothing more.
    #[inline(always)]
    pub(super) fn any(&self) -> bool {
        self.under_way.load(Relaxed) != 0
    }

    /// Remembers a request. Says no where there is no room.
    ///
    /// A handle may be there already: libraries may give requests that were complete at once one
    /// handle for all.
    pub(super) fn started(&self, handle: usize, started: Started) -> bool {
        let Some(place) = self.slots.take(handle) else {
            return false;
        };
        if let Some(entry) = self.entries.get(place) {
            entry.start.store(started.start, Relaxed);
            entry.asked.store(started.asked, Relaxed);
            entry.file.store(started.file, Relaxed);
            entry.op.store(started.op.0, Relaxed);
        }
        self.under_way.fetch_add(1, Relaxed);
        self.slots.publish(place, handle);
        true
    }

    /// Adds a request to a list if it is ours and in no list yet.
    pub(super) fn list(&self, list: &mut Listed, handle: usize, index: usize) {
        if let Some(place) = self.slots.hold(handle)
            && let Some(entry) = self.entries.get(place)
        {
            entry.index.store(index as u32, Relaxed);
            entry.next.store(list.first, Relaxed);
            list.first = place as u32 + 1;
        }
    }

    /// Goes through a list. Where `completed` is told the index and the handle of a request and
    /// says yes, it is forgotten; the others can be listed again.
    pub(super) fn settle(&self, list: Listed, completed: impl Fn(usize, usize, Started) -> bool) {
        let mut next = list.first;
        while let Some(place) = next.checked_sub(1).map(|place| place as usize)
            && let Some(entry) = self.entries.get(place)
        {
            next = entry.next.load(Relaxed);
            let index = entry.index.load(Relaxed);
            if completed(index as usize, self.slots.handle(place), entry.get()) {
                self.slots.free(place);
                self.under_way.fetch_sub(1, Relaxed);
            } else {
                self.slots.release(place);
            }
        }
    }
}

impl Entry {
    fn get(&self) -> Started {
        Started {
            start: self.start.load(Relaxed),
            asked: self.asked.load(Relaxed),
            file: self.file.load(Relaxed),
            op: Op(self.op.load(Relaxed)),
        }
    }
}
