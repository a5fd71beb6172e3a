//! Figures that people derive from Darshan's counters: those of `darshan-parser` `--perf`,
//! `--file` and `--total`, the older estimates of the time spent on shared files, and the terms
//! of Madireddy et al.
//!
//! Modules are never added up: MPI-IO sits on POSIX, and both see the same bytes. Sums of times
//! are taken in the order of the records, as Darshan's own tools take them, so that they agree to
//! the last bit.

mod columns;
mod files;
mod perf;
mod phi;
mod shared;
mod total;

pub use files::{FileClass, FileCounts};
pub use perf::{Perf, UniqueTimes};
pub use phi::{PHI_DELTA_S, Phi};
pub use shared::SharedTimes;
pub use total::Total;

use super::log::{CounterTable, Log};
use super::module::Module;
use columns::Columns;

/// The modules that figures can be derived from.
pub const DERIVABLE: [Module; 6] = [
    Module::Posix,
    Module::MpiIo,
    Module::Stdio,
    Module::Dfs,
    Module::Daos,
    Module::Cp,
];

/// What `darshan-parser --perf` says about a module; `None` where the log has no such counters.
#[must_use]
pub fn perf(log: &Log, module: Module) -> Option<Perf> {
    let (table, columns) = counters(log, module)?;
    Some(Perf::of(table, &columns))
}

/// What `darshan-parser --file` says about a module; `None` where the log has no such counters.
#[must_use]
pub fn file_counts(log: &Log, module: Module) -> Option<FileCounts> {
    let (table, columns) = counters(log, module)?;
    Some(FileCounts::of(table, &columns))
}

/// What `darshan-parser --total` says about a module; `None` where the log has no such counters,
/// and for logs before 3.00.
#[must_use]
pub fn total(log: &Log, module: Module) -> Option<Total> {
    let (table, columns) = counters(log, module)?;
    (module != Module::Cp).then(|| Total::of(module, table, &columns))
}

/// The estimates of the time spent on shared files that `darshan-parser --perf` gave up to 3.3.1;
/// `None` where the log has no such counters.
#[must_use]
pub fn shared_times(log: &Log, module: Module) -> Option<SharedTimes> {
    let (table, columns) = counters(log, module)?;
    Some(SharedTimes::of(table, &columns, log.job.nprocs))
}

/// The terms of Madireddy et al.; `None` where the log has no such counters.
#[must_use]
pub fn phi(log: &Log, module: Module) -> Option<Phi> {
    let (table, columns) = counters(log, module)?;
    Some(Phi::of(log, table, &columns))
}

fn counters(log: &Log, module: Module) -> Option<(&CounterTable, Columns)> {
    let table = log.counters(module)?;
    Some((table, Columns::of(module, table.layout)?))
}

/// MiB per second; `None` where no time passed, or none that is a number.
fn mib_per_s(bytes: i64, time_s: f64) -> Option<f64> {
    const MIB: f64 = 1_048_576.0;
    (time_s.is_finite() && time_s != 0.0).then(|| (bytes as f64 / MIB) / time_s)
}

#[cfg(test)]
mod tests;
