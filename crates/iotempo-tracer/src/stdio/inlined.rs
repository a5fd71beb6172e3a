//! Macros that work on the buffer of a stream by themselves, such as `putc_unlocked`: they call libc only
//! when the buffer is full or empty, so that it is known that they are used, but not for how much.

use super::file_of;
use crate::files::IGNORED;
use crate::real::hook;
use crate::record::note_once;
use core::ffi::c_int;
use iotempo_model::wire::note::INLINED;
use libc::FILE;

extern "C" fn used(stream: *mut FILE, result: c_int) {
    let file = file_of(stream);
    if file != IGNORED && result != libc::EOF {
        note_once(INLINED, file);
    }
}

hook! {
    fn __overflow(stream: *mut FILE, value: c_int) -> c_int, real => {
        let result = real(stream, value);
        used(stream, result);
        result
    }
    fn __uflow(stream: *mut FILE) -> c_int, real => {
        let result = real(stream);
        used(stream, result);
        result
    }
    fn __underflow(stream: *mut FILE) -> c_int, real => {
        let result = real(stream);
        used(stream, result);
        result
    }
}
