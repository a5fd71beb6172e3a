//! Texts of logs that do no harm where they are shown.

use crate::page::Table;

/// Letters of a name that are shown; nobody reads on.
const MOST_LETTERS: usize = 300;

/// Letters that turn the direction of those after them, and could make a text look like another.
const TURNING: [char; 12] = [
    '\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}',
    '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}',
];

/// A text without letters that nobody sees, and not endless. Markup is the template's to escape.
pub(crate) fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len().min(4 * MOST_LETTERS));
    for (number, letter) in text.chars().enumerate() {
        if number == MOST_LETTERS {
            shown.push('…');
            break;
        }
        if letter.is_control() || TURNING.contains(&letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// A table with plain cells.
pub(crate) fn table(title: &str, columns: &[&str], rows: Vec<Vec<String>>) -> Table {
    let row = |row: Vec<String>| row.iter().map(|cell| plain(cell)).collect();
    Table {
        title: title.to_owned(),
        columns: columns.iter().map(|&name| name.to_owned()).collect(),
        rows: rows.into_iter().map(row).collect(),
        notes: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_spelled_out() {
        assert_eq!(plain("s3d, 64 nodes"), "s3d, 64 nodes");
        assert_eq!(plain("a\u{1b}[31m\0b\n"), "a\\u{1b}[31m\\u{0}b\\n");
        assert_eq!(plain("x\u{202e}gpj"), "x\\u{202e}gpj");
        assert_eq!(plain("größe µ"), "größe µ");
    }

    #[test]
    fn endless_names_end() {
        let shown = plain(&"ä".repeat(100_000));
        assert_eq!(shown.chars().count(), MOST_LETTERS + 1);
        assert!(shown.ends_with('…'));
        assert_eq!(plain(&"x".repeat(MOST_LETTERS)).len(), MOST_LETTERS);
    }
}
