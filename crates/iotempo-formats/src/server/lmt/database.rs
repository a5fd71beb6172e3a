//! The database of LMT, copied to SQLite: counters of OSTs every few seconds, in local time.

use super::super::gate::{Gate, Series};
use super::super::options::{Clock as WhoseClock, Options, Reading};
use super::super::snapshots::Snapshots;
use super::super::sqlite::{Database, Row, Table, Value};
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::limits::Limits;
use crate::zone::Clock;
use iotempo_model::{Op, TargetKind, ThroughputSink, counted};
use std::collections::HashMap;

/// What a table of times or names takes in memory per row, about.
const ROW: u64 = 64;

pub(in super::super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let mut database = Database::open(input, &options.limits)?;
    let tables = database.tables()?;
    let table = |name: &str| {
        tables
            .iter()
            .find(|one| one.name.eq_ignore_ascii_case(name))
    };
    let (Some(data), Some(times)) = (table("OST_DATA"), table("TIMESTAMP_INFO")) else {
        return Err(not_lmt(&tables));
    };
    let mut clock = Clock::of_running_log(options.zone.clone());
    let times = read_times(&mut database, times, &mut clock, &options.limits)?;
    let names = match table("OST_INFO") {
        Some(names) => read_names(&mut database, names, &options.limits)?,
        None => HashMap::new(),
    };
    let mut log = Log {
        gate: Gate::new(options, sink),
        snapshots: Snapshots::default(),
        times,
        names,
        known: HashMap::new(),
        timeless: 0,
        missing: 0,
    };
    let columns = Columns::of(data)?;
    let damage = database.rows(data, &mut |row| log.row(row, &columns)).err();
    if database.has_log {
        let message = "the database was written with a log of its own beside it (WAL): what is only \
                       in there is not read";
        log.gate.warn("left-out", message);
    }
    log.finish(&clock, damage)
}

fn not_lmt(tables: &[Table]) -> Error {
    let names: Vec<_> = tables
        .iter()
        .map(|one| one.name.as_str())
        .take(20)
        .collect();
    let message = format!(
        "an SQLite database without the tables OST_DATA and TIMESTAMP_INFO of LMT (it has {})",
        match names.is_empty() {
            true => "none".to_owned(),
            false => names.join(", "),
        }
    );
    Error::new("SQLite", Place::Whole, ErrorKind::Unsupported(message))
}

fn column(table: &Table, name: &'static str) -> Result<usize, Error> {
    table.column(name).ok_or_else(|| {
        let message = format!("the table {} has no column {name}", table.name);
        Error::new("SQLite", Place::Whole, ErrorKind::Unsupported(message))
    })
}

fn within(rows: usize, limits: &Limits) -> Result<(), Error> {
    if rows as u64 * ROW <= limits.decoded {
        return Ok(());
    }
    let (what, limit) = ("times and names of a database", limits.decoded);
    let kind = ErrorKind::Budget { what, limit };
    Err(Error::new("SQLite", Place::Whole, kind))
}

fn read_times(
    database: &mut Database,
    table: &Table,
    clock: &mut Clock,
    limits: &Limits,
) -> Result<HashMap<i64, f64>, Error> {
    let (id, time) = (column(table, "TS_ID")?, column(table, "TIMESTAMP")?);
    let mut times = HashMap::new();
    database.rows(table, &mut |row| {
        let at = match row.get(time) {
            Value::Text(text) => clock.epoch_s(text),
            other => other.number(),
        };
        if let (Value::Whole(id), Some(at)) = (row.get(id), at) {
            times.insert(id, at);
        }
        within(times.len(), limits)
    })?;
    Ok(times)
}

/// The server and the name of each OST.
fn read_names(
    database: &mut Database,
    table: &Table,
    limits: &Limits,
) -> Result<HashMap<i64, (String, String)>, Error> {
    let (id, name) = (column(table, "OST_ID")?, column(table, "OST_NAME")?);
    let host = table.column("HOSTNAME");
    let mut names = HashMap::new();
    database.rows(table, &mut |row| {
        let text = |column: Option<usize>| match column.map(|column| row.get(column)) {
            Some(Value::Text(text)) => text.to_owned(),
            _ => String::new(),
        };
        if let Value::Whole(id) = row.get(id) {
            names.insert(id, (text(host), text(Some(name))));
        }
        within(names.len(), limits)
    })?;
    Ok(names)
}

struct Columns {
    ost: usize,
    time: usize,
    counters: [usize; 2],
}

impl Columns {
    fn of(table: &Table) -> Result<Self, Error> {
        Ok(Self {
            ost: column(table, "OST_ID")?,
            time: column(table, "TS_ID")?,
            counters: [column(table, "READ_BYTES")?, column(table, "WRITE_BYTES")?],
        })
    }
}

struct Log<'a> {
    gate: Gate<'a>,
    snapshots: Snapshots,
    times: HashMap<i64, f64>,
    names: HashMap<i64, (String, String)>,
    known: HashMap<i64, Option<Series>>,
    /// Rows whose time is not in the database.
    timeless: u64,
    missing: u64,
}

impl Log<'_> {
    fn row(&mut self, row: &Row<'_>, columns: &Columns) -> Result<(), Error> {
        let (Value::Whole(ost), Value::Whole(time)) = (row.get(columns.ost), row.get(columns.time))
        else {
            self.missing += 1;
            return Ok(());
        };
        let Some(&at) = self.times.get(&time) else {
            self.timeless += 1;
            return Ok(());
        };
        let Some(series) = self.series(ost) else {
            return Ok(());
        };
        for (op, column) in [Op::Read, Op::Write].into_iter().zip(columns.counters) {
            match row.get(column).number() {
                Some(value) => self.snapshots.read(&mut self.gate, series, op, at, value)?,
                None => self.missing += 1,
            }
        }
        Ok(())
    }

    fn series(&mut self, ost: i64) -> Option<Series> {
        if let Some(&known) = self.known.get(&ost) {
            return known;
        }
        let (server, name) = match self.names.get(&ost) {
            Some((server, name)) if !name.is_empty() => (server.clone(), name.clone()),
            _ => (String::new(), format!("OST_ID {ost}")),
        };
        let series = self.gate.series(&server, &name, TargetKind::StorageTarget);
        self.known.insert(ost, series);
        series
    }

    fn finish(mut self, clock: &Clock, damage: Option<Error>) -> Result<Reading, Error> {
        self.snapshots.tell(&mut self.gate);
        for warning in clock.warnings() {
            self.gate.add_warning(warning);
        }
        if self.timeless > 0 {
            let rows = counted(self.timeless, "row");
            let message =
                format!("{rows} of OST_DATA whose TS_ID is not in TIMESTAMP_INFO: left out");
            self.gate.warn("bad-rows", message);
        }
        if self.missing > 0 {
            let values = counted(self.missing, "value");
            let message = format!("{values} of OST_DATA missing: nothing is known of them");
            self.gate.warn("missing-values", message);
        }
        let whose = match clock.zone() {
            Some(zone) => WhoseClock::Zone(zone.name().to_owned()),
            None => WhoseClock::Epoch,
        };
        match damage {
            Some(error) if self.gate.samples() == 0 => Err(error),
            damage => {
                let unit = "bytes, counted since the OST was mounted";
                Ok(self
                    .gate
                    .finish("LMT database (SQLite)", unit, whose, damage))
            }
        }
    }
}
