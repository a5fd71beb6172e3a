//! A call of MPI that is traced, from its entry to its end.

use super::inside::Inside;
use super::library::{self, Library};
use super::requests::Started;
use crate::clock;
use crate::files::IGNORED;
use crate::process::{self, Process};
use crate::record::{ready, record, record_collective};
use crate::settings::{MPIIO, wants};
use crate::thread::{self, Lease};
use iotempo_model::wire::api;

/// A call of this thread. Until it is left, calls of MPI that the library or other tools make on its
/// behalf are not traced.
#[derive(Clone, Copy)]
pub(super) struct Call {
    pub(super) process: &'static Process,
    pub(super) library: &'static Library,
    lease: &'static Lease,
    pub(super) start: u64,
}

impl Call {
    /// Begins, unless nothing is traced or another call of this thread is under way.
    pub(super) extern "C" fn enter() -> Option<Self> {
        if !wants(MPIIO) {
            return None;
        }
        let (process, library) = (ready()?, library::get()?);
        let lease = thread::lease(process)?;
        if !lease.mpi.enter() {
            return None;
        }
        let start = clock::ticks();
        Some(Self {
            process,
            library,
            lease,
            start,
        })
    }

    /// Begins a call on a file, unless the file is not traced.
    pub(super) extern "C" fn on(handle: usize) -> Option<(Self, u32)> {
        let call = Self::enter()?;
        match call.process.mpi.files.of(handle) {
            IGNORED => {
                call.leave();
                None
            }
            file => Some((call, file)),
        }
    }

    /// Begins a call that may complete requests.
    #[inline(always)]
    pub(super) fn completing() -> Option<Self> {
        process::get()
            .filter(|process| process.mpi.requests.any())
            .and_then(|_| Self::enter())
    }

    /// The thread is in this call until the value is dropped.
    #[inline(always)]
    pub(super) fn until_dropped(self) -> UntilDropped {
        UntilDropped(self)
    }

    pub(super) fn inside(self) -> &'static Inside {
        &self.lease.mpi
    }

    pub(super) extern "C" fn leave(self) {
        self.inside().leave(self.process, self.library);
    }

    /// Records an open, close or sync that succeeded.
    pub(super) extern "C" fn metadata(self, op: u8, file: u32, result: i32) {
        if result == 0 && file != IGNORED {
            record(op, api::MPIIO, file, self.start, clock::ticks(), 0);
        }
    }

    /// Records a transfer that is complete: its status knows best how much it moved.
    pub(super) extern "C" fn transferred(self, what: Started, status: Option<usize>) {
        let end = clock::ticks();
        let moved = status.and_then(|status| self.library.bytes(status));
        let bytes = moved.unwrap_or(what.asked);
        let op = what.op.code();
        if what.op.is_collective() {
            record_collective(op, what.file, what.start, end, bytes);
        } else {
            record(op, api::MPIIO, what.file, what.start, end, bytes);
        }
    }
}

/// Leaves a call also where an exception does. Of the two ways to unwind, only the other one, the
/// end of a cancelled thread, must not meet destructors; MPI forbids that in its calls.
pub(super) struct UntilDropped(Call);

impl Drop for UntilDropped {
    #[inline(always)]
    fn drop(&mut self) {
        self.0.leave();
    }
}
