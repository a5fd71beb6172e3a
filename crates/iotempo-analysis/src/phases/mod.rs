//! I/O phases from what a profiler counted: when a job read or wrote, how much, how, and who.
//!
//! After SummarIO (Boito, *Estimation of the impact of I/O forwarding on application performance*,
//! RR-9366, appendix A): (1) the counters of each file, layer, direction and process are a phase;
//! (2) those of one file become one; (3) similar ones that lie close in time become one.
//! [`Settings::compat`] does just that; without it, what the paper knows to be wrong is put right.
//!
//! [`PhaseFinder`] takes what a profiler counted; [`RequestPhases`] takes single requests and counts
//! them itself.
//!
//! ```
//! use iotempo_analysis::phases::{PhaseFinder, Settings};
//! use iotempo_model::{Api, FileCounters, Op, Rank, Seconds};
//!
//! let mut finder = PhaseFinder::new(Settings::default());
//! for rank in 0..4 {
//!     let mut file = FileCounters::new(rank as u64, Api::Posix);
//!     (file.rank, file.processes) = (Some(Rank(rank)), Some(4));
//!     let write = file.of_mut(Op::Write);
//!     (write.requests, write.bytes, write.consecutive) = (10, 40_960, 9);
//!     (write.start, write.end) = (Seconds::new(1.0), Seconds::new(2.0));
//!     write.time_s = 0.5;
//!     finder.push(&file);
//! }
//! let phases = finder.finish().phases;
//! assert_eq!((phases.len(), phases[0].files, phases[0].bytes), (1, 4, 163_840));
//! ```

mod agreement;
mod flags;
mod layers;
mod left_out;
mod merge;
mod one_file;
mod ranks;
mod requests;
mod sittings;
mod sizes;
mod spatiality;
#[cfg(test)]
mod tests;

pub use agreement::{Agreement, Checks, Disagreement, Witness, of_bins};
pub use flags::{Flag, Flags};
pub use layers::{Difference, LayersDiffer};
pub use left_out::LeftOut;
pub use ranks::Involved;
pub use requests::RequestPhases;
pub use sizes::{SizeMixture, SizeShare};

use iotempo_model::{Api, FileCounters, FileStrategy, Op, Spatiality};
use layers::Layers;
use merge::merged;
use one_file::FilePhase;
use serde::Serialize;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// What counters cannot show, whatever is made of them.
pub const CANNOT_SHOW: &str = "phases inside one file that stays open: a file's counters give one \
    phase per layer and direction, from its first access to its last";

/// What phases of requests cannot show: a [`Request`](iotempo_model::Request) has no offset.
pub const REQUESTS_CANNOT_SHOW: &str = "where in files they lie: offsets, if there are any, are not used, \
    and whether requests are consecutive, sequential or random is unknown, unless they are collective";

/// How phases are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Settings {
    /// The share of a phase's requests that may be of another kind than the phase.
    pub threshold: f64,
    /// Similar phases that begin within so many seconds of another's end are one.
    pub time_distance_s: f64,
    /// As the paper says, without any correction.
    pub compat: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threshold: 0.2,
            time_distance_s: 1.0,
            compat: false,
        }
    }
}

/// A stretch of time in which a job reads, or writes, in one way.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IoPhase {
    /// When its first request began, in seconds since the job did.
    pub start_s: f64,
    /// When its last request ended.
    pub end_s: f64,
    /// The direction.
    pub op: Op,
    /// The processes that made its requests.
    pub ranks: Involved,
    /// What they moved.
    pub bytes: u64,
    /// How many of these another layer, which is believed, tells of: all of them where [`Flags::shadow`] is up. Who adds bytes up must leave them out.
    pub shadow_bytes: u64,
    /// The time that the busiest process spent on I/O, in all files; or that of all files where they came one
    /// after the other ([`Flags::serial`]). Of a file that is counted for all processes together each
    /// spends the mean.
    pub time_s: f64,
    /// The layer.
    pub api: Api,
    /// How many requests there were.
    pub requests: u64,
    /// Where they lie in files.
    pub spatiality: Spatiality,
    /// Whether processes share files.
    pub strategy: FileStrategy,
    /// How many files there are.
    pub files: u64,
    /// The number of processes that most files were used by; of several such numbers the largest.
    pub mode_of_processes: u64,
    /// What is to be known before the phase is believed.
    pub flags: Flags,
    /// How uneven processes are: the coefficient of variation of what each moved.
    pub imbalance_cv: Option<f64>,
    /// How large its requests were.
    pub sizes: SizeMixture,
    /// The files, by the handles that the profiler gave them, sorted.
    #[serde(skip)]
    pub handles: Vec<u64>,
}

impl IoPhase {
    /// From its first request to the end of its last.
    #[must_use]
    pub fn length_s(&self) -> f64 {
        self.end_s - self.start_s
    }

    /// How large its requests are on average.
    #[must_use]
    pub fn mean_request_bytes(&self) -> f64 {
        self.bytes as f64 / self.requests.max(1) as f64
    }

    /// What it moved that no other phase did.
    #[must_use]
    pub const fn own_bytes(&self) -> u64 {
        self.bytes.saturating_sub(self.shadow_bytes)
    }
}

/// What counters tell of a job.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Phases {
    /// In the order of their starts.
    pub phases: Vec<IoPhase>,
    /// What became no phase.
    pub left_out: LeftOut,
    /// Where layers did not count the same.
    pub differ: LayersDiffer,
}

/// Takes counters in, file by file, in any order.
#[derive(Debug, Clone)]
pub struct PhaseFinder {
    settings: Settings,
    /// One per file, layer and direction: what a process did is added to what others did.
    files: BTreeMap<(u64, Api, Op), FilePhase>,
    left_out: LeftOut,
}

impl PhaseFinder {
    /// Nothing was counted yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            files: BTreeMap::new(),
            left_out: LeftOut::default(),
        }
    }

    /// Steps 1 and 2: a phase per file, layer and direction.
    pub fn push(&mut self, file: &FileCounters) {
        for op in Op::ALL {
            match FilePhase::of(file, op, &self.settings, &mut self.left_out) {
                Ok(phase) => match self.files.entry((file.file, file.api, op)) {
                    Entry::Vacant(place) => {
                        place.insert(phase);
                    }
                    Entry::Occupied(mut known) => known.get_mut().join(phase),
                },
                Err(why) => self.left_out.refuse(why, file.of(op).bytes),
            }
        }
    }

    /// Step 3: similar phases close in time become one.
    #[must_use]
    pub fn finish(self) -> Phases {
        Phases::of(
            self.files.into_values().collect(),
            self.left_out,
            &self.settings,
        )
    }
}

impl Phases {
    /// The phases of files that were told apart.
    fn of(mut files: Vec<FilePhase>, left_out: LeftOut, settings: &Settings) -> Self {
        let layers = Layers::of(files.iter(), settings.compat);
        for file in &mut files {
            file.shadow = layers.is_shadow(file);
        }
        Self {
            phases: merged(files.into_iter(), settings),
            left_out,
            differ: layers.differ(),
        }
    }
}
