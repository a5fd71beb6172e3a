//! Files that no reader of logs takes, and what to do about them.

use crate::error::{Error, ErrorKind, Place};

/// How they begin.
const FOREIGN: [(&[u8], &str); 5] = [
    (b"\xff\xfe", UTF_16),
    (b"\xfe\xff", UTF_16),
    (b"\xfd7zXZ\0", "compressed by xz: unpack it (xz -d)"),
    (
        b"\x28\xb5\x2f\xfd",
        "compressed by zstd: unpack it (zstd -d)",
    ),
    (
        b"PAR1",
        "Parquet, which is read for no log: write it as CSV",
    ),
];

const UTF_16: &str = "text in UTF-16: convert it (iconv -f UTF-16 -t UTF-8)";

/// The error of a file that begins like one of them.
pub(crate) fn error(head: &[u8]) -> Option<Error> {
    let mut known = FOREIGN.iter();
    let message = match known.find(|(magic, _)| head.starts_with(magic)) {
        Some((_, message)) => message,
        // Such as what `mmperfmon` leaves to be sent to others.
        None if head.get(257..262) == Some(b"ustar") => {
            "an archive of tar: unpack it (tar xf), and name the logs in it"
        }
        None => return None,
    };
    let kind = ErrorKind::Unsupported(message.to_owned());
    Some(Error::new("", Place::Byte(0), kind))
}
