//! Where a running job can be watched.

mod address;
mod line;
mod peers;
mod prometheus;
mod queue;
mod stdin;
#[cfg(unix)]
mod unix;
mod zmtp;

pub use address::Address;
pub use peers::Peers;
pub use prometheus::{Prometheus, Query, RangeQuery, Values, read_range};
pub use stdin::Stream;
#[cfg(unix)]
pub use unix::Socket;

use crate::job::Follows;
use iotempo_formats::live::{GrowingFile, GrowingJob, Growth};
use iotempo_formats::{Error, ReadOptions};
use iotempo_model::{Selecting, Selection, Warning};
use std::io;
use std::path::PathBuf;

/// A source that grows.
#[derive(Debug)]
pub enum Source {
    /// A file or a folder that is not there yet.
    Awaited(PathBuf, ReadOptions),
    /// A file that is appended to.
    File(GrowingFile),
    /// A folder of the tracer's logs.
    Job(GrowingJob),
    /// Standard input.
    Stream(Stream),
    /// Other programs, which send what files hold elsewhere.
    Peers(Peers),
    /// A query to Prometheus.
    Prometheus(Prometheus),
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
    /// What is there says what it is; what is not there yet is waited for.
    #[must_use]
    pub fn at(path: PathBuf, options: &ReadOptions) -> Self {
        if path.as_os_str() == "-" {
            return Self::Stream(Stream::new(options));
        }
        match path.metadata() {
            Ok(found) if found.is_dir() => Self::Job(GrowingJob::new(path, options)),
            Ok(_) => Self::File(GrowingFile::new(path, options.clone())),
            Err(_) => Self::Awaited(path, options.clone()),
        }
    }

    /// The same of something that was found, and not named by a person: a link in its place is not gone after, since
    /// it may lead anywhere.
    #[must_use]
    pub fn found_at(path: PathBuf, options: &ReadOptions) -> Self {
        match path.symlink_metadata() {
            Ok(found) if found.is_dir() => {
                Self::Job(GrowingJob::new(path, options).refusing_links())
            }
            _ => Self::File(GrowingFile::new(path, options.clone()).refusing_links()),
        }
    }

    /// Other programs, which are connected to or waited for.
    ///
    /// # Errors
    /// Where this machine does not let anybody listen there.
    pub fn connected(address: &Address, options: &ReadOptions) -> io::Result<Self> {
        Peers::at(address, options).map(Self::Peers)
    }

    /// What a server of Prometheus is asked.
    ///
    /// # Errors
    /// Where its address is none.
    pub fn asked(query: Query) -> Result<Self, String> {
        Prometheus::new(query).map(Self::Prometheus)
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
            Self::Prometheus(values) => values.start_epoch_ns(),
            Self::Awaited(..) | Self::File(_) | Self::Stream(_) | Self::Peers(_) => None,
        }
    }

    /// The socket of ours that it made, which is removed when it is dropped.
    #[cfg(unix)]
    #[must_use]
    pub fn socket(&self) -> Option<Socket> {
        match self {
            Self::Peers(peers) => peers.socket(),
            _ => None,
        }
    }

    /// Whether all that was there was deleted.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        match self {
            Self::Job(logs) => logs.is_gone(),
            Self::File(file) => file.is_gone(),
            Self::Awaited(..) | Self::Stream(_) | Self::Peers(_) | Self::Prometheus(_) => false,
        }
    }

    /// Whether the last look took in all that was there then.
    #[must_use]
    pub fn has_caught_up(&self) -> bool {
        match self {
            Self::Job(logs) => logs.has_caught_up(),
            Self::File(file) => file.has_caught_up(),
            Self::Awaited(..) => false,
            Self::Stream(_) | Self::Peers(_) => !self.has_more(),
            Self::Prometheus(_) => true,
        }
    }

    /// Whether the last look left something for another that can follow at once: one look takes so much and no more.
    /// What has not caught up otherwise has to be waited for.
    #[must_use]
    pub fn has_more(&self) -> bool {
        match self {
            Self::File(file) => file.has_more(),
            Self::Stream(stream) => stream.has_more(),
            Self::Peers(peers) => peers.has_more(),
            Self::Awaited(..) | Self::Job(_) | Self::Prometheus(_) => false,
        }
    }

    /// Whether it is there.
    #[must_use]
    pub fn is_there(&self) -> bool {
        !matches!(self, Self::Awaited(..))
    }

    /// What a person should know about parts of it, since this was last asked.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        match self {
            Self::Job(logs) => logs.take_warnings(),
            Self::Peers(peers) => peers.take_warnings(),
            Self::Prometheus(values) => values.take_warnings(),
            Self::File(file) => file.take_warnings(),
            Self::Stream(stream) => stream.take_warnings(),
            Self::Awaited(..) => Vec::new(),
        }
    }

    /// The same when nobody will ask again.
    pub fn take_last_warnings(&mut self) -> Vec<Warning> {
        let mut warnings = self.take_warnings();
        match self {
            Self::File(file) => warnings.extend(file.take_last_warnings()),
            Self::Job(logs) => warnings.extend(logs.take_last_warnings()),
            Self::Awaited(..) | Self::Stream(_) | Self::Peers(_) | Self::Prometheus(_) => {}
        }
        warnings
    }

    /// Whether nobody is there who could move more, as far as it can know: all programs of a traced job have come to
    /// their end, or all who had connected have left.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        match self {
            Self::Job(logs) => logs.has_ended(),
            Self::Peers(peers) => peers.have_left(),
            Self::Awaited(..) | Self::File(_) | Self::Stream(_) | Self::Prometheus(_) => false,
        }
    }

    /// Whether it would say that it has ended.
    pub(crate) fn tells_its_end(&self) -> bool {
        matches!(self, Self::Job(_) | Self::Awaited(..))
    }

    /// When time 0 was, in seconds since 1970, where that is known.
    #[must_use]
    pub fn start_epoch_s(&self) -> Option<f64> {
        self.start_epoch_ns().map(|ns| ns as f64 * 1e-9)
    }

    /// Nobody will look again: takes in what only waited for its end.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn finish(&mut self, selection: &Selection, job: &mut dyn Follows) -> Result<(), Error> {
        if let Self::File(file) = self
            && let Growth::Read(reading) = file.finish(&mut Selecting::new(selection, &mut *job))?
        {
            job.learn(&reading.origin);
        }
        Ok(())
    }

    /// Takes in what is new of a selection.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn poll(&mut self, selection: &Selection, job: &mut dyn Follows) -> Result<News, Error> {
        if let Self::Awaited(path, options) = self {
            *self = Self::at(std::mem::take(path), options);
        }
        match self {
            Self::Awaited(..) => Ok(News::Other),
            Self::Job(logs) => {
                let mut sink = Selecting::new(selection, job);
                logs.poll(&mut sink).map(|_| News::Other)
            }
            Self::Peers(peers) => Ok(peers.poll(selection, job)),
            Self::Prometheus(values) => values.poll(selection, job),
            Self::Stream(stream) => stream.poll(selection, job),
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
