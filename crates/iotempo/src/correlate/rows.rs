//! Rows of a table, each once.

use super::watched::{Watched, locked};
use crate::human::plural;
use iotempo_formats::{Columns, Error, ErrorKind, Input, Limits, Place, read_columns};
use std::collections::HashSet;

/// The rows of a table.
pub(super) struct Rows {
    pub(super) columns: Columns,
    /// Those that take part: each row once.
    pub(super) once: Vec<usize>,
    /// Whether fields stand between semicolons: then numbers may have decimal commas.
    semicolons: bool,
    pub(super) warnings: Vec<String>,
}

/// Reads the columns that are chosen, up to where a table is cut off.
///
/// # Errors
/// As [`read_columns`].
pub(super) fn rows(
    log: Input,
    choose: impl FnOnce(&[String]) -> Result<Vec<usize>, String>,
) -> Result<Rows, Error> {
    let log = log.unwrapped()?;
    let semicolons = has_semicolons(log.head());
    let (watched, seen) = Watched::new(log.into_reader());
    let watched = Input::stream(watched).map_err(|error| Error::new("", Place::Whole, error))?;
    let columns = read_columns(watched, &Limits::default(), choose);
    let mut seen = locked(&seen);
    let mut columns = match (columns, &seen.cut) {
        (Ok(columns), _) => columns,
        // Nothing precedes the cut.
        (Err(error), Some(cut)) if matches!(error.kind, ErrorKind::Empty) => {
            let kind = ErrorKind::Compression(cut.clone());
            return Err(Error::new("", Place::Whole, kind));
        }
        (Err(error), _) => return Err(error),
    };
    if columns.lines.last().copied() == seen.half_line() {
        columns.lines.pop();
        for fields in &mut columns.fields {
            fields.pop();
        }
    }
    let told = columns.warnings.iter();
    let mut warnings: Vec<String> = told.map(|warning| warning.message.clone()).collect();
    if let Some(cut) = &seen.cut {
        warnings.push(format!("only what precedes this was read: {cut}"));
    }
    let (mut known, mut once) = (HashSet::new(), Vec::new());
    for (row, lines) in seen.rows(&columns.lines).into_iter().enumerate() {
        if known.insert(lines) {
            once.push(row);
        }
    }
    let twice = columns.lines.len() - once.len();
    if twice > 0 {
        warnings.push(format!(
            "{} left out: each is the same as one before, in all columns",
            plural(twice as u64, "row")
        ));
    }
    Ok(Rows {
        columns,
        once,
        semicolons,
        warnings,
    })
}

/// Whether a semicolon is what stands between fields, as [`read_columns`] takes it.
fn has_semicolons(head: &[u8]) -> bool {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let count = |one: u8| line.iter().filter(|byte| **byte == one).count();
    let others = [b'\t', b'|'].map(count);
    count(b';') > count(b',') && others.iter().all(|other| count(b';') >= *other)
}

impl Rows {
    /// A field as a number.
    pub(super) fn number(&self, text: &str) -> Option<f64> {
        let number = match text.parse::<f64>() {
            Err(_) if self.semicolons => decimal_comma(text),
            number => number.ok(),
        };
        number.filter(|number| number.is_finite())
    }

    /// Says so where commas are taken for points in a column of numbers.
    pub(super) fn decimal_commas(&self, name: &str, fields: &[String]) -> Option<String> {
        let comma = |text: &&String| text.contains(',') && self.number(text).is_some();
        let comma = fields.iter().find(comma)?;
        let point = comma.replace(',', ".");
        Some(format!(
            "{name}: numbers such as {comma} are taken for {point}, because a semicolon stands between fields"
        ))
    }
}

/// `1,5`; what has two commas, or a point as well, has commas between thousands.
fn decimal_comma(text: &str) -> Option<f64> {
    let plain = text.matches(',').count() == 1 && !text.contains('.');
    plain.then(|| text.replace(',', ".").parse().ok())?
}
