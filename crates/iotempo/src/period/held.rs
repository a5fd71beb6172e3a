//! What an input holds, selected or not.

use crate::style::Style;
use iotempo_model::{FileId, Op, Request, RequestSink, Seconds};
use iotempo_report::clock::Clock;
use std::io;

/// Counts what passes on its way into a sink.
pub(super) struct Counting<S> {
    sink: S,
    pub(super) held: Held,
}

/// How much was moved, and when.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Held {
    /// By direction.
    bytes: [f64; 2],
    span: Option<(Seconds, Seconds)>,
}

impl<S: RequestSink> Counting<S> {
    pub(super) fn new(sink: S) -> Self {
        let held = Held::default();
        Self { sink, held }
    }
}

impl<S: RequestSink> RequestSink for Counting<S> {
    fn file(&mut self, name: &str) -> FileId {
        self.sink.file(name)
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        self.held.add(&request);
        self.sink.push(request)
    }
}

impl Held {
    fn add(&mut self, request: &Request) {
        self.bytes[request.op as usize] += request.bytes.get();
        let (start, end) = (request.when.start(), request.when.end());
        let span = self.span.get_or_insert((start, end));
        if start < span.0 {
            span.0 = start;
        }
        if end > span.1 {
            span.1 = end;
        }
    }

    /// `2 GiB read and 80 GiB written from 0 s to 474.28 s`; `None` where nothing was.
    pub(super) fn words(&self, style: Style) -> Option<String> {
        let moved = [(Op::Read, "read"), (Op::Write, "written")].map(|(op, word)| {
            let bytes = self.bytes[op as usize];
            (bytes > 0.0).then(|| format!("{} {word}", style.bytes(bytes)))
        });
        let moved: Vec<_> = moved.into_iter().flatten().collect();
        let (start, end) = self.span.filter(|_| !moved.is_empty())?;
        let clock = Clock::of(start.get(), end.get());
        let (start, end) = (clock.at(start.get()), clock.at(end.get()));
        Some(format!("{} from {start} to {end}", moved.join(" and ")))
    }
}
