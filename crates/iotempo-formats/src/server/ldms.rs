//! LDMS: counters of Lustre clients, one row per node, file system and second, as its CSV store
//! writes them.

use super::counters::Counters;
use super::gate::{Gate, Series};
use super::options::{Clock, Options, Reading};
use crate::error::{Error, Place};
use crate::input::Input;
use crate::table::bad_rows::BadRows;
use crate::table::field;
use crate::table::lines::Lines;
use crate::table::rows::{Delimiter, Row, Rows};
use iotempo_model::{Op, TargetKind, ThroughputSink};
use std::collections::{HashMap, HashSet};

/// Which columns are read.
struct Columns {
    names: usize,
    time: usize,
    node: usize,
    file_system: Option<usize>,
    mount: Option<usize>,
    counters: Vec<Counted>,
}

/// Counters of one mount in a row, read and written.
struct Counted {
    /// The mount that their headings name; `None` where another column does.
    mount: Option<String>,
    columns: [Option<usize>; 2],
}

/// `client.read_bytes#llite.scratch` and `write_bytes#stats.scratch`, as samplers of version 2 call a counter
/// of each mount: 0 for one of reads, 1 for one of writes, and the mount.
fn of_mount(name: &[u8]) -> Option<(usize, &str)> {
    let name = std::str::from_utf8(name).ok()?;
    let (counter, mount) = name.split_once('#')?;
    let mount = mount
        .strip_prefix("llite.")
        .or_else(|| mount.strip_prefix("stats."))?;
    let way = match counter.strip_prefix("client.").unwrap_or(counter) {
        "read_bytes" => 0,
        "write_bytes" => 1,
        _ => return None,
    };
    (!mount.is_empty()).then_some((way, mount))
}

impl Columns {
    /// `None` where the heading is none of LDMS.
    fn of(heading: &Row) -> Option<Self> {
        let named = |wanted: &[&str]| {
            (0..heading.len()).find(|&index| {
                let name = heading.get(index).trim_ascii_start();
                let name = name.strip_prefix(b"#").unwrap_or(name);
                wanted
                    .iter()
                    .any(|one| name.eq_ignore_ascii_case(one.as_bytes()))
            })
        };
        let columns = [
            named(&["read_bytes.sum", "read_bytes#llite", "read_bytes"]),
            named(&["write_bytes.sum", "write_bytes#llite", "write_bytes"]),
        ];
        let mut counters = Vec::new();
        if columns.iter().any(Option::is_some) {
            let mount = None;
            counters.push(Counted { mount, columns });
        }
        for index in 0..heading.len() {
            let Some((way, mount)) = of_mount(heading.get(index).trim_ascii()) else {
                continue;
            };
            let is_known = |one: &Counted| one.mount.as_deref() == Some(mount);
            let place = counters.iter().position(is_known).unwrap_or_else(|| {
                counters.push(Counted {
                    mount: Some(mount.to_owned()),
                    columns: [None; 2],
                });
                counters.len() - 1
            });
            counters[place].columns[way].get_or_insert(index);
        }
        let columns = Self {
            names: heading.len(),
            time: named(&["timestamp", "time"])?,
            node: named(&["component_id", "compid", "producername", "producer"])?,
            file_system: named(&["fs_name"]),
            mount: named(&["llite", "instance"]),
            counters,
        };
        let is_named = columns.file_system.is_some() || columns.mount.is_some();
        let mut counters = columns.counters.iter();
        let is_ldms = counters.any(|one| is_named || one.mount.is_some());
        is_ldms.then_some(columns)
    }
}

pub(super) fn sniff(head: &[u8]) -> bool {
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or(head);
    let mut heading = Row::default();
    heading.split(line, Delimiter::Byte(b','));
    Columns::of(&heading).is_some()
}

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let lines = Lines::new(input.into_reader(), &options.limits);
    let mut rows = Rows::keeping_comments(lines, Delimiter::Byte(b','));
    let no_heading = || Error::invalid("", Place::Line(1), "not a heading of LDMS", "");
    let heading = rows.next()?.ok_or_else(no_heading)?;
    let columns = Columns::of(heading).ok_or_else(no_heading)?;
    let mut log = Log {
        columns,
        gate: Gate::new(options, sink),
        counters: Counters::default(),
        known: HashMap::new(),
        mounted: HashSet::new(),
    };
    let mut bad = BadRows::default();
    let damage = loop {
        match rows.next() {
            Ok(None) => break None,
            Err(error) => break Some(error),
            Ok(Some(row)) => match log.row(row) {
                Ok(()) => bad.good(),
                Err(Problem::Row(error)) => bad.bad(|| error),
                Err(Problem::Sink(error)) => {
                    return Err(Error::new("", Place::Line(row.number), error));
                }
            },
        }
        if bad.verdict_is_due() {
            bad.judge()?;
        }
    };
    bad.judge()?;
    log.finish(&bad, damage)
}

/// Why a row was not taken.
enum Problem {
    Row(Error),
    Sink(std::io::Error),
}

struct Log<'a> {
    columns: Columns,
    gate: Gate<'a>,
    counters: Counters,
    /// By counters, node, file system and mount: rows name them anew each time.
    known: HashMap<Vec<u8>, Option<Series>>,
    /// The file systems of nodes that have been met.
    mounted: HashSet<(String, String)>,
}

impl Log<'_> {
    fn row(&mut self, row: &Row) -> Result<(), Problem> {
        let invalid = |what, value: &[u8]| {
            let value = String::from_utf8_lossy(value).into_owned();
            Problem::Row(Error::invalid("", Place::Line(row.number), what, &value))
        };
        if row.len() != self.columns.names {
            return Err(invalid(
                "the number of fields differs from the heading's",
                row.len().to_string().as_bytes(),
            ));
        }
        let text = row.get(self.columns.time);
        let at = field::number(text).ok_or_else(|| invalid("not a time", text))?;
        let mut values = Vec::new();
        for (source, counted) in self.columns.counters.iter().enumerate() {
            for (op, column) in [Op::Read, Op::Write].into_iter().zip(counted.columns) {
                let Some(column) = column else { continue };
                let text = row.get(column);
                let value = field::number(text).ok_or_else(|| invalid("not a number", text))?;
                values.push((source, op, value));
            }
        }
        for (source, op, value) in values {
            if let Some(series) = self.series(row, source) {
                self.counters
                    .read(&mut self.gate, series, op, at, value)
                    .map_err(Problem::Sink)?;
            }
        }
        Ok(())
    }

    fn series(&mut self, row: &Row, source: usize) -> Option<Series> {
        let columns = &self.columns;
        let mut key = source.to_le_bytes().to_vec();
        key.extend_from_slice(row.get(columns.node));
        for part in [columns.file_system, columns.mount].into_iter().flatten() {
            key.push(0);
            key.extend_from_slice(row.get(part));
        }
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let text = |index: usize| String::from_utf8_lossy(row.get(index)).into_owned();
        let name = match &columns.counters[source].mount {
            Some(mount) => Some(mount.clone()),
            None => columns.file_system.or(columns.mount).map(text),
        };
        let (node, mut name) = (text(columns.node), name.unwrap_or_default());
        // A file system may be mounted twice: each mount has counters of its own.
        if !self.mounted.insert((node.clone(), name.clone()))
            && let Some(mount) = columns.mount.map(text)
        {
            name = format!("{name}/{mount}");
        }
        let series = self.gate.series(&node, &name, TargetKind::Client);
        self.known.insert(key, series);
        series
    }

    fn finish(mut self, bad: &BadRows, damage: Option<Error>) -> Result<Reading, Error> {
        self.counters.tell(&mut self.gate);
        if let Some(warning) = bad.warning() {
            self.gate.add_warning(warning);
        }
        match damage {
            Some(error) if self.gate.samples() == 0 => Err(error),
            damage => {
                let unit = "bytes, counted since the mount";
                Ok(self.gate.finish("LDMS CSV", unit, Clock::Epoch, damage))
            }
        }
    }
}
