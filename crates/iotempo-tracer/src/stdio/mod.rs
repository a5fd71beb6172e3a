//! The streams of C. What libc reads and writes beneath them passes no hook, so no byte of theirs
//! is seen twice.

mod blocks;
mod chars;
mod inlined;
mod place;
mod scan;
mod streams;
mod transfer;
mod variadic;

use crate::files::{self, IGNORED};
use crate::settings::{STDIO, wants};
use core::ffi::c_int;
use libc::FILE;

/// The file behind a stream; streams in memory have none.
#[inline(always)]
fn file_of(stream: *mut FILE) -> u32 {
    if !wants(STDIO) {
        return IGNORED;
    }
    match descriptor(stream) {
        -1 => IGNORED,
        fd => files::of(fd),
    }
}

/// The descriptor of a stream, or -1. `fileno` sets `errno` where there is none.
#[inline(always)]
fn descriptor(stream: *mut FILE) -> c_int {
    if stream.is_null() {
        return -1;
    }
    crate::real::keeping_errno(|| unsafe { libc::fileno(stream) })
}
