//! A row per phase, in SummarIO's columns.

use super::found::Found;
use super::words;
use crate::convert::csv_field;
use crate::envelope::write_number;
use crate::failure::Failure;
use iotempo_analysis::phases::IoPhase;
use iotempo_model::Spatiality;
use std::io::{self, Write};

/// SummarIO's columns.
const COLUMNS: &str = "job,start,end,type,rank,bytes,time,api,#requests,spatiality,files,#files,\
                       mode of #processes";

/// The heading. What SummarIO does not write comes behind what it does.
pub(super) fn heading(out: &mut impl Write, compat: bool) -> io::Result<()> {
    let ours = if compat { "" } else { ",#ranks,flags,error" };
    writeln!(out, "{COLUMNS}{ours}")
}

/// The phases of a log; a row without numbers where it has none.
pub(super) fn rows(out: &mut impl Write, found: &Found, compat: bool) -> io::Result<()> {
    if found.phases.phases.is_empty() && !compat {
        let why = match found.counted {
            true => "no-phases",
            false => "not-counted",
        };
        let flags = with_damage(why.to_owned(), found);
        out.write_all(&csv_field(&found.input))?;
        return writeln!(out, "{}{flags},", ",".repeat(14));
    }
    for phase in &found.phases.phases {
        out.write_all(&csv_field(&found.input))?;
        for number in [phase.start_s, phase.end_s] {
            out.write_all(b",")?;
            write_number(out, number)?;
        }
        write!(out, ",{},{},{},", phase.op, phase.ranks, phase.bytes)?;
        write_number(out, phase.time_s)?;
        writeln_rest(out, phase, found, compat)?;
    }
    Ok(())
}

/// What is wrong with the whole log concerns every row.
fn with_damage(flags: String, found: &Found) -> String {
    match (found.damaged, flags.is_empty()) {
        (false, _) => flags,
        (true, true) => "damaged".to_owned(),
        (true, false) => format!("{flags} damaged"),
    }
}

fn writeln_rest(
    out: &mut impl Write,
    phase: &IoPhase,
    found: &Found,
    compat: bool,
) -> io::Result<()> {
    let spatiality = match phase.spatiality {
        // What the text of the paper calls consecutive is contiguous in its tables.
        Spatiality::Consecutive if compat => "contiguous",
        other => other.name(),
    };
    write!(
        out,
        ",{},{},{spatiality},{},{},{}",
        words::layer(phase.api),
        phase.requests,
        phase.strategy,
        phase.files,
        phase.mode_of_processes
    )?;
    match compat {
        true => writeln!(out),
        false => {
            let ranks = phase.ranks.count.map(|count| count.to_string());
            let flags = with_damage(words::flags(phase.flags, " "), found);
            writeln!(out, ",{},{flags},", ranks.unwrap_or_default())
        }
    }
}

/// A log that could not be read.
pub(super) fn failed(out: &mut impl Write, failure: &Failure, compat: bool) -> io::Result<()> {
    if compat {
        return Ok(());
    }
    out.write_all(&csv_field(&failure.input))?;
    out.write_all(b",,,,,,,,,,,,,,,")?;
    out.write_all(&csv_field(&failure.message))?;
    out.write_all(b"\n")
}
