//! Our own table: a row per repetition, the unit of every number in the name of its column.

use super::BenchmarkOptions;
use super::collected::{Collected, Draft, Why, io_nodes, number};
use super::quantity::unit;
use super::table::{Row, Table};
use crate::error::{Error, Place, shortened};
use iotempo_model::{FileStrategy, Spatiality};
use std::str::FromStr;

/// Where a number stands, and how many bytes its unit has.
type WithUnit = (usize, f64);

struct Columns {
    op: usize,
    api: usize,
    files: usize,
    spatiality: usize,
    /// Where it stands; else whoever reads the table says it.
    nodes: Option<usize>,
    processes: usize,
    bytes_per_process: WithUnit,
    request: WithUnit,
    io_nodes: Option<usize>,
    bandwidth: WithUnit,
}

impl Columns {
    fn of(table: &Table<'_>) -> Result<Self, Error> {
        Ok(Self {
            op: table.column("op")?,
            api: table.column("api")?,
            files: table.column("files")?,
            spatiality: table.column("spatiality")?,
            nodes: table.find("nodes"),
            processes: table.column("processes")?,
            bytes_per_process: per_process(table)?,
            request: with_unit(table, "request_", "", "request_bytes")?,
            io_nodes: table.find("io_nodes"),
            bandwidth: with_unit(table, "bandwidth_", "_per_s", "bandwidth_mib_per_s")?,
        })
    }
}

/// `bytes_per_process`, `mib_per_process`, …
fn per_process(table: &Table<'_>) -> Result<WithUnit, Error> {
    with_unit(table, "", "_per_process", "bytes_per_process")
}

/// A column whose name holds a unit of bytes.
fn with_unit(
    table: &Table<'_>,
    before: &str,
    after: &str,
    example: &str,
) -> Result<WithUnit, Error> {
    let named = |name: &String| {
        let inner = name.strip_prefix(before)?.strip_suffix(after)?;
        unit(inner)
    };
    let columns = table.columns().iter().enumerate();
    let mut found = columns.filter_map(|(at, name)| Some((at, named(name)?)));
    found.next().ok_or_else(|| {
        let place = Place::Line(table.heading);
        let what = "the table has no column with a unit in its name, such as";
        Error::invalid("", place, what, example)
    })
}

/// Whether a table may have such a column.
pub(super) fn is_column(name: &str) -> bool {
    const WORDS: [&str; 7] = [
        "op",
        "api",
        "files",
        "spatiality",
        "nodes",
        "processes",
        "io_nodes",
    ];
    let sized = name.ends_with("_per_process")
        || name.starts_with("request_")
        || name.starts_with("bandwidth_");
    sized || WORDS.contains(&name)
}

pub(super) fn read(
    text: &str,
    options: &BenchmarkOptions,
    collected: &mut Collected,
) -> Result<(), Error> {
    let table = Table::new(text)?;
    let columns = Columns::of(&table)?;
    if columns.io_nodes.is_none() && options.io_nodes.is_none() {
        let message = "the table has no column io_nodes: 0 is assumed";
        collected.note("assumed-io-nodes", message);
    }
    for row in table.rows() {
        match draft(&row, &columns, options) {
            Ok(draft) => collected.push(row.line, &draft),
            Err(why) => collected.leave_out(row.line, why),
        }
    }
    Ok(())
}

fn draft(row: &Row<'_>, columns: &Columns, options: &BenchmarkOptions) -> Result<Draft, Why> {
    let plain = |name: &str, column: usize| number(name, row.get(column));
    let sized =
        |name: &str, (column, unit): WithUnit| Ok::<f64, String>(plain(name, column)? * unit);
    let nodes = match columns.nodes {
        Some(column) => plain("nodes", column)?,
        None => options.nodes.ok_or(Why::Nodes)? as f64,
    };
    let forwarded = match columns.io_nodes {
        Some(column) => io_nodes(row.get(column))?,
        None => options.io_nodes.unwrap_or(0),
    };
    Ok(Draft {
        op: word("op", row.get(columns.op))?,
        api: word("api", row.get(columns.api))?,
        files: named(
            "files",
            row.get(columns.files),
            &FileStrategy::ALL,
            FileStrategy::name,
        )?,
        spatiality: named(
            "spatiality",
            row.get(columns.spatiality),
            &Spatiality::ALL,
            Spatiality::name,
        )?,
        nodes,
        processes: plain("processes", columns.processes)?,
        bytes_per_process: sized("bytes per process", columns.bytes_per_process)?,
        request_bytes: sized("the request", columns.request)?,
        io_nodes: forwarded,
        bandwidth: sized("the bandwidth", columns.bandwidth)?,
    })
}

fn word<T: FromStr>(name: &str, text: &str) -> Result<T, String> {
    let parsed = text.parse();
    parsed.map_err(|_| format!("no {name}: {}", shortened(text)))
}

/// One of a few words.
fn named<T: Copy>(
    what: &str,
    text: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, String> {
    let found = all
        .iter()
        .find(|one| name(**one).eq_ignore_ascii_case(text));
    found
        .copied()
        .ok_or_else(|| format!("no {what}: {}", shortened(text)))
}
