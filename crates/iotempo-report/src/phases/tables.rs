//! Phases as tables.

use super::{Instants, PhasesPage, layer, ranks};
use crate::page::Table;
use crate::plain::table;
use crate::quantity::{bytes, count, duration};
use iotempo_analysis::phases::{IoPhase, SizeMixture};

/// Rows of a table; the page must stay small.
const MOST_ROWS: usize = 1000;
/// Sizes of a phase that are told.
const MOST_SIZES: usize = 6;

pub(super) fn phases(page: &PhasesPage) -> Table {
    let rows = page.phases.iter().enumerate().take(MOST_ROWS);
    let instants = Instants::of(&page.phases, page.run_time_s);
    let rows = rows.map(|(place, phase)| row(place, phase, instants, page));
    let names = [
        "phase",
        "start",
        "end",
        "type",
        "layer",
        "ranks",
        "files",
        "bytes",
        "I/O time",
        "requests",
        "mean request",
        "spatiality",
        "mode of ranks",
        "flags",
    ];
    shortened(table("Phases", &names, rows.collect()), page)
}

fn row(place: usize, phase: &IoPhase, instants: Instants, page: &PhasesPage) -> Vec<String> {
    let flags: Vec<_> = phase.flags.up().map(|flag| flag.name).collect();
    let [start, end] = instants.span(phase);
    vec![
        (place + 1).to_string(),
        start,
        end,
        phase.op.to_string(),
        layer(phase.api).to_owned(),
        ranks(phase),
        format!("{} {}", count(phase.files), phase.strategy),
        bytes(phase.bytes as f64, page.units),
        duration(phase.time_s),
        count(phase.requests),
        bytes(phase.mean_request_bytes(), page.units),
        phase.spatiality.to_string(),
        count(phase.mode_of_processes),
        match flags.is_empty() {
            true => "-".to_owned(),
            false => flags.join(", "),
        },
    ]
}

/// How large requests were, and some files.
pub(super) fn details(page: &PhasesPage) -> Table {
    let rows = page.phases.iter().enumerate().take(MOST_ROWS);
    let rows = rows.map(|(place, phase)| {
        let cv = phase.imbalance_cv;
        let files = page.files.get(place).map_or(&[][..], Vec::as_slice);
        let more = if phase.files > files.len() as u64 {
            ", …"
        } else {
            ""
        };
        vec![
            (place + 1).to_string(),
            sizes(&phase.sizes, page),
            cv.map_or_else(|| "-".to_owned(), |cv| format!("{cv:.2}")),
            format!("{}{more}", files.join(", ")),
        ]
    });
    let names = ["phase", "requests by size", "variation over ranks", "files"];
    let mut table = table("Requests and files", &names, rows.collect());
    let note = "A size with ≈ is where a bin of the histogram must lie for the bytes to add up; others \
                were counted.";
    table.notes.push(note.to_owned());
    shortened(table, page)
}

/// `7 × 390.6 KiB, 2 × ≈ 24 MiB`, those that move most first.
fn sizes(mixture: &SizeMixture, page: &PhasesPage) -> String {
    let mut shares = mixture.shares.clone();
    shares.sort_by(|one, other| other.bytes().total_cmp(&one.bytes()));
    let more = if shares.len() > MOST_SIZES {
        ", …"
    } else {
        ""
    };
    let told: Vec<String> = shares
        .iter()
        .take(MOST_SIZES)
        .map(|share| {
            let about = if share.exact { "" } else { "≈ " };
            let size = bytes(share.size_bytes, page.units);
            format!("{} × {about}{size}", count(share.requests))
        })
        .collect();
    format!("{}{more}", told.join(", "))
}

fn shortened(mut table: Table, page: &PhasesPage) -> Table {
    let more = page.phases.len().saturating_sub(MOST_ROWS);
    if more > 0 {
        let note = format!("… and {} more.", count(more as u64));
        table.notes.push(note);
    }
    table
}
