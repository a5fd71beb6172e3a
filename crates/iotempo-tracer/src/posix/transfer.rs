//! Calls that move bytes.

use crate::clock;
use crate::files::{self, IGNORED};
use crate::real::hook;
use crate::record::record;
use crate::settings::{POSIX, wants};
use core::ffi::{c_int, c_uint, c_void};
use iotempo_model::wire::api;
use iotempo_model::wire::op::{READ, SYNC, WRITE};
use libc::{iovec, off_t, off64_t, size_t, ssize_t};

/// Hooks of calls whose first argument is the descriptor and whose result is a number of bytes.
macro_rules! transfers {
    ($($op:ident $name:ident($($arg:ident: $type:ty),*);)*) => {$(
        hook! {
            fn $name(fd: c_int, $($arg: $type),*) -> ssize_t, real => {
                if !wants(POSIX) {
                    return real(fd, $($arg),*);
                }
                let file = files::of(fd);
                if file == IGNORED {
                    return real(fd, $($arg),*);
                }
                let start = clock::ticks();
                let moved = real(fd, $($arg),*);
                if moved >= 0 {
                    record($op, api::POSIX, file, start, clock::ticks(), moved as u64);
                }
                moved
            }
        }
    )*};
}

transfers! {
    READ read(buffer: *mut c_void, size: size_t);
    READ __read(buffer: *mut c_void, size: size_t);
    READ __read_chk(buffer: *mut c_void, size: size_t, room: size_t);
    READ pread(buffer: *mut c_void, size: size_t, offset: off_t);
    READ pread64(buffer: *mut c_void, size: size_t, offset: off64_t);
    READ __pread64(buffer: *mut c_void, size: size_t, offset: off64_t);
    READ __pread_chk(buffer: *mut c_void, size: size_t, offset: off_t, room: size_t);
    READ __pread64_chk(buffer: *mut c_void, size: size_t, offset: off64_t, room: size_t);
    READ readv(buffers: *const iovec, count: c_int);
    READ preadv(buffers: *const iovec, count: c_int, offset: off_t);
    READ preadv64(buffers: *const iovec, count: c_int, offset: off64_t);
    READ preadv2(buffers: *const iovec, count: c_int, offset: off_t, flags: c_int);
    READ preadv64v2(buffers: *const iovec, count: c_int, offset: off64_t, flags: c_int);
    WRITE write(buffer: *const c_void, size: size_t);
    WRITE __write(buffer: *const c_void, size: size_t);
    WRITE pwrite(buffer: *const c_void, size: size_t, offset: off_t);
    WRITE pwrite64(buffer: *const c_void, size: size_t, offset: off64_t);
    WRITE __pwrite64(buffer: *const c_void, size: size_t, offset: off64_t);
    WRITE writev(buffers: *const iovec, count: c_int);
    WRITE pwritev(buffers: *const iovec, count: c_int, offset: off_t);
    WRITE pwritev64(buffers: *const iovec, count: c_int, offset: off64_t);
    WRITE pwritev2(buffers: *const iovec, count: c_int, offset: off_t, flags: c_int);
    WRITE pwritev64v2(buffers: *const iovec, count: c_int, offset: off64_t, flags: c_int);
}

/// Hooks of calls that force data out.
macro_rules! syncs {
    ($($name:ident($($arg:ident: $type:ty),*);)*) => {$(
        hook! {
            fn $name(fd: c_int, $($arg: $type),*) -> c_int, real => {
                let file = if wants(POSIX) { files::of(fd) } else { IGNORED };
                if file == IGNORED {
                    return real(fd, $($arg),*);
                }
                let start = clock::ticks();
                let result = real(fd, $($arg),*);
                if result == 0 {
                    record(SYNC, api::POSIX, file, start, clock::ticks(), 0);
                }
                result
            }
        }
    )*};
}

syncs! {
    fsync();
    fdatasync();
    sync_file_range(offset: off64_t, size: off64_t, flags: c_uint);
}

/// Both ends of a copy inside the kernel.
extern "C" fn copied(from: c_int, to: c_int, start: u64, bytes: ssize_t) {
    let end = clock::ticks();
    if bytes < 0 || !wants(POSIX) {
        return;
    }
    for (fd, op) in [(from, READ), (to, WRITE)] {
        let file = files::of(fd);
        if file != IGNORED {
            record(op, api::POSIX, file, start, end, bytes as u64);
        }
    }
}

hook! {
    fn sendfile(to: c_int, from: c_int, offset: *mut off_t, size: size_t) -> ssize_t, real => {
        let start = clock::ticks();
        let moved = real(to, from, offset, size);
        copied(from, to, start, moved);
        moved
    }
    fn sendfile64(to: c_int, from: c_int, offset: *mut off64_t, size: size_t) -> ssize_t, real => {
        let start = clock::ticks();
        let moved = real(to, from, offset, size);
        copied(from, to, start, moved);
        moved
    }
    fn copy_file_range(
        from: c_int, from_at: *mut off64_t, to: c_int, to_at: *mut off64_t, size: size_t,
        flags: c_uint,
    ) -> ssize_t, real => {
        let start = clock::ticks();
        let moved = real(from, from_at, to, to_at, size, flags);
        copied(from, to, start, moved);
        moved
    }
    fn splice(
        from: c_int, from_at: *mut off64_t, to: c_int, to_at: *mut off64_t, size: size_t,
        flags: c_uint,
    ) -> ssize_t, real => {
        let start = clock::ticks();
        let moved = real(from, from_at, to, to_at, size, flags);
        copied(from, to, start, moved);
        moved
    }
}
