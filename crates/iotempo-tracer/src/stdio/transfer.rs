//! Reading and writing streams where the result tells how much.

use super::blocks::nothing;
use super::file_of;
use crate::clock;
use crate::files::IGNORED;
use crate::real::hook;
use crate::record::record;
use core::ffi::{CStr, c_char, c_int, c_void};
use iotempo_model::wire::api;
use iotempo_model::wire::op::{READ, WRITE};
use libc::{FILE, size_t, ssize_t};

unsafe extern "C" {
    static stdout: *mut FILE;
}

/// Hooks of calls on a stream; the last expression is the number of bytes, from the result.
macro_rules! transfers {
    ($($op:ident $name:ident($($arg:ident: $type:ty),*) -> $result:ty, $stream:expr
        $(, or $absent:ident)?; |$value:ident| $bytes:expr;)*) => {$(
        hook! {
            fn $name($($arg: $type),*) -> $result, real $(or $absent)? => {
                let file = file_of($stream);
                if file == IGNORED {
                    return real($($arg),*);
                }
                let start = clock::ticks();
                let $value = real($($arg),*);
                let end = clock::ticks();
                if let Some(bytes) = $bytes {
                    record($op, api::STDIO, file, start, end, bytes);
                }
                $value
            }
        }
    )*};
}

/// Whole items; of a write that fails, what libc moved of a last, partial one is not known.
fn items(count: size_t, size: size_t) -> Option<u64> {
    Some((count as u64).wrapping_mul(size as u64))
}

unsafe fn length(text: *const c_char) -> Option<u64> {
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_bytes().len() as u64)
}

/// A number of bytes, or an error below zero.
fn count(result: isize) -> Option<u64> {
    u64::try_from(result).ok()
}

transfers! {
    READ getline(to: *mut *mut c_char, room: *mut size_t, stream: *mut FILE) -> ssize_t,
        stream; |size| count(size);
    READ getdelim(to: *mut *mut c_char, room: *mut size_t, end: c_int, stream: *mut FILE)
        -> ssize_t, stream; |size| count(size);
    READ __getdelim(to: *mut *mut c_char, room: *mut size_t, end: c_int, stream: *mut FILE)
        -> ssize_t, stream; |size| count(size);
    WRITE fwrite(from: *const c_void, size: size_t, n: size_t, stream: *mut FILE) -> size_t,
        stream, or nothing; |done| items(done, size);
    WRITE fwrite_unlocked(from: *const c_void, size: size_t, n: size_t, stream: *mut FILE)
        -> size_t, stream, or nothing; |done| items(done, size);
    WRITE fputs(text: *const c_char, stream: *mut FILE) -> c_int,
        stream; |result| count(result as isize).and_then(|_| length(text));
    WRITE fputs_unlocked(text: *const c_char, stream: *mut FILE) -> c_int,
        stream; |result| count(result as isize).and_then(|_| length(text));
    WRITE puts(text: *const c_char) -> c_int,
        stdout; |result| count(result as isize).and_then(|_| Some(length(text)? + 1));
    WRITE vprintf(format: *const c_char, args: *mut c_void) -> c_int,
        stdout; |size| count(size as isize);
    WRITE vfprintf(stream: *mut FILE, format: *const c_char, args: *mut c_void) -> c_int,
        stream; |size| count(size as isize);
    WRITE __vprintf_chk(flag: c_int, format: *const c_char, args: *mut c_void) -> c_int,
        stdout; |size| count(size as isize);
    WRITE __vfprintf_chk(
        stream: *mut FILE, flag: c_int, format: *const c_char, args: *mut c_void
    ) -> c_int, stream; |size| count(size as isize);
}

/// Hooks of calls that print to a descriptor, past all streams.
macro_rules! descriptor_prints {
    ($($name:ident($($arg:ident: $type:ty),*);)*) => {$(
        hook! {
            fn $name(fd: c_int, $($arg: $type),*) -> c_int, real => {
                use crate::settings::{POSIX, wants};
                let file = if wants(POSIX) { crate::files::of(fd) } else { IGNORED };
                if file == IGNORED {
                    return real(fd, $($arg),*);
                }
                let start = clock::ticks();
                let size = real(fd, $($arg),*);
                if let Some(bytes) = count(size as isize) {
                    record(WRITE, api::POSIX, file, start, clock::ticks(), bytes);
                }
                size
            }
        }
    )*};
}

descriptor_prints! {
    vdprintf(format: *const c_char, args: *mut c_void);
    __vdprintf_chk(flag: c_int, format: *const c_char, args: *mut c_void);
}
