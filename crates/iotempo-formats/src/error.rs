//! Where reading failed, at what, and with which value.

use std::borrow::Cow;
use std::fmt;
use std::io;

/// Why an input, or a section of it, could not be read.
///
/// It reads `DXT_POSIX, byte 1312: a length is negative: -4096`; who opened the file puts its name
/// in front.
#[derive(Debug, thiserror::Error)]
#[error("{}{}{kind}", Prefix(.section), PlacePrefix(.section, *.place))]
pub struct Error {
    /// The part of the input: a Darshan module, a JSON key, a table column. May be empty.
    pub section: Cow<'static, str>,
    /// How far into the input it was.
    pub place: Place,
    /// What was wrong.
    #[source]
    pub kind: ErrorKind,
}

/// How far into an input something lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// An offset into the file.
    Byte(u64),
    /// An offset into a section after it was decompressed.
    InflatedByte(u64),
    /// A line of a text, counted from 1.
    Line(u64),
    /// The input as a whole.
    Whole,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Byte(offset) => write!(f, "byte {offset}"),
            Self::InflatedByte(offset) => write!(f, "decompressed byte {offset}"),
            Self::Line(line) => write!(f, "line {line}"),
            Self::Whole => Ok(()),
        }
    }
}

struct Prefix<'a>(&'a str);

impl fmt::Display for Prefix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

struct PlacePrefix<'a>(&'a str, Place);

impl fmt::Display for PlacePrefix<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0.is_empty(), self.1) {
            (true, Place::Whole) => Ok(()),
            (false, Place::Whole) => f.write_str(": "),
            (true, place) => write!(f, "{place}: "),
            (false, place) => write!(f, ", {place}: "),
        }
    }
}

/// What was wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system could not read it, or the receiver could not take it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The input is empty.
    #[error("the input is empty")]
    Empty,
    /// No reader knows these bytes.
    #[error("not a format that iotempo reads (it begins with {0})")]
    UnknownFormat(String),
    /// The data ends too early.
    #[error("the data ends inside {0}")]
    UnexpectedEnd(&'static str),
    /// A field has a value that cannot be.
    #[error("{what}: {value}")]
    Invalid {
        /// What is wrong with the field.
        what: Cow<'static, str>,
        /// Its value.
        value: String,
    },
    /// What the input does not state, and whoever reads it can.
    #[error("{0} is not stated")]
    Unstated(&'static str),
    /// A version, module or dialect that is known, and known not to be readable.
    #[error("{0}")]
    Unsupported(String),
    /// Compressed data is damaged.
    #[error("the compressed data is damaged: {0}")]
    Compression(String),
    /// More data than a reader is willing to hold.
    #[error("it would take more than {limit} bytes ({what})")]
    Budget {
        /// What grew too large.
        what: &'static str,
        /// The limit in force.
        limit: u64,
    },
}

impl Error {
    /// An error in `section`.
    pub fn new(
        section: impl Into<Cow<'static, str>>,
        place: Place,
        kind: impl Into<ErrorKind>,
    ) -> Self {
        Self {
            section: section.into(),
            place,
            kind: kind.into(),
        }
    }

    /// A field whose value cannot be.
    pub fn invalid(
        section: impl Into<Cow<'static, str>>,
        place: Place,
        what: impl Into<Cow<'static, str>>,
        value: impl fmt::Display,
    ) -> Self {
        let kind = ErrorKind::Invalid {
            what: what.into(),
            value: shortened(&value.to_string()),
        };
        Self::new(section, place, kind)
    }

    /// The offset or line, where there is one.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        match self.place {
            Place::Byte(n) | Place::InflatedByte(n) | Place::Line(n) => Some(n),
            Place::Whole => None,
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::new("", Place::Whole, error)
    }
}

/// A value as an error message shows it: printable, and not a page long.
pub(crate) fn shortened(value: &str) -> String {
    const LONGEST: usize = 80;
    let mut text: String = value
        .chars()
        .take(LONGEST)
        .flat_map(char::escape_debug)
        .collect();
    if value.chars().count() > LONGEST {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_says_where_what_and_with_which_value() {
        let error = Error::invalid(
            "DXT_POSIX",
            Place::Byte(1312),
            "a length is negative",
            -4096,
        );
        assert_eq!(
            error.to_string(),
            "DXT_POSIX, byte 1312: a length is negative: -4096"
        );
        let error = Error::invalid("", Place::Line(3), "not a number", "a\nb");
        assert_eq!(error.to_string(), "line 3: not a number: a\\nb");
        let error = Error::new("", Place::Whole, ErrorKind::Empty);
        assert_eq!(error.to_string(), "the input is empty");
    }
}
