//! The most common sizes and strides.

use std::collections::BTreeMap;

/// A rank tells at most so many values of a file apart.
const TRACKED: usize = 32;

/// How many values a record has room for.
const KEPT: usize = 4;

/// How often values occurred.
#[derive(Debug, Clone, Default)]
pub(super) struct Common(BTreeMap<i64, i64>);

impl Common {
    /// Counts a value; 0 is never stored, nor is a new value once the table is full.
    pub(super) fn count(&mut self, value: i64) {
        if value != 0 && (self.0.len() < TRACKED || self.0.contains_key(&value)) {
            *self.0.entry(value).or_default() += 1;
        }
    }

    /// Adds what another rank's record shows of its values.
    pub(super) fn add(&mut self, other: &Self) {
        for (value, count) in other.top() {
            *self.0.entry(value).or_default() += count;
        }
    }

    /// The values of a record: most frequent first, larger before smaller.
    pub(super) fn top(&self) -> Vec<(i64, i64)> {
        let mut all: Vec<(i64, i64)> = self.0.iter().map(|(&v, &c)| (v, c)).collect();
        all.sort_by_key(|&(value, count)| std::cmp::Reverse((count, value)));
        all.truncate(KEPT);
        all
    }
}
