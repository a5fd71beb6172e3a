//! Recognises a table by its heading.

use super::layout::{Layout, layout};
use super::rows::{BYTE_ORDER_MARK, Delimiter, Row};
use crate::error::Error;
use crate::reading::ReadOptions;

/// How a table is written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Table {
    pub(super) delimiter: Delimiter,
    pub(super) names: Vec<String>,
    pub(super) layout: Layout,
    /// Whether the heading is a comment, as NumPy's `savetxt` writes it: then no row is a heading.
    pub(super) commented: bool,
}

const DELIMITERS: [Delimiter; 4] = [
    Delimiter::Byte(b','),
    Delimiter::Byte(b'\t'),
    Delimiter::Byte(b';'),
    Delimiter::Whitespace,
];

/// The table that begins with `head`; `None` where it is none that we know.
///
/// The delimiter is the one whose fields make sense as headings.
pub(super) fn sniff(head: &[u8], options: &ReadOptions) -> Option<Result<Table, Error>> {
    let headings = headings(head);
    let tries = headings
        .iter()
        .flat_map(|heading| DELIMITERS.map(|delimiter| (heading, delimiter)));
    let mut failure = None;
    for ((line, commented), delimiter) in tries {
        let names = split(line, delimiter);
        match layout(&names, options) {
            Ok(None) => {}
            Ok(Some(layout)) => {
                return Some(Ok(Table {
                    delimiter,
                    names,
                    layout,
                    commented: *commented,
                }));
            }
            // With the wrong delimiter the whole line is one heading: of several mistakes, the one
            // about the most columns is about the real ones.
            Err(error) if failure.as_ref().is_none_or(|(n, _)| names.len() > *n) => {
                failure = Some((names.len(), error));
            }
            Err(_) => {}
        }
    }
    failure.map(|(_, error)| Err(error))
}

/// The lines that may be the heading: the first that is no comment, then the last comment above it.
fn headings(head: &[u8]) -> Vec<(String, bool)> {
    let text = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    let mut comment = None;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let whole = line.ends_with(b"\n") || head.len() < HEAD;
        let (true, Ok(line)) = (whole, std::str::from_utf8(line)) else {
            break;
        };
        let line = line.trim_end_matches(['\n', '\r']);
        if line.chars().any(|c| c.is_control() && c != '\t') {
            break;
        }
        if let Some(text) = line.strip_prefix('#') {
            comment = Some((text.to_owned(), true));
        } else if !line.trim().is_empty() {
            return [Some((line.to_owned(), false)), comment]
                .into_iter()
                .flatten()
                .collect();
        }
    }
    comment.into_iter().collect()
}

/// As many bytes as a head can have; a line cut there is not whole.
const HEAD: usize = 64 << 10;

fn split(line: &str, delimiter: Delimiter) -> Vec<String> {
    let mut row = Row::default();
    if !row.split(line.as_bytes(), delimiter) {
        return Vec::new();
    }
    (0..row.len())
        .map(|i| String::from_utf8_lossy(row.get(i)).trim().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delimiter(head: &str) -> Option<Delimiter> {
        sniff(head.as_bytes(), &ReadOptions::default())?
            .ok()
            .map(|table| table.delimiter)
    }

    #[test]
    fn the_delimiter_is_the_one_that_makes_sense() {
        assert_eq!(delimiter("start,end,bytes\n"), Some(Delimiter::Byte(b',')));
        assert_eq!(
            delimiter("start\tend\tbytes\n"),
            Some(Delimiter::Byte(b'\t'))
        );
        assert_eq!(delimiter("start;end;bytes"), Some(Delimiter::Byte(b';')));
        assert_eq!(
            delimiter("  start   end bytes\n"),
            Some(Delimiter::Whitespace)
        );
        assert_eq!(
            delimiter("\u{feff}\"start\",\"end\",\"bytes\"\r\n"),
            Some(Delimiter::Byte(b','))
        );
    }

    #[test]
    fn a_heading_may_be_a_comment() {
        let table =
            sniff(b"# run 7\n# time bandwidth\n0 1\n", &ReadOptions::default()).expect("a table");
        assert!(table.expect("a heading").commented);
        let table = sniff(
            b"# start,end,bytes were logged\ntime,bandwidth\n",
            &ReadOptions::default(),
        )
        .expect("a table");
        assert!(!table.expect("a heading").commented);
    }

    #[test]
    fn other_texts_and_bytes_are_no_tables() {
        for head in [
            "",
            "#\n#\n",
            "year,volume\n1,2\n",
            "{\"start\":1}",
            "start,end,by\0tes\n",
        ] {
            assert!(
                sniff(head.as_bytes(), &ReadOptions::default()).is_none(),
                "{head:?}"
            );
        }
        assert!(sniff(b"\xff\xfes\0t\0", &ReadOptions::default()).is_none());
        let mut endless = b"start,end,bytes,".to_vec();
        endless.resize(HEAD, b'x');
        assert!(sniff(&endless, &ReadOptions::default()).is_none());
    }
}
