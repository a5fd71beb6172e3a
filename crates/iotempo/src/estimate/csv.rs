//! A row per log and number of I/O nodes.

use super::estimated::Estimated;
use crate::convert::csv_field;
use crate::envelope::write_number;
use crate::failure::Failure;
use std::io::{self, Write};

const COLUMNS: &str = "job,bytes,matched_bytes,io_nodes,bytes_per_s,low_bytes_per_s,high_bytes_per_s,\
                       time_s,overlapping_time_s,expected_regret,best,least_loss,error";

pub(super) fn heading(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{COLUMNS}")
}

/// The curve of a log; a row without numbers where there is none.
pub(super) fn rows(out: &mut impl Write, estimated: &Estimated) -> io::Result<()> {
    let combined = &estimated.combined;
    let least = combined.least_loss().map(|point| point.io_nodes);
    let begin = |out: &mut dyn Write| {
        out.write_all(&csv_field(&estimated.input))?;
        for number in [combined.bytes, combined.matched_bytes] {
            out.write_all(b",")?;
            write_number(out, number)?;
        }
        io::Result::Ok(())
    };
    if combined.curve.is_empty() {
        begin(out)?;
        return writeln!(out, ",,,,,,,,,,");
    }
    for point in &combined.curve {
        begin(out)?;
        write!(out, ",{}", point.io_nodes)?;
        for number in [
            point.bytes_per_s,
            point.low_bytes_per_s,
            point.high_bytes_per_s,
            point.time_s,
            point.overlapping_time_s,
            point.expected_regret,
        ] {
            out.write_all(b",")?;
            write_number(out, number)?;
        }
        let is = |number: Option<u32>| number == Some(point.io_nodes);
        writeln!(out, ",{},{},", is(combined.best), is(least))?;
    }
    Ok(())
}

/// A log that could not be read.
pub(super) fn failed(out: &mut impl Write, failure: &Failure) -> io::Result<()> {
    out.write_all(&csv_field(&failure.input))?;
    out.write_all(b",,,,,,,,,,,,")?;
    out.write_all(&csv_field(&failure.message))?;
    out.write_all(b"\n")
}
