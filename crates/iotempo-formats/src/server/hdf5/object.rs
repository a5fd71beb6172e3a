//! A group or a data set: the messages of its header, and the names below a group.

use super::attribute::Attribute;
use super::bytes::Bytes;
use super::{File, MOST_NODES, invalid, unsupported};
use crate::error::Error;
use std::collections::HashSet;

const SYMBOL_TABLE: u16 = 0x11;
const ATTRIBUTE: u16 = 0x0c;
const CONTINUATION: u16 = 0x10;

/// A message has 64 KiB at most, and there are few of them.
const LONGEST_HEADER: u64 = 16 << 20;

/// A message of a header.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) kind: u16,
    pub(super) at: u64,
    pub(super) bytes: Vec<u8>,
    /// Whether it only says where the message is.
    pub(super) is_shared: bool,
}

/// A group or a data set.
#[derive(Debug)]
pub(in super::super) struct Object {
    pub(super) at: u64,
    pub(super) messages: Vec<Message>,
}

impl Object {
    pub(super) fn read(file: &mut File, at: u64) -> Result<Self, Error> {
        let start = file.at(at, 16, "the header of an object")?;
        if start.starts_with(b"OHDR") {
            return Err(unsupported(
                at,
                "a header of version 2 (h5repack --low=0 --high=0 writes older ones)".to_owned(),
            ));
        }
        let mut fields = Bytes::new(&start, at);
        let version = fields.u8()?;
        if version != 1 {
            return Err(invalid(at, "not the version of a header", version));
        }
        fields.skip(1)?;
        let count = fields.u16()?;
        fields.skip(4)?;
        let length = u64::from(fields.u32()?);
        let mut messages = Vec::new();
        let mut blocks = vec![(at + 16, length)];
        let (mut next, mut total) = (0, 0_u64);
        while let Some(&(block, length)) = blocks.get(next) {
            next += 1;
            // Blocks may name each other in a circle.
            total = total.saturating_add(length.max(1));
            if total > LONGEST_HEADER {
                return Err(invalid(at, "a header that is longer than", LONGEST_HEADER));
            }
            let bytes = file.at(block, length, "the header of an object")?;
            let mut rest = Bytes::new(&bytes, block);
            while rest.rest().len() >= 8 && messages.len() < usize::from(count) {
                let (kind, size, flags) = (rest.u16()?, rest.u16()?, rest.u8()?);
                rest.skip(3)?;
                let place = rest.place();
                let bytes = rest.take(usize::from(size))?.to_vec();
                if kind == CONTINUATION {
                    let mut link = Bytes::new(&bytes, place);
                    blocks.push((link.u64()?, link.u64()?));
                }
                messages.push(Message {
                    kind,
                    at: place,
                    bytes,
                    is_shared: flags & 2 != 0,
                });
            }
        }
        Ok(Self { at, messages })
    }

    pub(super) fn message(&self, kind: u16) -> Option<&Message> {
        self.messages.iter().find(|message| message.kind == kind)
    }

    /// The attribute of this name.
    pub(in super::super) fn attribute(&self, name: &str) -> Result<Option<Attribute<'_>>, Error> {
        for message in self.messages.iter().filter(|one| one.kind == ATTRIBUTE) {
            let attribute = Attribute::parse(message)?;
            if attribute.name == name.as_bytes() {
                return Ok(Some(attribute));
            }
        }
        Ok(None)
    }

    /// The group or data set of this name in a group; `None` where it has none, or is no group.
    pub(in super::super) fn member(
        &self,
        file: &mut File,
        name: &str,
    ) -> Result<Option<Self>, Error> {
        let members = self.members(file)?;
        let found = members.into_iter().find(|(one, _)| one == name);
        found.map(|(_, at)| Self::read(file, at)).transpose()
    }

    /// The names in a group, and where their headers are.
    pub(in super::super) fn members(&self, file: &mut File) -> Result<Vec<(String, u64)>, Error> {
        let Some(table) = self.message(SYMBOL_TABLE) else {
            return Ok(Vec::new());
        };
        let mut fields = Bytes::new(&table.bytes, table.at);
        let (tree, heap) = (fields.u64()?, fields.u64()?);
        let names = read_heap(file, heap)?;
        let mut members = Vec::new();
        for node in leaves(file, tree, 0, 8)? {
            read_names(file, node.child, &names, &mut members)?;
        }
        Ok(members)
    }
}

/// The names of a group.
fn read_heap(file: &mut File, at: u64) -> Result<Vec<u8>, Error> {
    let bytes = file.at(at, 32, "a heap of names")?;
    if !bytes.starts_with(b"HEAP") {
        return Err(invalid(
            at,
            "not a heap of names",
            String::from_utf8_lossy(&bytes[..4]),
        ));
    }
    let mut fields = Bytes::new(&bytes, at);
    fields.skip(8)?;
    let length = fields.u64()?;
    fields.skip(8)?;
    let start = fields.u64()?;
    file.at(start, length, "a heap of names")
}

fn read_names(
    file: &mut File,
    at: u64,
    names: &[u8],
    members: &mut Vec<(String, u64)>,
) -> Result<(), Error> {
    let start = file.at(at, 8, "a list of names")?;
    if !start.starts_with(b"SNOD") {
        return Err(invalid(
            at,
            "not a list of names",
            String::from_utf8_lossy(&start[..4]),
        ));
    }
    let count = u16::from_le_bytes([start[6], start[7]]);
    let bytes = file.at(at + 8, u64::from(count) * 40, "a list of names")?;
    let mut entries = Bytes::new(&bytes, at + 8);
    for _ in 0..count {
        let (name, header) = (entries.u64()?, entries.u64()?);
        entries.skip(24)?;
        let text = usize::try_from(name)
            .ok()
            .and_then(|name| names.get(name..));
        let text = text.ok_or_else(|| invalid(at, "a name outside its heap", name))?;
        let end = memchr::memchr(0, text).unwrap_or(text.len());
        members.push((String::from_utf8_lossy(&text[..end]).into_owned(), header));
    }
    Ok(())
}

/// An entry of a leaf of a tree.
pub(super) struct Leaf {
    pub(super) key: Vec<u8>,
    pub(super) at: u64,
    pub(super) child: u64,
}

/// The entries of all leaves of a tree of `kind`, whose keys have `key` bytes.
pub(super) fn leaves(file: &mut File, root: u64, kind: u8, key: usize) -> Result<Vec<Leaf>, Error> {
    let mut leaves = Vec::new();
    let mut open = vec![(root, None)];
    let mut seen = HashSet::new();
    while let Some((at, expected)) = open.pop() {
        let start = file.at(at, 24, "a node of a tree")?;
        let level = start[5];
        let fits = expected.is_none_or(|expected| expected == level);
        // A node comes once, so what is found is no more than the file holds.
        let is_new = seen.insert(at) && seen.len() <= MOST_NODES;
        if !start.starts_with(b"TREE") || start[4] != kind || !fits || !is_new {
            return Err(invalid(
                at,
                "not a node of the tree",
                String::from_utf8_lossy(&start[..4]),
            ));
        }
        let count = usize::from(u16::from_le_bytes([start[6], start[7]]));
        let bytes = file.at(at + 24, (count * (key + 8)) as u64, "a node of a tree")?;
        // Entries of sound trees lie beside each other, not over each other.
        if ((leaves.len() + count) * (key + 8)) as u64 > file.length {
            return Err(invalid(
                at,
                "a tree of more entries than the file has room for",
                count,
            ));
        }
        let mut entries = Bytes::new(&bytes, at + 24);
        let mut below = Vec::new();
        for _ in 0..count {
            let place = entries.place();
            let key = entries.take(key)?.to_vec();
            let child = entries.u64()?;
            match level {
                0 => leaves.push(Leaf {
                    key,
                    at: place,
                    child,
                }),
                level => below.push((child, Some(level - 1))),
            }
        }
        open.extend(below.into_iter().rev());
    }
    Ok(leaves)
}
