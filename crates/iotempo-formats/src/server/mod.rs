//! Logs of servers: throughput per server, target and direction, whoever caused it.
//!
//! [`read`] judges a log by its first bytes and pushes what each target moved in each interval into
//! a [`ThroughputSink`]. Every reader states its interval and unit; resets of counters, missing
//! intervals, doubled rows and clocks that jump are repaired where that is possible, and reported.
//! A byte that a log counts twice (a disk and its partitions, a sum and its parts) is handed on
//! once. Where operations are asked for, they take the place of bytes all through.

mod as_requests;
mod beegfs;
mod collectd;
mod collectl;
mod counters;
mod devices;
mod flows;
mod gaps;
mod gate;
#[cfg(feature = "hdf5")]
mod hdf5;
#[cfg(feature = "hdf5")]
mod hdf5_logs;
mod influx;
mod judge;
#[cfg(test)]
mod kept;
mod ldms;
mod lmt;
mod lustre;
mod metrics;
mod mmperfmon;
mod names;
mod offered;
mod options;
mod prometheus;
mod quantity;
mod readings;
mod reports;
mod sheet;
mod snapshots;
mod sqlite;
mod sysstat;
#[cfg(any(test, not(feature = "hdf5")))]
mod without_hdf5;

#[cfg(not(feature = "hdf5"))]
use without_hdf5 as hdf5_logs;

pub(crate) use as_requests::read_requests;
pub use options::{Clock, Options, Reading};
pub use prometheus::Answers;
pub use quantity::Quantity;

use crate::error::{Error, ErrorKind, Place};
use crate::foreign;
use crate::input::Input;
use iotempo_model::ThroughputSink;
use offered::Offered;
use quantity::no_operations;

/// The logs of servers that can be read. A closed set, judged by content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// collectd's documents in Elasticsearch.
    Collectd,
    /// Tables in HDF5: pylmt, TOKIO.
    Hdf5,
    /// LDMS's counters of Lustre clients.
    Ldms,
    /// The database of LMT, as SQLite.
    LmtDatabase,
    /// The strings of LMT's agents.
    LmtStrings,
    /// Lustre's own counters.
    Lustre,
    /// GPFS's `mmperfmon query`.
    Mmperfmon,
    /// What BeeGFS' tools print about users, clients and servers.
    BeeGfs,
    /// Points of InfluxDB: its line protocol, or answers to queries as JSON or CSV.
    Influx,
    /// Answers of Prometheus, or snapshots of its exporters.
    Prometheus,
    /// What `collectl` recorded or printed.
    Collectl,
    /// What `iostat`, `sar` or `sadf` printed.
    Sysstat,
}

/// Known whether or not it can be read here.
fn is_hdf5(head: &[u8]) -> bool {
    head.starts_with(b"\x89HDF\r\n\x1a\n")
}

/// Whether a log begins so.
type Sniff = fn(&[u8]) -> bool;

/// How each log begins.
const SNIFFERS: &[(Sniff, Kind)] = &[
    (beegfs::sniff, Kind::BeeGfs),
    (collectd::sniff, Kind::Collectd),
    (collectl::sniff, Kind::Collectl),
    (is_hdf5, Kind::Hdf5),
    (influx::sniff, Kind::Influx),
    (ldms::sniff, Kind::Ldms),
    (lmt::cerebro::sniff, Kind::LmtStrings),
    (lustre::sniff, Kind::Lustre),
    (mmperfmon::sniff, Kind::Mmperfmon),
    (prometheus::sniff, Kind::Prometheus),
    (sqlite::sniff, Kind::LmtDatabase),
    (sysstat::sniff, Kind::Sysstat),
];

/// Which log these are the first bytes of; `None` where it is none.
#[must_use]
pub fn detect(head: &[u8]) -> Option<Kind> {
    let found = SNIFFERS.iter().find(|(sniff, _)| sniff(head));
    found.map(|&(_, kind)| kind)
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
    let mut offered = Offered::new(options, sink);
    let read = match detect(input.head()) {
        Some(kind) => read_as(kind, input, options, &mut offered),
        None => sheet::read(input, options, &mut offered),
    };
    offered.judge(read)
}

/// The error of a log that no reader knows.
fn unknown(head: &[u8]) -> Error {
    if head.is_empty() {
        return Error::new("", Place::Whole, ErrorKind::Empty);
    }
    if let Some(error) = foreign::error(head) {
        return error;
    }
    let begin = String::from_utf8_lossy(&head[..head.len().min(16)]).into_owned();
    let kind = ErrorKind::UnknownFormat(format!("{begin:?}"));
    Error::new("", Place::Byte(0), kind)
}

/// What a log is called none of whose forms counts operations.
fn counts_bytes_alone(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Hdf5 => Some("HDF5 of pylmt or TOKIO"),
        Kind::Ldms => Some("LDMS's table of Lustre clients"),
        Kind::LmtDatabase | Kind::LmtStrings => Some("LMT"),
        _ => None,
    }
}

fn read_as(
    kind: Kind,
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    if options.quantity == Quantity::Operations
        && let Some(what) = counts_bytes_alone(kind)
    {
        return Err(no_operations(
            what,
            "Lustre's own obdfilter.*.stats do, and iostat -x on its servers",
        ));
    }
    match kind {
        Kind::Collectd => collectd::read(input, options, sink),
        Kind::Hdf5 => hdf5_logs::read(input, options, sink),
        Kind::Ldms => ldms::read(input, options, sink),
        Kind::LmtDatabase => lmt::database::read(input, options, sink),
        Kind::LmtStrings => lmt::cerebro::read(input, options, sink),
        Kind::Lustre => lustre::read(input, options, sink),
        Kind::Mmperfmon => mmperfmon::read(input, options, sink),
        Kind::BeeGfs => beegfs::read(input, options, sink),
        Kind::Influx => influx::read(input, options, sink),
        Kind::Prometheus => prometheus::read(input, options, sink),
        Kind::Collectl => collectl::read(input, options, sink),
        Kind::Sysstat => sysstat::read(input, options, sink),
    }
}
