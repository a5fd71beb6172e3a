//! Where readers put requests: a trace in memory, a file, a sum.

use crate::request::{Api, FileId, Interval, Op, Rank, Request};
use crate::units::{Bytes, Seconds};
use crate::warning::{Warning, counted};
use std::io;

/// Takes requests one at a time, so that no reader needs to hold them all.
pub trait RequestSink {
    /// The id under which requests on the file `name` will be pushed.
    fn file(&mut self, name: &str) -> FileId;

    /// Whether requests on a file of this name are taken at all: who follows a job for long cannot keep all names.
    fn wants(&self, _name: &str) -> bool {
        true
    }

    /// The id under which requests can be pushed on a file that is wanted, and whose name was not kept.
    fn nameless(&mut self) -> FileId {
        self.file("")
    }

    /// Takes one request.
    ///
    /// # Errors
    /// Where the sink writes somewhere and that fails; the reader stops and passes it on.
    fn push(&mut self, request: Request) -> io::Result<()>;

    /// Takes one request, and how it was made. Only sinks that count need to know that.
    ///
    /// # Errors
    /// As [`RequestSink::push`].
    fn push_made(&mut self, request: Request, _manner: Manner) -> io::Result<()> {
        self.push(request)
    }
}

/// How a request was made: what a volume over time has no use for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// How many requests it stands for: a tracer may put those that lie close together into one.
    pub requests: u64,
    /// Whether all processes made it together, as `MPI_File_write_all` is made.
    pub collective: bool,
    /// Whether a library of MPI made it on behalf of a call of MPI-IO; `None` where nobody says.
    pub beneath_mpi: Option<bool>,
}

impl Default for Manner {
    fn default() -> Self {
        Self {
            requests: 1,
            collective: false,
            beneath_mpi: None,
        }
    }
}

impl<S: RequestSink + ?Sized> RequestSink for &mut S {
    fn file(&mut self, name: &str) -> FileId {
        (**self).file(name)
    }

    fn wants(&self, name: &str) -> bool {
        (**self).wants(name)
    }

    fn nameless(&mut self) -> FileId {
        (**self).nameless()
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        (**self).push(request)
    }

    fn push_made(&mut self, request: Request, manner: Manner) -> io::Result<()> {
        (**self).push_made(request, manner)
    }
}

/// The gate between readers and sinks: what enters is finite and runs forwards, and every repair
/// is counted. Readers offer raw numbers; sinks only ever see valid requests.
#[derive(Debug)]
pub struct Intake<S> {
    sink: S,
    accepted: u64,
    backwards: u64,
    worst_backwards: f64,
    not_finite: u64,
    negative: u64,
    bad_rank: u64,
}

/// A request as a log states it, unchecked.
#[derive(Debug, Clone, Copy)]
pub struct RawRequest {
    /// The rank field; negative for "all ranks".
    pub rank: i64,
    /// The direction.
    pub op: Op,
    /// The layer.
    pub api: Api,
    /// The file.
    pub file: FileId,
    /// Start in seconds.
    pub start: f64,
    /// End in seconds.
    pub end: f64,
    /// Volume in bytes.
    pub bytes: f64,
}

impl<S: RequestSink> Intake<S> {
    /// A gate in front of `sink`.
    pub fn new(sink: S) -> Self {
        Self {
            sink,
            accepted: 0,
            backwards: 0,
            worst_backwards: 0.0,
            not_finite: 0,
            negative: 0,
            bad_rank: 0,
        }
    }

    /// The id of a file in the sink.
    pub fn file(&mut self, name: &str) -> FileId {
        self.sink.file(name)
    }

    /// Whether the sink takes requests on a file of this name.
    pub fn wants(&self, name: &str) -> bool {
        self.sink.wants(name)
    }

    /// The id in the sink of a file that is wanted, and whose name was not kept.
    pub fn nameless(&mut self) -> FileId {
        self.sink.nameless()
    }

    /// Checks, repairs and passes on one request.
    ///
    /// One that ends before it starts keeps its bytes and becomes a point at its start: a clock
    /// that jumped says nothing about how long it took. One without finite times, with a negative
    /// volume or with a rank that no machine has is left out.
    ///
    /// # Errors
    /// Whatever the sink answers.
    pub fn offer(&mut self, raw: RawRequest) -> io::Result<()> {
        self.offer_made(raw, Manner::default())
    }

    /// The same of a request of which is known how it was made.
    ///
    /// # Errors
    /// Whatever the sink answers.
    pub fn offer_made(&mut self, raw: RawRequest, manner: Manner) -> io::Result<()> {
        let (Some(start), Some(end)) = (Seconds::new(raw.start), Seconds::new(raw.end)) else {
            self.not_finite += 1;
            return Ok(());
        };
        let Some(bytes) = Bytes::new(raw.bytes) else {
            if raw.bytes < 0.0 {
                self.negative += 1;
            } else {
                self.not_finite += 1;
            }
            return Ok(());
        };
        let Some(rank) = Rank::from_i64(raw.rank) else {
            self.bad_rank += 1;
            return Ok(());
        };
        let when = Interval::new(start, end).unwrap_or_else(|jump| {
            self.backwards += 1;
            self.worst_backwards = self.worst_backwards.max((jump.start - jump.end).get());
            Interval::at(start)
        });
        self.accepted += 1;
        let request = Request {
            rank,
            op: raw.op,
            api: raw.api,
            file: raw.file,
            when,
            bytes,
        };
        self.sink.push_made(request, manner)
    }

    /// How many requests were passed on so far.
    pub fn accepted(&self) -> u64 {
        self.accepted
    }

    /// What was repaired or left out.
    pub fn warnings(&self) -> Vec<Warning> {
        self.warnings_about("request")
    }

    /// The same of a source whose rows are no requests: each of them is a `row`.
    pub fn warnings_about(&self, row: &str) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.backwards > 0 {
            warnings.push(Warning::new(
                "clock-backwards",
                format!(
                    "{} with an end before its start (by up to {} s): kept as a point in time",
                    counted(self.backwards, row),
                    self.worst_backwards
                ),
            ));
        }
        for (count, code, what) in [
            (
                self.not_finite,
                "not-finite",
                "a time or volume that is not a finite number",
            ),
            (self.negative, "negative-bytes", "a negative volume"),
            (self.bad_rank, "rank-out-of-range", "a rank beyond 2^31"),
        ] {
            if count > 0 {
                warnings.push(Warning::new(
                    code,
                    format!("{} with {what}: left out", counted(count, row)),
                ));
            }
        }
        warnings
    }
}
