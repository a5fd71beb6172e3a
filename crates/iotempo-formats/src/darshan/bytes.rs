//! Numbers in the byte order of the machine that wrote the log.

/// The order in which a log stores the bytes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByteOrder {
    /// x86, ARM, POWER LE.
    Little,
    /// Blue Gene and other POWER machines.
    Big,
}

impl ByteOrder {
    pub(crate) fn u32(self, bytes: &[u8]) -> u32 {
        let array = first(bytes);
        match self {
            Self::Little => u32::from_le_bytes(array),
            Self::Big => u32::from_be_bytes(array),
        }
    }

    pub(crate) fn u64(self, bytes: &[u8]) -> u64 {
        let array = first(bytes);
        match self {
            Self::Little => u64::from_le_bytes(array),
            Self::Big => u64::from_be_bytes(array),
        }
    }

    pub(crate) fn i64(self, bytes: &[u8]) -> i64 {
        self.u64(bytes) as i64
    }

    pub(crate) fn f64(self, bytes: &[u8]) -> f64 {
        f64::from_bits(self.u64(bytes))
    }

    /// Appends all the integers of `bytes`.
    pub(crate) fn extend_i64(self, to: &mut Vec<i64>, bytes: &[u8]) {
        self.extend(to, bytes, |word| word as i64);
    }

    /// Appends all the floating-point numbers of `bytes`.
    pub(crate) fn extend_f64(self, to: &mut Vec<f64>, bytes: &[u8]) {
        self.extend(to, bytes, f64::from_bits);
    }

    /// The order is decided once per run of numbers, so that the common one is a plain copy.
    fn extend<T>(self, to: &mut Vec<T>, bytes: &[u8], convert: impl Fn(u64) -> T) {
        let words = bytes.chunks_exact(8);
        match self {
            Self::Little => to.extend(words.map(|w| convert(u64::from_le_bytes(first(w))))),
            Self::Big => to.extend(words.map(|w| convert(u64::from_be_bytes(first(w))))),
        }
    }
}

/// The first `N` bytes. Callers have made sure that they are there.
fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes[..N].try_into().expect("N bytes")
}

/// Text up to the first NUL, or all of it; what is not UTF-8 is replaced.
pub(crate) fn text(bytes: &[u8]) -> String {
    let end = memchr::memchr(0, bytes).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}
