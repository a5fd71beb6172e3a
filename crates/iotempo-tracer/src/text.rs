//! Text of a fixed size, because nothing here may allocate.

use core::ffi::CStr;

/// Bytes that always end in a zero, so that the kernel can read them.
pub(crate) struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

/// A path.
pub(crate) type PathText = Text<{ libc::PATH_MAX as usize }>;

impl<const N: usize> Text<N> {
    pub(crate) const fn new() -> Self {
        Self {
            bytes: [0; N],
            length: 0,
        }
    }

    /// Adds what fits.
    pub(crate) fn push(&mut self, text: &[u8]) {
        for &byte in text {
            let Some(slot) = self
                .bytes
                .get_mut(self.length)
                .filter(|_| self.length + 1 < N)
            else {
                return;
            };
            *slot = byte;
            self.length += 1;
        }
    }

    /// Adds what fits of what a function leaves in the rest of the text, by its length.
    pub(crate) fn push_with(&mut self, fill: impl FnOnce(&mut [u8]) -> Option<usize>) -> bool {
        let room = self.bytes.get_mut(self.length..N - 1);
        let filled = room.and_then(fill);
        self.length += filled.unwrap_or(0);
        filled.is_some()
    }

    pub(crate) fn push_number(&mut self, number: u64) {
        let mut divisor = 1;
        while number / divisor >= 10 {
            divisor *= 10;
        }
        while divisor > 0 {
            self.push(&[b'0' + (number / divisor % 10) as u8]);
            divisor /= 10;
        }
    }

    /// Adds a name as one component of a path.
    pub(crate) fn push_component(&mut self, name: &[u8]) {
        for (index, &byte) in name.iter().enumerate() {
            let harmful = byte == b'/' || byte == 0 || (index == 0 && byte == b'.');
            self.push(&[if harmful { b'_' } else { byte }]);
        }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }

    /// Up to the first zero.
    pub(crate) fn as_c(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.bytes).unwrap_or_default()
    }

    pub(crate) fn clear(&mut self) {
        // Beyond the length all is zero already.
        self.bytes
            .get_mut(..self.length)
            .unwrap_or_default()
            .fill(0);
        self.length = 0;
    }
}

/// Copies what fits and leaves a zero at the end.
pub(crate) fn copy_name(name: &[u8], into: &mut [u8]) {
    let room = into.len().saturating_sub(1);
    for (to, from) in into.iter_mut().take(room).zip(name) {
        *to = *from;
    }
}
