//! One word of memory that every thread has for itself.
//!
//! `thread_local!` in a library costs a call of the dynamic linker at each use. Libraries that are
//! there from the start of a program can do with two instructions (the initial-exec model), which
//! stable Rust can only say in assembler.

use core::arch::{asm, global_asm};

global_asm!(
    ".pushsection .tbss.iotempo_thread_word,\"awT\",%nobits",
    ".balign 8",
    ".hidden iotempo_thread_word",
    ".globl iotempo_thread_word",
    ".type iotempo_thread_word, %object",
    ".size iotempo_thread_word, 8",
    "iotempo_thread_word:",
    ".zero 8",
    ".popsection",
);

/// Where the word of the calling thread lies; it is zero at first.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn address() -> *mut usize {
    let address;
    unsafe {
        asm!(
            "mov {address}, qword ptr fs:[0]",
            "add {address}, qword ptr [rip + iotempo_thread_word@GOTTPOFF]",
            address = out(reg) address,
            options(pure, readonly, nostack),
        );
    }
    address
}

/// Where the word of the calling thread lies; it is zero at first.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn address() -> *mut usize {
    let address;
    unsafe {
        asm!(
            "mrs {address}, tpidr_el0",
            "adrp {offset}, :gottprel:iotempo_thread_word",
            "ldr {offset}, [{offset}, :gottprel_lo12:iotempo_thread_word]",
            "add {address}, {address}, {offset}",
            address = out(reg) address,
            offset = out(reg) _,
            options(pure, readonly, nostack),
        );
    }
    address
}

/// The word of the calling thread.
#[inline(always)]
pub(crate) fn get() -> usize {
    unsafe { address().read() }
}

/// Changes it.
pub(crate) fn set(word: usize) {
    unsafe { address().write(word) };
}
