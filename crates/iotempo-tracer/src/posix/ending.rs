//! Calls that end the program without its destructors: by leaving at once, or by becoming another one.

use crate::real::hook;
use crate::{log, process};
use core::ffi::{c_char, c_int};

type Words = *const *const c_char;

/// The program is about to end.
pub(crate) extern "C" fn ending() {
    let Some(process) = process::get().filter(|process| process.has_header()) else {
        return;
    };
    // A child of vfork has the memory of its parent, which goes on.
    if process.is_borrowed() {
        return;
    }
    if process.has_log() {
        log::read_clocks(process);
    }
    log::mark_ended(process);
}

/// It did not become another one, and goes on.
extern "C" fn staying() {
    let process = process::get().filter(|process| process.has_header());
    if let Some(process) = process.filter(|process| !process.is_borrowed()) {
        log::unmark_ended(process);
    }
}

hook! {
    fn _exit(status: c_int) -> !, real => {
        ending();
        real(status)
    }
    fn _Exit(status: c_int) -> !, real => {
        ending();
        real(status)
    }
    fn execve(path: *const c_char, words: Words, environment: Words) -> c_int, real => {
        ending();
        let failed = real(path, words, environment);
        staying();
        failed
    }
    fn execv(path: *const c_char, words: Words) -> c_int, real => {
        ending();
        let failed = real(path, words);
        staying();
        failed
    }
    fn execvp(name: *const c_char, words: Words) -> c_int, real => {
        ending();
        let failed = real(name, words);
        staying();
        failed
    }
    fn execvpe(name: *const c_char, words: Words, environment: Words) -> c_int, real => {
        ending();
        let failed = real(name, words, environment);
        staying();
        failed
    }
    fn fexecve(fd: c_int, words: Words, environment: Words) -> c_int, real => {
        ending();
        let failed = real(fd, words, environment);
        staying();
        failed
    }
}
