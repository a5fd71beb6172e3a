//! Opening, closing and syncing files.

use super::call::Call;
use super::mpi;
use crate::files::{self, IGNORED};
use crate::log;
use iotempo_model::wire::op;

/// A file was opened under a name: the handle is known from now on.
extern "C" fn opened(call: Call, name: usize, handle: usize, result: i32) {
    if result != 0 {
        return;
    }
    let file = files::named(name as *const _);
    call.metadata(op::OPEN, file, result);
    let handle = unsafe { (handle as *const usize).read() };
    if file != IGNORED && !call.process.mpi.files.opened(handle, file) {
        log::count_dropped(call.process);
    }
}

/// Forgets a handle before it is closed: another thread may get the same one right afterwards.
extern "C" fn closing(call: Call, handle: usize) -> u32 {
    // Null is for the library to complain about.
    match unsafe { (handle as *const usize).as_ref() } {
        Some(&handle) => call.process.mpi.files.closing(handle),
        None => IGNORED,
    }
}

mpi! {
    fn MPI_File_open PMPI_File_open(comm, name, mode, info, file), real => {
        let Some(call) = Call::enter() else {
            return real(comm, name, mode, info, file);
        };
        let result = real(comm, name, mode, info, file);
        opened(call, name, file, result);
        call.leave();
        result
    };
    fn MPI_File_close PMPI_File_close(file), real => {
        let Some(call) = Call::enter() else {
            return real(file);
        };
        let closed = closing(call, file);
        let result = real(file);
        call.metadata(op::CLOSE, closed, result);
        call.leave();
        result
    };
    fn MPI_File_sync PMPI_File_sync(file), real => {
        let Some((call, synced)) = Call::on(file) else {
            return real(file);
        };
        let result = real(file);
        call.metadata(op::SYNC, synced, result);
        call.leave();
        result
    };
}
