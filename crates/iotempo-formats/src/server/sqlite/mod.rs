//! The rows of the tables of an SQLite database, read and never written.
//!
//! Only what that needs of the format: the header, b-trees of tables, overflow pages, records. Every
//! number of the file is checked before it is believed; a page is visited once.

mod page;
mod record;

pub(super) use record::Value;

use crate::error::{Error, ErrorKind, Place};
use crate::input::{Input, ReadSeek};
use crate::limits::Limits;
use page::{Cell, Page};
use record::Record;
use std::collections::HashSet;
use std::io::{Read, Seek, SeekFrom};

const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// A tree over 2³² pages of at least two children each is no deeper.
const DEEPEST: usize = 32;

/// No schema has more.
const MOST_TABLES: usize = 4096;

pub(super) fn sniff(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// A table, by its schema.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) name: String,
    root: u32,
    columns: Vec<Column>,
}

#[derive(Debug, Clone, PartialEq)]
struct Column {
    name: String,
    /// Whether the number of the row stands for it.
    is_row_number: bool,
}

impl Table {
    /// Where a column stands.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        let mut columns = self.columns.iter();
        columns.position(|column| column.name.eq_ignore_ascii_case(name))
    }
}

/// A row of a table.
pub(super) struct Row<'a> {
    table: &'a Table,
    number: i64,
    record: Record<'a>,
}

impl Row<'_> {
    /// What stands in a column; nothing where the row is shorter.
    pub(super) fn get(&self, column: usize) -> Value<'_> {
        match self.table.columns.get(column) {
            Some(column) if column.is_row_number => Value::Whole(self.number),
            _ => self.record.get(column),
        }
    }
}

/// An open database.
pub(super) struct Database {
    file: Box<dyn ReadSeek>,
    page_size: usize,
    /// Of each page, without what extensions keep at its end.
    usable: usize,
    pages: u32,
    longest: u64,
    /// Whether newer rows may lie in a second file.
    pub(super) has_log: bool,
}

impl Database {
    pub(super) fn open(input: Input, limits: &Limits) -> Result<Self, Error> {
        let mut file = input.into_seekable(limits)?;
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(0))?;
        let mut header = [0; 100];
        file.read_exact(&mut header)
            .map_err(|_| error(0, ErrorKind::UnexpectedEnd("the header of the database")))?;
        let page_size = match u16::from_be_bytes([header[16], header[17]]) {
            1 => 65_536,
            size => usize::from(size),
        };
        let usable = page_size.saturating_sub(usize::from(header[20]));
        if !page_size.is_power_of_two() || page_size < 512 || usable < 480 {
            return Err(invalid(16, "not the size of a page", page_size));
        }
        // 1 is UTF-8; an empty database has none yet.
        let encoding = u32::from_be_bytes([header[56], header[57], header[58], header[59]]);
        if encoding > 1 {
            let message = format!("a database with text in UTF-16 (encoding {encoding})");
            return Err(error(56, ErrorKind::Unsupported(message)));
        }
        Ok(Self {
            file,
            page_size,
            usable,
            pages: u32::try_from(length.div_ceil(page_size as u64)).unwrap_or(u32::MAX),
            longest: limits.name,
            has_log: header[18] == 2 || header[19] == 2,
        })
    }

    /// All tables, by the schema.
    pub(super) fn tables(&mut self) -> Result<Vec<Table>, Error> {
        let names = ["type", "name", "tbl_name", "rootpage", "sql"];
        let column = |name: &str| Column {
            name: name.to_owned(),
            is_row_number: false,
        };
        let schema = Table {
            name: "sqlite_master".to_owned(),
            root: 1,
            columns: names.map(column).to_vec(),
        };
        let mut tables = Vec::new();
        self.rows(&schema, &mut |row| {
            let text = |column| match row.get(column) {
                Value::Text(text) => Some(text),
                _ => None,
            };
            let (Some("table"), Some(name), Value::Whole(root), Some(sql)) =
                (text(0), text(1), row.get(3), text(4))
            else {
                return Ok(());
            };
            if tables.len() < MOST_TABLES
                && let Ok(root) = u32::try_from(root)
            {
                tables.push(Table {
                    name: name.to_owned(),
                    root,
                    columns: columns(sql),
                });
            }
            Ok(())
        })?;
        Ok(tables)
    }

    /// Walks through the rows of a table in the order of their numbers.
    pub(super) fn rows(
        &mut self,
        table: &Table,
        take: &mut dyn FnMut(&Row<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut seen = HashSet::new();
        let mut room = u64::from(self.pages) * self.page_size as u64;
        let mut open = vec![(table.root, 0)];
        while let Some((number, depth)) = open.pop() {
            let at = self.offset(number);
            if !seen.insert(number) {
                return Err(invalid(at, "a page that comes twice in a tree", number));
            }
            if depth > DEEPEST {
                return Err(invalid(at, "a tree that is deeper than", DEEPEST));
            }
            let bytes = self.page(number)?;
            let page = Page::new(&bytes, number, at, self.usable)?;
            if page.is_leaf() {
                for cell in 0..page.cells() {
                    let cell = page.cell(cell)?;
                    // Rows of sound databases lie beside each other, not over each other.
                    room = room
                        .checked_sub(cell.length)
                        .ok_or_else(|| invalid(cell.at, "a row that is too long", cell.length))?;
                    self.row(&cell, table, take)?;
                }
            } else {
                let children = page.children()?;
                open.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
            }
        }
        Ok(())
    }

    fn row(
        &mut self,
        cell: &Cell<'_>,
        table: &Table,
        take: &mut dyn FnMut(&Row<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut whole;
        let payload = match cell.overflow {
            None => cell.local,
            Some(first) => {
                if cell.length > self.longest {
                    let (what, limit) = ("a row of the database", self.longest);
                    return Err(error(cell.at, ErrorKind::Budget { what, limit }));
                }
                whole = cell.local.to_vec();
                self.overflow(first, cell.length, &mut whole)?;
                whole.as_slice()
            }
        };
        take(&Row {
            table,
            number: cell.row,
            record: Record::new(payload, cell.at)?,
        })
    }

    /// Appends what of a row lies on other pages.
    fn overflow(&mut self, first: u32, length: u64, whole: &mut Vec<u8>) -> Result<(), Error> {
        let mut next = first;
        let mut followed = 0;
        while (whole.len() as u64) < length {
            let at = self.offset(next);
            followed += 1;
            if followed > self.pages {
                return Err(invalid(at, "overflow pages that lead in a circle", next));
            }
            let page = self.page(next)?;
            let (link, rest) = page.split_at(4);
            next = u32::from_be_bytes([link[0], link[1], link[2], link[3]]);
            let rest = &rest[..self.usable - 4];
            let wanted = usize::try_from(length - whole.len() as u64).unwrap_or(usize::MAX);
            whole.extend_from_slice(&rest[..rest.len().min(wanted)]);
        }
        Ok(())
    }

    fn offset(&self, page: u32) -> u64 {
        u64::from(page.saturating_sub(1)) * self.page_size as u64
    }

    fn page(&mut self, number: u32) -> Result<Vec<u8>, Error> {
        let at = self.offset(number);
        if number == 0 || number > self.pages {
            return Err(invalid(at, "a page that is not in the file", number));
        }
        self.file.seek(SeekFrom::Start(at))?;
        let mut bytes = vec![0; self.page_size];
        self.file
            .read_exact(&mut bytes)
            .map_err(|failed| match failed.kind() {
                std::io::ErrorKind::UnexpectedEof => {
                    error(at, ErrorKind::UnexpectedEnd("a page of the database"))
                }
                _ => error(at, ErrorKind::Io(failed)),
            })?;
        Ok(bytes)
    }
}

fn error(at: u64, kind: ErrorKind) -> Error {
    Error::new("SQLite", Place::Byte(at), kind)
}

fn invalid(at: u64, what: &'static str, value: impl std::fmt::Display) -> Error {
    Error::invalid("SQLite", Place::Byte(at), what, value)
}

/// The columns of `CREATE TABLE name (a INTEGER PRIMARY KEY, "b" TEXT, PRIMARY KEY (a, b))`.
fn columns(sql: &str) -> Vec<Column> {
    let Some((_, list)) = sql.split_once('(') else {
        return Vec::new();
    };
    let mut columns = Vec::new();
    let (mut depth, mut start) = (0_u32, 0);
    for (at, c) in list.char_indices() {
        let ends = match c {
            '(' => {
                depth += 1;
                false
            }
            ')' if depth == 0 => true,
            ')' => {
                depth -= 1;
                false
            }
            ',' => depth == 0,
            _ => false,
        };
        if ends {
            columns.extend(column(&list[start..at]));
            start = at + 1;
            if c == ')' {
                break;
            }
        }
    }
    columns
}

fn column(text: &str) -> Option<Column> {
    let mut words = text.split_ascii_whitespace();
    let name = words.next()?;
    let constraint = ["PRIMARY", "UNIQUE", "FOREIGN", "CHECK", "CONSTRAINT"];
    let before = name.split('(').next().unwrap_or(name);
    if constraint
        .iter()
        .any(|word| before.eq_ignore_ascii_case(word))
    {
        return None;
    }
    let rest: Vec<String> = words.map(str::to_ascii_uppercase).collect();
    let is_row_number = rest.first().is_some_and(|word| word == "INTEGER")
        && rest.windows(2).any(|two| two == ["PRIMARY", "KEY"]);
    let quotes: &[char] = &['"', '`', '[', ']', '\''];
    Some(Column {
        name: name.trim_matches(quotes).to_owned(),
        is_row_number,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_those_of_the_statement() {
        let sql = "CREATE TABLE `T` (`TS_ID` INTEGER PRIMARY KEY, \"TIMESTAMP\" datetime DEFAULT (now(1,2)), [c], PRIMARY KEY(a, b), UNIQUE (c)) WITHOUT x(1)";
        let found = columns(sql);
        let names: Vec<_> = found.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["TS_ID", "TIMESTAMP", "c"]);
        assert_eq!(
            found
                .iter()
                .map(|one| one.is_row_number)
                .collect::<Vec<_>>(),
            [true, false, false]
        );
        assert!(columns("CREATE TABLE t").is_empty());
        assert_eq!(columns("CREATE TABLE t(a").len(), 0);
    }
}
