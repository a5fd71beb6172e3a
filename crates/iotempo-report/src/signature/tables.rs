//! What was found, as tables.

use super::{Beside, RunPart, ShownLog, ShownRun, SignaturePage};
use crate::clock::utc;
use crate::page::Table;
use crate::plain::table;
use crate::quantity::{Units, bytes, count, duration, instant, rate};
use iotempo_analysis::signature::{HourClash, Signature};

/// Rows of a table; the page must stay small.
const MOST_ROWS: usize = 1000;
/// Jobs that are named for a reason.
const MOST_NAMED: usize = 5;

fn unknown() -> String {
    "-".to_owned()
}

/// A table with its first rows, and a word on the others.
fn shortened(mut table: Table) -> Table {
    let more = table.rows.len().saturating_sub(MOST_ROWS);
    if more > 0 {
        table.rows.truncate(MOST_ROWS);
        let note = format!("… and {} more.", count(more as u64));
        table.notes.push(note);
    }
    table
}

pub(super) fn bursts(found: &Signature, used: usize, units: Units) -> Table {
    let rows = found.bursts.iter().enumerate().map(|(index, burst)| {
        vec![
            (index + 1).to_string(),
            instant(burst.start_s),
            duration(burst.end_s - burst.start_s),
            bytes(burst.bytes, units),
            format!(
                "{} to {}",
                bytes(burst.bytes_low, units),
                bytes(burst.bytes_high, units)
            ),
            rate(burst.peak, units),
            format!("{} of {used}", burst.support),
        ]
    });
    let names = [
        "burst",
        "begins at",
        "lasts",
        "moves",
        "most runs",
        "peak",
        "in runs",
    ];
    shortened(table("Bursts", &names, rows.collect()))
}

pub(super) fn runs(page: &SignaturePage) -> Table {
    let row = |run: &ShownRun| {
        let (bursts, part) = match &run.part {
            RunPart::Used(bursts) => {
                let own = bursts.iter().filter(|(_, common)| common.is_some()).count();
                let others = bursts.len() - own;
                (format!("{own} + {others}"), "yes".to_owned())
            }
            RunPart::LeftOut(why) => (unknown(), format!("no: {why}")),
        };
        vec![
            run.job.clone(),
            utc(run.start_epoch_s).unwrap_or_else(|| instant(run.start_epoch_s)),
            duration(run.length_s()),
            bytes(run.bytes(), page.units),
            match run.filled {
                0 => unknown(),
                some => duration(some as f64 * run.step_s),
            },
            bursts,
            part,
        ]
    };
    let names = [
        "job",
        "began (UTC)",
        "lasted",
        "moved by all",
        "filled in",
        "bursts, common + other",
        "used",
    ];
    let rows = page.runs.iter().map(row).collect();
    shortened(table("Runs", &names, rows))
}

/// Jobs that gave no run; the most frequent reason first.
pub(super) fn rejected(page: &SignaturePage) -> Table {
    let mut rejected: Vec<_> = page.rejected.iter().collect();
    rejected.sort_by_key(|rejected| std::cmp::Reverse(rejected.jobs.len()));
    let rows = rejected.into_iter().map(|rejected| {
        let named = rejected.jobs.iter().take(MOST_NAMED);
        let named: Vec<String> = named.map(|job| crate::plain::plain(job)).collect();
        let more = match rejected.jobs.len().saturating_sub(MOST_NAMED) {
            0 => "",
            _ => ", …",
        };
        vec![
            count(rejected.jobs.len() as u64),
            format!("{}{more}", named.join(", ")),
            rejected.reason.clone(),
        ]
    });
    let names = ["jobs", "ids", "reason"];
    let mut table = table("Jobs that gave no run", &names, rows.collect());
    if page.rejected.iter().any(|rejected| rejected.jobs.len() > 1) {
        let note = "Numbers in a reason are those of the first job.";
        table.notes.push(note.to_owned());
    }
    table
}

pub(super) fn compared(page: &SignaturePage) -> Table {
    let hour = |hour: Option<HourClash>| {
        hour.map_or_else(unknown, |hour| {
            let met = rate(hour.met_bytes_per_s, page.units);
            format!("{:02} h: {met}", hour.hour)
        })
    };
    let row = |beside: &Beside| {
        let Some(clash) = &beside.clash else {
            let mut row = vec![beside.log.clone()];
            row.extend([unknown(), unknown(), unknown(), unknown()]);
            row.push("nowhere whole for as long".to_owned());
            return row;
        };
        vec![
            beside.log.clone(),
            rate(clash.met_bytes_per_s, page.units),
            rate(clash.others_bytes_per_s, page.units),
            hour(clash.best_hour()),
            hour(clash.worst_hour()),
            format!("{} starts", count(clash.starts as u64)),
        ]
    };
    let names = [
        "log",
        "meets",
        "mean load",
        "best hour (UTC)",
        "worst hour (UTC)",
        "tried",
    ];
    let rows = page.compared.iter().map(row).collect();
    shortened(table("Beside others, least in the way first", &names, rows))
}

pub(super) fn logs(logs: &[ShownLog]) -> Table {
    let row = |log: &ShownLog| {
        let damaged = if log.damaged { " (damaged)" } else { "" };
        vec![
            log.input.clone(),
            log.kind.clone(),
            format!("{}{damaged}", log.format),
            count(log.rows),
            log.interval_s.map_or_else(unknown, duration),
            log.unit.clone().unwrap_or_else(unknown),
            log.zone.clone().unwrap_or_else(unknown),
            log.sha256.clone().unwrap_or_else(unknown),
        ]
    };
    let names = [
        "log", "about", "format", "rows", "interval", "unit", "zone", "SHA-256",
    ];
    shortened(table("Logs", &names, logs.iter().map(row).collect()))
}
