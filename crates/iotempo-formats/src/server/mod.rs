//! Logs of servers: throughput per server, target and direction, whoever caused it.
//!
//! [`read`] judges a log by its first bytes and pushes what each target moved in each interval into
//! a [`ThroughputSink`]. Every reader states its interval and unit; resets of counters, missing
//! intervals, doubled rows and clocks that jump are repaired where that is possible, and reported.
//! A byte that a log counts twice (a disk and its partitions, a sum and its parts) is handed on
//! once.

mod as_requests;
mod collectl;
mod counters;
mod devices;
mod gate;
mod ldms;
mod options;
mod reports;
mod sysstat;

pub(crate) use as_requests::read_requests;
pub use options::{Clock, Options, Reading};

use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use iotempo_model::ThroughputSink;

/// The logs of servers that can be read. A closed set, judged by content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// What `collectl` recorded or printed.
    Collectl,
    /// LDMS's counters of Lustre clients.
    Ldms,
    /// What `iostat`, `sar` or `sadf` printed.
    Sysstat,
}

/// Which log these are the first bytes of; `None` where it is none.
#[must_use]
pub fn detect(head: &[u8]) -> Option<Kind> {
    let collectl = collectl::sniff(head).then_some(Kind::Collectl);
    collectl
        .or_else(|| ldms::sniff(head).then_some(Kind::Ldms))
        .or_else(|| sysstat::sniff(head).then_some(Kind::Sysstat))
}

/// Reads the log of a server and pushes what its targets moved into `sink`.
///
/// # Errors
/// Where it is no log of a server, or is damaged before its first interval.
pub fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let input = input.unwrapped()?;
    let Some(kind) = detect(input.head()) else {
        let head = input.head();
        let begin = String::from_utf8_lossy(&head[..head.len().min(16)]).into_owned();
        let kind = ErrorKind::UnknownFormat(format!("{begin:?}"));
        return Err(Error::new("", Place::Byte(0), kind));
    };
    read_as(kind, input, options, sink)
}

fn read_as(
    kind: Kind,
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    match kind {
        Kind::Collectl => collectl::read(input, options, sink),
        Kind::Ldms => ldms::read(input, options, sink),
        Kind::Sysstat => sysstat::read(input, options, sink),
    }
}
