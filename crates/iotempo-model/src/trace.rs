//! The requests of a job, in columns.

use crate::bandwidth::Bandwidth;
use crate::files::FileTable;
use crate::origin::{Origin, Source};
use crate::request::{Api, FileId, Interval, Op, Rank, Request};
use crate::sink::RequestSink;
use crate::units::{Bytes, Seconds};
use crate::warning::Warning;
use std::io;

/// What a job read and wrote, and when.
///
/// Bytes and intervals, never a bandwidth: a rate is a view that depends on the sampling. Stored in
/// columns, 33 bytes a request.
#[derive(Debug, Clone)]
pub struct Trace {
    requests: Columns,
    /// The files that requests refer to.
    pub files: FileTable,
    /// Where it came from.
    pub origin: Origin,
    /// What was repaired or left out on the way.
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, Default)]
struct Columns {
    rank: Vec<i32>,
    kind: Vec<u8>,
    file: Vec<u32>,
    start: Vec<f64>,
    end: Vec<f64>,
    bytes: Vec<f64>,
}

/// Direction and layer in one byte: bit 0 is the direction, the rest the layer's code.
fn kind_of(op: Op, api: Api) -> u8 {
    (api as u8) << 1 | op as u8
}

fn op_and_api(kind: u8) -> (Op, Api) {
    let op = if kind & 1 == 0 { Op::Read } else { Op::Write };
    (op, Api::ALL[usize::from(kind >> 1)])
}

impl Columns {
    fn push(&mut self, request: Request) {
        self.rank.push(request.rank.0);
        self.kind.push(kind_of(request.op, request.api));
        self.file.push(request.file.0);
        self.start.push(request.when.start().get());
        self.end.push(request.when.end().get());
        self.bytes.push(request.bytes.get());
    }

    fn get(&self, index: usize) -> Request {
        let (op, api) = op_and_api(self.kind[index]);
        let seconds = |value| Seconds::new(value).expect("checked when it entered");
        Request {
            rank: Rank(self.rank[index]),
            op,
            api,
            file: FileId(self.file[index]),
            when: Interval::new(seconds(self.start[index]), seconds(self.end[index]))
                .expect("checked when it entered"),
            bytes: Bytes::new(self.bytes[index]).expect("checked when it entered"),
        }
    }
}

impl Trace {
    /// A trace of `requests` on the files of `files`.
    #[must_use]
    pub fn new(
        requests: impl IntoIterator<Item = Request>,
        files: FileTable,
        origin: Origin,
    ) -> Self {
        let mut columns = Columns::default();
        for request in requests {
            columns.push(request);
        }
        Self {
            requests: columns,
            files,
            origin,
            warnings: Vec::new(),
        }
    }

    /// How many requests there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.requests.start.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The requests, in the order of the source.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Request> + '_ {
        (0..self.len()).map(|index| self.requests.get(index))
    }

    /// All bytes moved, both ways.
    #[must_use]
    pub fn volume(&self) -> Bytes {
        let volume = |bytes| Bytes::new(bytes).expect("checked when it entered");
        self.requests.bytes.iter().copied().map(volume).sum()
    }

    /// From the first start to the last end; `None` for an empty trace.
    #[must_use]
    pub fn span(&self) -> Option<Interval> {
        self.iter()
            .map(|request| request.when)
            .reduce(Interval::hull)
    }

    /// The exact bandwidth over time: the step function of all overlapping requests.
    #[must_use]
    pub fn bandwidth(&self) -> Bandwidth {
        let columns = &self.requests;
        Bandwidth::of_transfers(
            self.len(),
            (0..self.len()).map(|i| (columns.start[i], columns.end[i], columns.bytes[i])),
        )
    }

    /// The same requests, every time moved by `by`.
    #[must_use]
    pub fn shifted(mut self, by: Seconds) -> Self {
        for time in self.requests.start.iter_mut().chain(&mut self.requests.end) {
            *time = (Seconds::new(*time).expect("checked when it entered") + by).get();
        }
        self.origin.observed = self.origin.observed.map(|stretch| stretch.shifted(by));
        self
    }
}

/// Gathers requests into a [`Trace`].
#[derive(Debug, Default)]
pub struct TraceBuilder {
    requests: Columns,
    files: FileTable,
}

impl TraceBuilder {
    /// The trace of everything pushed.
    #[must_use]
    pub fn finish(self, origin: Origin, warnings: Vec<Warning>) -> Trace {
        Trace {
            requests: self.requests,
            files: self.files,
            origin,
            warnings,
        }
    }
}

impl RequestSink for TraceBuilder {
    fn file(&mut self, name: &str) -> FileId {
        self.files.intern(name)
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        self.requests.push(request);
        Ok(())
    }
}

impl Default for Trace {
    fn default() -> Self {
        Self::new([], FileTable::default(), Origin::new(Source::Requests))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_takes_at_most_40_bytes() {
        fn column<T>(_: &Vec<T>) -> usize {
            size_of::<T>()
        }
        let c = Columns::default();
        let width = column(&c.rank)
            + column(&c.kind)
            + column(&c.file)
            + column(&c.start)
            + column(&c.end)
            + column(&c.bytes);
        assert!(width <= 40, "{width} bytes");
    }

    #[test]
    fn direction_and_layer_survive_the_packing() {
        for op in Op::ALL {
            for api in Api::ALL {
                assert_eq!(op_and_api(kind_of(op, api)), (op, api));
            }
        }
    }

    #[test]
    fn an_empty_trace_has_no_span_and_no_bytes() {
        let trace = Trace::default();
        assert_eq!(trace.span(), None);
        assert_eq!(trace.volume(), Bytes::ZERO);
        assert!(trace.bandwidth().is_empty());
    }
}
