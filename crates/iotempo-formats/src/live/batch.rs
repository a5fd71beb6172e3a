//! Lines or items that came together: those that are damaged cost nothing but themselves.

use super::tally::Tally;
use crate::error::Error;
use crate::reading::Reading;
use iotempo_model::{FileId, Request, RequestSink};
use std::io;
use std::ops::Range;

/// Attempts to find what is damaged of a batch by reading ever smaller parts of it, which costs little where little
/// is. Beyond, lines are read one by one, so that a batch of nothing but damage costs no more than to read it.
const ATTEMPTS: u32 = 4096;

/// Reads some lines or items by themselves.
pub(super) type ReadThem<'a> = &'a dyn Fn(&[u8], &mut dyn RequestSink) -> Result<Reading, Error>;

/// A batch that is being read.
pub(super) struct Batch<'a> {
    bytes: &'a [u8],
    /// Where each line or item ends.
    ends: &'a [usize],
    /// The number of the first.
    number: u64,
    /// `line` or `item`.
    noun: &'static str,
    read: ReadThem<'a>,
    sink: &'a mut dyn RequestSink,
    tally: &'a mut Tally,
    attempts: u32,
    reading: Option<Reading>,
    first_error: Option<Error>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(
        (bytes, ends): (&'a [u8], &'a [usize]),
        (noun, number): (&'static str, u64),
        read: ReadThem<'a>,
        sink: &'a mut dyn RequestSink,
        tally: &'a mut Tally,
    ) -> Self {
        Self {
            bytes,
            ends,
            number,
            noun,
            read,
            sink,
            tally,
            attempts: 0,
            reading: None,
            first_error: None,
        }
    }

    /// Hands on all that can be read, and gives what the last reading said; `None` where nothing was there but
    /// empty lines.
    ///
    /// # Errors
    /// Where none can be read, or the sink takes no more.
    pub(super) fn all(mut self) -> Result<Option<Reading>, Error> {
        self.part(0..self.ends.len())?;
        match (self.reading, self.first_error) {
            (None, Some(error)) => Err(error),
            (reading, _) => Ok(reading),
        }
    }

    fn part(&mut self, range: Range<usize>) -> io::Result<()> {
        let start = range
            .start
            .checked_sub(1)
            .map_or(0, |before| self.ends[before]);
        let end = range.end.checked_sub(1).map_or(0, |last| self.ends[last]);
        let bytes = &self.bytes[start..end];
        if bytes.trim_ascii().is_empty() {
            return Ok(());
        }
        if self.attempts >= ATTEMPTS && range.len() > 1 {
            return range
                .into_iter()
                .try_for_each(|one| self.part(one..one + 1));
        }
        self.attempts = self.attempts.saturating_add(1);
        let mut staged = Staged::default();
        let read = (self.read)(bytes, &mut staged);
        let number = self.number + range.start as u64;
        match read {
            Ok(reading) if is_clean(&reading) => self.take(reading, staged),
            _ if range.len() > 1 => {
                let middle = range.start + range.len() / 2;
                self.part(range.start..middle)?;
                self.part(middle..range.end)
            }
            Ok(reading) => {
                let damage = damage(&reading);
                self.tally.damaged(self.noun, number, &damage);
                self.take(reading, staged)
            }
            Err(error) => {
                let reason = without_place(&error);
                self.tally.damaged(self.noun, number, &reason);
                self.first_error.get_or_insert(error);
                Ok(())
            }
        }
    }

    fn take(&mut self, reading: Reading, staged: Staged) -> io::Result<()> {
        for warning in &reading.warnings {
            self.tally.met(warning);
        }
        self.reading = Some(reading);
        staged.hand_on(self.sink)
    }
}

fn is_clean(reading: &Reading) -> bool {
    let bad = |code: &str| matches!(code, "bad-rows" | "damaged");
    !reading.damaged && !reading.warnings.iter().any(|warning| bad(&warning.code))
}

/// What is wrong with a line of which a part could be read.
fn damage(reading: &Reading) -> String {
    let damage = reading.sections.iter().find_map(|part| part.damage.clone());
    damage.unwrap_or_else(|| "a part of it cannot be read".to_owned())
}

/// The place is one within a part that nobody knows of.
fn without_place(error: &Error) -> String {
    match error.section.as_ref() {
        "" => error.kind.to_string(),
        section => format!("{section}: {}", error.kind),
    }
}

/// Requests that are handed on when all of them are known to be right.
#[derive(Debug, Default)]
struct Staged {
    names: Vec<String>,
    requests: Vec<Request>,
}

impl Staged {
    fn hand_on(self, sink: &mut dyn RequestSink) -> io::Result<()> {
        let ids: Vec<FileId> = self.names.iter().map(|name| sink.file(name)).collect();
        for request in self.requests {
            let file = ids.get(request.file.0 as usize).copied();
            let file = file.unwrap_or(request.file);
            sink.push(Request { file, ..request })?;
        }
        Ok(())
    }
}

impl RequestSink for Staged {
    fn file(&mut self, name: &str) -> FileId {
        self.names.push(name.to_owned());
        FileId((self.names.len() - 1) as u32)
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        self.requests.push(request);
        Ok(())
    }
}
