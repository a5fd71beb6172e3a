//! How large requests were, from the few sizes that a profiler counts exactly and its histogram.

use iotempo_model::{FileCounters, Op, SIZE_BINS, SIZE_BOUNDS, size_bin};
use serde::Serialize;
use std::collections::BTreeMap;

/// Exact sizes that a phase states; rarer ones go into the bins of the histogram.
const MOST_SIZES: usize = 32;

/// The requests of a phase by their size. Their bytes add up to those of the phase.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct SizeMixture {
    /// From small to large.
    pub shares: Vec<SizeShare>,
    /// Whether every size is known exactly.
    pub exact: bool,
}

/// Requests of about one size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SizeShare {
    /// The size of each.
    pub size_bytes: f64,
    /// How many.
    pub requests: u64,
    /// Whether the profiler counted this very size; else it is where a bin of its histogram must lie
    /// for the bytes to add up.
    pub exact: bool,
}

impl SizeShare {
    /// What its requests moved.
    #[must_use]
    pub fn bytes(&self) -> f64 {
        self.size_bytes * self.requests as f64
    }
}

/// What is known of request sizes. Whole numbers only, so that it does not matter in which order files
/// are added up.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Sizes {
    /// Requests of sizes that were counted exactly.
    exact: BTreeMap<u64, u64>,
    /// Other requests, by the bin that they fall into.
    binned: [u64; SIZE_BINS],
}

impl Sizes {
    /// The frequent sizes of a file are counted for reads and writes together: where both moved
    /// requests of a size's bin, it is split as the bin is.
    pub(super) fn of(file: &FileCounters, op: Op) -> Self {
        let reads = &file.read.sizes;
        let writes = &file.write.sizes;
        let mut sizes = Self {
            exact: BTreeMap::new(),
            binned: file.of(op).sizes,
        };
        for frequent in file.frequent.iter().filter(|frequent| frequent.count > 0) {
            let bin = size_bin(frequent.size);
            let of_reads = share(frequent.count, reads[bin], writes[bin]);
            let count = match op {
                Op::Read => of_reads,
                Op::Write => frequent.count - of_reads,
            };
            let count = count.min(sizes.binned[bin]);
            if count > 0 {
                sizes.binned[bin] -= count;
                *sizes.exact.entry(frequent.size).or_default() += count;
            }
        }
        sizes
    }

    /// Sizes that were counted one by one, among all requests by their bins.
    pub(super) fn known(exact: impl Iterator<Item = (u64, u64)>, all: [u64; SIZE_BINS]) -> Self {
        let mut sizes = Self {
            exact: exact.collect(),
            binned: all,
        };
        for (&size, &count) in &sizes.exact {
            let bin = &mut sizes.binned[size_bin(size)];
            *bin = bin.saturating_sub(count);
        }
        sizes
    }

    pub(super) fn join(&mut self, other: Self) {
        for (size, count) in other.exact {
            let sum = self.exact.entry(size).or_default();
            *sum = sum.saturating_add(count);
        }
        for (sum, count) in self.binned.iter_mut().zip(other.binned) {
            *sum = sum.saturating_add(count);
        }
    }

    /// The mixture of `requests` that moved `bytes`.
    pub(super) fn mixture(mut self, requests: u64, bytes: u64) -> SizeMixture {
        self.fold_rare();
        let exact_bytes: f64 = self
            .exact
            .iter()
            .map(|(&size, &count)| size as f64 * count as f64)
            .sum();
        let binned: u64 = self.binned.iter().fold(0, |sum, n| sum.saturating_add(*n));
        let counted = self
            .exact
            .values()
            .fold(binned, |sum, n| sum.saturating_add(*n));
        if counted == 0 || exact_bytes > bytes as f64 {
            return SizeMixture::even(requests, bytes);
        }
        let rest = bytes as f64 - exact_bytes;
        let guessed: f64 = (0..SIZE_BINS)
            .map(|bin| middle(bin) * self.binned[bin] as f64)
            .sum();
        if guessed == 0.0 && rest > 0.0 {
            // Bytes that no counted request can have moved.
            return SizeMixture::even(requests, bytes);
        }
        let exact = self.exact.iter().map(|(&size, &requests)| SizeShare {
            size_bytes: size as f64,
            requests,
            exact: true,
        });
        let others = (0..SIZE_BINS).filter(|&bin| self.binned[bin] > 0);
        let others = others.map(|bin| SizeShare {
            size_bytes: middle(bin) * rest / guessed,
            requests: self.binned[bin],
            exact: false,
        });
        let mut shares: Vec<SizeShare> = exact.chain(others).collect();
        shares.sort_by(|one, other| one.size_bytes.total_cmp(&other.size_bytes));
        SizeMixture {
            // Requests that moved nothing are of a size that is known, too.
            exact: rest == 0.0 && counted == requests,
            shares,
        }
    }

    /// Many files may have as many sizes: what is rare becomes part of its bin.
    fn fold_rare(&mut self) {
        if self.exact.len() <= MOST_SIZES {
            return;
        }
        let mut sizes: Vec<(u64, u64)> = self.exact.iter().map(|(&s, &n)| (s, n)).collect();
        // By the bytes that they move.
        let moved = |&(size, count): &(u64, u64)| u128::from(size) * u128::from(count);
        sizes.sort_by_key(|size| (std::cmp::Reverse(moved(size)), size.0));
        for (size, count) in sizes.split_off(MOST_SIZES) {
            self.exact.remove(&size);
            let bin = &mut self.binned[size_bin(size)];
            *bin = bin.saturating_add(count);
        }
    }
}

impl SizeMixture {
    /// All of the mean size, where nothing better is known.
    fn even(requests: u64, bytes: u64) -> Self {
        if requests == 0 {
            return Self::default();
        }
        let share = SizeShare {
            size_bytes: bytes as f64 / requests as f64,
            requests,
            exact: false,
        };
        Self {
            shares: vec![share],
            exact: false,
        }
    }

    /// What all of it moved.
    #[must_use]
    pub fn bytes(&self) -> f64 {
        self.shares.iter().map(SizeShare::bytes).sum()
    }
}

/// `count` in the proportion of `one` to `one` and `other`; half of it where both are 0.
fn share(count: u64, one: u64, other: u64) -> u64 {
    let whole = u128::from(one) + u128::from(other);
    if whole == 0 {
        return count / 2;
    }
    let part = u128::from(count) * u128::from(one) / whole;
    u64::try_from(part).unwrap_or(count)
}

/// The geometric middle of a bin.
fn middle(bin: usize) -> f64 {
    let below = if bin == 0 { 1 } else { SIZE_BOUNDS[bin - 1] };
    // The last bin has no bound: twice its lower one.
    let above = SIZE_BOUNDS.get(bin).copied().unwrap_or(2 * below);
    (below as f64 * above as f64).sqrt()
}
