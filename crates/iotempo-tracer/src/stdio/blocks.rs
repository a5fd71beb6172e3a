//! Reading streams where the result may not tell how much: a part of an item, zeros within a line.

use super::file_of;
use super::place::Before;
use crate::clock;
use crate::files::IGNORED;
use crate::real::{absent_null, hook};
use crate::record::record;
use core::ffi::{CStr, c_char, c_int, c_void};
use iotempo_model::wire::{api, op::READ};
use libc::{FILE, size_t};

/// Zero items instead of an error: these functions have no other way to fail.
pub(super) unsafe extern "C-unwind" fn nothing() -> usize {
    0
}

/// Bytes of items; those of one byte are never read in part.
fn bytes_of(count: size_t, size: size_t) -> u64 {
    (count as u64).saturating_mul(size as u64)
}

extern "C" fn before_items(stream: *mut FILE, size: size_t, n: size_t) -> Before {
    let most = if size > 1 { bytes_of(n, size) } else { 0 };
    Before::block(stream, most)
}

extern "C" fn items_read(
    before: Before,
    stream: *mut FILE,
    size: size_t,
    n: size_t,
    done: size_t,
) -> u64 {
    let whole = bytes_of(done, size);
    if done < n && size > 1 {
        before.moved(stream, whole, bytes_of(n, size))
    } else {
        whole
    }
}

/// A line ends where it should, or where there is no more room; if not, at the end of the file or
/// behind a zero.
extern "C" fn line_read(
    before: Before,
    stream: *mut FILE,
    room: c_int,
    line: *const c_char,
) -> u64 {
    let text = unsafe { CStr::from_ptr(line) }.to_bytes();
    let (length, most) = (
        text.len() as u64,
        u64::try_from(room.saturating_sub(1)).unwrap_or(0),
    );
    if text.ends_with(b"\n") || length >= most {
        return length;
    }
    before.moved(stream, length, most)
}

/// Hooks of calls that read items.
macro_rules! items {
    ($($name:ident($to:ident $(, $room:ident)?);)*) => {$(
        hook! {
            fn $name($to: *mut c_void, $($room: size_t,)? size: size_t, n: size_t, stream: *mut FILE)
                -> size_t, real or nothing => {
                let file = file_of(stream);
                if file == IGNORED {
                    return real($to, $($room,)? size, n, stream);
                }
                let before = before_items(stream, size, n);
                let start = clock::ticks();
                let done = real($to, $($room,)? size, n, stream);
                let end = clock::ticks();
                let bytes = items_read(before, stream, size, n, done);
                record(READ, api::STDIO, file, start, end, bytes);
                done
            }
        }
    )*};
}

items! {
    fread(to);
    fread_unlocked(to);
    __fread_chk(to, room);
    __fread_unlocked_chk(to, room);
}

/// Hooks of calls that read a line.
macro_rules! lines {
    ($($name:ident($to:ident $(, $room:ident)?);)*) => {$(
        hook! {
            fn $name($to: *mut c_char, $($room: size_t,)? size: c_int, stream: *mut FILE)
                -> *mut c_char, real or absent_null => {
                let file = file_of(stream);
                if file == IGNORED {
                    return real($to, $($room,)? size, stream);
                }
                let before = Before::line(stream, size);
                let start = clock::ticks();
                let line = real($to, $($room,)? size, stream);
                let end = clock::ticks();
                if !line.is_null() {
                    let bytes = line_read(before, stream, size, line);
                    record(READ, api::STDIO, file, start, end, bytes);
                }
                line
            }
        }
    )*};
}

lines! {
    fgets(to);
    fgets_unlocked(to);
    __fgets_chk(to, room);
    __fgets_unlocked_chk(to, room);
}
