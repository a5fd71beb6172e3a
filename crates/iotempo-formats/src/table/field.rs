//! The text of one field as a number, a time, a word.

use super::clock::{self, iso8601};
use super::units::Scale;
use iotempo_model::{Api, Op};

/// A number, which may be `NaN` or infinite where the text says so.
pub(crate) fn number(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text).ok()?.trim().parse().ok()
}

/// A point in time: a number in the column's unit, or a date and time.
pub(crate) fn time(text: &[u8], scale: Scale) -> Option<f64> {
    let text = std::str::from_utf8(text).ok()?.trim();
    match text.parse() {
        Ok(number) => Some(scale.apply(number)),
        Err(_) => iso8601(text),
    }
}

/// A day written as a number, such as `19580329`.
pub(crate) fn compact_date(text: &[u8]) -> Option<f64> {
    clock::compact_date(std::str::from_utf8(text).ok()?.trim())
}

/// A whole number; `3.0`, as some tools write integers, is one.
pub(crate) fn whole(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?.trim();
    text.parse()
        .ok()
        .or_else(|| without_fraction(text.parse().ok()?))
}

/// A number that has no fraction.
pub(crate) fn without_fraction(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < 9.0e15).then_some(number as i64)
}

/// The direction of a word such as `write`, or of a call such as `pwrite64` or
/// `MPI_File_read_at_all`; `None` for what moves no data.
pub(crate) fn op(text: &[u8]) -> Option<Op> {
    let word = std::str::from_utf8(text).ok()?.trim();
    word.parse()
        .ok()
        .or_else(|| call(&word.to_ascii_lowercase()))
}

fn call(name: &str) -> Option<Op> {
    if let Some(rest) = name.strip_prefix("mpi_file_") {
        let rest = rest.strip_prefix('i').unwrap_or(rest);
        let directions = [("read", Op::Read), ("write", Op::Write)];
        let mut found = directions.iter().filter(|(word, _)| rest.starts_with(word));
        return found.next().map(|&(_, op)| op);
    }
    match name.trim_end_matches("64") {
        "pread" | "readv" | "preadv" | "fread" => Some(Op::Read),
        "pwrite" | "writev" | "pwritev" | "fwrite" => Some(Op::Write),
        _ => None,
    }
}

/// The layer of a word such as `POSIX` or, as Darshan's tools print it, `X_MPIIO`.
pub(crate) fn api(text: &[u8]) -> Api {
    let named = |api: &Api| api.name().as_bytes().eq_ignore_ascii_case(text);
    Api::ALL.into_iter().find(named).unwrap_or_else(|| {
        let word = String::from_utf8_lossy(text).to_ascii_uppercase();
        let word = word.trim_start_matches("DXT_").trim_start_matches("X_");
        word.parse().unwrap_or(Api::Unknown)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_read() {
        assert_eq!(number(b" 1e3 "), Some(1000.0));
        assert_eq!(number(b"1,5"), None);
        assert_eq!(number(b""), None);
        assert_eq!(time(b"1970-01-01T00:00:01.5Z", Scale::ONE), Some(1.5));
        assert_eq!(time(b"yesterday", Scale::ONE), None);
        assert_eq!(whole(b"3.0"), Some(3));
        assert_eq!(whole(b"3.5"), None);
    }

    #[test]
    fn calls_have_a_direction() {
        for (word, expected) in [
            ("Write", Some(Op::Write)),
            ("pwrite64", Some(Op::Write)),
            ("fread", Some(Op::Read)),
            ("MPI_File_iwrite_at_all", Some(Op::Write)),
            ("MPI_File_read", Some(Op::Read)),
            ("MPI_File_open", None),
            ("readdir", None),
            ("pthread_create", None),
        ] {
            assert_eq!(op(word.as_bytes()), expected, "{word}");
        }
    }

    #[test]
    fn layers_have_many_spellings() {
        assert_eq!(api(b"posix"), Api::Posix);
        assert_eq!(api(b"DXT_POSIX"), Api::Posix);
        assert_eq!(api(b"X_MPIIO"), Api::MpiIo);
        assert_eq!(api(b"HDF5"), Api::Unknown);
    }
}
