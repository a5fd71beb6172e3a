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

/// Hides a handle before it is closed: another thread may get the same one right afterwards.
extern "C" fn closing(call: Call, handle: usize) {
    // Null is for the library to complain about.
    if let Some(&handle) = unsafe { (handle as *const usize).as_ref() }
        && let Some(hidden) = call.process.mpi.files.closing(handle)
    {
        call.inside().closes(hidden);
    }
}

/// Forgets the handle of a file that was closed; a file that was not is still open.
extern "C" fn closed(call: Call, result: i32) {
    let hidden = call.inside().take_closing();
    if hidden.is_some() {
        call.metadata(op::CLOSE, hidden.file, result);
        call.process.mpi.files.closed(hidden, result == 0);
    }
}

mpi! {
    fn MPI_File_open PMPI_File_open(comm, name, mode, info, file), real => {
        let Some(call) = Call::enter() else {
            return real(comm, name, mode, info, file);
        };
        let _inside = call.until_dropped();
        let result = real(comm, name, mode, info, file);
        opened(call, name, file, result);
        result
    };
    fn MPI_File_close PMPI_File_close(file), real => {
        let Some(call) = Call::enter() else {
            return real(file);
        };
        let _inside = call.until_dropped();
        closing(call, file);
        let result = real(file);
        closed(call, result);
        result
    };
    fn MPI_File_sync PMPI_File_sync(file), real => {
        let Some((call, synced)) = Call::on(file) else {
            return real(file);
        };
        let _inside = call.until_dropped();
        let result = real(file);
        call.metadata(op::SYNC, synced, result);
        result
    };
}
