//! What is remembered of the files of a log that is followed: eight bytes each, because a program may touch any
//! number of them.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;

/// Numbers of files follow each other, as the tracer gives them. So far beyond those that were seen, they are listed
/// by themselves: a damaged log must not say how much is allocated.
const AHEAD: usize = 1024;

/// One file of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Known(NonZeroU64);

/// The bit beside a name that says whether its file is wanted; the lowest is always set, so that none needs no room.
const WANTED: u64 = 2;

impl Known {
    /// A file of this name, and whether requests on it are wanted.
    pub(crate) fn new(name: &str, wanted: bool) -> Self {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        let wanted = if wanted { WANTED } else { 0 };
        Self(NonZeroU64::MIN | (hasher.finish() << 2) | wanted)
    }

    /// Whether requests on it are wanted.
    pub(crate) fn is_wanted(self) -> bool {
        self.0.get() & WANTED != 0
    }

    /// Stands for its name, also in the logs of other processes.
    pub(crate) fn name(self) -> u64 {
        self.0.get() >> 2
    }
}

/// Files by number.
#[derive(Debug, Default)]
pub(crate) struct Files {
    near: Vec<Option<Known>>,
    far: HashMap<u32, Known>,
}

impl Files {
    pub(super) fn insert(&mut self, number: u32, file: Known) {
        let at = number as usize;
        if at >= self.near.len() + AHEAD {
            self.far.insert(number, file);
            return;
        }
        if at >= self.near.len() {
            self.near.resize(at + 1, None);
        }
        self.near[at] = Some(file);
    }

    /// The file of a number, if it was named.
    pub(crate) fn get(&self, number: u32) -> Option<Known> {
        let near = self.near.get(number as usize).copied().flatten();
        near.or_else(|| self.far.get(&number).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_by_its_number_however_far_that_is_from_the_others() {
        let mut files = Files::default();
        for number in [2, 3, 1500, 1026, u32::MAX] {
            files.insert(number, Known::new(&number.to_string(), number != 3));
        }
        for number in [2, 3, 1500, 1026, u32::MAX] {
            let file = files.get(number).expect("named");
            assert_eq!(file.is_wanted(), number != 3);
            assert_eq!(file.name(), Known::new(&number.to_string(), false).name());
        }
        assert_eq!(files.get(4), None);
        assert!(files.near.len() < 4096, "a number allocates nothing");
    }

    #[test]
    fn a_file_costs_eight_bytes() {
        assert_eq!(size_of::<Option<Known>>(), 8);
    }
}
