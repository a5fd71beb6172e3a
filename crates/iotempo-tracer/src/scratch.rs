//! Room for paths. A signal handler may have 8 KiB of stack in all, most of which the kernel has
//! taken already, so what is larger than a few hundred bytes does not lie on the stack.

use crate::process::Process;
use crate::sys;
use crate::text::PathText;
use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering::*};

/// How many calls can have room at a time before more must be mapped.
pub(crate) const PLACES: usize = 256;

/// Room for a path. All of it may be zero.
pub(crate) struct Place {
    taken: AtomicBool,
    text: UnsafeCell<PathText>,
}

/// Acts with an empty text, unless there is no memory. Nobody waits: not for other threads, and not
/// for a call that a signal has interrupted.
pub(crate) fn with<R>(process: &Process, act: impl FnOnce(&mut PathText) -> R) -> Option<R> {
    if let Some(place) = free(process) {
        let text = unsafe { &mut *place.text.get() };
        text.clear();
        let result = act(text);
        place.taken.store(false, Release);
        return Some(result);
    }
    let memory = sys::map_private(size_of::<PathText>()).ok()?;
    let result = act(unsafe { &mut *memory.cast::<PathText>() });
    sys::unmap(memory, size_of::<PathText>());
    Some(result)
}

/// Threads begin at different places, so that they seldom meet.
fn free(process: &Process) -> Option<&Place> {
    let first = sys::gettid() as usize % PLACES;
    let (before, after) = process.scratch.split_at_checked(first)?;
    let mut places = after.iter().chain(before);
    places.find(|place| !place.taken.swap(true, Acquire))
}
