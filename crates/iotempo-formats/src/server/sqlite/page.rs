//! A page of the tree of a table.

use super::{error, invalid};
use crate::error::{Error, ErrorKind};

const INTERIOR: u8 = 0x05;
const LEAF: u8 = 0x0d;

/// A page that is a node of a tree.
pub(super) struct Page<'a> {
    bytes: &'a [u8],
    at: u64,
    usable: usize,
    leaf: bool,
    cells: usize,
    /// Where the places of the cells are listed.
    list: usize,
    rightmost: u32,
}

/// A row, as far as it lies on this page.
pub(super) struct Cell<'a> {
    pub(super) at: u64,
    pub(super) row: i64,
    pub(super) length: u64,
    pub(super) local: &'a [u8],
    /// The page on which it goes on.
    pub(super) overflow: Option<u32>,
}

impl<'a> Page<'a> {
    pub(super) fn new(bytes: &'a [u8], number: u32, at: u64, usable: usize) -> Result<Self, Error> {
        // The header of the database stands on its first page.
        let header = if number == 1 { 100 } else { 0 };
        let fields = bytes.get(header..header + 12);
        let fields = fields.ok_or_else(|| error(at, ErrorKind::UnexpectedEnd("a page")))?;
        let leaf = match fields[0] {
            LEAF => true,
            INTERIOR => false,
            other => return Err(invalid(at, "not a page of the tree of a table", other)),
        };
        Ok(Self {
            bytes,
            at,
            usable,
            leaf,
            cells: usize::from(u16::from_be_bytes([fields[3], fields[4]])),
            list: header + if leaf { 8 } else { 12 },
            rightmost: u32::from_be_bytes([fields[8], fields[9], fields[10], fields[11]]),
        })
    }

    pub(super) fn is_leaf(&self) -> bool {
        self.leaf
    }

    pub(super) fn cells(&self) -> usize {
        self.cells
    }

    /// Where a cell begins.
    fn place(&self, cell: usize) -> Result<usize, Error> {
        let entry = self.list + 2 * cell;
        let place = self.bytes.get(entry..entry + 2);
        let place = place.map(|two| usize::from(u16::from_be_bytes([two[0], two[1]])));
        place
            .filter(|&place| place < self.usable)
            .ok_or_else(|| invalid(self.at + entry as u64, "a cell outside its page", cell))
    }

    /// The pages below, in order.
    pub(super) fn children(&self) -> Result<Vec<u32>, Error> {
        let mut children = Vec::new();
        for cell in 0..self.cells {
            let place = self.place(cell)?;
            children.push(self.number(place)?);
        }
        children.push(self.rightmost);
        Ok(children)
    }

    fn number(&self, place: usize) -> Result<u32, Error> {
        let four = self.bytes.get(place..place + 4);
        let four = four.ok_or_else(|| self.ends(place))?;
        Ok(u32::from_be_bytes([four[0], four[1], four[2], four[3]]))
    }

    fn ends(&self, place: usize) -> Error {
        let kind = ErrorKind::UnexpectedEnd("a cell of a page");
        error(self.at + place as u64, kind)
    }

    pub(super) fn cell(&self, cell: usize) -> Result<Cell<'a>, Error> {
        let place = self.place(cell)?;
        let mut rest = &self.bytes[place..self.usable];
        let length = varint(&mut rest).ok_or_else(|| self.ends(place))?;
        let row = varint(&mut rest).ok_or_else(|| self.ends(place))?;
        let here = local(length, self.usable);
        let local = rest.get(..here).ok_or_else(|| self.ends(place))?;
        let overflow = match here as u64 == length {
            true => None,
            false => Some(self.number(self.usable - rest.len() + here)?),
        };
        Ok(Cell {
            at: self.at + place as u64,
            row: row.cast_signed(),
            length,
            local,
            overflow,
        })
    }
}

/// How much of a row of `length` bytes lies on its own page.
fn local(length: u64, usable: usize) -> usize {
    let most = usable - 35;
    if length <= most as u64 {
        return length as usize;
    }
    let least = (usable - 12) * 32 / 255 - 23;
    let fitting = least + ((length - least as u64) % (usable as u64 - 4)) as usize;
    if fitting <= most { fitting } else { least }
}

/// A number of one to nine bytes: seven bits each, eight in the last.
pub(super) fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for index in 0..9 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        if index == 8 {
            return Some(number << 8 | u64::from(byte));
        }
        number = number << 7 | u64::from(byte & 0x7f);
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_to_nine_bytes() {
        let number = |mut bytes: &[u8]| varint(&mut bytes);
        assert_eq!(number(&[0x7f]), Some(127));
        assert_eq!(number(&[0x81, 0x00]), Some(128));
        assert_eq!(number(&[0xff; 9]), Some(u64::MAX));
        assert_eq!(number(&[0x81]), None);
        assert_eq!(number(&[]), None);
    }
}
