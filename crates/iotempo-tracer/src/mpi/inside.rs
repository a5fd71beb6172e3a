//! Whether a thread is in a call of MPI, and what becomes of a call that never returns.
//!
//! An error handler of the program may leave a call by an exception or a jump. What the call had
//! taken for itself is given back then, or all that the thread does later would look like the
//! library's doing. Exceptions run destructors, jumps pass the hooks below.

use super::handles::Hidden;
use super::library::Library;
use super::requests::Listed;
use crate::process::{self, Process};
use crate::real::hook;
use crate::{log, thread};
use core::cell::Cell;
use core::ffi::c_int;

/// The call that a thread is in. All of it may be zero.
pub(crate) struct Inside {
    entered: Cell<bool>,
    /// Those of our requests that it waits for.
    listed: Cell<Listed>,
    /// The program's array of requests that they are from.
    requests: Cell<usize>,
    /// The file that it closes, where it closes one.
    closing: Cell<Hidden>,
}

impl Inside {
    /// Whether a call is under way.
    #[inline(always)]
    pub(crate) fn is_entered(&self) -> bool {
        self.entered.get()
    }

    /// Says no inside of another call.
    pub(super) fn enter(&self) -> bool {
        !self.entered.replace(true)
    }

    pub(super) fn waits(&self, listed: Listed, requests: usize) {
        self.requests.set(requests);
        self.listed.set(listed);
    }

    /// The requests that the call waited for, which are the caller's to settle.
    pub(super) fn take_listed(&self) -> Listed {
        self.listed.take()
    }

    pub(super) fn closes(&self, file: Hidden) {
        self.closing.set(file);
    }

    /// The file that the call has hidden, which is the caller's to forget or to show again.
    pub(super) fn take_closing(&self) -> Hidden {
        self.closing.take()
    }

    /// No call of a thread that begins is under way.
    pub(crate) fn reset(&self) {
        self.listed.take();
        self.closing.take();
        self.entered.set(false);
    }

    /// The call is over. Requests that it still waits for are under way, or came to an end of which
    /// nobody will tell. A file that it has not closed is open.
    pub(super) fn leave(&self, process: &Process, library: &Library) {
        let listed = self.listed.take();
        if !listed.is_empty() {
            let requests = self.requests.get();
            process.mpi.requests.settle(listed, |index, handle, _| {
                has_ended(process, library, requests, index, handle)
            });
        }
        process.mpi.files.closed(self.closing.take(), false);
        self.entered.set(false);
    }
}

/// Whether a request has lost its handle: it came to an end, well or not. Which, nobody can tell.
pub(super) fn has_ended(
    process: &Process,
    library: &Library,
    requests: usize,
    index: usize,
    handle: usize,
) -> bool {
    let gone = unsafe { library.request_at(requests, index) } != handle;
    if gone {
        log::count_dropped(process);
    }
    gone
}

/// A jump leaves the call that the thread is in. MPI libraries do not jump within their own.
extern "C" fn jumping() {
    if let (Some(process), Some(library)) = (process::get(), super::library::running())
        && let Some(lease) = thread::held()
        && lease.mpi.is_entered()
    {
        lease.mpi.leave(process, library);
    }
}

hook! {
    fn longjmp(buffer: usize, value: c_int) -> !, real => {
        jumping();
        real(buffer, value)
    }
    fn _longjmp(buffer: usize, value: c_int) -> !, real => {
        jumping();
        real(buffer, value)
    }
    fn siglongjmp(buffer: usize, value: c_int) -> !, real => {
        jumping();
        real(buffer, value)
    }
    fn __longjmp_chk(buffer: usize, value: c_int) -> !, real => {
        jumping();
        real(buffer, value)
    }
}
