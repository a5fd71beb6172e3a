//! CSV of InfluxDB: of version 1, and annotated of version 2.

use super::super::metrics::{Stop, Taker};
use super::super::options::Options;
use super::sheet::{Cell, Sheet};
use super::{Form, Notes};
use crate::error::{Error, ErrorKind, Place};
use crate::table::lines::Lines;
use crate::table::rows::{Delimiter, Row, Rows};
use std::io::BufRead;

/// What lines above a heading of annotated CSV begin with.
const ANNOTATIONS: [&[u8]; 3] = [b"#datatype", b"#group", b"#default"];

/// Which CSV of InfluxDB these bytes begin.
pub(super) fn sniff(head: &[u8]) -> Option<Form> {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let mut lines = head
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.trim_ascii().is_empty());
    let first = lines.next()?;
    if ANNOTATIONS.iter().any(|one| first.starts_with(one)) && first.contains(&b',') {
        return Some(Form::Annotated);
    }
    let names = split(first);
    let has = |name: &str| names.iter().any(|one| one == name);
    if has("_time") && (has("_value") || has("_measurement")) && has("table") {
        return Some(Form::Annotated);
    }
    let first_three = names.get(..3)?;
    match [&first_three[0], &first_three[1], &first_three[2]].map(String::as_str) {
        ["name", "tags", "time"] => Some(Form::Csv),
        // Others may have a table with a name and a time: the database writes nanoseconds, or UTC.
        ["name", "time", _] => {
            let time = split(lines.next()?).get(1)?.clone();
            let is_number = time.len() >= 16 && time.bytes().all(|byte| byte.is_ascii_digit());
            let is_date = time.len() >= 20 && time.ends_with('Z') && time.contains('T');
            (is_number || is_date).then_some(Form::Csv)
        }
        _ => None,
    }
}

fn split(line: &[u8]) -> Vec<String> {
    let mut row = Row::default();
    row.split(line.trim_ascii_end(), Delimiter::Byte(b','));
    names(&row)
}

fn names(row: &Row) -> Vec<String> {
    (0..row.len())
        .map(|index| String::from_utf8_lossy(row.get(index)).into_owned())
        .collect()
}

pub(super) fn walk(
    form: Form,
    reader: Box<dyn BufRead + Send>,
    options: &Options,
    taker: &mut dyn Taker,
    notes: &mut Notes,
) -> Result<(), Stop> {
    let lines = Lines::new(reader, &options.limits);
    let mut rows = Rows::keeping_comments(lines, Delimiter::Byte(b','));
    let mut sheet: Option<(Vec<String>, Sheet)> = None;
    // Annotations announce a heading; without them, the first row is one.
    let mut announced = true;
    while let Some(row) = rows.next()? {
        if row.get(0).starts_with(b"#") {
            announced |= ANNOTATIONS.iter().any(|one| row.get(0).starts_with(one));
            continue;
        }
        if announced || is_heading(form, row) {
            announced = false;
            let names = names(row);
            check(&names, row.number)?;
            if sheet.as_ref().is_none_or(|(known, _)| *known != names) {
                sheet = Some((names.clone(), Sheet::new(&names)));
            }
            continue;
        }
        let Some((names, sheet)) = &mut sheet else {
            continue;
        };
        let place = Place::Line(row.number);
        if row.len() < names.len() && !row.ended {
            // Series come one after the other: what is lost may be whole ones.
            let what = "the log ends inside a row, so many fields into it";
            return Err(Error::invalid("", place, what, row.len()).into());
        }
        if row.len() != names.len() {
            let what = "the number of fields differs from the heading's";
            notes.bad(|| Error::invalid("", place, what, row.len()));
            continue;
        }
        if names.first().is_some_and(|name| name == "error") {
            let message = String::from_utf8_lossy(row.get(0)).into_owned();
            let message = format!(
                "an error that InfluxDB answered with: {}",
                crate::error::shortened(&message)
            );
            return Err(Error::new("", place, ErrorKind::Unsupported(message)).into());
        }
        let cell = |index: usize| match row.get(index) {
            b"" => Cell::Empty,
            text => Cell::Text(text),
        };
        if let Some((what, value)) = sheet.row(&cell, taker, notes)? {
            notes.bad(|| Error::invalid("", place, what, value));
        }
    }
    Ok(())
}

/// A heading in the middle: of another series, or of another answer behind this one.
fn is_heading(form: Form, row: &Row) -> bool {
    let is = |index: usize, name: &[u8]| row.get(index) == name;
    match form {
        Form::Annotated => {
            is(1, b"result") && is(2, b"table") || is(0, b"error") && is(1, b"reference")
        }
        _ => is(0, b"name") && (is(1, b"tags") && is(2, b"time") || is(1, b"time")),
    }
}

fn check(names: &[String], line: u64) -> Result<(), Error> {
    let known = ["_time", "time", "error"];
    if names.iter().any(|name| known.contains(&name.as_str())) {
        return Ok(());
    }
    Err(Error::invalid(
        "",
        Place::Line(line),
        "a heading without a column of times",
        names.join(","),
    ))
}
