//! Which targets a log has, for whoever asked for one that it does not have.

use super::options::{Options, Reading};
use crate::error::{Error, ErrorKind, Place};
use iotempo_model::{Moved, Target, TargetId, ThroughputSink, Warning};
use std::collections::BTreeSet;
use std::io;

/// So many targets are named.
const NAMED: usize = 8;

/// So many are remembered.
const REMEMBERED: usize = 1 << 10;

/// Remembers the targets of a log on their way to a sink.
pub(super) struct Offered<'a> {
    sink: &'a mut dyn ThroughputSink,
    wanted: &'a [String],
    found: BTreeSet<String>,
    others: BTreeSet<String>,
}

impl<'a> Offered<'a> {
    pub(super) fn new(options: &'a Options, sink: &'a mut dyn ThroughputSink) -> Self {
        Self {
            sink,
            wanted: &options.targets,
            found: BTreeSet::new(),
            others: BTreeSet::new(),
        }
    }

    /// Says which targets there are where some that were asked for are not.
    pub(super) fn judge(self, read: Result<Reading, Error>) -> Result<Reading, Error> {
        let missing = self.wanted.iter().filter(|one| !self.found.contains(*one));
        let missing: Vec<&str> = missing.map(String::as_str).collect();
        if missing.is_empty() || (self.found.is_empty() && self.others.is_empty()) {
            return read;
        }
        let mut there: Vec<&str> = self.others.iter().map(String::as_str).collect();
        if there.len() > NAMED {
            there.truncate(NAMED);
            there.push("…");
        }
        let there = match there.is_empty() {
            true => String::new(),
            false => format!("; there are {}", there.join(", ")),
        };
        let message = format!("no target {}{there}", missing.join(", "));
        if self.found.is_empty() {
            let kind = ErrorKind::Unsupported(message);
            return Err(Error::new("", Place::Whole, kind));
        }
        let mut reading = read?;
        reading.warnings.push(Warning::new("no-target", message));
        Ok(reading)
    }
}

impl ThroughputSink for Offered<'_> {
    fn target(&mut self, target: &Target) -> TargetId {
        let names = [target.label(), target.name.clone()];
        let wanted = names.into_iter().filter(|one| self.wanted.contains(one));
        self.found.extend(wanted);
        self.sink.target(target)
    }

    fn passed_over(&mut self, target: &Target) {
        if self.others.len() < REMEMBERED {
            self.others.insert(target.label());
        }
    }

    fn moved(&mut self, moved: Moved) -> io::Result<()> {
        self.sink.moved(moved)
    }
}
