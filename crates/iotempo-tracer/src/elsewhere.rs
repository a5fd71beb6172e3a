//! Opening the log where the program has used up its descriptors.

use crate::real::keeping_errno;
use crate::sys;
use core::ffi::{c_int, c_void};

const STACK_SIZE: usize = 64 * 1024;

/// Tries, and if there is no descriptor left, tries again with descriptors of its own.
pub(crate) fn with_descriptor<T>(attempt: impl Fn() -> Result<T, c_int>) -> Result<T, c_int> {
    let mut result = attempt();
    if matches!(result, Err(libc::EMFILE)) {
        run(&mut || result = attempt());
    }
    result
}

/// Runs in a process that shares our memory but has a copy of our descriptors, where the first one
/// can be closed unnoticed. What it maps, we have. We sleep meanwhile. Signals are blocked: one that is
/// sent to a whole group of processes would run the program's handler in there.
fn run(act: &mut dyn FnMut()) {
    let Ok(stack) = sys::map_private(STACK_SIZE) else {
        return;
    };
    let mut act = act;
    let argument = (&raw mut act).cast::<c_void>();
    let flags = libc::CLONE_VM | libc::CLONE_VFORK;
    let top = stack.wrapping_add(STACK_SIZE);
    let mask = sys::block_signals();
    let child = keeping_errno(|| unsafe { libc::clone(in_child, top.cast(), flags, argument) });
    if child > 0 {
        sys::reap(child);
    }
    sys::restore_signals(mask);
    sys::unmap(stack, STACK_SIZE);
}

extern "C" fn in_child(argument: *mut c_void) -> c_int {
    sys::close(0);
    let act = unsafe { &mut *argument.cast::<&mut dyn FnMut()>() };
    act();
    0
}
