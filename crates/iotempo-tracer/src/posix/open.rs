//! Calls that give a file a descriptor.

use crate::clock;
use crate::files::{self, IGNORED};
use crate::real::hook;
use crate::record::record;
use crate::settings::{POSIX, STDIO, wants};
use core::ffi::{c_char, c_int, c_uint};
use core::ptr::null;
use iotempo_model::wire::{api, op};

/// What to do once a file is open. `errno` is not touched.
extern "C" fn opened(fd: c_int, path: *const c_char, start: u64) {
    let end = clock::ticks();
    if fd < 0 || !wants(POSIX | STDIO) {
        return;
    }
    let file = files::opened(fd, path);
    if file != IGNORED && wants(POSIX) {
        record(op::OPEN, api::POSIX, file, start, end, 0);
    }
}

/// Hooks of calls that open a path. The mode is a fixed argument, although C makes it variadic:
/// both ABIs pass it in the same register, and libc looks at it only if the flags say so.
macro_rules! opens {
    ($($name:ident($([$before:ident: $before_type:ty])? path $(, $arg:ident: $type:ty)*);)*) => {$(
        hook! {
            fn $name($($before: $before_type,)? path: *const c_char $(, $arg: $type)*) -> c_int, real => {
                let start = clock::ticks();
                let fd = real($($before,)? path $(, $arg)*);
                opened(fd, path, start);
                fd
            }
        }
    )*};
}

opens! {
    open(path, flags: c_int, mode: c_uint);
    open64(path, flags: c_int, mode: c_uint);
    __open(path, flags: c_int, mode: c_uint);
    __open64(path, flags: c_int, mode: c_uint);
    __open_2(path, flags: c_int);
    __open64_2(path, flags: c_int);
    creat(path, mode: c_uint);
    creat64(path, mode: c_uint);
    openat([folder: c_int] path, flags: c_int, mode: c_uint);
    openat64([folder: c_int] path, flags: c_int, mode: c_uint);
    __openat_2([folder: c_int] path, flags: c_int);
    __openat64_2([folder: c_int] path, flags: c_int);
}

/// Hooks of calls that open a file whose path is not given, or not as it will be.
macro_rules! makes {
    ($($name:ident($($arg:ident: $type:ty),*);)*) => {$(
        hook! {
            fn $name($($arg: $type),*) -> c_int, real => {
                let start = clock::ticks();
                let fd = real($($arg),*);
                opened(fd, null(), start);
                fd
            }
        }
    )*};
}

makes! {
    mkstemp(pattern: *mut c_char);
    mkstemp64(pattern: *mut c_char);
    mkostemp(pattern: *mut c_char, flags: c_int);
    mkostemp64(pattern: *mut c_char, flags: c_int);
    mkstemps(pattern: *mut c_char, suffix: c_int);
    mkstemps64(pattern: *mut c_char, suffix: c_int);
    mkostemps(pattern: *mut c_char, suffix: c_int, flags: c_int);
    mkostemps64(pattern: *mut c_char, suffix: c_int, flags: c_int);
    shm_open(name: *const c_char, flags: c_int, mode: c_uint);
}
