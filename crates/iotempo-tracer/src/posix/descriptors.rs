//! Calls that close and copy descriptors.

use crate::clock;
use crate::files::{self, IGNORED};
use crate::real::hook;
use crate::record::record;
use crate::settings::{POSIX, STDIO, wants};
use core::ffi::{c_int, c_uint};
use iotempo_model::wire::{api, op};

extern "C" fn closing(fd: c_int) -> u32 {
    if wants(POSIX | STDIO) {
        files::closing(fd)
    } else {
        IGNORED
    }
}

extern "C" fn closed(file: u32, start: u64, result: c_int) {
    if file > IGNORED && result == 0 && wants(POSIX) {
        record(op::CLOSE, api::POSIX, file, start, clock::ticks(), 0);
    }
}

extern "C" fn duplicated(old: c_int, new: c_int) {
    if new >= 0 && new != old && wants(POSIX | STDIO) {
        files::duplicated(old, new);
    }
}

hook! {
    fn close(fd: c_int) -> c_int, real => {
        let file = closing(fd);
        let start = clock::ticks();
        let result = real(fd);
        closed(file, start, result);
        result
    }
    fn __close(fd: c_int) -> c_int, real => {
        let file = closing(fd);
        let start = clock::ticks();
        let result = real(fd);
        closed(file, start, result);
        result
    }
    fn close_range(first: c_uint, last: c_uint, flags: c_int) -> c_int, real => {
        let result = real(first, last, flags);
        if result == 0 && flags as c_uint & libc::CLOSE_RANGE_CLOEXEC == 0 && wants(POSIX | STDIO) {
            files::closing_range(first, last);
        }
        result
    }
    fn closefrom(first: c_int) -> (), real => {
        if wants(POSIX | STDIO) {
            files::closing_range(first.max(0) as c_uint, c_uint::MAX);
        }
        real(first)
    }
    fn dup(old: c_int) -> c_int, real => {
        let new = real(old);
        duplicated(old, new);
        new
    }
    fn dup2(old: c_int, new: c_int) -> c_int, real => {
        let result = real(old, new);
        duplicated(old, result);
        result
    }
    fn __dup2(old: c_int, new: c_int) -> c_int, real => {
        let result = real(old, new);
        duplicated(old, result);
        result
    }
    fn dup3(old: c_int, new: c_int, flags: c_int) -> c_int, real => {
        let result = real(old, new, flags);
        duplicated(old, result);
        result
    }
    fn fcntl(fd: c_int, command: c_int, argument: usize) -> c_int, real => {
        let result = real(fd, command, argument);
        if matches!(command, libc::F_DUPFD | libc::F_DUPFD_CLOEXEC) {
            duplicated(fd, result);
        }
        result
    }
    fn fcntl64(fd: c_int, command: c_int, argument: usize) -> c_int, real => {
        let result = real(fd, command, argument);
        if matches!(command, libc::F_DUPFD | libc::F_DUPFD_CLOEXEC) {
            duplicated(fd, result);
        }
        result
    }
}
