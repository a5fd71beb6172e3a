//! Tables of the rows that IOR prints, with columns for what it says elsewhere.

use super::BenchmarkOptions;
use super::collected::{Collected, Draft, Why, io_nodes, number};
use super::ior::{self, Access, KIB, Test};
use super::table::{Row, Table};
use crate::error::Error;

/// All columns that are looked at.
pub(super) const COLUMNS: [&str; 11] = [
    "access",
    "bw(mib/s)",
    "nproc",
    "xfersize",
    "xfer(kib)",
    "api",
    "ordering",
    "nodes",
    "block(kib)",
    "aggsize_bytes",
    "io_nodes",
];

pub(super) fn read(
    text: &str,
    options: &BenchmarkOptions,
    collected: &mut Collected,
) -> Result<(), Error> {
    let table = Table::new(text)?;
    // Every row names an operation and a rate.
    table.column("access")?;
    table.column("bw(mib/s)")?;
    table.column("nproc")?;
    for row in table.rows() {
        match draft(&table, &row, options, collected) {
            Ok(Some(draft)) => collected.push(row.line, &draft),
            Ok(None) => {}
            Err(why) => collected.leave_out(row.line, why),
        }
    }
    Ok(())
}

fn draft(
    table: &Table<'_>,
    row: &Row<'_>,
    options: &BenchmarkOptions,
    collected: &mut Collected,
) -> Result<Option<Draft>, Why> {
    let text = |name: &str| {
        table
            .find(name)
            .map(|at| row.get(at))
            .filter(|text| !text.is_empty())
    };
    let numeric = |name: &str| text(name).map(|text| number(name, text)).transpose();
    let word = text("access").ok_or("no access")?;
    let op = match ior::access(word) {
        Some(Access::Moved(op)) => op,
        Some(Access::Removed) => return Ok(None),
        None => return Err(ior::no_access(word).into()),
    };
    let rate = numeric("bw(mib/s)")?.ok_or("no bandwidth")?;
    let transfer = match numeric("xfersize")? {
        Some(bytes) => Some(bytes),
        None => numeric("xfer(kib)")?.map(|kib| kib * KIB),
    };
    let test = Test {
        api: text("api").map(str::to_owned),
        file_per_process: None,
        collective: false,
        random: text("ordering") == Some("random"),
        nodes: numeric("nodes")?,
        tasks: numeric("nproc")?,
        transfer,
        block: numeric("block(kib)")?.map(|kib| kib * KIB),
        total: numeric("aggsize_bytes")?,
        segments: None,
        io_nodes: text("io_nodes").map(io_nodes).transpose()?,
    };
    test.draft(op, rate, options, collected).map(Some)
}
