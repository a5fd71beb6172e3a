//! How much of what the counters count a kind of evidence shows.

use super::emitter::Emitter;
use super::layers;
use super::opened::Opened;
use crate::reading::Layer;
use iotempo_model::{FileId, Op, Request, RequestSink, Source, Warning};
use std::io;

/// Bytes that a kind of evidence shows, by direction.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Shown([f64; 2]);

impl Shown {
    pub(crate) fn add(&mut self, op: Op, bytes: f64) {
        self.0[op as usize] += bytes;
    }

    pub(crate) fn total(self) -> f64 {
        self.0[0] + self.0[1]
    }

    /// How much of `all` this is, both directions together.
    pub(crate) fn share_of(self, all: Self) -> f64 {
        self.total() / all.total()
    }

    /// A warning where this is clearly less than the counters count in a direction.
    pub(crate) fn missing(self, source: Source, counted: Self) -> Option<Warning> {
        let share = |op: Op| self.0[op as usize] / counted.0[op as usize];
        let short: Vec<String> = Op::ALL
            .into_iter()
            // Nothing of nothing is no number, and nothing is missing.
            .filter(|&op| share(op) < 0.99)
            .map(|op| {
                let (percent, of) = (100.0 * share(op), counted.0[op as usize]);
                let done = if op == Op::Read { "read" } else { "written" };
                format!("{percent:.1} % of the {of} bytes {done}")
            })
            .collect();
        (!short.is_empty()).then(|| {
            let message = format!("{source} shows {} (as counted)", short.join(" and "));
            Warning::new("bytes-missing", message)
        })
    }
}

/// Looks through a kind of evidence: what is there may be less than a flag says, or damaged.
pub(crate) fn measure(log: &mut Opened, source: Source, layer: Layer) -> Shown {
    let plan = layers::plan(log, source, layer);
    let mut nowhere = Nowhere;
    let mut emitter = Emitter::new(log, &mut nowhere, plan);
    emitter.walk(log, source);
    emitter.shown
}

/// A sink that keeps nothing.
struct Nowhere;

impl RequestSink for Nowhere {
    fn file(&mut self, _: &str) -> FileId {
        FileId(0)
    }

    fn push(&mut self, _: Request) -> io::Result<()> {
        Ok(())
    }
}
