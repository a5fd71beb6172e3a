//! Macros that work on the buffer of a stream by themselves, such as `putc_unlocked`: they call libc only
//! when the buffer is full or empty, so that it is known that they are used, but not for how much.

use super::file_of;
use crate::files::IGNORED;
use crate::real::hook;
use crate::record::note;
use core::ffi::c_int;
use iotempo_model::wire::note::INLINED;
use libc::FILE;

extern "C" fn used(stream: *mut FILE) {
    let file = file_of(stream);
    if file != IGNORED {
        note(INLINED, file, 0);
    }
}

hook! {
    fn __overflow(stream: *mut FILE, value: c_int) -> c_int, real => {
        used(stream);
        real(stream, value)
    }
    fn __uflow(stream: *mut FILE) -> c_int, real => {
        used(stream);
        real(stream)
    }
    fn __underflow(stream: *mut FILE) -> c_int, real => {
        used(stream);
        real(stream)
    }
}
