//! The tables that `iostat` and `sar` print: a heading, and a row per device.

use super::words::{Column, Number, is_count};
use crate::server::quantity::Quantity;
use crate::server::reports::Flow;

/// The heading of a table of devices.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Heading {
    /// How many fields a row has.
    fields: usize,
    /// Where the device stands; `None` in a table about all of them.
    name: Option<usize>,
    columns: Vec<(usize, Column)>,
    counts: Vec<usize>,
}

/// What a row says.
pub(super) struct Read {
    pub(super) name: String,
    pub(super) flows: [Flow; 2],
    pub(super) counts: Vec<f64>,
    /// Whether two columns about the same contradict each other.
    pub(super) contradicts: bool,
}

/// What is wrong with a row.
pub(super) type Wrong = (&'static str, String);

impl Heading {
    /// A heading of these words, one of which may be `device`.
    pub(super) fn of<'w>(
        words: impl Iterator<Item = &'w str>,
        device: &[&str],
        quantity: Quantity,
    ) -> Self {
        let mut heading = Self {
            fields: 0,
            name: None,
            columns: Vec::new(),
            counts: Vec::new(),
        };
        for (index, word) in words.enumerate() {
            heading.fields = index + 1;
            if device.contains(&word) {
                heading.name = Some(index);
                continue;
            }
            let column = Column::named(word, quantity).map(|column| (index, column));
            heading.columns.extend(column);
            heading.counts.extend(is_count(word).then_some(index));
        }
        heading
    }

    /// Whether it has columns of what is asked for.
    pub(super) fn has_columns(&self) -> bool {
        !self.columns.is_empty()
    }

    pub(super) fn has_name(&self) -> bool {
        self.name.is_some()
    }

    pub(super) fn fields(&self) -> usize {
        self.fields
    }

    /// Whether a row that is cut off behind its last field may have lost something.
    fn ends_in_column(&self) -> bool {
        let last = self.fields.saturating_sub(1);
        self.name == Some(last) || self.columns.iter().any(|(index, _)| *index == last)
    }

    /// Reads a row. Names may have spaces in them; then they stand first or last.
    pub(super) fn row(&self, words: &[&str], cut_off: bool) -> Result<Read, Wrong> {
        let more = words.len().checked_sub(self.fields);
        let Some(more) = more.filter(|&more| more == 0 || self.is_name_at_an_end()) else {
            let what = "the number of fields differs from the heading's";
            return Err((what, words.len().to_string()));
        };
        if cut_off && self.ends_in_column() {
            let last = words.last().copied().unwrap_or_default();
            return Err(("the line is not ended", last.to_owned()));
        }
        let name = self.name.map(|at| words[at..=at + more].join(" "));
        let field = |index: usize| match self.name {
            Some(at) if at < index => words[index + more],
            _ => words[index],
        };
        let mut read = Read {
            name: name.unwrap_or_default(),
            flows: [Flow::default(); 2],
            counts: Vec::new(),
            contradicts: false,
        };
        for &(index, column) in &self.columns {
            let text = field(index);
            let number = Number::parse(text).ok_or_else(|| ("not a number", text.to_owned()))?;
            read.contradicts |= !column.put(number, &mut read.flows);
        }
        let counts = self.counts.iter().map(|&index| Number::parse(field(index)));
        read.counts = counts.flatten().map(|number| number.value).collect();
        Ok(read)
    }

    fn is_name_at_an_end(&self) -> bool {
        self.name.is_some_and(|at| at == 0 || at + 1 == self.fields)
    }
}
