//! Tables: bursts of all applications, and the course of one signature.

use super::mined::Mined;
use crate::convert::csv_field;
use crate::envelope::write_number;
use crate::report::write_bytes;
use std::io::{self, Write};
use std::path::Path;

/// A row per burst; an application without a signature has one row without a burst.
pub(super) fn write_bursts(out: &mut impl Write, mined: &[Mined]) -> io::Result<()> {
    writeln!(
        out,
        "user,name,nodes,processes,jobs,runs,used,period_s,period_low_s,period_high_s,confidence,jitter_fraction,burst,\
         start_s,end_s,bytes,bytes_low,bytes_high,peak_bytes_per_s,support,undetermined,unsure"
    )?;
    for mined in mined {
        let bursts = mined
            .finding
            .signature()
            .map_or(&[][..], |found| &found.bursts);
        for (index, burst) in bursts.iter().enumerate() {
            write_application(out, mined)?;
            write!(out, "{},", index + 1)?;
            for number in [
                burst.start_s,
                burst.end_s,
                burst.bytes,
                burst.bytes_low,
                burst.bytes_high,
                burst.peak,
            ] {
                write_number(out, number)?;
                out.write_all(b",")?;
            }
            write!(out, "{},,", burst.support)?;
            out.write_all(&csv_field(mined.unsure().unwrap_or_default()))?;
            out.write_all(b"\n")?;
        }
        if bursts.is_empty() {
            write_application(out, mined)?;
            out.write_all(b",,,,,,,,")?;
            out.write_all(&csv_field(&mined.why_not().unwrap_or_default()))?;
            out.write_all(b",\n")?;
        }
    }
    Ok(())
}

fn write_application(out: &mut impl Write, mined: &Mined) -> io::Result<()> {
    let application = &mined.application;
    for text in [&application.user, &application.name] {
        out.write_all(&csv_field(text.as_deref().unwrap_or_default()))?;
        out.write_all(b",")?;
    }
    for count in [application.nodes, application.processes] {
        let count = count.map(|count| count.to_string());
        write!(out, "{},", count.unwrap_or_default())?;
    }
    write!(
        out,
        "{},{},{},",
        mined.jobs,
        mined.runs.len(),
        mined.finding.used.len()
    )?;
    let main = mined.period.as_ref().and_then(|period| period.main());
    for number in [
        main.map(|main| main.period.value.get()),
        main.map(|main| main.period.low.get()),
        main.map(|main| main.period.high.get()),
        main.map(|main| main.confidence),
        main.and_then(|main| main.jitter),
    ] {
        if let Some(number) = number {
            write_number(out, number)?;
        }
        out.write_all(b",")?;
    }
    Ok(())
}

/// The signature as samples; the heading tells their direction, where it is one.
///
/// # Errors
/// Where there is none, or it cannot be written.
pub(super) fn write_series(path: &Path, mined: &Mined, op: &str) -> anyhow::Result<()> {
    let Some(found) = mined.finding.signature() else {
        anyhow::bail!(
            "--series: there is no signature: {}",
            mined.why_not().unwrap_or_default()
        );
    };
    let mut table = match op {
        "both" => b"time_s,bytes_per_s\n".to_vec(),
        op => format!("time_s,{op}_bytes_per_s\n").into_bytes(),
    };
    for (index, rate) in found.rates.iter().enumerate() {
        write_number(&mut table, found.start_s + index as f64 * found.step_s)?;
        table.push(b',');
        write_number(&mut table, *rate)?;
        table.push(b'\n');
    }
    write_bytes(path, &table)
}
