//! When a file is in use: requests that follow one another closely are one sitting.

use iotempo_model::{OpCounters, Rank, SIZE_BINS, Seconds, size_bin};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// Sizes of a process that are counted one by one; others are in the histogram alone.
const MOST_SIZES: usize = 256;

/// What a sitting takes beside its tallies, in tallies: a phase may be made of it.
const ITSELF: usize = 3;

/// The sittings of one file, layer and direction, by the order of their starts. Between any two of them
/// lies more than the time distance, so the order in which requests come does not matter.
#[derive(Debug, Clone, Default)]
pub(super) struct Sittings {
    by_start: BTreeMap<i64, Sitting>,
    /// How many tallies there are in all of them.
    tallies: usize,
    /// The processes that are in any of them; empty as long as there is one sitting, which tells it.
    users: BTreeSet<Option<Rank>>,
}

/// A stretch of time in which processes use a file.
#[derive(Debug, Clone)]
pub(super) struct Sitting {
    start_s: f64,
    end_s: f64,
    /// What each process did; `None` is all of them together.
    pub(super) ranks: BTreeMap<Option<Rank>, Tally>,
}

/// What one process did in a sitting. There are many of them, and so it is kept small.
#[derive(Debug, Clone)]
pub(super) struct Tally {
    requests: u64,
    bytes: u64,
    collective: u64,
    start: Seconds,
    end: Seconds,
    time_s: f64,
    /// Sizes with their counts, by their [`lot`]. Of too many, those with the highest lots are dropped: none
    /// of them can come back, so that those that stay are fully counted in whatever order requests come.
    sizes: Vec<(u64, u64)>,
    /// All other requests, by the bins of their sizes.
    others: Option<Box<[u64; SIZE_BINS]>>,
}

/// A request, or several that a tracer put into one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Made {
    pub(super) rank: Option<Rank>,
    pub(super) start: Seconds,
    pub(super) end: Seconds,
    pub(super) bytes: u64,
    pub(super) requests: u64,
    pub(super) collective: bool,
}

impl Sittings {
    /// Adds a request; `apart_s` is the longest pause within a sitting.
    pub(super) fn add(&mut self, made: &Made, apart_s: f64) {
        let (start_s, end_s) = (made.start.get(), made.end.get());
        let until = ordered(end_s + apart_s);
        // The last that can be touched. Where it begins before the request does, none before it is
        // near, and none behind it.
        let near = self.by_start.range_mut(..=until).next_back();
        if let Some((_, sitting)) = near
            && sitting.start_s <= start_s
            && start_s <= sitting.end_s + apart_s
        {
            sitting.end_s = sitting.end_s.max(end_s);
            match sitting.ranks.entry(made.rank) {
                Entry::Occupied(mut tally) => tally.get_mut().add(made),
                Entry::Vacant(place) => {
                    place.insert(Tally::of(made));
                    self.tallies += 1;
                    self.note_user(made.rank);
                }
            }
            return;
        }
        let mut whole = Sitting {
            start_s,
            end_s,
            ranks: BTreeMap::from([(made.rank, Tally::of(made))]),
        };
        while let Some((&key, other)) = self
            .by_start
            .range(..=ordered(whole.end_s + apart_s))
            .next_back()
            && whole.start_s <= other.end_s + apart_s
        {
            if let Some(other) = self.by_start.remove(&key) {
                self.tallies -= other.ranks.len();
                whole.join(other);
            }
        }
        self.tallies += whole.ranks.len();
        self.by_start.insert(ordered(whole.start_s), whole);
        self.note_user(made.rank);
    }

    fn note_user(&mut self, rank: Option<Rank>) {
        if !self.users.is_empty() {
            self.users.insert(rank);
        } else if self.by_start.len() > 1 {
            let sittings = self.by_start.values();
            let ranks = sittings.flat_map(|sitting| sitting.ranks.keys());
            self.users = ranks.copied().collect();
        }
    }

    /// The memory that they take, in tallies.
    pub(super) fn held(&self) -> usize {
        ITSELF * self.by_start.len() + self.tallies
    }

    /// The memory that they would take if they were one.
    pub(super) fn least(&self) -> usize {
        let itself = ITSELF * self.by_start.len().min(1);
        let users = match self.users.len() {
            0 => self.tallies,
            users => users,
        };
        itself + users
    }

    /// Makes one of those that are not further apart than this.
    pub(super) fn join_close(&mut self, apart_s: f64) {
        let mut joined: Vec<Sitting> = Vec::new();
        for next in std::mem::take(&mut self.by_start).into_values() {
            match joined.last_mut() {
                Some(known) if next.start_s <= known.end_s + apart_s => known.join(next),
                _ => joined.push(next),
            }
        }
        self.tallies = joined.iter().map(|sitting| sitting.ranks.len()).sum();
        let keyed = joined.into_iter().map(|one| (ordered(one.start_s), one));
        self.by_start = keyed.collect();
    }

    pub(super) fn into_iter(self) -> impl Iterator<Item = Sitting> {
        self.by_start.into_values()
    }
}

impl Sitting {
    fn join(&mut self, mut other: Self) {
        // The smaller goes into the larger, or many that join one by one would take long.
        if self.ranks.len() < other.ranks.len() {
            std::mem::swap(&mut self.ranks, &mut other.ranks);
        }
        self.start_s = self.start_s.min(other.start_s);
        self.end_s = self.end_s.max(other.end_s);
        for (rank, tally) in other.ranks {
            match self.ranks.entry(rank) {
                Entry::Occupied(mut known) => known.get_mut().join(tally),
                Entry::Vacant(place) => {
                    place.insert(tally);
                }
            }
        }
    }
}

impl Tally {
    fn of(made: &Made) -> Self {
        let mut tally = Self {
            requests: 0,
            bytes: 0,
            collective: 0,
            start: made.start,
            end: made.end,
            time_s: 0.0,
            sizes: Vec::new(),
            others: None,
        };
        tally.add(made);
        tally
    }

    fn add(&mut self, made: &Made) {
        let collective = if made.collective { made.requests } else { 0 };
        self.count(made.requests, made.bytes, collective);
        self.spend(made.start, made.end, (made.end - made.start).get());
        // Of several in one, no more than their mean is known.
        let size = made.bytes / made.requests.max(1);
        match made.requests {
            1 => self.count_size(size, 1),
            several => self.count_other(size_bin(size), several),
        }
    }

    fn join(&mut self, other: Self) {
        self.count(other.requests, other.bytes, other.collective);
        self.spend(other.start, other.end, other.time_s);
        for (size, count) in other.sizes {
            self.count_size(size, count);
        }
        for (bin, &count) in other.others.iter().flat_map(|bins| bins.iter().enumerate()) {
            self.count_other(bin, count);
        }
    }

    fn count(&mut self, requests: u64, bytes: u64, collective: u64) {
        self.requests = self.requests.saturating_add(requests);
        self.bytes = self.bytes.saturating_add(bytes);
        self.collective = self.collective.saturating_add(collective);
    }

    fn spend(&mut self, start: Seconds, end: Seconds, time_s: f64) {
        if start < self.start {
            self.start = start;
        }
        if end > self.end {
            self.end = end;
        }
        self.time_s += time_s;
    }

    fn count_size(&mut self, size: u64, count: u64) {
        let place = (self.sizes).binary_search_by_key(&lot(size), |&(known, _)| lot(known));
        match place {
            Ok(place) => {
                let (_, sum) = &mut self.sizes[place];
                *sum = sum.saturating_add(count);
            }
            Err(place) => self.sizes.insert(place, (size, count)),
        }
        if self.sizes.len() > MOST_SIZES
            && let Some((size, count)) = self.sizes.pop()
        {
            self.count_other(size_bin(size), count);
        }
    }

    fn count_other(&mut self, bin: usize, count: u64) {
        let sum = &mut self.others.get_or_insert_default()[bin];
        *sum = sum.saturating_add(count);
    }

    /// As a profiler counts. Threads of a process overlap: it spends no more time than there is.
    pub(super) fn counters(&self) -> OpCounters {
        let mut sizes = self.others.as_deref().copied().unwrap_or_default();
        for &(size, count) in &self.sizes {
            let bin = &mut sizes[size_bin(size)];
            *bin = bin.saturating_add(count);
        }
        OpCounters {
            requests: self.requests,
            bytes: self.bytes,
            collective: self.collective,
            start: Some(self.start),
            end: Some(self.end),
            time_s: self.time_s.min((self.end - self.start).get()),
            sizes,
            ..OpCounters::default()
        }
    }

    /// The sizes that are known, each with how many requests had it.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (u64, u64)> {
        self.sizes.iter().copied()
    }
}

/// A number for each size, as if drawn by lot, so that those that are dropped are not all small or all
/// large. No two sizes have the same: every step can be undone.
fn lot(size: u64) -> u64 {
    let mut lot = size.wrapping_add(0x9e37_79b9_7f4a_7c15);
    lot = (lot ^ (lot >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    lot = (lot ^ (lot >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    lot ^ (lot >> 31)
}

/// A number whose order is that of times.
fn ordered(time_s: f64) -> i64 {
    let bits = time_s.to_bits() as i64;
    // Those of negative numbers run the other way round.
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}
