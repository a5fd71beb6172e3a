//! MPI-IO, under Open MPI and under MPICH and its relatives, without a header of either.
//!
//! Handles, statuses and counts travel as machine words: no call here has more than six arguments,
//! so all of them lie in registers, and what the caller left in the upper half of a word is handed
//! on as it is. What must be known of a library beyond that is in [`library`].
//!
//! Each function is hooked by its own name and by its profiling name: the Fortran bindings of Open
//! MPI call the latter, those of MPICH the former, so every binding passes one of them. A call that
//! passes both counts once.

// Functions that hooks call are `extern "C"` so that a panic cannot pass them; nobody else calls them.
#![allow(improper_ctypes_definitions)]
// MPI names its functions so.
#![allow(non_snake_case)]

mod blocking;
mod call;
mod completion;
mod handles;
mod inside;
mod library;
pub(crate) mod loaded;
mod nonblocking;
mod open;
mod requests;
mod slots;
mod split;
mod status;
mod wait;

pub(crate) use inside::Inside;
pub(crate) use library::is_running;

/// What is known of files and requests. All of it may be zero.
pub(crate) struct State {
    files: handles::Handles,
    requests: requests::Requests,
}

/// Stands in where a program calls MPI without having it: `MPI_ERR_OTHER` of MPICH, and an error to
/// everybody else.
unsafe extern "C-unwind" fn absent() -> core::ffi::c_int {
    15
}

/// Defines a function under its name and under its profiling name.
macro_rules! mpi {
    ($(fn $name:ident $profiled:ident($($arg:ident),* $(,)?), $real:ident => $body:expr;)*) => {$(
        $crate::real::hook! {
            fn $name($($arg: usize),*) -> core::ffi::c_int, $real or $crate::mpi::absent => { $body }
            fn $profiled($($arg: usize),*) -> core::ffi::c_int, $real or $crate::mpi::absent => { $body }
        }
    )*};
}
use mpi;
