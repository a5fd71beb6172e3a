//! Rows of a query's answer: which columns are times, tags and fields.

use super::super::metrics::{Identity, Stop, Taker, is_label};
use super::Notes;
use super::epoch_s;
use crate::table::field;
use std::collections::HashMap;

/// What a row holds in a column.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cell<'a> {
    Number(f64),
    Text(&'a [u8]),
    Empty,
}

impl<'a> Cell<'a> {
    fn text(self) -> &'a [u8] {
        match self {
            Self::Text(text) => text,
            Self::Number(_) | Self::Empty => b"",
        }
    }

    /// `None` where it is empty, or no number at all.
    fn number(self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Text(text) => field::number(text),
            Self::Empty => None,
        }
    }

    fn add_to(self, key: &mut Vec<u8>) {
        match self {
            Self::Number(number) => key.extend_from_slice(number.to_string().as_bytes()),
            other => key.extend_from_slice(other.text()),
        }
        key.push(0);
    }

    fn written(self) -> String {
        match self {
            Self::Number(number) => number.to_string(),
            other => String::from_utf8_lossy(other.text()).into_owned(),
        }
    }
}

/// The columns under one heading.
#[derive(Default)]
pub(super) struct Sheet {
    /// What holds for all rows.
    pub(super) measurement: String,
    pub(super) tags: Vec<(String, String)>,
    time: Option<usize>,
    measurement_column: Option<usize>,
    tags_column: Option<usize>,
    /// In tables with a row per field: its name and its value.
    field_and_value: Option<(usize, usize)>,
    labels: Vec<(usize, String)>,
    fields: Vec<(usize, String)>,
    known: HashMap<Vec<u8>, Vec<Option<usize>>>,
    key: Vec<u8>,
}

impl Sheet {
    /// By its headings: of version 1, where the time is called `time`, or 2, where it is `_time`.
    pub(super) fn new(names: &[String]) -> Self {
        let place = |wanted: &str| names.iter().position(|name| name == wanted);
        let mut sheet = Self {
            time: place("_time").or(place("time")),
            ..Self::default()
        };
        let is_second = place("_time").is_some();
        if is_second {
            sheet.measurement_column = place("_measurement");
            sheet.field_and_value = place("_field").zip(place("_value"));
        } else {
            sheet.measurement_column = place("name").filter(|at| *at == 0);
            sheet.tags_column = place("tags").filter(|at| *at == 1);
        }
        for (index, name) in names.iter().enumerate() {
            let special = Some(index) == sheet.time
                || Some(index) == sheet.measurement_column
                || Some(index) == sheet.tags_column
                || (is_second
                    && (name.starts_with('_') || ["", "result", "table"].contains(&name.as_str())));
            if special {
                continue;
            }
            if sheet.field_and_value.is_some() || is_label(name) {
                sheet.labels.push((index, name.clone()));
            } else {
                sheet.fields.push((index, name.clone()));
            }
        }
        sheet
    }

    pub(super) fn has_time(&self) -> bool {
        self.time.is_some()
    }

    /// Takes a row; `Ok(Some(…))` says what is wrong with it.
    pub(super) fn row<'c>(
        &mut self,
        cell: &dyn Fn(usize) -> Cell<'c>,
        taker: &mut dyn Taker,
        notes: &mut Notes,
    ) -> Result<Option<(&'static str, String)>, Stop> {
        let time = self.time.map_or(Cell::Empty, cell);
        let at = match time {
            Cell::Number(number) => Some(epoch_s(number)),
            Cell::Text(text) => notes.time(text),
            Cell::Empty => None,
        };
        let Some(at) = at else {
            return Ok(Some(("not a time", time.written())));
        };
        self.key.clear();
        let name_column = self.field_and_value.map(|(field, _)| field);
        let keyed = [self.measurement_column, self.tags_column, name_column];
        let labels = self.labels.iter().map(|(index, _)| *index);
        for index in keyed.into_iter().flatten().chain(labels) {
            cell(index).add_to(&mut self.key);
        }
        if !self.known.contains_key(&self.key) {
            let numbers = self
                .identities(cell)
                .into_iter()
                .map(|one| taker.series(one));
            let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
            self.known.insert(self.key.clone(), numbers);
        }
        let Some(numbers) = self.known.get(&self.key) else {
            return Ok(None);
        };
        let columns: &mut dyn Iterator<Item = usize> = match self.field_and_value {
            Some((_, value)) => &mut std::iter::once(value),
            None => &mut self.fields.iter().map(|(index, _)| *index),
        };
        for (index, number) in columns.zip(numbers) {
            let Some(number) = number else { continue };
            match (cell(index), cell(index).number()) {
                (_, Some(value)) => taker.reading(*number, at, value)?,
                (Cell::Text(text), None) if !text.is_empty() => {
                    let text = String::from_utf8_lossy(text).into_owned();
                    return Ok(Some(("not a number", text)));
                }
                // The database knows nothing of this field at this time.
                _ => {}
            }
        }
        Ok(None)
    }

    fn identities<'c>(&self, cell: &dyn Fn(usize) -> Cell<'c>) -> Vec<Identity> {
        let mut labels = self.tags.clone();
        if let Some(column) = self.tags_column {
            let text = String::from_utf8_lossy(cell(column).text()).into_owned();
            let tags = text.split(',').filter_map(|tag| tag.split_once('='));
            labels.extend(tags.map(|(name, value)| (name.to_owned(), value.to_owned())));
        }
        for (index, name) in &self.labels {
            labels.push((name.clone(), cell(*index).written()));
        }
        labels.retain(|(_, value)| !value.is_empty());
        labels.sort();
        let measurement = match self.measurement_column {
            Some(column) => cell(column).written(),
            None => self.measurement.clone(),
        };
        let names: Vec<String> = match self.field_and_value {
            Some((field, _)) => vec![cell(field).written()],
            None => self.fields.iter().map(|(_, name)| name.clone()).collect(),
        };
        let identity = |name| Identity {
            measurement: measurement.clone(),
            name,
            labels: labels.clone(),
            counts: false,
        };
        names.into_iter().map(identity).collect()
    }
}
