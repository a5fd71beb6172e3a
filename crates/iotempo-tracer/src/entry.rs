//! How a record gets into its slot.

use core::ptr::copy_nonoverlapping;
use core::sync::atomic::{AtomicU32, Ordering::*};
use iotempo_model::wire::{Record, kind, name_slots};

/// A record on its way, with its last four bytes in one word: a register, and a single store.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) bytes: u64,
    pub(crate) file: u32,
    pub(crate) what: u32,
}

/// The last four bytes of a record: op, api, flags, which are zero here, and kind.
#[inline(always)]
pub(crate) const fn what(op: u8, api: u8, kind: u8) -> u32 {
    op as u32 | (api as u32) << 8 | (kind as u32) << 24
}

/// Flags as they lie in these bytes.
#[inline(always)]
pub(crate) const fn flags(bits: u8) -> u32 {
    (bits as u32) << 16
}

impl Entry {
    /// Stores it so that its kind is seen only when all the rest is there.
    #[inline(always)]
    pub(crate) unsafe fn store(self, slot: *mut Record) {
        unsafe {
            (&raw mut (*slot).start).write(self.start);
            (&raw mut (*slot).end).write(self.end);
            (&raw mut (*slot).bytes).write(self.bytes);
            (&raw mut (*slot).file).write(self.file);
            AtomicU32::from_ptr((&raw mut (*slot).op).cast()).store(self.what.to_le(), Release);
        }
    }

    fn without_times(bytes: u64, file: u32, kind: u8) -> Self {
        Self {
            start: 0,
            end: 0,
            bytes,
            file,
            what: what(0, 0, kind),
        }
    }
}

/// How many slots a name takes with its record.
pub(crate) fn slots_of(name: &[u8]) -> usize {
    1 + name_slots(name.len())
}

/// Stores a name into the slots from `slot` on.
pub(crate) unsafe fn store_name(slot: *mut Record, file: u32, name: &[u8]) {
    unsafe {
        copy_nonoverlapping(name.as_ptr(), slot.add(1).cast(), name.len());
        Entry::without_times(name.len() as u64, file, kind::NAME).store(slot);
    }
}

/// Stores that another thread goes on from here.
pub(crate) unsafe fn store_thread(slot: *mut Record, number: u32) {
    unsafe { Entry::without_times(number.into(), 0, kind::THREAD).store(slot) };
}

/// Lets readers go on behind a slot that was taken and not filled in. Whoever has it can still do so.
pub(crate) unsafe fn mark_abandoned(slot: *mut Record) {
    let last_word = unsafe { AtomicU32::from_ptr((&raw mut (*slot).op).cast()) };
    if last_word.load(Relaxed) == 0 {
        last_word.store(what(0, 0, kind::ABANDONED).to_le(), Release);
    }
}
