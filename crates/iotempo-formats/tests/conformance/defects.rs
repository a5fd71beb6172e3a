//! What libdarshan and pydarshan 3.5.0 get wrong, and exactly how.
//!
//! A difference is accepted only where one of these predicts the very bits that they return.

use super::oracle::{Dump, Module as Answered};
use super::rows::Rows;
use iotempo_formats::darshan::{Log, Module};
use std::collections::{BTreeMap, BTreeSet};

/// The defects, by the names under which they are counted.
pub const KNOWN: [(&str, &str); 12] = [
    (
        "L1",
        "POSIX 2 and 3: variances (2: also the times of the fastest and slowest rank) are 0",
    ),
    (
        "L2",
        "POSIX 1 to 3, big-endian: F_META_TIME, F_MAX_READ_TIME, F_MAX_WRITE_TIME are not swapped",
    ),
    (
        "L3",
        "HEATMAP, a record one bin short: its reads are shifted by a bin",
    ),
    ("L4", "a command line that no line end follows is lost"),
    (
        "L5",
        "PNETCDF_FILE 1 and 2, big-endian: opens are added before they are swapped",
    ),
    (
        "L6",
        "LUSTRE 2 with an unused component: targets come from memory that was freed",
    ),
    (
        "L8",
        "a job record of at most 1080 bytes before log version 3.41 is read as zeros",
    ),
    (
        "L9",
        "big-endian: which modules dropped records is not swapped",
    ),
    ("L10", "DFS and DAOS, big-endian: UUIDs are reversed"),
    (
        "P1",
        "MDHIM: pydarshan cannot hand out what libdarshan reads",
    ),
    (
        "P6",
        "the last line of the metadata is lost if no line end follows",
    ),
    (
        "FOPENS",
        "POSIX 1: records of files that were also opened with fopen are left out",
    ),
];

/// How often each defect changed a value.
pub type Counts = BTreeMap<&'static str, u64>;

/// The records that libdarshan is expected to return.
pub struct Expected {
    pub rows: Rows,
    /// Words for which libdarshan returns whatever its memory holds.
    pub lost: BTreeSet<usize>,
    counts: Counts,
}

impl Expected {
    /// Bends our records of a module to what libdarshan makes of it.
    pub fn of(log: &Log, module: Module, version: u32, rows: Rows, answered: &Answered) -> Self {
        let mut expected = Self {
            rows,
            lost: BTreeSet::new(),
            counts: Counts::new(),
        };
        let facts = &answered.facts;
        match module {
            Module::Posix => expected.posix(log.big_endian, version, facts),
            Module::PnetcdfFile if log.big_endian && version < 3 => expected.pnetcdf(facts),
            Module::Dfs | Module::Daos if log.big_endian => expected.daos(),
            Module::Lustre if version == 2 => expected.lustre(facts),
            Module::Heatmap => expected.heatmap(facts),
            _ => {}
        }
        expected
    }

    /// Our values for the words that libdarshan has lost.
    pub fn lost_words(&self) -> Vec<u64> {
        self.lost
            .iter()
            .map(|&word| self.rows.words[word])
            .collect()
    }

    pub fn into_counts(self) -> Counts {
        self.counts
    }

    fn count(&mut self, defect: &'static str) {
        *self.counts.entry(defect).or_default() += 1;
    }

    fn set(&mut self, defect: &'static str, word: usize, value: u64) {
        if std::mem::replace(&mut self.rows.words[word], value) != value {
            self.count(defect);
        }
    }

    /// The word of a named column in each record.
    fn each(&self, column: &str) -> Vec<usize> {
        let at = self.rows.column(column);
        (0..self.rows.ends.len())
            .map(|row| self.rows.start(row) + at)
            .collect()
    }

    fn posix(&mut self, big_endian: bool, version: u32, fopens: &[i64]) {
        if version == 1 {
            for row in (0..self.rows.ends.len())
                .rev()
                .filter(|&row| fopens[row] > 0)
            {
                self.rows.remove(row);
                self.count("FOPENS");
            }
        }
        if big_endian && version < 4 {
            for column in ["META_TIME", "MAX_READ_TIME", "MAX_WRITE_TIME"] {
                for word in self.each(&format!("POSIX_F_{column}")) {
                    self.set("L2", word, self.rows.words[word].swap_bytes());
                }
            }
        }
        let zeros: &[&str] = match version {
            2 => &[
                "FASTEST_RANK_TIME",
                "SLOWEST_RANK_TIME",
                "VARIANCE_RANK_TIME",
                "VARIANCE_RANK_BYTES",
            ],
            3 => &["VARIANCE_RANK_TIME", "VARIANCE_RANK_BYTES"],
            _ => &[],
        };
        for column in zeros {
            for word in self.each(&format!("POSIX_F_{column}")) {
                self.set("L1", word, 0);
            }
        }
    }

    fn pnetcdf(&mut self, independent: &[i64]) {
        for (row, word) in self.each("PNETCDF_FILE_OPENS").into_iter().enumerate() {
            let one = independent[row] as u64;
            let other = self.rows.words[word].wrapping_sub(one);
            let sum = one.swap_bytes().wrapping_add(other.swap_bytes());
            self.set("L5", word, sum.swap_bytes());
        }
    }

    fn daos(&mut self) {
        for column in ["pool", "container"] {
            for word in self.each(column) {
                let (low, high) = (self.rows.words[word], self.rows.words[word + 1]);
                self.set("L10", word, high.swap_bytes());
                self.set("L10", word + 1, low.swap_bytes());
            }
        }
    }

    fn lustre(&mut self, components_on_disk: &[i64]) {
        for (row, &on_disk) in components_on_disk.iter().enumerate() {
            let start = self.rows.start(row);
            let components = self.rows.words[start + 2];
            if on_disk as u64 != components {
                let targets = start + 4 + 7 * components as usize..self.rows.ends[row];
                targets.clone().for_each(|_| self.count("L6"));
                self.lost.extend(targets);
            }
        }
    }

    fn heatmap(&mut self, bins_on_disk: &[i64]) {
        for (row, &on_disk) in bins_on_disk.iter().enumerate() {
            let start = self.rows.start(row);
            let bins = self.rows.words[start + 3] as usize;
            if on_disk as usize + 1 != bins {
                continue;
            }
            let reads = start + 4 + bins;
            for at in (1..bins - 1).rev() {
                self.set("L3", reads + at, self.rows.words[reads + at - 1]);
            }
            self.set("L3", reads, 0);
        }
    }
}

/// Whether pydarshan says of a module that it dropped records, where it does not swap the bits.
pub fn partial(log: &Log, ours: bool, slot: u32, dump: &Dump, counts: &mut Counts) -> bool {
    if !log.big_endian {
        return ours;
    }
    let swapped = if log.version.as_str() < "3.41" {
        u64::from((dump.partial_bits as u32).swap_bytes())
    } else {
        dump.partial_bits.swap_bytes()
    };
    let theirs = swapped >> slot & 1 == 1;
    if theirs != ours {
        *counts.entry("L9").or_default() += 1;
    }
    theirs
}

/// The job as pydarshan is expected to return it.
pub struct ExpectedJob {
    pub words: [u64; 8],
    pub metadata: Vec<(String, String)>,
    pub exe: String,
    /// Mount points and their types, sorted.
    pub mounts: Vec<(String, String)>,
}

impl ExpectedJob {
    /// Bends our job to what pydarshan makes of it.
    pub fn of(log: &Log, dump: &Dump, counts: &mut Counts) -> Self {
        let job = &log.job;
        let numbers = [
            job.uid,
            job.start_s,
            job.start_ns,
            job.end_s,
            job.end_ns,
            job.nprocs,
            job.jobid,
        ];
        let mut words = [job.run_time_s.to_bits(); 8];
        words[..7].copy_from_slice(&numbers.map(|number| number as u64));
        let mounts = job
            .mounts
            .iter()
            .map(|mount| (mount.point.clone(), mount.fs_type.clone()));
        let mut expected = Self {
            words,
            metadata: job.metadata.clone(),
            exe: job.exe.clone(),
            mounts: mounts.collect(),
        };
        expected.mounts.sort();
        expected.bend(log, dump, |defect| *counts.entry(defect).or_default() += 1);
        expected
    }

    fn bend(&mut self, log: &Log, dump: &Dump, mut count: impl FnMut(&'static str)) {
        if log.version.as_str() < "3.41" && dump.job_bytes <= 1080 {
            count("L8");
            // A run from second 0 to second 0 counts as one second.
            self.words = [0, 0, 0, 0, 0, 0, 0, 1_f64.to_bits()];
            self.metadata.clear();
            self.exe.clear();
            self.mounts.clear();
        }
        if !dump.exe_line_ends && !self.exe.is_empty() {
            count("L4");
            self.exe.clear();
        }
        if !dump.metadata_line_ends && self.metadata.pop().is_some() {
            count("P6");
        }
    }
}
