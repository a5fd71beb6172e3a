//! The names of a trace's files, each kept once.

use crate::request::FileId;
use std::collections::HashMap;

/// File names in the order in which they were first seen; a [`FileId`] is the place of one.
#[derive(Debug, Clone, Default)]
pub struct FileTable {
    names: Vec<Box<str>>,
    ids: HashMap<Box<str>, FileId>,
}

impl FileTable {
    /// The id of `name`, which is added if it is new.
    ///
    /// # Panics
    /// With more than 2³² names, which is more than fits in memory.
    pub fn intern(&mut self, name: &str) -> FileId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        let id = FileId(u32::try_from(self.names.len()).expect("fewer than 2^32 files"));
        self.names.push(name.into());
        self.ids.insert(name.into(), id);
        id
    }

    /// The name of a file; `None` for an id of another table.
    #[must_use]
    pub fn name(&self, id: FileId) -> Option<&str> {
        self.names.get(id.0 as usize).map(AsRef::as_ref)
    }

    /// Every name with its id, in order.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &str)> {
        (0..).map(FileId).zip(self.names.iter().map(AsRef::as_ref))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
