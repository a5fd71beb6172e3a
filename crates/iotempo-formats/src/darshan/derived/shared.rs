//! The estimates of the time spent on shared files that the literature before 2022 uses.

use super::columns::Columns;
use super::mib_per_s;
use super::perf::Perf;
use crate::darshan::log::CounterTable;
use serde::Serialize;

/// How long shared files took, by four estimates, and the rates that follow: each is all bytes
/// over the estimate and the slowest rank's time on its own files. A rate is `None` where no time
/// passed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SharedTimes {
    /// Time of all ranks over the number of processes; `None` without processes.
    pub by_cumul_s: Option<f64>,
    /// The same for metadata operations alone.
    pub meta_by_cumul_s: Option<f64>,
    /// From the first open of each file to its last close, summed.
    pub by_open_s: f64,
    /// From the first open of each file to its last read or write, summed.
    pub by_open_lastio_s: f64,
    /// For each file the time of its slowest rank, summed.
    pub by_slowest_s: f64,
    /// The rate by `by_cumul_s`.
    pub agg_perf_by_cumul_mib_per_s: Option<f64>,
    /// The rate by `by_open_s`.
    pub agg_perf_by_open_mib_per_s: Option<f64>,
    /// The rate by `by_open_lastio_s`.
    pub agg_perf_by_open_lastio_mib_per_s: Option<f64>,
    /// The rate by `by_slowest_s`.
    pub agg_perf_by_slowest_mib_per_s: Option<f64>,
}

impl SharedTimes {
    pub(super) fn of(table: &CounterTable, columns: &Columns, nprocs: i64) -> Self {
        let (mut all, mut meta, mut open, mut lastio) = (0.0, 0.0, 0.0, 0.0);
        for record in columns.records(table).filter(|record| record.is_shared()) {
            let times = record.times();
            all += times.total();
            meta += times.meta;
            open += after(record.open_start(), record.close_end());
            lastio += after(record.open_start(), record.last_io());
        }
        let per_process = |time: f64| (nprocs > 0).then(|| time / nprocs as f64);
        let perf = Perf::of(table, columns);
        let rate = |time: f64| mib_per_s(perf.total_bytes, perf.unique.io_s + time);
        Self {
            by_cumul_s: per_process(all),
            meta_by_cumul_s: per_process(meta),
            by_open_s: open,
            by_open_lastio_s: lastio,
            by_slowest_s: perf.shared_time_by_slowest_s,
            agg_perf_by_cumul_mib_per_s: per_process(all).and_then(rate),
            agg_perf_by_open_mib_per_s: rate(open),
            agg_perf_by_open_lastio_mib_per_s: rate(lastio),
            agg_perf_by_slowest_mib_per_s: perf.agg_perf_by_slowest_mib_per_s,
        }
    }
}

/// The time between two stamps; 0 where the second is not later, as for a file never closed.
fn after(start: f64, end: f64) -> f64 {
    if end > start { end - start } else { 0.0 }
}
