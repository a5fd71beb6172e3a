//! Logs of servers: throughput per server, target and direction, whoever caused it.
//!
//! [`read`] judges a log by its first bytes and pushes what each target moved in each interval into
//! a [`ThroughputSink`]. Every reader states its interval and unit; resets of counters, missing
//! intervals, doubled rows and clocks that jump are repaired where that is possible, and reported.
//! A byte that a log counts twice (a disk and its partitions, a sum and its parts) is handed on
//! once.

mod as_requests;
mod beegfs;
mod counters;
mod devices;
mod flows;
mod gate;
mod influx;
mod judge;
mod ldms;
mod metrics;
mod names;
mod options;
mod prometheus;
mod readings;
mod sheet;

pub(crate) use as_requests::read_requests;
pub use options::{Clock, Options, Reading};
pub use prometheus::Answers;

use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use iotempo_model::ThroughputSink;

/// The logs of servers that can be read. A closed set, judged by content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// What BeeGFS' tools print about users, clients and servers.
    BeeGfs,
    /// Points of InfluxDB: its line protocol, or answers to queries as JSON or CSV.
    Influx,
    /// LDMS's counters of Lustre clients.
    Ldms,
    /// Answers of Prometheus, or snapshots of its exporters.
    Prometheus,
}

/// Which log these are the first bytes of; `None` where it is none.
#[must_use]
pub fn detect(head: &[u8]) -> Option<Kind> {
    None.or_else(|| ldms::sniff(head).then_some(Kind::Ldms))
        .or_else(|| beegfs::sniff(head).then_some(Kind::BeeGfs))
        .or_else(|| influx::sniff(head).then_some(Kind::Influx))
        .or_else(|| prometheus::sniff(head).then_some(Kind::Prometheus))
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
        return sheet::read(input, options, sink);
    };
    read_as(kind, input, options, sink)
}

/// The error of a log that no reader knows.
fn unknown(head: &[u8]) -> Error {
    if head.is_empty() {
        return Error::new("", Place::Whole, ErrorKind::Empty);
    }
    let begin = String::from_utf8_lossy(&head[..head.len().min(16)]).into_owned();
    let kind = ErrorKind::UnknownFormat(format!("{begin:?}"));
    Error::new("", Place::Byte(0), kind)
}

fn read_as(
    kind: Kind,
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    match kind {
        Kind::BeeGfs => beegfs::read(input, options, sink),
        Kind::Influx => influx::read(input, options, sink),
        Kind::Ldms => ldms::read(input, options, sink),
        Kind::Prometheus => prometheus::read(input, options, sink),
    }
}
