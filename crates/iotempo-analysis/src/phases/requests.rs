//! Phases from single requests: they are counted as a profiler counts them, and then as any counters.
//!
//! Where a profiler has one record of a file that stays open, requests tell when it rested. What
//! counts as one record here is what a file's requests are up to a pause of more than
//! [`Settings::time_distance_s`], which is the pause that phases are told apart by.

use super::one_file::FilePhase;
use super::sittings::{Made, Sitting, Sittings};
use super::sizes::Sizes;
use super::{LeftOut, Phases, Settings};
use iotempo_model::{
    Api, FileCounters, FileId, FileTable, Manner, Op, Rank, Request, RequestSink, Warning, counted,
};
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// What is counted by itself: a file, a layer, a direction, and whether a library of MPI did it.
type Kind = (u64, Api, Op, Option<bool>);

/// The memory for sittings of all files, in tallies of what a process did in one: some 250 bytes each. A time
/// distance of 0 makes a sitting of every request.
const MOST_HELD: usize = 1 << 18;

/// The first pause to try where that is too many.
const SHORTEST_PAUSE_S: f64 = 1e-6;

/// Takes requests in, in any order.
///
/// ```
/// use iotempo_analysis::phases::{RequestPhases, Settings};
/// use iotempo_model::{Api, Bytes, Interval, Op, Rank, Request, RequestSink, Seconds};
///
/// let mut requests = RequestPhases::new(Settings::default());
/// let file = requests.file("/scratch/log");
/// for start in [0.0, 0.5, 60.0] {
///     let at = Seconds::new(start).unwrap();
///     let bytes = Bytes::new(4096.0).unwrap();
///     let (rank, op, api, when) = (Rank(0), Op::Write, Api::Posix, Interval::at(at));
///     requests.push(Request { rank, op, api, file, when, bytes })?;
/// }
/// // The file stays open, and rests for a minute.
/// let phases = requests.finish(Some(1)).phases;
/// assert_eq!(phases.iter().map(|phase| phase.requests).collect::<Vec<_>>(), [2, 1]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct RequestPhases {
    settings: Settings,
    names: FileTable,
    files: BTreeMap<Kind, Sittings>,
    ranks: BTreeSet<Rank>,
    /// The file without a name, and how many requests there were of it.
    nameless: (Option<FileId>, u64),
    requests: u64,
    /// The memory for sittings, and how much of it no pause can save: every file has one.
    held: usize,
    least: usize,
    /// The pause that sittings are told apart by, where the time distance made too many of them.
    widened_s: Option<f64>,
}

impl RequestPhases {
    /// There was no request yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            names: FileTable::default(),
            files: BTreeMap::new(),
            ranks: BTreeSet::new(),
            nameless: (None, 0),
            requests: 0,
            held: 0,
            least: 0,
            widened_s: None,
        }
    }

    /// How many requests there were.
    #[must_use]
    pub const fn requests(&self) -> u64 {
        self.requests
    }

    /// How many processes made them; `None` where nobody says which.
    #[must_use]
    pub fn processes(&self) -> Option<u64> {
        (!self.ranks.is_empty()).then_some(self.ranks.len() as u64)
    }

    /// The names of files, by the handles of phases.
    #[must_use]
    pub fn names(&self) -> FileTable {
        self.names.clone()
    }

    /// What is odd about the requests.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let (_, requests) = self.nameless;
        let nameless = (requests > 0).then(|| {
            let message = format!(
                "{} of a file without a name: all of them taken for one file",
                counted(requests, "request")
            );
            Warning::new("no-file", message)
        });
        let widened = self.widened_s.map(|apart_s| {
            let message = format!(
                "files rest more often than can be told apart: pauses of up to {apart_s} s were taken \
                 for none"
            );
            Warning::new("too-many-phases", message)
        });
        nameless.into_iter().chain(widened).collect()
    }

    /// Takes longer pauses for none, until there are few enough.
    fn widen(&mut self, apart_s: f64) {
        let mut apart_s = apart_s;
        while self.held > MOST_HELD / 2 + self.least {
            apart_s = (2.0 * apart_s).max(SHORTEST_PAUSE_S);
            for sittings in self.files.values_mut() {
                sittings.join_close(apart_s);
            }
            self.held = self.files.values().map(Sittings::held).sum();
        }
        self.widened_s = Some(apart_s);
    }

    /// The phases of a job with so many processes; `None` where nobody says how many.
    #[must_use]
    pub fn finish(self, processes: Option<u64>) -> Phases {
        let mut settings = self.settings;
        settings.time_distance_s = self.widened_s.unwrap_or(settings.time_distance_s);
        let mut left_out = LeftOut::default();
        let mut parts = Vec::new();
        for ((file, api, op, beneath), sittings) in self.files {
            for sitting in sittings.into_iter() {
                let empty = FileCounters {
                    processes,
                    placed: false,
                    ..FileCounters::new(file, api)
                };
                let part = as_part(&empty, op, &sitting, &settings, &mut left_out);
                parts.extend(part.map(|part| FilePhase {
                    beneath: beneath.unwrap_or(true),
                    ..part
                }));
            }
        }
        mark_shared(&mut parts);
        Phases::of(parts, left_out, &settings)
    }
}

/// What all processes did with a file in a sitting; `None` where they moved nothing.
fn as_part(
    empty: &FileCounters,
    op: Op,
    sitting: &Sitting,
    settings: &Settings,
    left_out: &mut LeftOut,
) -> Option<FilePhase> {
    let mut whole: Option<FilePhase> = None;
    for (rank, tally) in &sitting.ranks {
        let mut counters = FileCounters {
            rank: *rank,
            ..empty.clone()
        };
        *counters.of_mut(op) = tally.counters();
        match FilePhase::of(&counters, op, settings, left_out) {
            Err(why) => left_out.refuse(why, counters.of(op).bytes),
            Ok(mut part) => {
                part.times_s = vec![(*rank, part.time_s)];
                part.sizes = Sizes::known(tally.sizes(), counters.of(op).sizes);
                match &mut whole {
                    Some(whole) => whole.join(part),
                    None => whole = Some(part),
                }
            }
        }
    }
    whole
}

/// Marks sittings of files that processes share, at that time or another; those of a file follow each other.
fn mark_shared(sittings: &mut [FilePhase]) {
    let of = |sitting: &FilePhase| (sitting.file, sitting.api, sitting.op);
    for whole in sittings.chunk_by_mut(|one, next| of(one) == of(next)) {
        let single = |sitting: &FilePhase| sitting.ranks.involved().rank;
        let first = whole.first().and_then(single);
        let shared = first.is_none() || whole.iter().any(|sitting| single(sitting) != first);
        for sitting in whole {
            sitting.shared = shared;
        }
    }
}

impl RequestSink for RequestPhases {
    fn file(&mut self, name: &str) -> FileId {
        let file = self.names.intern(name);
        if name.is_empty() {
            self.nameless.0 = Some(file);
        }
        file
    }

    fn push(&mut self, request: Request) -> io::Result<()> {
        self.push_made(request, Manner::default())
    }

    fn push_made(&mut self, request: Request, manner: Manner) -> io::Result<()> {
        let Request { op, api, file, .. } = request;
        let rank = (request.rank != Rank::SHARED).then_some(request.rank);
        self.ranks.extend(rank);
        self.requests = self.requests.saturating_add(manner.requests);
        if self.nameless.0 == Some(file) {
            self.nameless.1 = self.nameless.1.saturating_add(manner.requests);
        }
        let apart_s = match self.settings.compat {
            // Counters of a profiler know no pause.
            true => f64::INFINITY,
            false => self.widened_s.unwrap_or(self.settings.time_distance_s),
        };
        let made = Made {
            rank,
            start: request.when.start(),
            end: request.when.end(),
            // Beyond 2^64 the cast stays there.
            bytes: request.bytes.get().round() as u64,
            requests: manner.requests,
            collective: manner.collective,
        };
        let kind = (u64::from(file.0), api, op, manner.beneath_mpi);
        let sittings = self.files.entry(kind).or_default();
        let (held, least) = (sittings.held(), sittings.least());
        sittings.add(&made, apart_s);
        self.held = (self.held + sittings.held()).saturating_sub(held);
        self.least = (self.least + sittings.least()).saturating_sub(least);
        if self.held > MOST_HELD + 2 * self.least {
            self.widen(apart_s);
        }
        Ok(())
    }
}
