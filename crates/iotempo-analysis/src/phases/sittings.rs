//! When a file is in use: requests that follow one another closely are one sitting.

use iotempo_model::{OpCounters, Rank, Seconds, size_bin};
use std::collections::BTreeMap;

/// Sizes of a process that are counted one by one; others are in the histogram alone.
const MOST_SIZES: usize = 256;

/// The sittings of one file, layer and direction, by the order of their starts. Between any two of them
/// lies more than the time distance, so the order in which requests come does not matter.
#[derive(Debug, Clone, Default)]
pub(super) struct Sittings(BTreeMap<i64, Sitting>);

/// A stretch of time in which processes use a file.
#[derive(Debug, Clone)]
pub(super) struct Sitting {
    start_s: f64,
    end_s: f64,
    /// What each process did; `None` is all of them together.
    pub(super) ranks: BTreeMap<Option<Rank>, Tally>,
}

/// What one process did in a sitting.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    counters: OpCounters,
    /// Sizes with their counts, by their [`lot`]. Of too many, those with the highest lots are dropped: none
    /// of them can come back, so that those that stay are fully counted in whatever order requests come.
    sizes: BTreeMap<u64, (u64, u64)>,
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
        let near = self.0.range_mut(..=until).next_back();
        if let Some((_, sitting)) = near
            && sitting.start_s <= start_s
            && start_s <= sitting.end_s + apart_s
        {
            sitting.end_s = sitting.end_s.max(end_s);
            sitting.ranks.entry(made.rank).or_default().add(made);
            return;
        }
        let mut whole = Sitting {
            start_s,
            end_s,
            ranks: BTreeMap::from([(made.rank, Tally::of(made))]),
        };
        while let Some((&key, other)) = self.0.range(..=ordered(whole.end_s + apart_s)).next_back()
            && whole.start_s <= other.end_s + apart_s
        {
            if let Some(other) = self.0.remove(&key) {
                whole.join(other);
            }
        }
        self.0.insert(ordered(whole.start_s), whole);
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Makes one of those that are not further apart than this.
    pub(super) fn join_close(&mut self, apart_s: f64) {
        let mut whole: Option<Sitting> = None;
        for next in std::mem::take(&mut self.0).into_values() {
            match &mut whole {
                Some(known) if next.start_s <= known.end_s + apart_s => known.join(next),
                known => {
                    let done = known.replace(next);
                    self.0
                        .extend(done.map(|done| (ordered(done.start_s), done)));
                }
            }
        }
        self.0
            .extend(whole.map(|whole| (ordered(whole.start_s), whole)));
    }

    pub(super) fn into_iter(self) -> impl Iterator<Item = Sitting> {
        self.0.into_values()
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
            self.ranks.entry(rank).or_default().join(tally);
        }
    }
}

impl Tally {
    fn of(made: &Made) -> Self {
        let mut tally = Self::default();
        tally.add(made);
        tally
    }

    fn add(&mut self, made: &Made) {
        let mut counters = OpCounters {
            requests: made.requests,
            bytes: made.bytes,
            collective: if made.collective { made.requests } else { 0 },
            start: Some(made.start),
            end: Some(made.end),
            time_s: (made.end - made.start).get(),
            ..OpCounters::default()
        };
        // Of several in one, no more than their mean is known.
        let size = made.bytes / made.requests.max(1);
        counters.sizes[size_bin(size)] = made.requests;
        self.count(&counters);
        if made.requests == 1 {
            self.count_size(size, 1);
        }
    }

    fn join(&mut self, other: Self) {
        self.count(&other.counters);
        for (size, count) in other.sizes.into_values() {
            self.count_size(size, count);
        }
    }

    fn count(&mut self, more: &OpCounters) {
        let counters = &mut self.counters;
        for (sum, more) in [
            (&mut counters.requests, more.requests),
            (&mut counters.bytes, more.bytes),
            (&mut counters.collective, more.collective),
        ] {
            *sum = sum.saturating_add(more);
        }
        counters.start = [counters.start, more.start]
            .into_iter()
            .flatten()
            .reduce(|one, other| if other < one { other } else { one });
        counters.end = [counters.end, more.end]
            .into_iter()
            .flatten()
            .reduce(|one, other| if other > one { other } else { one });
        counters.time_s += more.time_s;
        for (sum, more) in counters.sizes.iter_mut().zip(more.sizes) {
            *sum = sum.saturating_add(more);
        }
    }

    fn count_size(&mut self, size: u64, count: u64) {
        let (_, sum) = self.sizes.entry(lot(size)).or_insert((size, 0));
        *sum = sum.saturating_add(count);
        if self.sizes.len() > MOST_SIZES {
            self.sizes.pop_last();
        }
    }

    /// As a profiler counts. Threads of a process overlap: it spends no more time than there is.
    pub(super) fn counters(&self) -> OpCounters {
        let mut counters = self.counters;
        if let (Some(start), Some(end)) = (counters.start, counters.end) {
            counters.time_s = counters.time_s.min((end - start).get());
        }
        counters
    }

    /// The sizes that are known, each with how many requests had it.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (u64, u64)> {
        self.sizes.values().copied()
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
