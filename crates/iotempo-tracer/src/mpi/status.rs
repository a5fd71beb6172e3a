//! Statuses, which tell how many bytes a call moved. Where a program wants none, we do.

use super::library::Library;
use crate::sys;

/// Room for one status of any library.
const ONE: usize = 64;
/// Statuses that fit on the stack.
const FEW: usize = 64;

/// A status of ours.
#[repr(C, align(16))]
pub(super) struct Status([u8; ONE]);

impl Status {
    pub(super) const fn new() -> Self {
        Self([0; ONE])
    }

    /// The status of the program, or this one where it wants none.
    #[inline(always)]
    pub(super) fn instead_of(&mut self, given: usize, library: &Library) -> usize {
        if given == library.ignored {
            self.0.as_mut_ptr() as usize
        } else {
            given
        }
    }
}

/// Statuses of ours, for calls that complete several requests.
#[repr(C, align(16))]
pub(super) struct Statuses {
    few: [u8; FEW * 24],
    mapped: usize,
    length: usize,
}

impl Statuses {
    pub(super) const fn new() -> Self {
        Self {
            few: [0; FEW * 24],
            mapped: 0,
            length: 0,
        }
    }

    /// The statuses of the program, or these where it wants none. Where memory cannot be had for
    /// them, none are asked for.
    pub(super) fn instead_of(&mut self, given: usize, count: usize, library: &Library) -> usize {
        if given != library.ignored {
            return given;
        }
        self.length = count.saturating_mul(library.status_size);
        if self.length <= self.few.len() {
            return self.few.as_mut_ptr() as usize;
        }
        match sys::map_private(self.length) {
            Ok(memory) => {
                self.mapped = memory as usize;
                self.mapped
            }
            Err(_) => given,
        }
    }
}

impl Drop for Statuses {
    fn drop(&mut self) {
        if self.mapped != 0 {
            sys::unmap(self.mapped as *mut u8, self.length);
        }
    }
}
