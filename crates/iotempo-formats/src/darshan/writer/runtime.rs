//! What Darshan's runtime would have recorded of a job: counters, heatmap and extended tracing of
//! the same calls, so that they agree with each other.

mod common;
mod heatmap;
mod reduce;
mod tally;

use super::super::dxt::Segment;
use super::super::log::HeatmapRecord;
use super::super::module::Module;
use super::counters::CounterRecord;
use super::dxt::DxtRun;
use iotempo_model::Op;
use std::collections::BTreeMap;
use tally::Tally;

/// One read or write of a rank. Times are seconds since the job began.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Call {
    /// The direction.
    pub op: Op,
    /// Where in the file it begins.
    pub offset: i64,
    /// How many bytes it moves.
    pub length: i64,
    /// When it begins.
    pub start: f64,
    /// When it ends.
    pub end: f64,
    /// MPI-IO: whether all ranks make it together.
    pub collective: bool,
}

/// Watches the POSIX, MPI-IO and STDIO calls of a job.
///
/// The calls of a rank on a file must come in the order of their starts.
#[derive(Debug, Clone)]
pub struct Runtime {
    ranks: u32,
    alignment: i64,
    hostnames: Vec<String>,
    files: BTreeMap<(Module, String), Histories>,
}

/// What each rank did with a file.
type Histories = BTreeMap<u32, Vec<Event>>;

#[derive(Debug, Clone, Copy)]
enum Event {
    Open { start: f64, end: f64 },
    Close { start: f64, end: f64 },
    Flush { start: f64, end: f64 },
    Data(Call),
}

impl Runtime {
    /// A job of `ranks` processes on a file system with blocks of `alignment` bytes. Ranks run on
    /// `hostnames` in blocks of equal size.
    #[must_use]
    pub fn new(ranks: u32, alignment: i64, hostnames: Vec<String>) -> Self {
        Self {
            ranks,
            alignment,
            hostnames,
            files: BTreeMap::new(),
        }
    }

    /// The host that a rank runs on.
    #[must_use]
    pub fn hostname(&self, rank: u32) -> &str {
        let per_host = (self.ranks as usize).div_ceil(self.hostnames.len().max(1));
        self.hostnames
            .get(rank as usize / per_host.max(1))
            .map_or("", AsRef::as_ref)
    }

    /// A rank opens a file.
    pub fn open(&mut self, module: Module, rank: u32, file: &str, start: f64, end: f64) {
        self.event(module, rank, file, Event::Open { start, end });
    }

    /// A rank closes a file.
    pub fn close(&mut self, module: Module, rank: u32, file: &str, start: f64, end: f64) {
        self.event(module, rank, file, Event::Close { start, end });
    }

    /// A rank flushes a file: `fsync`, `MPI_File_sync`, `fflush`.
    pub fn flush(&mut self, module: Module, rank: u32, file: &str, start: f64, end: f64) {
        self.event(module, rank, file, Event::Flush { start, end });
    }

    /// A rank reads or writes.
    pub fn call(&mut self, module: Module, rank: u32, file: &str, call: Call) {
        self.event(module, rank, file, Event::Data(call));
    }

    fn event(&mut self, module: Module, rank: u32, file: &str, event: Event) {
        let histories = self.files.entry((module, file.to_owned())).or_default();
        histories.entry(rank).or_default().push(event);
    }

    /// The counters of POSIX 4, MPI-IO 3 and STDIO 2. A file that all ranks used has one record
    /// for all of them.
    #[must_use]
    pub fn counters(&self) -> Vec<CounterRecord> {
        let mut records = Vec::new();
        for ((module, file), histories) in &self.files {
            let tallies: Vec<Tally> = histories
                .iter()
                .map(|(&rank, events)| Tally::of(rank, events, self.alignment))
                .collect();
            if tallies.len() == self.ranks as usize && self.ranks > 1 {
                records.push(reduce::all_ranks(&tallies).record(*module, file));
            } else {
                records.extend(tallies.iter().map(|tally| tally.record(*module, file)));
            }
        }
        records
    }

    /// The requests of POSIX and MPI-IO, one run per rank and file.
    #[must_use]
    pub fn dxt(&self) -> Vec<DxtRun> {
        let mut runs = Vec::new();
        for ((module, file), histories) in &self.files {
            let module = match module {
                Module::Posix => Module::DxtPosix,
                Module::MpiIo => Module::DxtMpiio,
                _ => continue,
            };
            for (&rank, events) in histories {
                let mut run = DxtRun::new(module, file, rank.into(), self.hostname(rank));
                for call in calls(events) {
                    let segment = Segment::new(call.offset, call.length, call.start, call.end);
                    match call.op {
                        Op::Read => run.reads.push(segment),
                        Op::Write => run.writes.push(segment),
                    }
                }
                if !(run.reads.is_empty() && run.writes.is_empty()) {
                    runs.push(run);
                }
            }
        }
        runs
    }

    /// The heatmaps of a job that ran for `run_time` seconds, one per layer and rank that moved
    /// bytes.
    #[must_use]
    pub fn heatmaps(&self, run_time: f64) -> Vec<HeatmapRecord> {
        let mut by_layer: BTreeMap<(Module, u32), HeatmapRecord> = BTreeMap::new();
        for ((module, _), histories) in &self.files {
            for (&rank, events) in histories {
                for call in calls(events) {
                    let record = by_layer
                        .entry((*module, rank))
                        .or_insert_with(|| heatmap::empty(*module, rank, run_time));
                    heatmap::add(record, call);
                }
            }
        }
        by_layer.into_values().collect()
    }
}

fn calls(events: &[Event]) -> impl Iterator<Item = &Call> {
    events.iter().filter_map(|event| match event {
        Event::Data(call) => Some(call),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
