//! The lines of a table, watched while they are read: which repeat others, and where the table is cut off.

use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Hands bytes on, and ends where they cannot be read any further: what precedes a cut is worth reading.
pub(super) struct Watched<R> {
    bytes: R,
    seen: Arc<Mutex<Seen>>,
}

/// What was seen of a table.
#[derive(Default)]
pub(super) struct Seen {
    hasher: RandomState,
    /// A number for each line that is the same for the same lines. Their texts would take all memory.
    lines: Vec<u64>,
    /// The line that has not ended yet. Readers end where one is too long.
    begun: Vec<u8>,
    /// Why it could not be read to its end.
    pub(super) cut: Option<String>,
}

impl<R: Read> Watched<R> {
    pub(super) fn new(bytes: R) -> (Self, Arc<Mutex<Seen>>) {
        let seen = Arc::new(Mutex::new(Seen::default()));
        let watched = Self {
            bytes,
            seen: Arc::clone(&seen),
        };
        (watched, seen)
    }
}

/// Nobody panics while holding it.
pub(super) fn locked(seen: &Mutex<Seen>) -> MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut seen = locked(&self.seen);
        if seen.cut.is_some() {
            return Ok(0);
        }
        match self.bytes.read(buffer) {
            Ok(read) => {
                seen.take(&buffer[..read]);
                Ok(read)
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                seen.cut = Some(error.to_string());
                Ok(0)
            }
        }
    }
}

impl Seen {
    fn take(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.begun.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let line = self.begun.trim_ascii_end();
        self.lines.push(self.hasher.hash_one(line));
        self.begun.clear();
    }

    /// The number of a line that was cut in its middle: its last number may lack digits.
    pub(super) fn half_line(&self) -> Option<u64> {
        let half = self.cut.is_some() && !self.begun.is_empty();
        half.then_some(self.lines.len() as u64 + 1)
    }

    /// The lines of each row that begins in one of `first`, counted from 1: rows are the same where these are.
    pub(super) fn rows(&mut self, first: &[u64]) -> Vec<&[u64]> {
        if !self.begun.is_empty() {
            self.end_line();
        }
        let blank = self.hasher.hash_one(b"".as_slice());
        let (lines, count) = (&self.lines, self.lines.len());
        let place = |line: u64| usize::try_from(line - 1).unwrap_or(count).min(count);
        let ends = first.iter().skip(1).map(|&line| place(line));
        let rows = first.iter().zip(ends.chain([count])).map(|(&line, end)| {
            let row = &lines[place(line)..end];
            let length = row.iter().rposition(|line| *line != blank);
            &row[..length.map_or(0, |last| last + 1)]
        });
        rows.collect()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_the_same_lines_are_the_same() {
        let (mut watched, seen) =
            Watched::new(&b"a,b\n1,2\r\n\"3\n4\",5\n1,2\n\n\"3\n4\",5\n1,2"[..]);
        let mut text = String::new();
        watched.read_to_string(&mut text).unwrap();
        let mut seen = locked(&seen);
        assert_eq!((seen.half_line(), &seen.cut), (None, &None));
        let rows = seen.rows(&[1, 2, 3, 5, 7, 9]);
        assert_ne!(rows[0], rows[1]);
        assert_eq!((rows[1], rows[2]), (rows[3], rows[4]));
        assert_eq!((rows[1], rows[2].len()), (rows[5], 2));
    }
}
