//! What pictures are drawn with.

/// A set of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Glyphs {
    /// Braille: two columns and four rows of dots a cell.
    #[default]
    Braille,
    /// For terminals that know nothing else.
    Ascii,
}

/// What a piece of the line of time stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Nothing.
    Idle,
    /// A phase.
    Phase,
    /// A phase to expect.
    Next,
}

impl Glyphs {
    /// The vertical axis at a label, between labels, and at its foot.
    #[must_use]
    pub fn edges(self) -> [char; 3] {
        match self {
            Self::Braille => ['┤', '│', '┼'],
            Self::Ascii => ['+', '|', '+'],
        }
    }

    /// What a label of time stands behind.
    #[must_use]
    pub fn tick(self) -> char {
        match self {
            Self::Braille => '╵',
            Self::Ascii => '\'',
        }
    }

    /// One row of bars, counted from below; `heights` are in quarters of a row, two a cell.
    #[must_use]
    pub fn row(self, heights: &[usize], row: usize) -> String {
        let filled = |height: usize| height.saturating_sub(4 * row).min(4);
        heights
            .chunks(2)
            .map(|pair| {
                let (left, right) = (filled(pair[0]), filled(pair[pair.len() - 1]));
                self.bar(left, right)
            })
            .collect()
    }

    fn bar(self, left: usize, right: usize) -> char {
        match self {
            Self::Braille if left + right == 0 => ' ',
            Self::Braille => braille(left, right),
            Self::Ascii => [' ', '.', ':', '#', '#'][left.max(right)],
        }
    }

    /// One cell of the line of time, and what it stands for.
    #[must_use]
    pub fn mark(self, left: Mark, right: Mark) -> (char, Mark) {
        let kind = match (left, right) {
            (Mark::Phase, _) | (_, Mark::Phase) => Mark::Phase,
            (Mark::Next, _) | (_, Mark::Next) => Mark::Next,
            (Mark::Idle, Mark::Idle) => Mark::Idle,
        };
        let glyph = match (self, kind) {
            (Self::Braille, Mark::Phase) if left != Mark::Phase => '╼',
            (Self::Braille, Mark::Phase) if right != Mark::Phase => '╾',
            (Self::Braille, Mark::Phase) => '━',
            (Self::Braille, Mark::Next) => '┄',
            (Self::Braille, Mark::Idle) => '─',
            (Self::Ascii, Mark::Phase) => '=',
            (Self::Ascii, Mark::Next) => '~',
            (Self::Ascii, Mark::Idle) => '-',
        };
        (glyph, kind)
    }
}

/// Two columns of dots, filled from below.
fn braille(left: usize, right: usize) -> char {
    const LEFT: [u32; 5] = [0, 0x40, 0x44, 0x46, 0x47];
    const RIGHT: [u32; 5] = [0, 0x80, 0xa0, 0xb0, 0xb8];
    char::from_u32(0x2800 + LEFT[left] + RIGHT[right]).unwrap_or(' ')
}
