//! Calls that wait for requests, or look whether they are complete.

use super::completion::{Done, Told, Waiting};
use super::mpi;
use super::status::{Status, Statuses};
use core::ffi::c_int;

/// How many requests an argument says there are.
fn number(count: usize) -> usize {
    usize::try_from(count as c_int).unwrap_or(0)
}

unsafe fn int_at(place: usize) -> c_int {
    unsafe { (place as *const c_int).read() }
}

/// What a call of the kind that completes one request says by its index.
unsafe fn one(index: usize) -> Done {
    // `MPI_UNDEFINED` is below zero.
    usize::try_from(unsafe { int_at(index) }).map_or(Done::None, Done::One)
}

/// What a call of the kind that completes some requests says by their count.
unsafe fn some(count: usize, indices: usize) -> Done {
    match usize::try_from(unsafe { int_at(count) }) {
        Ok(count) => Done::Some { indices, count },
        Err(_) => Done::None,
    }
}

/// Hooks of calls with one status. `done` is what they have completed if they succeed.
macro_rules! singles {
    ($($name:ident $profiled:ident($($arg:ident),*), $requests:ident, $count:expr; $done:expr;)*) => {$(
        mpi! {
            fn $name $profiled($($arg,)* status), real => {
                let Some(waiting) = Waiting::on($requests, $count) else {
                    return real($($arg,)* status);
                };
                let _inside = waiting.call.until_dropped();
                let mut own = Status::new();
                let status = own.instead_of(status, waiting.call.library);
                let result = real($($arg,)* status);
                let done = if result == 0 { $done } else { Done::Failed };
                waiting.finish(&done, Told::Complete, status);
                result
            };
        }
    )*};
}

singles! {
    MPI_Wait PMPI_Wait(request), request, 1; Done::All;
    MPI_Test PMPI_Test(request, flag), request, 1;
        if int_at(flag) != 0 { Done::All } else { Done::None };
    MPI_Waitany PMPI_Waitany(count, requests, index), requests, number(count); one(index);
    MPI_Testany PMPI_Testany(count, requests, index, flag), requests, number(count);
        if int_at(flag) != 0 { one(index) } else { Done::None };
}

/// Hooks of calls with a status for each request: which of them `have` statuses if there is an error
/// among them, and which are `done` if not.
macro_rules! several {
    ($($name:ident $profiled:ident($($arg:ident),*), $requests:ident, $count:ident;
        $done:expr, $have:expr;)*) => {$(
        mpi! {
            fn $name $profiled($($arg,)* statuses), real => {
                let count = number($count);
                let Some(waiting) = Waiting::on($requests, count) else {
                    return real($($arg,)* statuses);
                };
                let _inside = waiting.call.until_dropped();
                let mut own = Statuses::new();
                let statuses = own.instead_of(statuses, count, waiting.call.library);
                let result = real($($arg,)* statuses);
                let (done, told) = if result == 0 {
                    ($done, Told::Complete)
                } else if waiting.tells_each(result, statuses) {
                    ($have, Told::InStatus)
                } else {
                    (Done::Failed, Told::Complete)
                };
                waiting.finish(&done, told, statuses);
                result
            };
        }
    )*};
}

several! {
    MPI_Waitall PMPI_Waitall(count, requests), requests, count; Done::All, Done::All;
    MPI_Testall PMPI_Testall(count, requests, flag), requests, count;
        if int_at(flag) != 0 { Done::All } else { Done::None }, Done::All;
    MPI_Waitsome PMPI_Waitsome(count, requests, done, indices), requests, count;
        some(done, indices), some(done, indices);
    MPI_Testsome PMPI_Testsome(count, requests, done, indices), requests, count;
        some(done, indices), some(done, indices);
}

mpi! {
    // The program will never learn when it is complete, so neither can we: it ends here.
    fn MPI_Request_free PMPI_Request_free(request), real => {
        let Some(waiting) = Waiting::on(request, 1) else {
            return real(request);
        };
        let _inside = waiting.call.until_dropped();
        let result = real(request);
        let done = if result == 0 { Done::All } else { Done::Failed };
        waiting.finish(&done, Told::Complete, waiting.call.library.ignored);
        result
    };
}
