//! Tables whose targets stand in a column that nobody knows.

use super::layout::Layout;
use crate::table::field;
use crate::table::rows::Row;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;

/// So many values from the beginning of a table are compared with those that follow: rows of two targets stand
/// beside each other, or those of one behind those of the other.
const COMPARED: usize = 1 << 14;

/// Looks for values of the same time and target that differ, as does a text beside them that has no part in the
/// table: then it names what they are of, and all but one of them would be lost.
pub(super) struct ToldApart {
    others: Vec<(usize, String)>,
    /// By series and time: the first value, and what stood beside it.
    first: HashMap<(usize, u64), (f64, u64)>,
    looked: bool,
}

impl ToldApart {
    pub(super) fn new(layout: &Layout) -> Self {
        Self {
            others: layout.others.clone(),
            first: HashMap::new(),
            looked: false,
        }
    }

    /// What the texts of a row are that have no part in the table, as a number; `None` where there are none.
    pub(super) fn texts(&mut self, row: &Row) -> Option<u64> {
        if !self.looked {
            self.looked = true;
            let is_text = |(index, _): &(usize, String)| {
                let text = row.get(*index).trim_ascii();
                text.iter().any(u8::is_ascii_alphabetic) && field::number(text).is_none()
            };
            self.others.retain(is_text);
        }
        if self.others.is_empty() {
            return None;
        }
        let mut texts = DefaultHasher::new();
        for (index, _) in &self.others {
            row.get(*index).hash(&mut texts);
        }
        Some(texts.finish())
    }

    /// # Errors
    /// Where a value stands beside another of the same time and target, and texts tell them apart.
    pub(super) fn check(&mut self, value: (usize, f64, f64), texts: u64) -> io::Result<()> {
        let (series, at, value) = value;
        let key = (series, at.to_bits());
        let Some((first, beside)) = self.first.get(&key) else {
            if self.first.len() < COMPARED {
                self.first.insert(key, (value, texts));
            }
            return Ok(());
        };
        if *first == value || *beside == texts {
            return Ok(());
        }
        let names: Vec<&str> = self.others.iter().map(|(_, name)| name.as_str()).collect();
        let name = names.first().copied().unwrap_or_default();
        let message = format!(
            "a time has several rows with other values, and what tells them apart are columns that iotempo does not \
             know: {}; say which of them names the target or its server, as in target={name} or server={name} \
             (--columns, or --log-columns of signature)",
            names.join(", ")
        );
        Err(io::Error::new(io::ErrorKind::InvalidData, message))
    }
}
