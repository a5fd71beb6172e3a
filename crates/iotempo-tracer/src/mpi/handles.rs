//! Which file an `MPI_File` is, and the split collective call that is under way on it.

use super::slots::Slots;
use crate::files::IGNORED;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Files that can be open at a time.
const FILES: usize = 4096;

/// All of it may be zero.
pub(super) struct Handles {
    slots: Slots<FILES>,
    files: [Open; FILES],
}

struct Open {
    file: AtomicU32,
    split_start: AtomicU64,
    split_asked: AtomicU64,
}

/// A file that is about to be closed, or none, which is all zero.
#[derive(Clone, Copy, Default)]
pub(super) struct Hidden {
    /// One more than its place.
    next: usize,
    pub(super) file: u32,
}

impl Hidden {
    pub(super) fn is_some(self) -> bool {
        self.next > 0
    }
}

impl Handles {
    /// Remembers a file that was opened. Says no where there is no room.
    pub(super) fn opened(&self, handle: usize, file: u32) -> bool {
        let Some(place) = self.slots.take(handle) else {
            return false;
        };
        if let Some(open) = self.files.get(place) {
            open.file.store(file, Relaxed);
            open.split_start.store(0, Relaxed);
        }
        self.slots.publish(place, handle);
        true
    }

    /// The file behind a handle, or [`IGNORED`].
    pub(super) fn of(&self, handle: usize) -> u32 {
        let open = self.find(handle).and_then(|place| self.files.get(place));
        open.map_or(IGNORED, |open| open.file.load(Relaxed))
    }

    /// Hides a handle that is about to be closed, and says which file it is.
    pub(super) fn closing(&self, handle: usize) -> Option<Hidden> {
        let place = self.slots.hold(handle)?;
        let file = self.files.get(place)?.file.load(Relaxed);
        let next = place + 1;
        Some(Hidden { next, file })
    }

    /// Forgets the handle, or shows it again where the file could not be closed.
    pub(super) fn closed(&self, hidden: Hidden, is_closed: bool) {
        let Some(place) = hidden.next.checked_sub(1) else {
            return;
        };
        if is_closed {
            self.slots.free(place);
        } else {
            self.slots.release(place);
        }
    }

    /// A split call began. A file can have only one at a time.
    pub(super) fn split_began(&self, handle: usize, start: u64, asked: u64) {
        if let Some(open) = self.find(handle).and_then(|place| self.files.get(place)) {
            open.split_start.store(start, Relaxed);
            open.split_asked.store(asked, Relaxed);
        }
    }

    /// When the split call of a file began, and for how many bytes.
    pub(super) fn split(&self, handle: usize) -> Option<(u64, u64)> {
        let open = self.files.get(self.find(handle)?)?;
        let (start, asked) = (
            open.split_start.swap(0, Relaxed),
            open.split_asked.load(Relaxed),
        );
        (start != 0).then_some((start, asked))
    }

    fn find(&self, handle: usize) -> Option<usize> {
        self.slots.find(handle)
    }
}
