//! Standard input.

use super::queue::{self, Left, queue};
use super::{News, of};
use crate::job::Follows;
use iotempo_formats::live::Pieces;
use iotempo_formats::{Error, Place, ReadOptions};
use iotempo_model::{Selecting, Selection, Warning, counted};
use std::io::{self, Read};
use std::thread;

/// What comes on standard input.
#[derive(Debug)]
pub struct Stream {
    pieces: Pieces,
    input: queue::From<io::Result<Vec<u8>>>,
    /// The last look left something for another that can follow at once.
    more: bool,
    /// Bytes that came after the last item, when it has ended.
    ended: Option<usize>,
}

impl Stream {
    pub(super) fn new(options: &ReadOptions) -> Self {
        Self {
            pieces: Pieces::new(options.clone()),
            input: standard_input(),
            more: false,
            ended: None,
        }
    }

    /// Takes in what came of a selection. The look that finds the end also takes in what came before it.
    pub(super) fn poll(
        &mut self,
        selection: &Selection,
        job: &mut dyn Follows,
    ) -> Result<News, Error> {
        let ended = self.take_in()?;
        let mut read = self.read(selection, job)?;
        if ended {
            self.ended = Some(self.pieces.finish());
            read |= self.read(selection, job)?;
        }
        Ok(match (ended, read) {
            (true, _) => News::Ended,
            (false, true) => of(self.pieces.come_in_flushes()),
            (false, false) => News::Other,
        })
    }

    pub(super) fn take_warnings(&mut self) -> Vec<Warning> {
        let Some(lost) = self.ended.replace(0) else {
            self.ended = None;
            return self.pieces.take_warnings();
        };
        let mut warnings = self.pieces.take_last_warnings();
        if lost > 0 {
            let lost = counted(lost as u64, "byte");
            let message = format!("it ends within a line or item: {lost} at its end are lost");
            warnings.push(Warning::new("truncated", message));
        }
        warnings
    }

    fn read(&mut self, selection: &Selection, job: &mut dyn Follows) -> Result<bool, Error> {
        let sink = &mut Selecting::new(selection, &mut *job);
        let Some(reading) = self.pieces.read(sink)? else {
            return Ok(false);
        };
        job.learn(&reading.origin);
        Ok(true)
    }

    /// Whether another look would find more at once.
    pub(super) fn has_more(&self) -> bool {
        self.more
    }

    /// Takes in what has come; whether that was the last.
    fn take_in(&mut self) -> Result<bool, Error> {
        let mut pieces = Vec::new();
        let left = self.input.take(&mut pieces);
        self.more = left == Left::More;
        for piece in pieces {
            let piece = piece.map_err(|error| Error::new("", Place::Whole, error))?;
            self.pieces.feed(&piece);
        }
        Ok(left == Left::End)
    }
}

/// Its bytes, read by a thread of its own: nobody else may wait for it.
fn standard_input() -> queue::From<io::Result<Vec<u8>>> {
    let (to, from) = queue();
    thread::spawn(move || {
        let mut buffer = vec![0; 64 << 10];
        loop {
            let piece = match io::stdin().lock().read(&mut buffer) {
                Ok(0) => return,
                Ok(length) => Ok(buffer[..length].to_vec()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            let (length, failed) = (piece.as_ref().map_or(0, Vec::len), piece.is_err());
            if to.send(length, piece).is_none() || failed {
                return;
            }
        }
    });
    from
}
