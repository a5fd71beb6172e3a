//! The `scanf` family. What they return is a number of fields, so their bytes are told by where the
//! stream stands before and after.

use super::file_of;
use super::place::place;
use crate::clock;
use crate::files::IGNORED;
use crate::real::hook;
use crate::record::record;

use core::ffi::{c_char, c_int, c_void};
use iotempo_model::wire::{api, op};
use libc::FILE;

unsafe extern "C" {
    static stdin: *mut FILE;
}

extern "C" fn scanned(file: u32, fields: c_int, start: u64, bytes: i64) {
    let end = clock::ticks();
    if let Ok(bytes) = u64::try_from(bytes)
        && (fields >= 0 || bytes > 0)
    {
        record(op::READ, api::STDIO, file, start, end, bytes);
    }
}

macro_rules! scans {
    ($($name:ident($($arg:ident: $type:ty),*), $stream:expr;)*) => {$(
        hook! {
            fn $name($($arg: $type),*) -> c_int, real => {
                let file = file_of($stream);
                if file == IGNORED {
                    return real($($arg),*);
                }
                let before = place($stream);
                let start = clock::ticks();
                let fields = real($($arg),*);
                scanned(file, fields, start, place($stream) - before);
                fields
            }
        }
    )*};
}

// The second and third forms are what the headers of C99 and C23 make of the first.
scans! {
    vfscanf(stream: *mut FILE, format: *const c_char, args: *mut c_void), stream;
    __isoc99_vfscanf(stream: *mut FILE, format: *const c_char, args: *mut c_void), stream;
    __isoc23_vfscanf(stream: *mut FILE, format: *const c_char, args: *mut c_void), stream;
    vscanf(format: *const c_char, args: *mut c_void), stdin;
    __isoc99_vscanf(format: *const c_char, args: *mut c_void), stdin;
    __isoc23_vscanf(format: *const c_char, args: *mut c_void), stdin;
}
