//! Where a stream stands, which tells how much was taken from it where no result does.

use super::chars::Buffers;
use super::descriptor;
use crate::sys;
use core::ffi::{c_int, c_void};
use libc::FILE;

unsafe extern "C" {
    fn ftrylockfile(stream: *mut FILE) -> c_int;
    fn funlockfile(stream: *mut FILE);
}

/// How many bytes of a file the program has taken from a stream; a pipe has no such place, but for
/// what lies in the buffer. Asking the kernel changes nothing.
pub(super) extern "C" fn place(stream: *mut FILE) -> i64 {
    let buffers = stream.cast::<Buffers>();
    let pending = unsafe { (*buffers).write_ptr as i64 - (*buffers).write_base as i64 };
    sys::offset(descriptor(stream)).unwrap_or(0) - ahead(stream) + pending
}

/// How much lies in the buffer to be read.
fn ahead(stream: *mut FILE) -> i64 {
    let buffers = stream.cast::<Buffers>();
    unsafe { (*buffers).read_end as i64 - (*buffers).read_ptr as i64 }
}

fn address(stream: *mut FILE) -> i64 {
    unsafe { (*stream.cast::<Buffers>()).read_ptr as i64 }
}

/// Whether the end of a line lies in the buffer, which nobody may exchange meanwhile.
fn has_line(stream: *mut FILE) -> bool {
    if unsafe { ftrylockfile(stream) } != 0 {
        return false;
    }
    let (start, size) = (address(stream) as *const c_void, ahead(stream));
    let found = size > 0 && !unsafe { libc::memchr(start, b'\n'.into(), size as usize) }.is_null();
    unsafe { funlockfile(stream) };
    found
}

/// Where a stream stood before it was read. The kernel is asked only where the call will do so, too.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Before {
    at: i64,
    in_buffer: bool,
}

impl Before {
    /// Before a call that takes no more bytes than `most`.
    pub(super) extern "C" fn block(stream: *mut FILE, most: u64) -> Self {
        Self::new(
            stream,
            i64::try_from(most).is_ok_and(|most| most <= ahead(stream)),
        )
    }

    /// Before a call that takes one byte less than `room`, or all up to the end of a line.
    pub(super) extern "C" fn line(stream: *mut FILE, room: c_int) -> Self {
        let in_buffer = i64::from(room) <= ahead(stream) + 1 || has_line(stream);
        Self::new(stream, in_buffer)
    }

    fn new(stream: *mut FILE, in_buffer: bool) -> Self {
        let at = if in_buffer {
            address(stream)
        } else {
            place(stream)
        };
        Self { at, in_buffer }
    }

    /// How much was taken, within what is known for sure: others may use the same file.
    pub(super) extern "C" fn moved(self, stream: *mut FILE, least: u64, most: u64) -> u64 {
        let now = if self.in_buffer {
            address(stream)
        } else {
            place(stream)
        };
        u64::try_from(now - self.at)
            .unwrap_or(0)
            .min(most)
            .max(least)
    }
}
