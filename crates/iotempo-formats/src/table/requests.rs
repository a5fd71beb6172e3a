//! Tables of requests, streamed: memory does not grow with the number of rows.

use super::field;
use super::gate::{Gate, Numbers};
use super::layout::{Column, End, RequestColumns};
use super::rows::{Row, Rows};
use crate::error::{Error, Place};
use crate::reading::Reading;
use iotempo_model::{Api, Op, Rank, RequestSink, Warning};

/// Reads rows into `sink`.
pub(super) fn read(
    mut rows: Rows,
    names: &[String],
    columns: &RequestColumns,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    let mut gate = Gate::new(sink);
    let damage = loop {
        match rows.next() {
            Ok(Some(row)) => take(row, names, columns, &mut gate)?,
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    let undirected = columns.op.is_none().then(undirected);
    gate.finish(
        "table of requests",
        undirected.into_iter().collect(),
        damage,
    )
}

/// What to say of requests that do not say which way they went.
pub(super) fn undirected() -> Warning {
    let message = "nothing says whether data was read or written: all counted as written";
    Warning::new("direction-unknown", message)
}

fn take(
    row: &Row,
    names: &[String],
    columns: &RequestColumns,
    gate: &mut Gate<'_>,
) -> Result<(), Error> {
    if row.len() != names.len() {
        return gate.bad(|| width_error(row, names));
    }
    let numbers = match numbers(row, columns) {
        Ok(numbers) => numbers,
        Err((column, what)) => return gate.bad(|| field_error(row, names, column.index, what)),
    };
    let word = |column: Option<Column>| column.map(|column| row.get(column.index));
    let op = match word(columns.op) {
        Some(word) => match field::op(word) {
            Some(op) => op,
            None => return gate.other(word),
        },
        None => Op::Write,
    };
    let name = String::from_utf8_lossy(word(columns.file).unwrap_or_default());
    let file = gate.file(&name);
    let api = word(columns.api).map_or(Api::Unknown, field::api);
    gate.request(numbers.request(op, api, file))
}

/// The numbers of a row; or the column that holds none, and what is wrong with it.
fn numbers(row: &Row, columns: &RequestColumns) -> Result<Numbers, (Column, &'static str)> {
    let time = |column: Column| {
        let time = field::time(row.get(column.index), column.scale);
        time.ok_or((column, "not a time"))
    };
    let number = |column: Column| {
        let number = field::number(row.get(column.index)).ok_or((column, "not a number"))?;
        Ok(column.scale.apply(number))
    };
    let rank = |column: Column| {
        let rank = field::whole(row.get(column.index));
        rank.ok_or((column, "not a whole number"))
    };
    let start = time(columns.start)?;
    Ok(Numbers {
        rank: columns.rank.map_or(Ok(i64::from(Rank::SHARED.0)), rank)?,
        start,
        end: match columns.end {
            End::At(column) => time(column)?,
            End::After(column) => start + number(column)?,
        },
        bytes: number(columns.bytes)?,
    })
}

/// A row with more or fewer fields than the heading has.
pub(super) fn width_error(row: &Row, names: &[String]) -> Error {
    let what = format!("{} fields under a heading of {}", row.len(), names.len());
    let fields = (0..row.len()).map(|i| String::from_utf8_lossy(row.get(i)));
    let shown: Vec<_> = fields.take(16).collect();
    Error::invalid("", Place::Line(row.number), what, shown.join(" | "))
}

/// A field that cannot be read.
pub(super) fn field_error(row: &Row, names: &[String], index: usize, what: &'static str) -> Error {
    let section = format!("column {}", names[index]);
    let value = match row.get(index) {
        b"" => "(empty)".into(),
        text => String::from_utf8_lossy(text),
    };
    Error::invalid(section, Place::Line(row.number), what, value)
}
