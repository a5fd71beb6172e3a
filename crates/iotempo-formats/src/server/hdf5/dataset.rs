//! A data set of numbers in one or two dimensions.

use super::bytes::Bytes;
use super::filter::{self, Filter};
use super::number::{Type, shape};
use super::object::{Message, Object, leaves};
use super::{File, invalid, unsupported};
use crate::error::{Error, ErrorKind, Place};

const SHAPE: u16 = 0x01;
const TYPE: u16 = 0x03;
const LAYOUT: u16 = 0x08;
const FILTERS: u16 = 0x0b;

/// An address that means nowhere.
const NOWHERE: u64 = u64::MAX;

/// Nothing compressed with deflate grows by more than this.
const MOST_INFLATION: u64 = 1100;

/// Numbers in rows.
#[derive(Debug)]
pub(in super::super) struct Table {
    pub(in super::super) rows: usize,
    pub(in super::super) columns: usize,
    /// Row by row; not a number where the file holds none.
    numbers: Vec<f64>,
}

impl Table {
    pub(in super::super) fn get(&self, row: usize, column: usize) -> f64 {
        let inside = row < self.rows && column < self.columns;
        let number = inside.then(|| self.numbers.get(row * self.columns + column));
        number.flatten().copied().unwrap_or(f64::NAN)
    }

    /// All numbers, row by row.
    pub(in super::super) fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    /// Reads a data set; one of one dimension is a single row.
    pub(in super::super) fn read(file: &mut File, object: &Object) -> Result<Self, Error> {
        let message = |kind: u16, what: &'static str| {
            let message = object.message(kind);
            let message =
                message.ok_or_else(|| invalid(object.at, "a data set without its", what))?;
            match message.is_shared {
                true => Err(unsupported(
                    message.at,
                    format!("a data set whose {what} is elsewhere"),
                )),
                false => Ok(message),
            }
        };
        let (dimensions, kind) = (message(SHAPE, "shape")?, message(TYPE, "type")?);
        let (rows, columns) = match shape(&dimensions.bytes, dimensions.at)?.as_slice() {
            [columns] => (1, *columns),
            [rows, columns] => (*rows, *columns),
            other => {
                let message = format!("a data set of {} dimensions", other.len());
                return Err(unsupported(dimensions.at, message));
            }
        };
        let rank = if dimensions.bytes.get(1) == Some(&1) {
            1
        } else {
            2
        };
        let kind = Type::parse(&kind.bytes, kind.at)?;
        kind.must_be_number(object.at)?;
        let elements = file.room_for(rows, columns, kind.size(), object.at)?;
        let mut set = Set {
            rank,
            rows: rows as usize,
            columns: columns as usize,
            kind,
            filters: match object.message(FILTERS) {
                Some(message) => filter::parse(&message.bytes, message.at)?,
                None => Vec::new(),
            },
            numbers: vec![f64::NAN; elements],
        };
        set.fill(file, message(LAYOUT, "layout")?)?;
        Ok(Self {
            rows: set.rows,
            columns: set.columns,
            numbers: set.numbers,
        })
    }
}

impl File {
    /// How many elements a data set has, unless that is more than a file of this length can hold.
    fn room_for(&self, rows: u64, columns: u64, size: usize, at: u64) -> Result<usize, Error> {
        let elements = rows.checked_mul(columns);
        let bytes = elements.and_then(|elements| elements.checked_mul(size.max(8) as u64));
        let most = self.length.saturating_mul(MOST_INFLATION);
        match bytes {
            Some(bytes) if bytes > most.max(1 << 16) => {}
            None => {}
            Some(bytes) if bytes > self.limits.decoded => {
                let (what, limit) = ("a data set", self.limits.decoded);
                let kind = ErrorKind::Budget { what, limit };
                return Err(Error::new("HDF5", Place::Byte(at), kind));
            }
            Some(_) => return Ok(elements.unwrap_or_default() as usize),
        }
        let shape = format!("{rows} × {columns}");
        Err(invalid(
            at,
            "a data set that is larger than the file can hold",
            shape,
        ))
    }
}

/// A data set while it is read.
struct Set {
    rank: usize,
    rows: usize,
    columns: usize,
    kind: Type,
    filters: Vec<Filter>,
    numbers: Vec<f64>,
}

impl Set {
    fn fill(&mut self, file: &mut File, layout: &Message) -> Result<(), Error> {
        let mut fields = Bytes::new(&layout.bytes, layout.at);
        let (version, class) = (fields.u8()?, fields.u8()?);
        if version != 3 {
            let message = format!("a data set with a layout of version {version}");
            return Err(unsupported(layout.at, message));
        }
        let whole = self.numbers.len() * self.kind.size();
        match class {
            0 => {
                let length = usize::from(fields.u16()?);
                let bytes = fields.take(length)?;
                self.plain(bytes);
            }
            1 => {
                let at = fields.u64()?;
                if at != NOWHERE {
                    let bytes = file.at(at, whole as u64, "a data set")?;
                    self.plain(&bytes);
                }
            }
            2 => self.chunked(file, &mut fields)?,
            other => {
                return Err(unsupported(
                    layout.at,
                    format!("a data set of layout {other}"),
                ));
            }
        }
        Ok(())
    }

    fn plain(&mut self, bytes: &[u8]) {
        let kind = self.kind;
        let elements = bytes.chunks_exact(kind.size());
        for (number, element) in self.numbers.iter_mut().zip(elements) {
            *number = kind.number(element);
        }
    }

    fn chunked(&mut self, file: &mut File, fields: &mut Bytes<'_>) -> Result<(), Error> {
        let place = fields.place();
        let dimensions = usize::from(fields.u8()?);
        let tree = fields.u64()?;
        if dimensions != self.rank + 1 {
            return Err(invalid(
                place,
                "chunks of another shape than their data set",
                dimensions,
            ));
        }
        let mut sizes = Vec::new();
        for _ in 0..dimensions {
            sizes.push(fields.u32()? as usize);
        }
        let (chunk_rows, chunk_columns) = match self.rank {
            1 => (1, sizes[0]),
            _ => (sizes[0], sizes[1]),
        };
        let elements = chunk_rows.checked_mul(chunk_columns);
        let length = elements.and_then(|elements| elements.checked_mul(self.kind.size()));
        // A chunk may be larger than its data set, but not by much.
        let most = file
            .length
            .saturating_mul(MOST_INFLATION)
            .min(file.limits.decoded);
        let length = length.filter(|&length| length > 0 && length as u64 <= most.max(1 << 16));
        let length =
            length.ok_or_else(|| invalid(place, "chunks of a size that cannot be", sizes[0]))?;
        if tree == NOWHERE {
            return Ok(());
        }
        let mut inflated = 0;
        for leaf in leaves(file, tree, 1, 8 + 8 * dimensions)? {
            let mut key = Bytes::new(&leaf.key, leaf.at);
            let (stored, mask) = (key.u32()?, key.u32()?);
            let first = key.u64()?;
            let (row, column) = match self.rank {
                1 => (0, first),
                _ => (first, key.u64()?),
            };
            if row >= self.rows as u64 || column >= self.columns as u64 {
                continue;
            }
            inflated += length as u64;
            if inflated > file.limits.decoded {
                let (what, limit) = ("the chunks of a data set", file.limits.decoded);
                let kind = ErrorKind::Budget { what, limit };
                return Err(Error::new("HDF5", Place::Byte(leaf.at), kind));
            }
            let bytes = file.at(leaf.child, u64::from(stored), "a chunk of a data set")?;
            let element = self.kind.size();
            let bytes = filter::undo(&self.filters, mask, bytes, element, length, leaf.child)?;
            self.place(&bytes, (row as usize, column as usize), chunk_columns);
        }
        Ok(())
    }

    /// Puts a chunk where it belongs; what stands over the edge of the data set is padding.
    fn place(&mut self, bytes: &[u8], (row, column): (usize, usize), chunk_columns: usize) {
        let size = self.kind.size();
        let kept = chunk_columns.min(self.columns - column);
        for (index, line) in bytes.chunks_exact(chunk_columns * size).enumerate() {
            if row + index >= self.rows {
                break;
            }
            let start = (row + index) * self.columns + column;
            let numbers = &mut self.numbers[start..start + kept];
            for (number, element) in numbers.iter_mut().zip(line.chunks_exact(size)) {
                *number = self.kind.number(element);
            }
        }
    }
}
