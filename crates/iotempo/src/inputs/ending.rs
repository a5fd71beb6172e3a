//! What a file's name promises.

use iotempo_formats::ErrorKind;
use std::path::Path;

/// How the name of a file ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// That of logs and of nothing else.
    Log,
    /// That of a syntax, in which anything may be written.
    Syntax,
    /// That of tables, of whatever columns.
    Table,
    /// Any other.
    Other,
}

impl Ending {
    /// The ending of a name, below that of a compression.
    pub(super) fn of(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let compressed = [".gz", ".bz2"]
            .iter()
            .find_map(|end| name.strip_suffix(end));
        let extension = Path::new(compressed.unwrap_or(&name)).extension();
        match extension.and_then(|extension| extension.to_str()) {
            Some("darshan" | "msgpack" | "iot") => Self::Log,
            Some("json" | "jsonl") => Self::Syntax,
            Some("csv") => Self::Table,
            _ => Self::Other,
        }
    }

    /// Whether such an error is damage, rather than that of a file that is no log: nothing at all is
    /// no table, and what is no JSON is damaged where its name says JSON.
    pub(super) fn is_damage(self, error: &ErrorKind) -> bool {
        match self {
            Self::Log => true,
            Self::Syntax => matches!(error, ErrorKind::Empty | ErrorKind::UnknownFormat(_)),
            Self::Table => matches!(error, ErrorKind::Empty),
            Self::Other => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_promise_logs_whatever_their_letters_and_their_compression() {
        for (name, ending) in [
            ("a.b/x.darshan", Ending::Log),
            ("X.DARSHAN.GZ", Ending::Log),
            ("logs.tar:t.msgpack", Ending::Log),
            ("x.jsonl", Ending::Syntax),
            ("x.csv.bz2", Ending::Table),
            ("x.darshan.txt", Ending::Other),
            ("darshan", Ending::Other),
        ] {
            assert_eq!(Ending::of(name), ending, "{name}");
        }
    }
}
