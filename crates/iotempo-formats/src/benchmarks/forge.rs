//! The table of FORGE, the I/O forwarding explorer: bandwidth by number of forwarders.
//!
//! `request` is in KiB, `total` and `transfered` in MiB, `bandwidth` in MiB/s: in the results measured on
//! MareNostrum 4, `transfered` counts in steps of the request in KiB over 1024, and over `time` it is
//! the bandwidth. `layout` 0 is a file per process, 1 a shared file; `spatiality` 0 is contiguous, 1 is
//! strided.

use super::collected::{Collected, Draft, io_nodes, number};
use super::table::{Row, Table};
use crate::error::{Error, shortened};
use iotempo_model::{Api, FileStrategy, Spatiality};

const KIB: f64 = 1024.0;
const MIB: f64 = 1_048_576.0;
/// `bandwidth` and what was moved over time agree to all digits printed; by 5 %, MB were taken for MiB.
const TOLERANCE: f64 = 0.01;

/// What every row has; what was moved, and in which time, are optional.
pub(super) const COLUMNS: [&str; 11] = [
    "forwarders",
    "clients",
    "processes",
    "layout",
    "spatiality",
    "request",
    "total",
    "operation",
    "bandwidth",
    "transfered",
    "time",
];

pub(super) fn read(text: &str, collected: &mut Collected) -> Result<(), Error> {
    let table = Table::new(text)?;
    let mut columns = [0; 9];
    for (place, name) in columns.iter_mut().zip(COLUMNS) {
        *place = table.column(name)?;
    }
    let moved = table.find("transfered").zip(table.find("time"));
    for row in table.rows() {
        match draft(&row, columns, moved) {
            Ok(draft) => collected.push(row.line, &draft),
            Err(why) => collected.leave_out(row.line, why),
        }
    }
    Ok(())
}

fn draft(
    row: &Row<'_>,
    columns: [usize; 9],
    moved: Option<(usize, usize)>,
) -> Result<Draft, String> {
    let [
        forwarders,
        clients,
        processes,
        layout,
        spatiality,
        request,
        total,
        operation,
        bandwidth,
    ] = columns.map(|column| row.get(column));
    let processes = number("processes", processes)?;
    let bandwidth = number("the bandwidth", bandwidth)?;
    if let Some((moved, time)) = moved {
        let moved = number("transfered", row.get(moved))?;
        let rate = moved / number("time", row.get(time))?;
        if bandwidth > 0.0 && rate.is_finite() && (rate / bandwidth - 1.0).abs() > TOLERANCE {
            return Err(format!(
                "a bandwidth of {bandwidth}, where {rate:.5} was moved per second: are the units mixed up?"
            ));
        }
    }
    let operation_word = operation.parse();
    Ok(Draft {
        op: operation_word.map_err(|_| format!("no operation: {}", shortened(operation)))?,
        api: Api::Posix,
        files: match layout {
            "0" => FileStrategy::Unique,
            "1" => FileStrategy::Shared,
            other => return Err(format!("no layout: {}", shortened(other))),
        },
        spatiality: match spatiality {
            "0" => Spatiality::Consecutive,
            "1" => Spatiality::Sequential,
            other => return Err(format!("no spatiality: {}", shortened(other))),
        },
        nodes: number("clients", clients)?,
        processes,
        bytes_per_process: number("total", total)? * MIB / processes,
        request_bytes: number("the request", request)? * KIB,
        io_nodes: io_nodes(forwarders)?,
        bandwidth: bandwidth * MIB,
    })
}
