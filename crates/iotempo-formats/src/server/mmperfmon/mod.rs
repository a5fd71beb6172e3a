//! GPFS (IBM Storage Scale): what `mmperfmon query` prints.
//!
//! A legend says what is counted where, then come tables of a few of its columns each. A stamp is
//! the end of an interval, in local time. A value is what was moved in the interval.

mod legend;

use super::gate::{Gate, Series};
use super::options::{Clock as WhoseClock, Options, Reading};
use super::quantity::Quantity;
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::table::bad_rows::BadRows;
use crate::table::field;
use crate::table::lines::Lines;
use crate::zone::Clock;
use iotempo_model::{Op, Seconds, ThroughputSink, counted};
use legend::{Entry, Level};
use std::collections::BTreeSet;
use std::io;

/// An interval that is longer than this many usual ones has rows missing in it.
const LATE: f64 = 1.5;

/// Disks are read and written in sectors of so many bytes.
const SECTOR: f64 = 512.0;

pub(super) fn sniff(head: &[u8]) -> bool {
    let mut lines = head
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty());
    let first = lines.next();
    let second = lines.next().and_then(|line| std::str::from_utf8(line).ok());
    first == Some(b"Legend:")
        && second.is_some_and(|line| Entry::of(line, Quantity::Bytes).is_some())
}

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let mut lines = Lines::new(input.into_reader(), &options.limits);
    let mut log = Log {
        gate: Gate::new(options, sink),
        clock: Clock::of_running_log(options.zone.clone()),
        step: options.interval.map(Seconds::get),
        legend: Vec::new(),
        metrics: BTreeSet::new(),
        level: None,
        left_out: BTreeSet::new(),
        columns: Vec::new(),
        passed: 0,
        held: None,
        last: None,
        missing: 0,
        lengthless: 0,
        wholes: Wholes::default(),
        bad: BadRows::default(),
    };
    let damage = loop {
        let line = match lines.next() {
            Ok(None) => break None,
            Err(error) => break Some(error),
            Ok(Some(line)) => String::from_utf8_lossy(line).into_owned(),
        };
        let (place, whole) = (Place::Line(lines.number()), lines.is_whole());
        log.line(&line, place, whole)?;
        if log.bad.verdict_is_due() {
            log.bad.judge()?;
        }
    };
    log.finish(damage)
}

/// How many volumes of disks are whole sectors, or operations whole numbers.
#[derive(Default)]
struct Wholes {
    whole: u64,
    broken: u64,
}

/// A column of the table under way.
#[derive(Clone, Copy)]
struct Column {
    series: Series,
    op: Op,
    /// What its values are whole numbers of, unless they are means.
    grain: Option<f64>,
}

/// A row whose length is not known before the next one.
struct Held {
    end: f64,
    values: Vec<Option<Value>>,
}

#[derive(Clone, Copy)]
struct Value {
    bytes: f64,
    /// Whether it was rounded, for people to read.
    rounded: bool,
}

struct Log<'a> {
    gate: Gate<'a>,
    clock: Clock,
    /// How long an interval is.
    step: Option<f64>,
    legend: Vec<Entry>,
    metrics: BTreeSet<String>,
    /// Which of the levels that count the same bytes is handed on.
    level: Option<Level>,
    left_out: BTreeSet<String>,
    columns: Vec<Option<Column>>,
    /// How many entries of the legend earlier tables have shown.
    passed: usize,
    held: Option<Held>,
    last: Option<f64>,
    missing: u64,
    lengthless: u64,
    wholes: Wholes,
    bad: BadRows,
}

impl Log<'_> {
    fn line(&mut self, line: &str, place: Place, whole: bool) -> Result<(), Error> {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            return Ok(());
        }
        let failed = |error| Error::new("", place, ErrorKind::Io(error));
        if trimmed == "Legend:" {
            self.end_of_table().map_err(failed)?;
            self.legend.clear();
            self.columns.clear();
            self.passed = 0;
            return Ok(());
        }
        if let Some(names) = trimmed.strip_prefix("Row ") {
            self.end_of_table().map_err(failed)?;
            self.heading(names);
            return Ok(());
        }
        if self.columns.is_empty()
            && let Some(entry) = Entry::of(trimmed, self.gate.quantity())
        {
            self.metrics.insert(entry.metric.clone());
            self.legend.push(entry);
            return Ok(());
        }
        // The last digits of a line without an end may be missing.
        let row = match whole {
            true => self.row(trimmed),
            false => Err(("a row without an end", trimmed.to_owned())),
        };
        match row {
            Ok(row) => {
                self.bad.good();
                self.take(row).map_err(failed)?;
            }
            Err((what, value)) => self.bad.bad(|| Error::invalid("", place, what, &value)),
        }
        Ok(())
    }

    /// Begins a table, which shows the next entries of the legend.
    fn heading(&mut self, names: &str) {
        let shown = names.split_ascii_whitespace().count().saturating_sub(1);
        let first = (self.passed + self.columns.len()).min(self.legend.len());
        self.passed = first;
        if self.level.is_none() {
            let levels = self.legend.iter().filter_map(|entry| entry.level);
            self.level = levels.filter(|&level| level != Level::Network).min();
        }
        let by_name = self.gate.is_chosen_by_name();
        self.columns.clear();
        for index in first..first + shown {
            let Some(entry) = self.legend.get(index) else {
                self.columns.push(None);
                continue;
            };
            let wanted = entry
                .level
                .is_some_and(|level| by_name || Some(level) == self.level);
            if entry.level.is_some() && !wanted {
                self.left_out.insert(entry.metric.clone());
            }
            let column = entry.op.filter(|_| wanted).and_then(|op| {
                let series = self.gate.series(&entry.host, &entry.name, entry.kind())?;
                let on_disk = entry.level == Some(Level::Disk);
                let grain = match self.gate.quantity() {
                    Quantity::Bytes => on_disk.then_some(SECTOR),
                    Quantity::Operations => Some(1.0),
                };
                Some(Column { series, op, grain })
            });
            self.columns.push(column);
        }
    }

    /// `  1 2019-01-08-13:00:00   0   1.7 kB   null`.
    fn row(&mut self, line: &str) -> Result<Held, (&'static str, String)> {
        let mut words = line.split_ascii_whitespace().peekable();
        let number = words.next().unwrap_or_default();
        if self.columns.is_empty() || field::whole(number.as_bytes()).is_none() {
            return Err(("not a row of mmperfmon", line.to_owned()));
        }
        let stamp = words.next().unwrap_or_default();
        let end = self
            .clock
            .epoch_s(stamp)
            .ok_or_else(|| ("not a time", stamp.to_owned()))?;
        let mut values = Vec::with_capacity(self.columns.len());
        while let Some(word) = words.next() {
            let scale = words.peek().and_then(|word| human(word));
            if scale.is_some() {
                words.next();
            }
            let value = match word {
                "null" | "-" | "N/A" => None,
                word => {
                    let number = field::number(word.as_bytes());
                    let number = number.ok_or_else(|| ("not a number", word.to_owned()))?;
                    Some(Value {
                        bytes: number * scale.unwrap_or(1.0),
                        rounded: scale.is_some(),
                    })
                }
            };
            if values.len() == self.columns.len() {
                return Err(("more values than the heading has columns", line.to_owned()));
            }
            values.push(value);
        }
        if values.len() != self.columns.len() {
            return Err(("fewer values than the heading has columns", line.to_owned()));
        }
        Ok(Held { end, values })
    }

    fn take(&mut self, row: Held) -> io::Result<()> {
        let Some(last) = self.last.replace(row.end) else {
            self.held = Some(row);
            return Ok(());
        };
        let since = row.end - last;
        if since > 0.0 && self.step.is_none_or(|step| since < step) {
            self.step = Some(since);
        }
        if let Some(first) = self.held.take() {
            self.hand_on(&first, self.step)?;
        }
        let length = match self.step {
            Some(step) if since <= 0.0 || since > LATE * step => Some(step),
            _ => Some(since),
        };
        self.hand_on(&row, length)
    }

    fn hand_on(&mut self, row: &Held, length: Option<f64>) -> io::Result<()> {
        let Some(length) = length else {
            self.lengthless += 1;
            return Ok(());
        };
        for (column, value) in self.columns.iter().zip(&row.values) {
            let Some(column) = column else { continue };
            let Some(value) = value else {
                self.missing += 1;
                continue;
            };
            if let Some(grain) = column.grain
                && !value.rounded
                && value.bytes > 0.0
            {
                match value.bytes % grain == 0.0 {
                    true => self.wholes.whole += 1,
                    false => self.wholes.broken += 1,
                }
            }
            let when = (row.end - length, row.end);
            self.gate
                .moved(column.series, column.op, when, value.bytes)?;
        }
        Ok(())
    }

    fn end_of_table(&mut self) -> io::Result<()> {
        self.last = None;
        match self.held.take() {
            Some(only) => self.hand_on(&only, self.step),
            None => Ok(()),
        }
    }

    fn finish(mut self, damage: Option<Error>) -> Result<Reading, Error> {
        self.end_of_table()?;
        self.bad.judge()?;
        if self.gate.samples() == 0
            && let Some(error) = damage
        {
            return Err(error);
        }
        if self.level.is_none() && !self.gate.is_chosen_by_name() {
            return Err(self.nothing());
        }
        self.tell();
        let clock = match self.clock.zone() {
            Some(zone) => WhoseClock::Zone(zone.name().to_owned()),
            None => WhoseClock::Epoch,
        };
        let unit = self.gate.quantity().pick(
            "bytes in the interval that ends at the stamp",
            "operations in the interval that ends at the stamp",
        );
        Ok(self.gate.finish("mmperfmon query", unit, clock, damage))
    }

    fn nothing(&self) -> Error {
        let quantity = self.gate.quantity();
        let metrics: Vec<_> = self.metrics.iter().map(String::as_str).take(20).collect();
        let message = format!(
            "mmperfmon without counters of {} (it has {}): query {}",
            quantity.pick("bytes read or written", "read or write operations"),
            metrics.join(", "),
            quantity.pick(
                "gpfs_nsdds_bytes_read,gpfs_nsdds_bytes_written; the traffic of a network is read where its \
                 interface is named as a target",
                "gpfs_nsdds_read_ops,gpfs_nsdds_write_ops"
            )
        );
        Error::new("", Place::Whole, ErrorKind::Unsupported(message))
    }

    fn tell(&mut self) {
        let quantity = self.gate.quantity().name();
        for warning in self.clock.warnings() {
            self.gate.add_warning(warning);
        }
        if !self.left_out.is_empty() {
            let names: Vec<_> = self.left_out.iter().map(String::as_str).collect();
            let message = format!(
                "{}: left out, since another counter has the same {quantity}, or they are no {quantity} of \
                 files (name targets to have them)",
                names.join(", ")
            );
            self.gate.warn("left-out", message);
        }
        if self.missing > 0 {
            let message = format!(
                "{} null: nothing is known of them",
                counted(self.missing, "value")
            );
            self.gate.warn("missing-values", message);
        }
        if self.lengthless > 0 {
            let message = format!(
                "{} alone in a table: how long its interval is cannot be told (give the interval)",
                counted(self.lengthless, "row")
            );
            self.gate.warn("interval-unknown", message);
        }
        let Wholes { whole, broken } = self.wholes;
        if broken > 0 {
            let message = format!(
                "{broken} of {} {}: where an interval holds several samples, mmperfmon shows their \
                 mean, and the truth is larger by their number",
                whole + broken,
                self.gate.quantity().pick(
                    "volumes of disks are no whole sectors",
                    "counts of operations are no whole numbers"
                )
            );
            self.gate.warn("unit-doubtful", message);
        }
        if let Some(warning) = self.bad.warning() {
            self.gate.add_warning(warning);
        }
    }
}

/// What a unit stands for; `mmperfmon` divides by 1024.
fn human(word: &str) -> Option<f64> {
    let power = match word.to_ascii_lowercase().as_str() {
        "b" => 0,
        "kb" | "kib" => 1,
        "mb" | "mib" => 2,
        "gb" | "gib" => 3,
        "tb" | "tib" => 4,
        "pb" | "pib" => 5,
        _ => return None,
    };
    Some(1024.0_f64.powi(power))
}
