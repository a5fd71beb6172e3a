//! Sets of bytes.

/// A bit for each byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Class([u64; 4]);

impl Class {
    /// `.`: anything but the end of a line.
    pub(super) fn any() -> Self {
        Self::default().with(b'\n', b'\n').inverse()
    }

    /// What `\d`, `\w`, `\s` and their opposites stand for.
    pub(super) fn named(letter: u8) -> Option<Self> {
        let none = Self::default();
        let class = match letter.to_ascii_lowercase() {
            b'd' => none.with(b'0', b'9'),
            b's' => none.with(b'\t', b'\r').with(b' ', b' '),
            b'w' => none
                .with(b'0', b'9')
                .with(b'A', b'Z')
                .with(b'_', b'_')
                .with(b'a', b'z'),
            _ => return None,
        };
        Some(match letter.is_ascii_uppercase() {
            true => class.inverse(),
            false => class,
        })
    }

    #[must_use]
    pub(super) fn with(self, low: u8, high: u8) -> Self {
        (low..=high).fold(self, |Self(mut words), byte| {
            if let Some(word) = words.get_mut(usize::from(byte / 64)) {
                *word |= 1 << (byte % 64);
            }
            Self(words)
        })
    }

    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        let mut words = self.0;
        for (word, more) in words.iter_mut().zip(other.0) {
            *word |= more;
        }
        Self(words)
    }

    #[must_use]
    pub(super) fn inverse(self) -> Self {
        Self(self.0.map(|word| !word))
    }

    pub(super) fn has(&self, byte: u8) -> bool {
        let word = self.0.get(usize::from(byte / 64)).copied();
        word.unwrap_or(0) >> (byte % 64) & 1 == 1
    }
}
