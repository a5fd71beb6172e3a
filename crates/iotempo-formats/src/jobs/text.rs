//! Lines of a job log.

use crate::table::rows::BYTE_ORDER_MARK;

/// The lines of the first bytes that are whole, without their ends and without blank ones.
pub(super) fn lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let text = unmarked(head);
    let cut = head.len() >= HEAD;
    text.split_inclusive(|byte| *byte == b'\n')
        .filter(move |line| !cut || line.ends_with(b"\n"))
        .map(|line| line.trim_ascii_end())
        .filter(|line| !line.trim_ascii_start().is_empty())
}

/// As many bytes as a head can have: a line that ends there may go on.
const HEAD: usize = 64 << 10;

/// Without the mark that some editors put in front.
pub(super) fn unmarked(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// How a text begins, for a message.
pub(super) fn beginning(head: &[u8]) -> String {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    String::from_utf8_lossy(&line[..line.len().min(80)]).into_owned()
}
