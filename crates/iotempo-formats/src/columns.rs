//! Some columns of any delimited table, by their names.

use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::limits::Limits;
use crate::table::lines::Lines;
use crate::table::rows::{BYTE_ORDER_MARK, Delimiter, Rows};
use iotempo_model::{Warning, counted};

/// Columns of a table, as text.
#[derive(Debug, Clone, PartialEq)]
pub struct Columns {
    /// All names of the heading.
    pub names: Vec<String>,
    /// The fields of each wanted column, in the order of the names that were asked for.
    pub fields: Vec<Vec<String>>,
    /// The line of each row.
    pub lines: Vec<u64>,
    /// What a person should know.
    pub warnings: Vec<Warning>,
}

const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Reads columns of a table that names them in its first row. What is asked for is chosen when the names
/// are known: `choose` gets them and answers with places.
///
/// # Errors
/// Where there is no heading, `choose` finds no column, or the table cannot be read on.
pub fn read_columns(
    input: Input,
    limits: &Limits,
    choose: impl FnOnce(&[String]) -> Result<Vec<usize>, String>,
) -> Result<Columns, Error> {
    let input = input.unwrapped()?;
    let delimiter = delimiter(input.head());
    let mut rows = Rows::new(
        Lines::new(input.into_reader(), limits),
        Delimiter::Byte(delimiter),
    );
    let Some(heading) = rows.next()? else {
        return Err(Error::new("", Place::Whole, ErrorKind::Empty));
    };
    let names: Vec<String> = (0..heading.len())
        .map(|place| text(unmarked(heading.get(place))))
        .collect();
    let line = heading.number;
    let places = choose(&names)
        .map_err(|why| Error::new("", Place::Line(line), ErrorKind::UnknownFormat(why)))?;
    let mut columns = Columns {
        fields: vec![Vec::new(); places.len()],
        lines: Vec::new(),
        warnings: Vec::new(),
        names,
    };
    let (mut labelled, mut odd, mut first_odd) = (0_u64, 0_u64, 0);
    // All rows have a label, or none has: one field too many in one row is a stray one.
    let mut label: Option<usize> = None;
    while let Some(row) = rows.next()? {
        // R and pandas write a label in front of each row that the heading has no name for.
        let extra = row.len().checked_sub(columns.names.len());
        let shift = match (extra, label) {
            (Some(shift @ 0..=1), None) => *label.insert(shift),
            (Some(shift), Some(usual)) if shift == usual => shift,
            _ => {
                odd += 1;
                first_odd = if odd == 1 { row.number } else { first_odd };
                continue;
            }
        };
        labelled += shift as u64;
        for (fields, place) in columns.fields.iter_mut().zip(&places) {
            fields.push(text(row.get(place + shift)));
        }
        columns.lines.push(row.number);
    }
    if labelled > 0 {
        let message = format!(
            "{} with one field more than the heading has names: the first is taken for the row's label",
            counted(labelled, "row")
        );
        columns.warnings.push(Warning::new("row-labels", message));
    }
    if odd > 0 {
        let message = format!(
            "{} left out, the first in line {first_odd}: not as many fields as the heading has names",
            counted(odd, "row")
        );
        columns.warnings.push(Warning::new("odd-rows", message));
    }
    Ok(columns)
}

/// What stands between fields: the most frequent candidate of the first line.
fn delimiter(head: &[u8]) -> u8 {
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let count = |one: &u8| line.iter().filter(|byte| *byte == one).count();
    // Of equals the last is taken, and a comma is likeliest.
    let best = DELIMITERS.into_iter().rev().max_by_key(count);
    best.unwrap_or(b',')
}

fn unmarked(field: &[u8]) -> &[u8] {
    field.strip_prefix(BYTE_ORDER_MARK).unwrap_or(field)
}

fn text(field: &[u8]) -> String {
    String::from_utf8_lossy(field).trim().to_owned()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read(table: &str, wanted: &[&str]) -> Result<Columns, Error> {
        read_columns(Input::bytes(table), &Limits::default(), |names| {
            let place = |name: &&str| {
                let found = names.iter().position(|one| one == name);
                found.ok_or_else(|| format!("no column {name}"))
            };
            wanted.iter().map(place).collect()
        })
    }

    #[test]
    fn columns_come_in_the_order_they_are_asked_for() {
        let columns = read("a;b;c\n1;2;3\n4;5;6\n", &["c", "a"]).unwrap();
        assert_eq!(columns.fields, [["3", "6"], ["1", "4"]]);
        assert_eq!(columns.lines, [2, 3]);
        assert!(columns.warnings.is_empty());
    }

    #[test]
    fn labels_of_rows_are_told_from_values() {
        let columns = read("a,b\n0,1,2\n1,3,4\n", &["a", "b"]).unwrap();
        assert_eq!(columns.fields, [["1", "3"], ["2", "4"]]);
        assert_eq!(columns.warnings[0].code, "row-labels");
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let columns = read("a,b\n1\n1,2,3,4\n5,6\n", &["b"]).unwrap();
        assert_eq!(columns.fields, [["6"]]);
        assert!(columns.warnings[0].message.contains("the first in line 2"));
        let missing = read("a,b\n1,2\n", &["z"]).unwrap_err().to_string();
        assert!(missing.contains("no column z"), "{missing}");
        assert!(read("", &["a"]).is_err());
    }

    #[test]
    fn a_field_too_many_in_one_row_is_no_label() {
        let columns = read("a,b\n1,2\n3,4,stray\n5,6\n", &["b"]).unwrap();
        assert_eq!(columns.fields, [["2", "6"]]);
        assert_eq!(columns.warnings[0].code, "odd-rows");
    }

    #[test]
    fn quoted_fields_hold_delimiters() {
        let columns = read("\"a\",b\n\"x,y\",2\n", &["a"]).unwrap();
        assert_eq!(columns.fields, [["x,y"]]);
    }
}
