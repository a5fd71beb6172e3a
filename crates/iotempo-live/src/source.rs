//! Where a running job can be watched.

use crate::job::Job;
use iotempo_formats::live::{GrowingFile, GrowingJob, Growth, Pieces};
use iotempo_formats::{Error, Place, ReadOptions};
use iotempo_model::{Selecting, Selection, Warning};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread;

/// A source that grows.
#[derive(Debug)]
pub enum Source {
    /// A file that is appended to.
    File(GrowingFile),
    /// A folder of the tracer's logs.
    Job(GrowingJob),
    /// Standard input.
    Stream(Pieces, Receiver<io::Result<Vec<u8>>>),
}

/// What a look at it found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// It was written anew.
    Anew,
    /// All that was gathered since the last phase.
    Flushed,
    /// Some requests, or nothing.
    Other,
    /// There will be no more.
    Ended,
}

impl Source {
    /// What is there says what it is; what is not there yet has the name of a file or of a folder.
    #[must_use]
    pub fn at(path: PathBuf, options: &ReadOptions) -> Self {
        if path.as_os_str() == "-" {
            return Self::Stream(Pieces::new(options.clone()), standard_input());
        }
        let folder = match path.metadata() {
            Ok(found) => found.is_dir(),
            Err(_) => path.extension().is_none(),
        };
        if folder {
            Self::Job(GrowingJob::new(path, options))
        } else {
            Self::File(GrowingFile::new(path, options.clone()))
        }
    }

    /// The same with a time 0 that was agreed on before, in ns since 1970, where the source has one.
    #[must_use]
    pub fn starting_at(self, epoch_ns: u64) -> Self {
        match self {
            Self::Job(logs) => Self::Job(logs.starting_at(epoch_ns)),
            other => other,
        }
    }

    /// When time 0 was, in ns since 1970, where that is known.
    #[must_use]
    pub fn start_epoch_ns(&self) -> Option<u64> {
        match self {
            Self::Job(logs) => logs.start_epoch_ns(),
            Self::File(_) | Self::Stream(..) => None,
        }
    }

    /// Whether all that was there was deleted.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        match self {
            Self::Job(logs) => logs.is_gone(),
            Self::File(file) => file.is_gone(),
            Self::Stream(..) => false,
        }
    }

    /// What a person should know about parts of it, since this was last asked.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        match self {
            Self::Job(logs) => logs.take_warnings(),
            Self::File(_) | Self::Stream(..) => Vec::new(),
        }
    }

    /// When time 0 was, in seconds since 1970, where that is known.
    #[must_use]
    pub fn start_epoch_s(&self) -> Option<f64> {
        match self {
            Self::Job(logs) => logs.start_epoch_s(),
            Self::File(_) | Self::Stream(..) => None,
        }
    }

    /// Takes in what is new of a selection.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn poll(&mut self, selection: &Selection, job: &mut Job) -> Result<News, Error> {
        match self {
            Self::Job(logs) => {
                let mut sink = Selecting::new(selection, job);
                logs.poll(&mut sink).map(|_| News::Other)
            }
            Self::Stream(pieces, input) => {
                let ended = take_in(pieces, input)?;
                let sink = &mut Selecting::new(selection, &mut *job);
                match pieces.read(sink)? {
                    Some(reading) => {
                        job.learn(&reading.origin);
                        Ok(of(pieces.come_in_flushes()))
                    }
                    None if ended => Ok(News::Ended),
                    None => Ok(News::Other),
                }
            }
            Self::File(file) => {
                let growth = file.poll(&mut Selecting::new(selection, &mut *job))?;
                Ok(match growth {
                    Growth::Cut => News::Anew,
                    Growth::Nothing => News::Other,
                    Growth::Read(reading) => {
                        job.learn(&reading.origin);
                        of(file.comes_in_flushes())
                    }
                })
            }
        }
    }
}

fn of(flushed: bool) -> News {
    if flushed { News::Flushed } else { News::Other }
}

/// Takes in all that has come; whether that was the last.
fn take_in(pieces: &mut Pieces, input: &Receiver<io::Result<Vec<u8>>>) -> Result<bool, Error> {
    loop {
        match input.try_recv() {
            Ok(Ok(bytes)) => pieces.feed(&bytes),
            Ok(Err(error)) => return Err(Error::new("", Place::Whole, error)),
            Err(TryRecvError::Empty) => return Ok(false),
            Err(TryRecvError::Disconnected) => return Ok(true),
        }
    }
}

/// What comes on standard input, read by a thread of its own: nobody else may wait for it.
fn standard_input() -> Receiver<io::Result<Vec<u8>>> {
    const AHEAD: usize = 64;
    let (sender, receiver) = sync_channel(AHEAD);
    thread::spawn(move || {
        let mut buffer = vec![0; 64 << 10];
        loop {
            let piece = match io::stdin().lock().read(&mut buffer) {
                Ok(0) => return,
                Ok(length) => Ok(buffer[..length].to_vec()),
                Err(error) => Err(error),
            };
            let failed = piece.is_err();
            if sender.send(piece).is_err() || failed {
                return;
            }
        }
    });
    receiver
}
