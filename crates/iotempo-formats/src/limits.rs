//! How much a reader may take from an input that nobody vouches for.

/// Bounds on what one input may make a reader do. The defaults are far above any real log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes that one compressed section may inflate to.
    ///
    /// zlib expands up to 1032 times, bzip2 over 10,000 times; the most seen in real Darshan logs
    /// is 143 times.
    pub inflated: u64,
    /// The most bytes of decoded records that may be held in memory at once.
    pub decoded: u64,
    /// The most bytes of an input that must be held in memory because it cannot be sought in
    /// (standard input, a member of a compressed archive).
    pub spooled: u64,
    /// The longest file name or line of text.
    pub name: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            inflated: 64 << 30,
            decoded: 4 << 30,
            spooled: 4 << 30,
            name: 16 << 20,
        }
    }
}
