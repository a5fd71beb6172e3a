//! A row per input as CSV.

use super::fields::{Field, columns};
use crate::convert::csv_field;
use crate::envelope::write_number;
use std::io::{self, Write};

/// The heading.
pub(super) fn heading(out: &mut impl Write) -> io::Result<()> {
    let names: Vec<_> = columns().into_iter().map(|(name, _)| name).collect();
    writeln!(out, "{}", names.join(","))
}

/// One row; what could not be determined is empty.
pub(super) fn row(out: &mut impl Write, fields: &[Field]) -> io::Result<()> {
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        match field {
            Field::Text(text) => out.write_all(&csv_field(text))?,
            Field::Flag(flag) => write!(out, "{flag}")?,
            Field::Count(count) => write!(out, "{count}")?,
            Field::Number(Some(number)) if number.is_finite() => write_number(out, *number)?,
            Field::Number(_) => {}
        }
    }
    out.write_all(b"\n")
}
