//! `darshan-parser --perf`.

use super::columns::Columns;
use super::mib_per_s;
use crate::darshan::log::CounterTable;
use serde::Serialize;
use std::collections::BTreeMap;

/// How much was moved, how long it took, and how fast that was.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Perf {
    /// Bytes read and written. Signed, since counters of MPI-IO overflow in real logs.
    pub total_bytes: i64,
    /// The rank that spent most time on files that are not shared by all ranks.
    pub unique: UniqueTimes,
    /// For each shared file the time of its slowest rank, summed.
    pub shared_time_by_slowest_s: f64,
    /// `unique.io_s` and `shared_time_by_slowest_s` together.
    pub agg_time_by_slowest_s: f64,
    /// Bytes over that time; `None` where no time passed (`darshan-parser` prints 0).
    pub agg_perf_by_slowest_mib_per_s: Option<f64>,
}

/// Time that one rank spent on files that are not shared by all ranks.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct UniqueTimes {
    /// The rank, the first of several; `None` where no rank spent any (`darshan-parser` prints 0).
    pub slowest_rank: Option<i64>,
    /// All of it.
    pub io_s: f64,
    /// In metadata operations.
    pub meta_s: f64,
    /// In reads and writes.
    pub rw_s: f64,
}

impl Perf {
    pub(super) fn of(table: &CounterTable, columns: &Columns) -> Self {
        let mut total_bytes = 0_i64;
        let mut shared = 0.0;
        // By rank and not by number of processes, which a log may lie about.
        let mut ranks: BTreeMap<i64, UniqueTimes> = BTreeMap::new();
        for record in columns.records(table) {
            total_bytes = total_bytes.saturating_add(record.bytes());
            if record.is_shared() {
                shared += record.slowest_rank_time();
                continue;
            }
            let (times, rank) = (record.times(), ranks.entry(record.rank).or_default());
            rank.io_s += times.total();
            rank.rw_s += times.read + times.write;
            rank.meta_s += times.meta;
        }
        let unique = slowest(&ranks);
        let time = unique.io_s + shared;
        Self {
            total_bytes,
            unique,
            shared_time_by_slowest_s: shared,
            agg_time_by_slowest_s: time,
            agg_perf_by_slowest_mib_per_s: mib_per_s(total_bytes, time),
        }
    }
}

fn slowest(ranks: &BTreeMap<i64, UniqueTimes>) -> UniqueTimes {
    let mut slowest = UniqueTimes::default();
    for (&rank, times) in ranks {
        if times.io_s > slowest.io_s {
            slowest = UniqueTimes {
                slowest_rank: Some(rank),
                ..*times
            };
        }
    }
    slowest
}
