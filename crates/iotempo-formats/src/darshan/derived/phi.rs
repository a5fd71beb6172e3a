//! The terms that Madireddy et al. take from Darshan logs (*Analysis and correlation of
//! application I/O performance and system-wide I/O activity*, NAS 2017, section III).

use super::columns::{Columns, Record};
use super::perf::Perf;
use super::shared::SharedTimes;
use crate::darshan::legacy::legacy_time_origin;
use crate::darshan::log::{CounterTable, Log};
use crate::darshan::module::Module;
use serde::Serialize;
use std::collections::HashMap;

/// The interval that a job's activity is counted in: Δ of the paper.
pub const PHI_DELTA_S: f64 = 60.0;

/// A job's times, by the paper's symbols.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Phi {
    /// φ^J: from the start of the job to its end.
    pub phi_j_s: f64,
    /// φ^U_M: the slowest rank's metadata time on files that are not shared by all ranks.
    pub phi_u_m_s: f64,
    /// φ^U_RW: its time in reads and writes on them.
    pub phi_u_rw_s: f64,
    /// φ^U: both.
    pub phi_u_s: f64,
    /// φ^S by the paper's text: from the first open of any shared file to the last read or write
    /// of any; `None` where no shared file was read or written.
    pub phi_s_span_s: Option<f64>,
    /// φ^S by Darshan at the time: from first open to last read or write of each file, summed.
    pub phi_s_open_lastio_s: f64,
    /// φ^S by Darshan today: the slowest rank's time on each file, summed.
    pub phi_s_slowest_s: f64,
    /// φ = φ^U + φ^S, with Darshan's φ^S of today.
    pub phi_s: f64,
    /// φ_R^F: the longest time from first to last read of a file; `None` where nothing was read.
    pub phi_f_r_s: Option<f64>,
    /// φ_W^F: the same for writes.
    pub phi_f_w_s: Option<f64>,
    /// φ^D = m·Δ, where m counts the intervals of [`PHI_DELTA_S`], on the calendar's minutes, that
    /// some file's reads or writes touch.
    pub phi_d_s: f64,
}

impl Phi {
    pub(super) fn of(log: &Log, table: &CounterTable, columns: &Columns) -> Self {
        let perf = Perf::of(table, columns);
        let shared = SharedTimes::of(table, columns, log.job.nprocs);
        let files = stretches(table, columns);
        let longest = |of: fn(&Stretches) -> Stretch| {
            let lengths = files.iter().filter_map(|file| of(file).length());
            lengths.max_by(f64::total_cmp)
        };
        Self {
            phi_j_s: job_length(log),
            phi_u_m_s: perf.unique.meta_s,
            phi_u_rw_s: perf.unique.rw_s,
            phi_u_s: perf.unique.io_s,
            phi_s_span_s: span(table, columns),
            phi_s_open_lastio_s: shared.by_open_lastio_s,
            phi_s_slowest_s: perf.shared_time_by_slowest_s,
            phi_s: perf.agg_time_by_slowest_s,
            phi_f_r_s: longest(|file| file.reads),
            phi_f_w_s: longest(|file| file.writes),
            phi_d_s: intervals(&files, epoch(log)) as f64 * PHI_DELTA_S,
        }
    }
}

fn job_length(log: &Log) -> f64 {
    let job = &log.job;
    let seconds = i128::from(job.end_s) - i128::from(job.start_s);
    let nanoseconds = i128::from(job.end_ns) - i128::from(job.start_ns);
    seconds as f64 + nanoseconds as f64 / 1e9
}

/// What to add to time stamps to get seconds since 1970.
fn epoch(log: &Log) -> f64 {
    let origin = match log.module(Module::Cp) {
        Some(_) => legacy_time_origin(log),
        None => 0.0,
    };
    log.job.start_s as f64 + log.job.start_ns as f64 / 1e9 - origin
}

/// First open to last read or write over all shared files.
fn span(table: &CounterTable, columns: &Columns) -> Option<f64> {
    let shared = || columns.records(table).filter(Record::is_shared);
    let happened = |time: &f64| time.is_finite() && *time > 0.0;
    let open = shared()
        .map(|record| record.open_start())
        .filter(happened)
        .min_by(f64::total_cmp)?;
    let last = shared()
        .map(|record| record.last_io())
        .filter(happened)
        .max_by(f64::total_cmp)?;
    (last >= open).then_some(last - open)
}

/// When the reads and the writes of a file happened.
#[derive(Default)]
struct Stretches {
    reads: Stretch,
    writes: Stretch,
}

#[derive(Debug, Clone, Copy, Default)]
struct Stretch {
    start: Option<f64>,
    end: Option<f64>,
}

impl Stretch {
    /// Adds another rank's. 0 says that nothing happened, −1 that it was not recorded.
    fn extend(&mut self, [start, end]: [f64; 2]) {
        if start.is_finite() && start > 0.0 {
            self.start = Some(self.start.map_or(start, |known| known.min(start)));
        }
        if end.is_finite() && end > 0.0 {
            self.end = Some(self.end.map_or(end, |known| known.max(end)));
        }
    }

    fn ordered(self) -> Option<(f64, f64)> {
        self.start.zip(self.end).filter(|(start, end)| start <= end)
    }

    fn length(self) -> Option<f64> {
        self.ordered().map(|(start, end)| end - start)
    }
}

fn stretches(table: &CounterTable, columns: &Columns) -> Vec<Stretches> {
    let mut files: Vec<Stretches> = Vec::new();
    let mut places: HashMap<u64, usize> = HashMap::new();
    for record in columns.records(table) {
        let place = *places.entry(record.id).or_insert(files.len());
        if place == files.len() {
            files.push(Stretches::default());
        }
        files[place].reads.extend(record.reads());
        files[place].writes.extend(record.writes());
    }
    files
}

/// How many intervals of Δ the stretches touch. Counted from their ends, never one by one: a log
/// may claim a stretch of centuries.
fn intervals(files: &[Stretches], epoch: f64) -> u64 {
    let all = files.iter().flat_map(|file| [file.reads, file.writes]);
    let interval = |time: f64| ((epoch + time) / PHI_DELTA_S).floor();
    let mut touched: Vec<(f64, f64)> = all
        .filter_map(Stretch::ordered)
        .map(|(start, end)| (interval(start), interval(end)))
        .collect();
    touched.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut count = 0.0;
    let mut counted = f64::NEG_INFINITY;
    for (first, last) in touched {
        let first = first.max(counted + 1.0);
        count += (last - first + 1.0).max(0.0);
        counted = counted.max(last);
    }
    count as u64
}
