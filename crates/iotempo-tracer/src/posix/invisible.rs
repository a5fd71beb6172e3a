//! I/O that no hook can follow is noted, so that a reader knows what is missing.

use crate::files::{self, IGNORED};
use crate::real::hook;
use crate::record::{note, note_once};
use crate::settings::{POSIX, STDIO, wants};
use core::ffi::{c_int, c_long, c_uint, c_void};
use iotempo_model::wire::note::{AIO, IO_URING, MMAP};
use libc::{off_t, off64_t, size_t};

/// A mapping of a file: what is loaded from it and stored to it makes no calls.
extern "C" fn mapped(address: *mut c_void, size: size_t, flags: c_int, fd: c_int) {
    let of_a_file = fd >= 0 && flags & libc::MAP_ANONYMOUS == 0;
    if address == libc::MAP_FAILED || !of_a_file || !wants(POSIX) {
        return;
    }
    let file = files::of(fd);
    if file != IGNORED {
        note(MMAP, file, size as u64);
    }
}

extern "C" fn ring_set_up(entries: c_uint) {
    if wants(POSIX) {
        note(IO_URING, 0, entries.into());
    }
}

/// Asynchronous I/O was accepted; some ask again and again until it is.
extern "C" fn handed_over(fd: c_int, result: c_int) {
    if result != 0 || !wants(POSIX) {
        return;
    }
    let file = files::of(fd);
    if file != IGNORED {
        note_once(AIO, file);
    }
}

/// liburing returns its errors instead of setting `errno`.
unsafe extern "C-unwind" fn no_liburing() -> isize {
    -(libc::ENOSYS as isize)
}

hook! {
    fn mmap(
        hint: *mut c_void, size: size_t, access: c_int, flags: c_int, fd: c_int, offset: off_t,
    ) -> *mut c_void, real => {
        let address = real(hint, size, access, flags, fd, offset);
        mapped(address, size, flags, fd);
        address
    }
    fn mmap64(
        hint: *mut c_void, size: size_t, access: c_int, flags: c_int, fd: c_int, offset: off64_t,
    ) -> *mut c_void, real => {
        let address = real(hint, size, access, flags, fd, offset);
        mapped(address, size, flags, fd);
        address
    }
    fn syscall(
        number: c_long, a: usize, b: usize, c: usize, d: usize, e: usize, f: usize,
    ) -> c_long, real => {
        if number == libc::SYS_close && wants(POSIX | STDIO) {
            files::closing(a as c_int);
        }
        let result = real(number, a, b, c, d, e, f);
        if number == libc::SYS_io_uring_setup && result >= 0 {
            ring_set_up(a as c_uint);
        }
        result
    }
    fn io_uring_queue_init(entries: c_uint, ring: *mut c_void, flags: c_uint) -> c_int,
        real or no_liburing => {
        let result = real(entries, ring, flags);
        if result >= 0 {
            ring_set_up(entries);
        }
        result
    }
    fn io_uring_queue_init_params(entries: c_uint, ring: *mut c_void, params: *mut c_void) -> c_int,
        real or no_liburing => {
        let result = real(entries, ring, params);
        if result >= 0 {
            ring_set_up(entries);
        }
        result
    }
    fn aio_read(request: *mut libc::aiocb) -> c_int, real => {
        let fd = (*request).aio_fildes;
        let result = real(request);
        handed_over(fd, result);
        result
    }
    fn aio_read64(request: *mut libc::aiocb) -> c_int, real => {
        let fd = (*request).aio_fildes;
        let result = real(request);
        handed_over(fd, result);
        result
    }
    fn aio_write(request: *mut libc::aiocb) -> c_int, real => {
        let fd = (*request).aio_fildes;
        let result = real(request);
        handed_over(fd, result);
        result
    }
    fn aio_write64(request: *mut libc::aiocb) -> c_int, real => {
        let fd = (*request).aio_fildes;
        let result = real(request);
        handed_over(fd, result);
        result
    }
}
