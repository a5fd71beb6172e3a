//! `darshan-parser --file`.

use super::columns::Columns;
use crate::darshan::log::CounterTable;
use serde::Serialize;
use std::collections::HashMap;

/// Files by how they were used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FileCounts {
    /// All files.
    pub total: FileClass,
    /// Files that bytes were read from, and none written to.
    pub read_only: FileClass,
    /// Files that bytes were written to, and none read from.
    pub write_only: FileClass,
    /// Files that bytes were read from and written to.
    pub read_write: FileClass,
    /// Files of a single rank.
    pub unique: FileClass,
    /// Files of several or all ranks, as `darshan-parser` prints them: the largest offset is the
    /// **sum** of the largest offset among files of all ranks and that among files of some.
    pub shared: FileClass,
    /// Files that were shared by all ranks.
    pub shared_by_all: FileClass,
    /// Files of several ranks, not of all.
    pub shared_by_some: FileClass,
}

/// How many files, and how large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct FileClass {
    /// How many.
    pub files: u64,
    /// Bytes read and written.
    pub bytes: i64,
    /// The last byte that was touched in any; `None` for modules that do not record offsets
    /// (`darshan-parser` prints −1 there, and 0 for a class without files).
    pub max_offset: Option<i64>,
}

struct File {
    read: i64,
    written: i64,
    max_offset: Option<i64>,
    records: u64,
    shared: bool,
}

impl FileCounts {
    pub(super) fn of(table: &CounterTable, columns: &Columns) -> Self {
        let none = FileClass {
            max_offset: columns.has_offsets().then_some(0),
            ..FileClass::default()
        };
        let mut counts = Self::empty(none);
        for file in files(table, columns) {
            counts.total.add(&file);
            let direction = match (file.read > 0, file.written > 0) {
                (true, true) => Some(&mut counts.read_write),
                (true, false) if file.written == 0 => Some(&mut counts.read_only),
                (false, true) if file.read == 0 => Some(&mut counts.write_only),
                _ => None,
            };
            direction.into_iter().for_each(|class| class.add(&file));
            let sharing = match (file.shared, file.records) {
                (true, _) => &mut counts.shared_by_all,
                (false, 1) => &mut counts.unique,
                (false, _) => &mut counts.shared_by_some,
            };
            sharing.add(&file);
        }
        counts.shared = counts.shared_by_all.plus(counts.shared_by_some);
        counts
    }

    fn empty(none: FileClass) -> Self {
        Self {
            total: none,
            read_only: none,
            write_only: none,
            read_write: none,
            unique: none,
            shared: none,
            shared_by_all: none,
            shared_by_some: none,
        }
    }
}

/// The files of a table, in the order of their first records.
fn files(table: &CounterTable, columns: &Columns) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    let mut places: HashMap<u64, usize> = HashMap::new();
    for record in columns.records(table) {
        let place = *places.entry(record.id).or_insert(files.len());
        if place == files.len() {
            files.push(File {
                read: 0,
                written: 0,
                max_offset: record.max_offset().map(|_| 0),
                records: 0,
                shared: false,
            });
        }
        let file = &mut files[place];
        file.read = file.read.saturating_add(record.bytes_read());
        file.written = file.written.saturating_add(record.bytes_written());
        file.max_offset = file.max_offset.max(record.max_offset());
        file.records += 1;
        file.shared |= record.is_shared();
    }
    files
}

impl FileClass {
    fn add(&mut self, file: &File) {
        self.files += 1;
        self.bytes = self
            .bytes
            .saturating_add(file.read)
            .saturating_add(file.written);
        self.max_offset = self.max_offset.max(file.max_offset);
    }

    fn plus(self, other: Self) -> Self {
        let offsets = self.max_offset.zip(other.max_offset);
        Self {
            files: self.files + other.files,
            bytes: self.bytes.saturating_add(other.bytes),
            max_offset: offsets.map(|(one, other)| one.saturating_add(other)),
        }
    }
}
