//! The names of records.

use super::header::LogVersion;
use super::{bytes::ByteOrder, region::Region};
use crate::error::ErrorKind;
use std::collections::HashMap;
use std::io::{Read, Seek};

/// Record ids and their names.
#[derive(Debug, Clone, Default)]
pub struct NameTable {
    names: HashMap<u64, Box<str>>,
    /// How many entries repeat an id.
    pub duplicates: u64,
}

impl NameTable {
    /// Adds a name. The first one of an id stays, unless it is empty.
    pub fn insert(&mut self, id: u64, name: &str) {
        match self.names.get_mut(&id) {
            None => {
                self.names.insert(id, name.into());
            }
            Some(known) => {
                self.duplicates += 1;
                if known.is_empty() {
                    *known = name.into();
                }
            }
        }
    }

    /// The name of a record, where it has one.
    #[must_use]
    pub fn get(&self, id: u64) -> Option<&str> {
        self.names.get(&id).map(AsRef::as_ref)
    }

    /// The name of a record, or its id where it has none.
    #[must_use]
    pub fn label(&self, id: u64) -> String {
        match self.get(id) {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("<record {id}>"),
        }
    }

    /// Every id with its name, in no order.
    pub fn iter_unsorted(&self) -> impl Iterator<Item = (u64, &str)> {
        self.names.iter().map(|(&id, name)| (id, name.as_ref()))
    }

    /// How many ids have a name.
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

/// Reads names until the region ends or is damaged.
pub(crate) fn read<R: Read + Seek>(
    region: &mut Region<'_, R>,
    version: LogVersion,
    order: ByteOrder,
    longest: u64,
) -> NameTable {
    let mut names = NameTable::default();
    let longest = usize::try_from(longest).unwrap_or(usize::MAX);
    while region.has(8) {
        let id = order.u64(region.bytes());
        let found = if version == LogVersion::V300 {
            counted(region, order, longest)
        } else {
            terminated(region, longest)
        };
        let Some((from, to, next)) = found else {
            return names;
        };
        names.insert(id, &String::from_utf8_lossy(&region.bytes()[from..to]));
        region.consume(next);
    }
    if region.damage().is_none() && !region.bytes().is_empty() {
        region.refuse(ErrorKind::UnexpectedEnd("a name's id"));
    }
    names
}

/// Where a name lies in the bytes at hand: its start, its end, and where the next entry begins.
type Bounds = (usize, usize, usize);

/// 3.00: a length, then as many bytes.
fn counted<R: Read + Seek>(
    region: &mut Region<'_, R>,
    order: ByteOrder,
    longest: usize,
) -> Option<Bounds> {
    if !region.has(12) {
        end_of_data(region);
        return None;
    }
    let len = order.u32(&region.bytes()[8..]) as usize;
    if len > longest {
        too_long(region, longest);
        return None;
    }
    if !region.has(12 + len) {
        end_of_data(region);
        return None;
    }
    Some((12, 12 + len, 12 + len))
}

/// 3.10 and later: bytes up to a NUL.
fn terminated<R: Read + Seek>(region: &mut Region<'_, R>, longest: usize) -> Option<Bounds> {
    let mut searched = 8;
    loop {
        if let Some(at) = memchr::memchr(0, &region.bytes()[searched..]) {
            return Some((8, searched + at, searched + at + 1));
        }
        searched = region.bytes().len();
        if searched > longest {
            too_long(region, longest);
            return None;
        }
        if !region.has(searched + 1) {
            end_of_data(region);
            return None;
        }
    }
}

fn end_of_data<R: Read + Seek>(region: &mut Region<'_, R>) {
    if region.damage().is_none() {
        region.refuse(ErrorKind::UnexpectedEnd("a name"));
    }
}

fn too_long<R: Read + Seek>(region: &mut Region<'_, R>, longest: usize) {
    region.refuse(ErrorKind::Budget {
        what: "one name",
        limit: longest as u64,
    });
}
