//! A library for `LD_PRELOAD` that logs what a program reads and writes.
//!
//! It stands in other people's processes, so it must not be noticed: results and `errno` are those
//! of the real functions; nothing on the way to a record allocates, waits for a lock, or can panic;
//! and what goes wrong with the log ends the log, never the program. Threads wait for each other in
//! two places, with signals blocked: while the first of them makes the log, and where the name of a
//! new file goes into a ring. The first call of MPI asks the dynamic linker where MPI is, which has
//! a lock. The log is described in `docs/trace-format.md`.
//!
//! A hook asks [`files`] which file it is about, calls the function from [`real`], and hands what
//! it saw to [`record`], which writes it into the chunk of the calling [`thread`].

// Symbols are exported from private modules: nobody calls them by a path.
#![allow(unsafe_code, unreachable_pub)]
#![warn(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unreachable
)]

#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
compile_error!("the tracer knows the system calls of Linux on x86-64 and aarch64 only");

mod chunks;
mod clock;
mod coalesce;
mod elsewhere;
mod entry;
mod files;
mod filter;
mod local;
mod log;
mod mpi;
mod posix;
mod process;
mod real;
mod record;
mod ring;
mod scratch;
mod settings;
mod stdio;
mod sys;
mod text;
mod thread;

extern "C" fn loaded() {
    real::keeping_errno(|| {
        real::find_all();
        settings::load();
    });
}

#[used]
#[unsafe(link_section = ".init_array")]
static LOADED: extern "C" fn() = loaded;

#[used]
#[unsafe(link_section = ".fini_array")]
static ENDING: extern "C" fn() = posix::ending;
