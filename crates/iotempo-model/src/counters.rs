//! What a profiler counts: sums per file, layer and process, instead of single requests.

use crate::request::{Api, Op, Rank};
use crate::units::Seconds;

/// Upper bounds of the bins of a histogram of request sizes, in bytes; the last bin has none.
pub const SIZE_BOUNDS: [u64; 9] = [
    100,
    1 << 10,
    10 << 10,
    100 << 10,
    1 << 20,
    4 << 20,
    10 << 20,
    100 << 20,
    1 << 30,
];

/// How many bins a histogram of request sizes has.
pub const SIZE_BINS: usize = SIZE_BOUNDS.len() + 1;

/// All that was counted of one file at one layer, by one process or by all of them together.
#[derive(Debug, Clone, PartialEq)]
pub struct FileCounters {
    /// The file, as the profiler knows it: a handle that all layers share.
    pub file: u64,
    /// The layer.
    pub api: Api,
    /// The process; `None` where the profiler summed up over all processes of the job.
    pub rank: Option<Rank>,
    /// How many processes the job had; `None` where nobody says.
    pub processes: Option<u64>,
    /// What was read.
    pub read: OpCounters,
    /// What was written.
    pub write: OpCounters,
    /// The most frequent request sizes, reads and writes together.
    pub frequent: [SizeCount; 4],
    /// The variance over processes of the bytes that each of them moved, both ways; `None` where it
    /// is not known.
    pub bytes_variance: Option<f64>,
    /// The time spent opening, closing, seeking and the like, summed over processes; `None` where it was
    /// not counted. Never negative.
    pub meta_time_s: Option<f64>,
    /// The time, reads, writes and metadata together, of the process that took longest; `None` where the
    /// record is of one process, or it is not known.
    pub slowest_time_s: Option<f64>,
    /// When the first open began; `None` where that was not recorded.
    pub opened: Option<Seconds>,
    /// When the last close ended; `None` where that was not recorded.
    pub closed: Option<Seconds>,
    /// Whether it is known where in the file requests lie; else [`OpCounters::consecutive`] and
    /// [`OpCounters::sequential`] say nothing.
    pub placed: bool,
    /// Whether the profiler ran out of memory at this layer: there were more files than it counted.
    pub partial: bool,
    /// Whether counters of it are negative that cannot be: they overflowed, and others may have without
    /// showing it.
    pub overflowed: bool,
}

/// What was counted of one direction.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct OpCounters {
    /// How many requests there were.
    pub requests: u64,
    /// What they moved.
    pub bytes: u64,
    /// Requests that began where the one before them ended.
    pub consecutive: u64,
    /// Requests that began behind the end of the one before them; consecutive ones are among them.
    pub sequential: u64,
    /// Requests that all processes made together.
    pub collective: u64,
    /// When the first one began; `None` where that was not recorded.
    pub start: Option<Seconds>,
    /// When the last one ended; `None` where that was not recorded.
    pub end: Option<Seconds>,
    /// The time spent in them, summed over processes. Never negative.
    pub time_s: f64,
    /// How many requests were of which size, by [`SIZE_BOUNDS`].
    pub sizes: [u64; SIZE_BINS],
}

/// How many requests had a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SizeCount {
    /// In bytes.
    pub size: u64,
    /// How many requests; 0 where the place is not used.
    pub count: u64,
}

impl FileCounters {
    /// A file that nothing was counted of yet.
    #[must_use]
    pub fn new(file: u64, api: Api) -> Self {
        Self {
            file,
            api,
            rank: None,
            processes: None,
            read: OpCounters::default(),
            write: OpCounters::default(),
            frequent: [SizeCount::default(); 4],
            bytes_variance: None,
            meta_time_s: None,
            slowest_time_s: None,
            opened: None,
            closed: None,
            placed: true,
            partial: false,
            overflowed: false,
        }
    }

    /// What was counted of a direction.
    #[must_use]
    pub const fn of(&self, op: Op) -> &OpCounters {
        match op {
            Op::Read => &self.read,
            Op::Write => &self.write,
        }
    }

    /// What was counted of a direction, to be changed.
    pub const fn of_mut(&mut self, op: Op) -> &mut OpCounters {
        match op {
            Op::Read => &mut self.read,
            Op::Write => &mut self.write,
        }
    }
}

/// The bin of a histogram that a size falls into.
#[must_use]
pub fn size_bin(size: u64) -> usize {
    SIZE_BOUNDS.partition_point(|&bound| bound < size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_lies_in_the_bin_whose_bound_it_does_not_exceed() {
        for (size, bin) in [(0, 0), (100, 0), (101, 1), (1024, 1), (1 << 30, 8)] {
            assert_eq!(size_bin(size), bin, "{size}");
        }
        assert_eq!(size_bin((1 << 30) + 1), 9);
    }
}
