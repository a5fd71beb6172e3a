//! Opening, closing and flushing streams.

use super::{descriptor, file_of};
use crate::clock;
use crate::files::{self, IGNORED};
use crate::real::{absent_null, hook};
use crate::record::record;
use crate::settings::{POSIX, STDIO, wants};
use core::ffi::{c_char, c_int};
use core::ptr::null;
use iotempo_model::wire::{api, op};
use libc::FILE;

extern "C" fn opened(stream: *mut FILE, path: *const c_char, start: u64) {
    let end = clock::ticks();
    if stream.is_null() || !wants(POSIX | STDIO) {
        return;
    }
    let fd = descriptor(stream);
    let file = if fd >= 0 {
        files::opened(fd, path)
    } else {
        IGNORED
    };
    if file != IGNORED && wants(STDIO) {
        record(op::OPEN, api::STDIO, file, start, end, 0);
    }
}

/// Forgets the descriptor of a stream that is about to be closed.
extern "C" fn closing(stream: *mut FILE) -> u32 {
    if !wants(POSIX | STDIO) {
        return IGNORED;
    }
    match descriptor(stream) {
        -1 => IGNORED,
        fd => files::closing(fd),
    }
}

extern "C" fn closed(file: u32, start: u64, result: c_int) {
    if file > IGNORED && result == 0 && wants(STDIO) {
        record(op::CLOSE, api::STDIO, file, start, clock::ticks(), 0);
    }
}

/// Hooks of calls that open a stream; the path is the first argument.
macro_rules! opens {
    ($($name:ident($($arg:ident: $type:ty),*);)*) => {$(
        hook! {
            fn $name(path: *const c_char $(, $arg: $type)*) -> *mut FILE, real or absent_null => {
                let start = clock::ticks();
                let stream = real(path $(, $arg)*);
                opened(stream, path, start);
                stream
            }
        }
    )*};
}

opens! {
    fopen(mode: *const c_char);
    fopen64(mode: *const c_char);
}

/// The old file is closed and the new one opened, both inside libc.
macro_rules! reopens {
    ($($name:ident;)*) => {$(
        hook! {
            fn $name(path: *const c_char, mode: *const c_char, stream: *mut FILE) -> *mut FILE,
                real or absent_null => {
                let old = closing(stream);
                let start = clock::ticks();
                let result = real(path, mode, stream);
                closed(old, start, 0);
                opened(result, path, start);
                result
            }
        }
    )*};
}

reopens! {
    freopen;
    freopen64;
}

hook! {
    fn fdopen(fd: c_int, mode: *const c_char) -> *mut FILE, real or absent_null => {
        let start = clock::ticks();
        let stream = real(fd, mode);
        opened(stream, null(), start);
        stream
    }
    fn tmpfile() -> *mut FILE, real or absent_null => {
        let start = clock::ticks();
        let stream = real();
        opened(stream, null(), start);
        stream
    }
    fn tmpfile64() -> *mut FILE, real or absent_null => {
        let start = clock::ticks();
        let stream = real();
        opened(stream, null(), start);
        stream
    }
    fn fclose(stream: *mut FILE) -> c_int, real => {
        let file = closing(stream);
        let start = clock::ticks();
        let result = real(stream);
        closed(file, start, result);
        result
    }
    fn pclose(stream: *mut FILE) -> c_int, real => {
        closing(stream);
        real(stream)
    }
}

/// Hooks of calls that empty the buffer of a stream, or of all streams where it is null.
macro_rules! flushes {
    ($($name:ident;)*) => {$(
        hook! {
            fn $name(stream: *mut FILE) -> c_int, real => {
                let file = file_of(stream);
                if file == IGNORED {
                    return real(stream);
                }
                let start = clock::ticks();
                let result = real(stream);
                if result == 0 {
                    record(op::SYNC, api::STDIO, file, start, clock::ticks(), 0);
                }
                result
            }
        }
    )*};
}

flushes! {
    fflush;
    fflush_unlocked;
}
