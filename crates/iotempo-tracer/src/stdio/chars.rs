//! Reading and writing streams by the character. A program may do that a billion times, so only
//! calls that reach beyond the stream's buffer look at the clock; the others are counted.

use super::file_of;
use crate::clock;
use crate::coalesce::{count_byte, record_byte};
use crate::files::IGNORED;
use crate::real::hook;
use core::ffi::{c_char, c_int};
use iotempo_model::wire::op::{READ, WRITE};
use libc::FILE;

unsafe extern "C" {
    static stdin: *mut FILE;
    static stdout: *mut FILE;
}

/// The head of glibc's `FILE`, which its macros have made part of its ABI.
#[repr(C)]
pub(super) struct Buffers {
    flags: c_int,
    pub(super) read_ptr: *mut c_char,
    pub(super) read_end: *mut c_char,
    read_base: *mut c_char,
    pub(super) write_base: *mut c_char,
    pub(super) write_ptr: *mut c_char,
    write_end: *mut c_char,
}

/// Whether the next character comes from the buffer, or goes into it.
#[inline(always)]
unsafe fn is_buffered(stream: *mut FILE, op: u8) -> bool {
    let buffers = stream.cast::<Buffers>();
    unsafe {
        match op {
            READ => (*buffers).read_ptr < (*buffers).read_end,
            _ => (*buffers).write_ptr < (*buffers).write_end,
        }
    }
}

/// Hooks of calls that move one character and return it, or -1.
macro_rules! chars {
    ($($op:ident $name:ident($($arg:ident: $type:ty),*), $stream:expr;)*) => {$(
        hook! {
            fn $name($($arg: $type),*) -> c_int, real => {
                let file = file_of($stream);
                if file == IGNORED {
                    return real($($arg),*);
                }
                if is_buffered($stream, $op) {
                    let moved = real($($arg),*);
                    if moved != libc::EOF {
                        count_byte($op, file);
                    }
                    return moved;
                }
                let start = clock::ticks();
                let moved = real($($arg),*);
                if moved != libc::EOF {
                    record_byte($op, file, start, clock::ticks());
                }
                moved
            }
        }
    )*};
}

chars! {
    READ fgetc(stream: *mut FILE), stream;
    READ getc(stream: *mut FILE), stream;
    READ _IO_getc(stream: *mut FILE), stream;
    READ getchar(), stdin;
    READ fgetc_unlocked(stream: *mut FILE), stream;
    READ getc_unlocked(stream: *mut FILE), stream;
    READ getchar_unlocked(), stdin;
    WRITE fputc(value: c_int, stream: *mut FILE), stream;
    WRITE putc(value: c_int, stream: *mut FILE), stream;
    WRITE _IO_putc(value: c_int, stream: *mut FILE), stream;
    WRITE putchar(value: c_int), stdout;
    WRITE fputc_unlocked(value: c_int, stream: *mut FILE), stream;
    WRITE putc_unlocked(value: c_int, stream: *mut FILE), stream;
    WRITE putchar_unlocked(value: c_int), stdout;
}
