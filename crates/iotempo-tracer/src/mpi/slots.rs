//! Places in a table of fixed size, found by a handle: no lock, no memory that grows.

use core::sync::atomic::{AtomicUsize, Ordering::*};

/// How far from its first place an entry may lie.
const WINDOW: usize = 64;
const FREE: usize = 0;
/// Somebody is about to fill it in. No library has a handle like that.
const TAKEN: usize = 1;
/// The bit of a handle that one call has for itself. Addresses of programs do not have it, and
/// numbers are shorter.
const HELD: usize = 1 << (usize::BITS - 1);

/// The handles in a table. All of it may be zero.
pub(super) struct Slots<const N: usize> {
    handles: [AtomicUsize; N],
}

impl<const N: usize> Slots<N> {
    /// Takes a free place; nobody finds it before [`Self::publish`].
    pub(super) fn take(&self, handle: usize) -> Option<usize> {
        places::<N>(handle).find(|&place| {
            self.handles
                .get(place)
                .is_some_and(|slot| slot.compare_exchange(FREE, TAKEN, AcqRel, Relaxed).is_ok())
        })
    }

    pub(super) fn publish(&self, place: usize, handle: usize) {
        self.store(place, handle);
    }

    pub(super) fn free(&self, place: usize) {
        self.store(place, FREE);
    }

    /// The first place with this handle.
    pub(super) fn find(&self, handle: usize) -> Option<usize> {
        self.where_so(handle, |slot| slot.load(Acquire) == handle)
    }

    /// The same, for one caller: nobody else finds it before [`Self::release`]. Looking and taking
    /// are one step, because another thread may free the place and use it anew.
    pub(super) fn hold(&self, handle: usize) -> Option<usize> {
        self.where_so(handle, |slot| {
            slot.compare_exchange(handle, handle | HELD, AcqRel, Relaxed)
                .is_ok()
        })
    }

    pub(super) fn release(&self, place: usize) {
        self.store(place, self.handle(place));
    }

    pub(super) fn handle(&self, place: usize) -> usize {
        self.handles
            .get(place)
            .map_or(FREE, |slot| slot.load(Acquire) & !HELD)
    }

    fn where_so(&self, handle: usize, fits: impl Fn(&AtomicUsize) -> bool) -> Option<usize> {
        if handle <= TAKEN {
            return None;
        }
        places::<N>(handle).find(|&place| self.handles.get(place).is_some_and(&fits))
    }

    fn store(&self, place: usize, value: usize) {
        if let Some(slot) = self.handles.get(place) {
            slot.store(value, Release);
        }
    }
}

fn places<const N: usize>(handle: usize) -> impl Iterator<Item = usize> {
    // Addresses end in zeros, numbers of MPICH begin with them: Fibonacci hashing mixes both.
    let first = (handle as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    (0..WINDOW).map(move |step| (first as usize).wrapping_add(step) % N)
}
