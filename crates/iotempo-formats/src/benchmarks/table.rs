//! Rows of a delimited text by the names of its columns.

use crate::error::{Error, Place};

/// A table with a heading.
pub(super) struct Table<'a> {
    delimiter: char,
    columns: Vec<String>,
    /// The line of the heading, counted from 1.
    pub(super) heading: u64,
    text: &'a str,
}

/// A row of it.
pub(super) struct Row<'a> {
    /// Its line, counted from 1.
    pub(super) line: u64,
    fields: Vec<&'a str>,
}

impl<'a> Table<'a> {
    /// The first line that is neither blank nor a comment is the heading.
    pub(super) fn new(text: &'a str) -> Result<Self, Error> {
        let mut lines = text.lines().enumerate();
        let found = lines.find(|(_, line)| is_row(line));
        let (at, heading) = found
            .ok_or_else(|| Error::invalid("", Place::Whole, "a table without a heading", ""))?;
        let delimiters = [';', '\t', ','].into_iter();
        let count = |d: &char| heading.matches(*d).count();
        let delimiter = delimiters.max_by_key(count).unwrap_or(',');
        let columns = split(heading, delimiter);
        Ok(Self {
            delimiter,
            columns: columns
                .iter()
                .map(|name| name.to_ascii_lowercase())
                .collect(),
            heading: at as u64 + 1,
            text,
        })
    }

    /// The place of a column.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// The place of a column that must be there.
    pub(super) fn column(&self, name: &str) -> Result<usize, Error> {
        self.find(name).ok_or_else(|| {
            let place = Place::Line(self.heading);
            Error::invalid("", place, "the table has no column", name)
        })
    }

    pub(super) fn columns(&self) -> &[String] {
        &self.columns
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = Row<'a>> {
        let lines = self.text.lines().enumerate().skip(self.heading as usize);
        let delimiter = self.delimiter;
        lines
            .filter(|(_, line)| is_row(line))
            .map(move |(at, line)| Row {
                line: at as u64 + 1,
                fields: split(line, delimiter),
            })
    }
}

impl<'a> Row<'a> {
    /// A field; empty beyond the end.
    pub(super) fn get(&self, column: usize) -> &'a str {
        self.fields.get(column).copied().unwrap_or("")
    }
}

fn is_row(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

fn split(line: &str, delimiter: char) -> Vec<&str> {
    let fields = line.split(delimiter);
    fields.map(|field| field.trim().trim_matches('"')).collect()
}
