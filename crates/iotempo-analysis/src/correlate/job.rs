//! How long a job took for its I/O: φ of Eqs. 1, 5 and 6.

#[cfg(test)]
mod tests;

use super::layers::Layers;
use super::windows::{During, Window, Windows};
use iotempo_model::{FileCounters, Op, OpCounters, Rank};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};

/// When a job ran, in seconds since 1970-01-01 UTC. Times of files are counted from its start.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct JobSpan {
    /// Its start.
    pub start_s: f64,
    /// Its end.
    pub end_s: f64,
}

/// Where a file lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On a file system that is watched.
    Monitored,
    /// On another one.
    Elsewhere,
    /// On none, such as the standard output: it is passed over.
    Nowhere,
}

/// What a job did, by the paper's symbols.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JobMetrics {
    /// When it ran.
    pub span: JobSpan,
    /// φ^U: files of single processes.
    pub unique: UniqueTimes,
    /// φ^S: files of all processes.
    pub shared: SharedTimes,
    /// φ^F_R of Eq. 6: the longest time from first to last read of a file; `None` where nothing was read.
    pub longest_read_s: Option<f64>,
    /// φ^F_W: the same of writes.
    pub longest_write_s: Option<f64>,
    /// All files: their windows give φ^D and ψ^D.
    pub all: Share,
    /// Those on file systems that are watched: φ^I and ψ^I.
    pub monitored: Share,
    /// What is odd about the counters.
    pub odd: Oddities,
}

impl JobMetrics {
    /// The same job, of which only a part of its time is looked at.
    #[must_use]
    pub fn during(&self, during: During) -> Self {
        let run = Window::new(self.span.start_s, self.span.end_s);
        let mut job = self.clone();
        for share in [&mut job.all, &mut job.monitored] {
            share.windows = share.windows.during(during, run);
        }
        job
    }
}

/// The time that the slowest process spent on files that are not of all processes.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct UniqueTimes {
    /// The process; `None` where there are no such files.
    pub rank: Option<Rank>,
    /// φ^U_M: in metadata operations; `None` where a record does not say.
    pub meta_s: Option<f64>,
    /// φ^U_RW: in reads and writes.
    pub rw_s: f64,
}

/// The time that files of all processes took, by three definitions that differ as soon as there is more than
/// one such file, or idle time.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct SharedTimes {
    /// By the paper's words: from the first open of any such file to the last read or write of any; `None`
    /// where none was read or written.
    pub span_s: Option<f64>,
    /// By Darshan at that time: from the first open to the last read or write of each file, summed.
    pub open_to_last_s: f64,
    /// By Darshan since: the time of the slowest process on each file, summed; `None` where a record does
    /// not say.
    pub slowest_s: Option<f64>,
}

/// A definition of φ^S.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SharedTime {
    /// [`SharedTimes::span_s`].
    Span,
    /// [`SharedTimes::open_to_last_s`].
    OpenToLast,
    /// [`SharedTimes::slowest_s`].
    Slowest,
}

/// Files of a job, together.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Share {
    /// When they were used.
    pub windows: Windows,
    /// How many there are.
    pub files: u64,
    /// η: what was read from them.
    pub read_bytes: u64,
    /// What was written to them.
    pub written_bytes: u64,
}

impl Share {
    /// η of a direction.
    #[must_use]
    pub const fn bytes(&self, op: Op) -> u64 {
        match op {
            Op::Read => self.read_bytes,
            Op::Write => self.written_bytes,
        }
    }
}

/// What is odd about the counters of a job. Each is about one file, layer, direction and process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Oddities {
    /// Bytes that nobody knows the time of: they are in no window.
    pub without_times: u64,
    /// The first or the last operation has no time: that of the other was taken.
    pub half_timed: u64,
    /// The last operation ended before the first began: the two were swapped.
    pub backwards: u64,
    /// Records that do not say how long metadata took.
    pub without_meta: u64,
    /// Layers that ran out of memory: there were more files than they counted.
    pub partial: bool,
}

impl JobMetrics {
    /// What the counters of a job say. `place` tells where a file lies.
    #[must_use]
    pub fn of(files: &[FileCounters], span: JobSpan, place: impl Fn(u64) -> Place) -> Self {
        let layers = Layers::of(files);
        let mut gathered = Gathered::new();
        for file in files.iter().filter(|file| !layers.is_other(file)) {
            let place = place(file.file);
            if place != Place::Nowhere {
                gathered.take(file, place == Place::Monitored, &layers);
            }
        }
        gathered.finish(span)
    }

    /// φ^J: from the start of the job to its end.
    #[must_use]
    pub fn job_s(&self) -> f64 {
        self.span.end_s - self.span.start_s
    }

    /// φ^S: the time of files of all processes; `None` where there are none, or the counters do not say.
    #[must_use]
    pub fn shared_s(&self, shared: SharedTime) -> Option<f64> {
        let some = self.shared.span_s.is_some();
        match shared {
            SharedTime::Span => self.shared.span_s,
            SharedTime::OpenToLast => some.then_some(self.shared.open_to_last_s),
            SharedTime::Slowest => self.shared.slowest_s.filter(|_| some),
        }
    }

    /// φ of Eq. 1: φ^U_M + φ^U_RW + φ^S. No file of all processes takes no time; `None` where the counters do
    /// not say.
    #[must_use]
    pub fn io_s(&self, shared: SharedTime) -> Option<f64> {
        let shared_s = match shared {
            SharedTime::Span => self.shared.span_s.unwrap_or(0.0),
            SharedTime::OpenToLast => self.shared.open_to_last_s,
            SharedTime::Slowest => self.shared.slowest_s?,
        };
        Some(self.unique.meta_s? + self.unique.rw_s + shared_s)
    }

    /// φ^F of a direction, Eq. 6.
    #[must_use]
    pub const fn longest_s(&self, op: Op) -> Option<f64> {
        match op {
            Op::Read => self.longest_read_s,
            Op::Write => self.longest_write_s,
        }
    }
}

/// The sums of a process.
#[derive(Debug, Clone, Copy, Default)]
struct RankTime {
    meta_s: f64,
    rw_s: f64,
}

/// What is gathered of a job, record by record.
#[derive(Debug)]
struct Gathered {
    ranks: BTreeMap<Rank, RankTime>,
    unique_meta_known: bool,
    /// The first open and the last operation of any file of all processes.
    shared_hull: (Option<f64>, Option<f64>),
    shared: SharedTimes,
    /// By file and direction, in seconds since the start of the job: since 1970, microseconds are lost.
    windows: HashMap<(u64, Op), (Window, bool)>,
    files: HashSet<u64>,
    monitored_files: HashSet<u64>,
    all: Share,
    monitored: Share,
    odd: Oddities,
}

impl Gathered {
    fn new() -> Self {
        Self {
            ranks: BTreeMap::new(),
            unique_meta_known: true,
            shared_hull: (None, None),
            shared: SharedTimes {
                slowest_s: Some(0.0),
                ..SharedTimes::default()
            },
            windows: HashMap::new(),
            files: HashSet::new(),
            monitored_files: HashSet::new(),
            all: Share::default(),
            monitored: Share::default(),
            odd: Oddities::default(),
        }
    }

    fn take(&mut self, file: &FileCounters, monitored: bool, layers: &Layers) {
        self.odd.partial |= file.partial;
        self.files.insert(file.file);
        if monitored {
            self.monitored_files.insert(file.file);
        }
        for op in Op::ALL {
            let counted = file.of(op);
            if let Some(window) = self.window(counted) {
                self.use_in(file.file, op, window, monitored);
            }
            if layers.tells_bytes(file, op) {
                add_bytes(&mut self.all, op, counted.bytes);
                if monitored {
                    add_bytes(&mut self.monitored, op, counted.bytes);
                }
            }
        }
        if !layers.tells_time(file) {
            return;
        }
        let rw_s = file.read.time_s + file.write.time_s;
        self.odd.without_meta += u64::from(file.meta_time_s.is_none());
        match file.rank {
            Some(rank) => {
                let sum = self.ranks.entry(rank).or_default();
                sum.rw_s += rw_s;
                sum.meta_s += file.meta_time_s.unwrap_or(0.0);
                self.unique_meta_known &= file.meta_time_s.is_some();
            }
            None => self.take_shared(file, rw_s),
        }
    }

    fn take_shared(&mut self, file: &FileCounters, rw_s: f64) {
        let stamp = |one: Option<iotempo_model::Seconds>| one.map(iotempo_model::Seconds::get);
        let first = least(stamp(file.read.start), stamp(file.write.start));
        let last = most(stamp(file.read.end), stamp(file.write.end));
        let opened = stamp(file.opened).or(first);
        self.shared_hull.0 = least(self.shared_hull.0, opened);
        self.shared_hull.1 = most(self.shared_hull.1, last);
        if let (Some(opened), Some(last)) = (opened, last) {
            self.shared.open_to_last_s += (last - opened).max(0.0);
        }
        // A file that took no time has no slowest process.
        let idle = rw_s == 0.0 && file.meta_time_s.unwrap_or(0.0) == 0.0;
        let slowest = file.slowest_time_s.or(idle.then_some(0.0));
        let sum = self.shared.slowest_s.zip(slowest);
        self.shared.slowest_s = sum.map(|(sum, more)| sum + more);
    }

    /// From the first operation to the last.
    fn window(&mut self, counted: &OpCounters) -> Option<Window> {
        let (start, end) = match (counted.start, counted.end) {
            (Some(start), Some(end)) => (start.get(), end.get()),
            (Some(known), None) | (None, Some(known)) => {
                self.odd.half_timed += 1;
                (known.get(), known.get())
            }
            (None, None) => {
                self.odd.without_times += u64::from(counted.bytes > 0);
                return None;
            }
        };
        self.odd.backwards += u64::from(end < start);
        Window::new(start.min(end), start.max(end))
    }

    fn use_in(&mut self, file: u64, op: Op, window: Window, monitored: bool) {
        let known = self.windows.entry((file, op));
        let (sum, _) = known.or_insert((window, monitored));
        let (start, end) = (
            sum.start_s().min(window.start_s()),
            sum.end_s().max(window.end_s()),
        );
        *sum = Window::new(start, end).unwrap_or(*sum);
    }

    fn finish(mut self, span: JobSpan) -> JobMetrics {
        let longest = |wanted: Op| {
            let of = self.windows.iter().filter(|((_, op), _)| *op == wanted);
            let lengths = of.map(|(_, (window, _))| window.length_s());
            lengths.max_by(f64::total_cmp)
        };
        let (longest_read_s, longest_write_s) = (longest(Op::Read), longest(Op::Write));
        let since_1970 = |window: Window| {
            let (start, end) = (window.start_s(), window.end_s());
            Window::new(span.start_s + start, span.start_s + end)
        };
        let union = |of: fn(&bool) -> bool| {
            let chosen = self.windows.iter();
            let chosen = chosen.filter(|(_, (_, monitored))| of(monitored));
            chosen
                .filter_map(|((_, op), (window, _))| Some((*op, since_1970(*window)?)))
                .collect()
        };
        (self.all.windows, self.monitored.windows) = (union(|_| true), union(|is| *is));
        self.all.files = self.files.len() as u64;
        self.monitored.files = self.monitored_files.len() as u64;
        if let (Some(opened), Some(last)) = self.shared_hull {
            self.shared.span_s = Some((last - opened).max(0.0));
        }
        JobMetrics {
            span,
            unique: self.slowest(),
            shared: self.shared,
            longest_read_s,
            longest_write_s,
            all: self.all,
            monitored: self.monitored,
            odd: self.odd,
        }
    }

    /// The first process whose metadata, reads and writes took longest.
    fn slowest(&self) -> UniqueTimes {
        let mut slowest: Option<(Rank, RankTime)> = None;
        for (&rank, &time) in &self.ranks {
            let total = |time: RankTime| time.meta_s + time.rw_s;
            if slowest.is_none_or(|(_, known)| total(time) > total(known)) {
                slowest = Some((rank, time));
            }
        }
        let time = slowest.map(|(_, time)| time).unwrap_or_default();
        UniqueTimes {
            rank: slowest.map(|(rank, _)| rank),
            meta_s: self.unique_meta_known.then_some(time.meta_s),
            rw_s: time.rw_s,
        }
    }
}

fn add_bytes(share: &mut Share, op: Op, bytes: u64) {
    let sum = match op {
        Op::Read => &mut share.read_bytes,
        Op::Write => &mut share.written_bytes,
    };
    *sum = sum.saturating_add(bytes);
}

fn least(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

fn most(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    }
}
