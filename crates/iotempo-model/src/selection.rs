//! A part of a trace: a stretch of time, a direction, some ranks, files, layers.

use crate::request::{Api, FileId, Interval, Op, Rank, Request};
use crate::sink::RequestSink;
use crate::trace::{Trace, TraceBuilder};
use crate::units::Bytes;
use crate::warning::{Warning, counted};
use std::collections::HashSet;
use std::io;
use std::ops::RangeInclusive;

/// Says whether requests on a file of this name are wanted.
pub type FileTest = dyn Fn(&str) -> bool + Send + Sync;

/// Says which requests to keep. The default keeps all.
#[derive(Default)]
pub struct Selection {
    /// Only what lies in this stretch: requests across its edge keep the share of their bytes that
    /// lies inside.
    pub window: Option<Interval>,
    /// Only this direction.
    pub op: Option<Op>,
    /// Only this layer.
    pub api: Option<Api>,
    /// Only ranks in one of these ranges.
    pub ranks: Option<Vec<RangeInclusive<i32>>>,
    /// Only files whose name passes.
    pub files: Option<Box<FileTest>>,
}

impl Selection {
    /// Whether every request is kept as it is.
    #[must_use]
    pub fn keeps_all(&self) -> bool {
        self.window.is_none()
            && self.op.is_none()
            && self.api.is_none()
            && self.ranks.is_none()
            && self.files.is_none()
    }

    fn keeps_rank(&self, rank: Rank) -> bool {
        self.ranks
            .as_ref()
            .is_none_or(|ranges| ranges.iter().any(|range| range.contains(&rank.0)))
    }

    /// Whether files matter.
    fn keeps_file(&self, name: &str) -> bool {
        self.files.as_ref().is_none_or(|passes| passes(name))
    }

    /// The part of a request that is kept, files aside.
    #[must_use]
    fn part_of(&self, request: Request) -> Option<Request> {
        let kept = self.op.is_none_or(|op| op == request.op)
            && self.api.is_none_or(|api| api == request.api)
            && self.keeps_rank(request.rank);
        if !kept {
            return None;
        }
        match self.window {
            None => Some(request),
            Some(window) => clipped(request, window),
        }
    }
}

/// The part of `request` inside `window`. A point on the window's end belongs to the next window.
fn clipped(request: Request, window: Interval) -> Option<Request> {
    let when = request.when.intersection(window)?;
    let length = request.when.length().get();
    if length == 0.0 {
        let at_the_end = when.start() == window.end() && window.length().get() > 0.0;
        return (!at_the_end).then_some(request);
    }
    let inside = when.length().get();
    (inside > 0.0).then(|| Request {
        when,
        bytes: Bytes::new(request.bytes.get() * (inside / length)).unwrap_or_default(),
        ..request
    })
}

/// A sink that passes on a [`Selection`] of what it is given.
pub struct Selecting<'a, S> {
    selection: &'a Selection,
    unwanted: HashSet<FileId>,
    /// Requests of all ranks together that a choice of ranks left out, and their bytes.
    shared_left_out: (u64, Bytes),
    sink: S,
}

impl<'a, S: RequestSink> Selecting<'a, S> {
    /// Passes the selected part on to `sink`.
    pub fn new(selection: &'a Selection, sink: S) -> Self {
        Self {
            selection,
            unwanted: HashSet::new(),
            shared_left_out: (0, Bytes::ZERO),
            sink,
        }
    }

    /// What a person should know about what was left out: bytes of all ranks together are also
    /// those of the chosen ranks, but nobody knows how many.
    pub fn warnings(&self) -> Option<Warning> {
        let (requests, bytes) = self.shared_left_out;
        (requests > 0).then(|| {
            let message = format!(
                "left out {} of all ranks together ({} bytes): rank -1 selects them",
                counted(requests, "record"),
                bytes.get()
            );
            Warning::new("shared-left-out", message)
        })
    }
}

impl<S: RequestSink> RequestSink for Selecting<'_, S> {
    fn file(&mut self, name: &str) -> FileId {
        let id = self.sink.file(name);
        if !self.selection.keeps_file(name) {
            self.unwanted.insert(id);
        }
        id
    }

    fn wants(&self, name: &str) -> bool {
        self.selection.keeps_file(name) && self.sink.wants(name)
    }

    fn nameless(&mut self) -> FileId {
        self.sink.nameless()
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        if self.unwanted.contains(&request.file) {
            return Ok(());
        }
        match self.selection.part_of(request) {
            Some(part) => self.sink.push(part),
            None => {
                if request.rank == Rank::SHARED && !self.selection.keeps_rank(request.rank) {
                    let (requests, bytes) = self.shared_left_out;
                    self.shared_left_out = (requests + 1, bytes + request.bytes);
                }
                Ok(())
            }
        }
    }
}

impl Trace {
    /// The part of this trace that `selection` keeps.
    #[must_use]
    pub fn select(&self, selection: &Selection) -> Self {
        let mut builder = TraceBuilder::default();
        let mut selecting = Selecting::new(selection, &mut builder);
        for (_, name) in self.files.iter() {
            selecting.file(name);
        }
        for request in self.iter() {
            selecting.push(request).expect("a builder never fails");
        }
        let mut warnings = self.warnings.clone();
        warnings.extend(selecting.warnings());
        let mut origin = self.origin.clone();
        if let Some(window) = selection.window {
            origin.observed = Some(window);
        }
        builder.finish(origin, warnings)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::origin::{Origin, Source};
    use crate::units::Seconds;

    fn seconds(value: f64) -> Seconds {
        Seconds::new(value).expect("finite")
    }

    fn interval(start: f64, end: f64) -> Interval {
        Interval::new(seconds(start), seconds(end)).expect("forwards")
    }

    fn trace() -> Trace {
        let mut builder = TraceBuilder::default();
        let dump = builder.file("/scratch/dump.0");
        let log = builder.file("/home/run.log");
        for (rank, op, file, start, end, bytes) in [
            (0, Op::Write, dump, 0.0, 4.0, 400),
            (1, Op::Read, log, 2.0, 2.0, 50),
            (2, Op::Write, log, 4.0, 4.0, 8),
        ] {
            let request = Request {
                rank: Rank(rank),
                op,
                api: Api::Posix,
                file,
                when: interval(start, end),
                bytes: Bytes::from(bytes),
            };
            builder.push(request).expect("never fails");
        }
        builder.finish(Origin::new(Source::Requests), Vec::new())
    }

    fn volume(selection: &Selection) -> f64 {
        trace().select(selection).volume().get()
    }

    #[test]
    fn a_window_keeps_the_share_of_bytes_inside_it() {
        let window = |start, end| Selection {
            window: Some(interval(start, end)),
            ..Selection::default()
        };
        assert_eq!(volume(&window(1.0, 3.0)), 250.0);
        // Windows side by side share nothing and lose nothing.
        let parts =
            volume(&window(0.0, 2.0)) + volume(&window(2.0, 4.0)) + volume(&window(4.0, 9.0));
        assert_eq!(parts, trace().volume().get());
    }

    #[test]
    fn bytes_of_all_ranks_together_are_missed_when_ranks_are_chosen() {
        let mut requests: Vec<_> = trace().iter().collect();
        requests[0].rank = Rank::SHARED;
        let trace = Trace::new(
            requests,
            trace().files.clone(),
            Origin::new(Source::Counters),
        );
        let some = Selection {
            ranks: Some(vec![0..=7]),
            ..Selection::default()
        };
        let selected = trace.select(&some);
        assert_eq!(selected.volume().get(), 58.0);
        assert_eq!(selected.warnings[0].code, "shared-left-out");
        let shared = Selection {
            ranks: Some(vec![-1..=-1]),
            ..Selection::default()
        };
        assert_eq!(trace.select(&shared).volume().get(), 400.0);
    }

    #[test]
    fn ranks_directions_and_files_are_chosen() {
        let op = Selection {
            op: Some(Op::Read),
            ..Selection::default()
        };
        assert_eq!(volume(&op), 50.0);
        let ranks = Selection {
            ranks: Some(vec![0..=0, 2..=5]),
            ..Selection::default()
        };
        assert_eq!(volume(&ranks), 408.0);
        let files = Selection {
            files: Some(Box::new(|name| name.ends_with(".log"))),
            ..Selection::default()
        };
        assert_eq!(volume(&files), 58.0);
        let api = Selection {
            api: Some(Api::Stdio),
            ..Selection::default()
        };
        assert_eq!(volume(&api), 0.0);
    }
}
