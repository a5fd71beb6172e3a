//! Steps 1 and 2: what was counted of one file, at one layer, in one direction.

use super::ranks::Ranks;
use super::sizes::Sizes;
use super::{LeftOut, Settings};
use iotempo_model::{Api, FileCounters, Op, Rank, Seconds};

/// A phase of a single file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FilePhase {
    pub(super) file: u64,
    pub(super) api: Api,
    pub(super) op: Op,
    pub(super) start_s: f64,
    pub(super) end_s: f64,
    pub(super) ranks: Ranks,
    pub(super) bytes: u64,
    /// The longest time of any process; the mean of all processes where there is one record of all.
    pub(super) time_s: f64,
    /// The times of processes one by one.
    pub(super) times_s: Vec<(Option<Rank>, f64)>,
    /// The means of all processes, by records of all.
    pub(super) everybody_s: Vec<f64>,
    pub(super) counts: Counts,
    /// Whether it is known where in the file requests lie.
    pub(super) placed: bool,
    pub(super) sizes: Sizes,
    /// The coefficient of variation that the profiler itself gives.
    pub(super) stated_cv: Option<f64>,
    pub(super) partial: bool,
    /// Whether counters of it overflowed.
    pub(super) overflowed: bool,
    /// Whether MPI-IO may have done it, where it is of POSIX.
    pub(super) beneath: bool,
    /// Whether a phase of another layer tells what the program moved.
    pub(super) shadow: bool,
    /// Whether processes share the file, of which some may take part at another time only.
    pub(super) shared: bool,
}

/// How many requests there were, of which kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts {
    pub(super) requests: u64,
    pub(super) consecutive: u64,
    pub(super) sequential: u64,
    pub(super) collective: u64,
}

/// Why counters are no phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refused {
    /// There were no requests.
    NotUsed,
    /// Requests moved nothing.
    NothingMoved,
    /// Nobody knows when.
    NoTimes,
}

impl FilePhase {
    /// Step 1: what one record counts.
    pub(super) fn of(
        file: &FileCounters,
        op: Op,
        settings: &Settings,
        odd: &mut LeftOut,
    ) -> Result<Self, Refused> {
        let counted = file.of(op);
        match (counted.requests, counted.bytes) {
            (0, 0) => return Err(Refused::NotUsed),
            // Some calls are not counted as requests, although their bytes are.
            (0, _) if settings.compat => return Err(Refused::NotUsed),
            (_, 0) => return Err(Refused::NothingMoved),
            _ => {}
        }
        let (start_s, end_s) = times(counted.start, counted.end, odd)?;
        let rank = match file.rank {
            // A single process shares nothing.
            None if file.processes == Some(1) && !settings.compat => Some(Rank(0)),
            rank => rank,
        };
        let time_s = match (file.rank, file.processes) {
            (Some(_), _) => counted.time_s,
            (None, Some(processes)) if processes > 0 => counted.time_s / processes as f64,
            (None, _) => {
                odd.processes_unknown += 1;
                counted.time_s
            }
        };
        Ok(Self {
            file: file.file,
            api: file.api,
            op,
            start_s,
            end_s,
            ranks: Ranks::new(rank, file.processes, counted.bytes),
            bytes: counted.bytes,
            time_s,
            times_s: rank.map(|rank| (Some(rank), time_s)).into_iter().collect(),
            everybody_s: match (rank, file.processes) {
                (None, Some(processes)) if processes > 0 => vec![time_s],
                _ => Vec::new(),
            },
            counts: Counts {
                requests: counted.requests,
                consecutive: counted.consecutive,
                sequential: counted.sequential,
                collective: counted.collective,
            },
            placed: file.placed,
            sizes: Sizes::of(file, op),
            stated_cv: stated_cv(file),
            partial: file.partial,
            overflowed: file.overflowed,
            beneath: true,
            shadow: false,
            shared: false,
        })
    }

    /// Step 2: adds what another process did with the same file.
    pub(super) fn join(&mut self, other: Self) {
        self.start_s = self.start_s.min(other.start_s);
        self.end_s = self.end_s.max(other.end_s);
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.time_s = self.time_s.max(other.time_s);
        self.times_s.extend(other.times_s);
        self.everybody_s.extend(other.everybody_s);
        self.counts.add(other.counts);
        self.placed &= other.placed;
        self.ranks.join(other.ranks);
        self.sizes.join(other.sizes);
        self.stated_cv = larger(self.stated_cv, other.stated_cv);
        self.partial |= other.partial;
        self.overflowed |= other.overflowed;
    }
}

impl Counts {
    pub(super) fn add(&mut self, other: Self) {
        for (sum, more) in [
            (&mut self.requests, other.requests),
            (&mut self.consecutive, other.consecutive),
            (&mut self.sequential, other.sequential),
            (&mut self.collective, other.collective),
        ] {
            *sum = sum.saturating_add(more);
        }
    }
}

/// First and last access, in order.
fn times(
    start: Option<Seconds>,
    end: Option<Seconds>,
    odd: &mut LeftOut,
) -> Result<(f64, f64), Refused> {
    let (start, end) = match (start, end) {
        (Some(start), Some(end)) => (start.get(), end.get()),
        (None, None) => return Err(Refused::NoTimes),
        (Some(known), None) | (None, Some(known)) => {
            odd.half_timed += 1;
            (known.get(), known.get())
        }
    };
    if end < start {
        odd.backwards += 1;
        return Ok((end, start));
    }
    Ok((start, end))
}

/// The coefficient of variation of what processes moved, reads and writes together, as the profiler
/// counts it.
fn stated_cv(file: &FileCounters) -> Option<f64> {
    let variance = file.bytes_variance.filter(|variance| *variance >= 0.0)?;
    let processes = file.processes.filter(|processes| *processes > 1)?;
    let moved = file.read.bytes as f64 + file.write.bytes as f64;
    let mean = moved / processes as f64;
    (mean > 0.0).then(|| variance.sqrt() / mean)
}

pub(super) fn larger(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    }
}
