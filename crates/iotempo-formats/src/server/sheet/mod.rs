//! Any table of what servers moved: a row per time, or per time and target.
//!
//! Which columns are times, targets, directions and volumes is told by their headings, or by the user.
//! As in tables of samples, a rate or volume holds from the time of its row on.

mod layout;
mod names;
mod order;
mod told_apart;

use super::flows::{Measure, Stamp};
use super::gate::Gate;
use super::names::Nature;
use super::options::{Clock, Options, Reading};
use super::quantity::{Quantity, no_operations};
use super::readings::Readings;
use crate::detect::{Format, detect_with};
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::reading::ReadOptions;
use crate::table::bad_rows::BadRows;
use crate::table::field;
use crate::table::lines::Lines;
use crate::table::rows::{Delimiter, Row, Rows};
use crate::zone;
use iotempo_model::{Op, Seconds, TargetKind, ThroughputSink, counted};
use layout::{Heading, Layout, Values};
use names::Names;
use order::{Held, Order};
use std::collections::{BTreeSet, HashMap};
use told_apart::ToldApart;

/// So many targets are told apart.
const TARGETS: usize = 1 << 20;

/// So many names are told in a warning.
const NAMED: usize = 8;

/// Reads a table that no other reader claims; says what an input is that is none.
pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    if input.head().is_empty() {
        return Err(super::unknown(input.head()));
    }
    if let Some(what) = something_else(input.head()) {
        let message = format!("{what}: no log of a server");
        return Err(Error::new(
            "",
            Place::Byte(0),
            ErrorKind::Unsupported(message),
        ));
    }
    let Some(heading) = Heading::of(input.head(), options)? else {
        let bytes = Options {
            quantity: Quantity::Bytes,
            ..options.clone()
        };
        let of_bytes = options.quantity == Quantity::Operations
            && Heading::of(input.head(), &bytes).is_ok_and(|heading| heading.is_some());
        if of_bytes {
            return Err(no_operations(
                "the table",
                "a column such as reads, write_ops or iops does, or one that is named (--log-columns \
                 read=NAME,write=NAME)",
            ));
        }
        let timed = Options {
            interval: options.interval.or(Seconds::new(1.0)),
            ..options.clone()
        };
        // A request has its direction in a column of its own, and no column per direction.
        let by_direction = |heading: Heading| {
            let mut columns = heading.layout.columns.iter();
            columns.any(|column| column.op.is_some())
        };
        let timeless = Heading::of(input.head(), &timed).ok().flatten();
        if timeless.is_some_and(by_direction) {
            let message = "a table without a column of times: give the interval between its rows \
                           (--interval), or name the column (--log-columns time=NAME)";
            let kind = ErrorKind::Unsupported(message.to_owned());
            return Err(Error::new("", Place::Byte(0), kind));
        }
        let known = detect_with(input.head(), &ReadOptions::default());
        if known.is_ok_and(|format| format == Format::Table) {
            let message = "a table of requests, of what one job did: no log of a server";
            let kind = ErrorKind::Unsupported(message.to_owned());
            return Err(Error::new("", Place::Byte(0), kind));
        }
        return Err(super::unknown(input.head()));
    };
    let names = Names::of(&input, &heading);
    let lines = Lines::new(input.into_reader(), &options.limits);
    let mut rows = Rows::new(lines, heading.delimiter);
    if !heading.commented {
        rows.next()?;
    }
    let mut log = Log::new(heading, names, options, sink);
    let mut bad = BadRows::default();
    let damage = loop {
        match rows.next() {
            Ok(None) => break None,
            Err(error) => break Some(error),
            Ok(Some(row)) => match log.row(row) {
                Ok(None) => bad.good(),
                Ok(Some((what, value))) => {
                    let place = Place::Line(row.number);
                    bad.bad(|| Error::invalid("table", place, what, value));
                }
                Err(error) => return Err(Error::new("", Place::Line(row.number), error)),
            },
        }
        if bad.verdict_is_due() {
            bad.judge()?;
        }
    };
    bad.judge()?;
    log.finish(&bad, damage)
}

/// What an input is, where it is none that servers log.
fn something_else(head: &[u8]) -> Option<&'static str> {
    let format = detect_with(head, &ReadOptions::default()).ok()?;
    Some(match format {
        Format::Table | Format::Server(_) => return None,
        Format::Iot => "a log of iotempo's tracer, of what one program did",
        Format::Json | Format::RequestLines => {
            "JSON, perhaps of what one job did, as TMIO and FTIO write it"
        }
        Format::MessagePack => "MessagePack of what one job did, as TMIO writes it",
        Format::FtioText => "a text of FTIO about one job",
        _ => "a log of Darshan, of what one job did",
    })
}

fn text(row: &Row, index: usize) -> String {
    String::from_utf8_lossy(row.get(index)).trim().to_owned()
}

struct Log<'a> {
    gate: Gate<'a>,
    readings: Readings,
    layout: Layout,
    width: usize,
    decimal_commas: bool,
    names: Names,
    zone: zone::Clock,
    start: Option<f64>,
    interval: Option<f64>,
    rows: u64,
    /// Whether times count from the beginning of the log.
    undated: bool,
    odd_unit: bool,
    missing: u64,
    other_operations: u64,
    left_out: BTreeSet<String>,
    order: Order,
    told_apart: ToldApart,
    /// By server, target, column and direction.
    known: HashMap<Vec<u8>, Option<usize>>,
}

impl<'a> Log<'a> {
    fn new(
        heading: Heading,
        names: Names,
        options: &'a Options,
        sink: &'a mut dyn ThroughputSink,
    ) -> Self {
        Self {
            gate: Gate::new(options, sink),
            readings: Readings::new(Stamp::Start, Measure::PerInterval),
            told_apart: ToldApart::new(&heading.layout),
            layout: heading.layout,
            width: heading.width,
            decimal_commas: heading.delimiter != Delimiter::Byte(b','),
            names,
            zone: zone::Clock::of_running_log(options.zone.clone()),
            start: options.start,
            interval: options.interval.map(Seconds::get),
            rows: 0,
            undated: false,
            odd_unit: false,
            missing: 0,
            other_operations: 0,
            left_out: BTreeSet::new(),
            order: Order::default(),
            known: HashMap::new(),
        }
    }

    /// Takes a row; `Ok(Some(…))` says what is wrong with it.
    fn row(&mut self, row: &Row) -> std::io::Result<Option<(&'static str, String)>> {
        if row.len() != self.width {
            let what = "the number of fields differs from the heading's";
            return Ok(Some((what, row.len().to_string())));
        }
        let Some(at) = self.time(row) else {
            let place = self.layout.time.map_or(0, |time| time.index);
            let value = text(row, place);
            // A heading that comes again is no row, and no mistake.
            return Ok((value != self.layout.time_name).then_some(("not a time", value)));
        };
        let op = match self.layout.op {
            None => None,
            Some(index) => match field::op(row.get(index)) {
                Some(op) => Some(op),
                None => {
                    self.other_operations += 1;
                    return Ok(None);
                }
            },
        };
        let texts = self.told_apart.texts(row);
        for index in 0..self.layout.columns.len() {
            let column = &self.layout.columns[index];
            let Some(value) = self.number(row.get(column.index)) else {
                return Ok(Some(("not a number", text(row, column.index))));
            };
            if value.is_nan() {
                self.missing += 1;
                continue;
            }
            if self.known.len() > TARGETS {
                return Ok(Some(("more targets than", TARGETS.to_string())));
            }
            let op = column.op.or(op).unwrap_or(Op::Write);
            if let Some(series) = self.series(row, index, op) {
                if let Some(texts) = texts {
                    self.told_apart.check((series, at, value), texts)?;
                }
                self.take(series, at, value)?;
            }
        }
        Ok(None)
    }

    fn take(&mut self, series: usize, at: f64, value: f64) -> std::io::Result<()> {
        let held = Held { series, at, value };
        for one in self.order.take(held)? {
            self.readings
                .take(&mut self.gate, one.series, one.at, one.value)?;
        }
        Ok(())
    }

    fn time(&mut self, row: &Row) -> Option<f64> {
        self.rows += 1;
        let Some(time) = self.layout.time else {
            self.undated = true;
            let steps = (self.rows - 1) as f64 * self.interval?;
            return Some(self.start.unwrap_or_default() + steps);
        };
        let mut written = text(row, time.index);
        if let Some(day) = self.layout.day {
            written = format!("{} {written}", text(row, day));
        }
        let Some(number) = self
            .number(written.as_bytes())
            .filter(|number| !number.is_nan())
        else {
            return self.zone.epoch_s(&written);
        };
        let seconds = match time.scale {
            Some(scale) => scale.apply(number),
            // None of this millennium in seconds: the size tells the unit.
            None if number >= 1e11 => {
                self.odd_unit = true;
                number
                    / if number < 1e14 {
                        1e3
                    } else if number < 1e17 {
                        1e6
                    } else {
                        1e9
                    }
            }
            None => number,
        };
        if seconds < 1e8 {
            self.undated = true;
            return Some(self.start.unwrap_or_default() + seconds);
        }
        Some(seconds)
    }

    /// A number; NaN where there is none to read.
    fn number(&self, text: &[u8]) -> Option<f64> {
        let text = text.trim_ascii();
        if let Some(number) = field::number(text) {
            return Some(number);
        }
        let none: [&[u8]; 6] = [b"", b"-", b"null", b"NULL", b"N/A", b"NA"];
        if none.contains(&text) {
            return Some(f64::NAN);
        }
        let text = std::str::from_utf8(text)
            .ok()
            .filter(|_| self.decimal_commas)?;
        field::number(text.replacen(',', ".", 1).as_bytes())
    }

    fn series(&mut self, row: &Row, index: usize, op: Op) -> Option<usize> {
        let mut key = vec![op as u8];
        key.extend_from_slice(&index.to_le_bytes());
        for column in [self.layout.server, self.layout.target]
            .into_iter()
            .flatten()
        {
            key.extend_from_slice(row.get(column));
            key.push(0);
        }
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let column = &self.layout.columns[index];
        let server = self
            .layout
            .server
            .map(|server| text(row, server))
            .unwrap_or_default();
        let mut name = self
            .layout
            .target
            .map(|target| text(row, target))
            .unwrap_or_default();
        if !column.target.is_empty() {
            name = match name.as_str() {
                "" => column.target.clone(),
                name => format!("{name}/{}", column.target),
            };
        }
        let kind = match self.layout.kind {
            TargetKind::Unknown if name.is_empty() && !server.is_empty() => TargetKind::Server,
            kind => kind,
        };
        // Headings speak of all servers.
        let whose = if self.layout.target.is_some() {
            server.as_str()
        } else {
            ""
        };
        let twice = self.names.count_elsewhere(whose, &name, kind);
        let series = if twice && !self.gate.is_chosen_by_name() {
            let label = [column.heading.as_str(), name.as_str()];
            self.left_out
                .insert(label[usize::from(self.layout.target.is_some())].to_owned());
            None
        } else {
            self.gate.series(&server, &name, kind)
        };
        let Values { nature, scale, .. } = column.values;
        let heading = column.heading.clone();
        let series = series.map(|series| {
            self.readings
                .announce(&heading, (series, op), nature, scale)
        });
        self.known.insert(key, series);
        series
    }

    fn finish(mut self, bad: &BadRows, damage: Option<Error>) -> Result<Reading, Error> {
        let (held, turned) = self.order.finish();
        for one in held {
            self.readings
                .take(&mut self.gate, one.series, one.at, one.value)?;
        }
        if turned {
            let message = "the newest rows come first: read from the oldest on";
            self.gate.warn("newest-first", message);
        }
        self.readings.finish(&mut self.gate)?;
        if self.gate.samples() == 0 {
            return Err(damage.unwrap_or_else(|| {
                let what = match self.readings.count() {
                    0 => "a table without a row of what was moved",
                    _ if self.gate.left_out_impossible() => {
                        "a table of what nothing can move (more than 100 TB or 10 billion operations a second): its unit \
                         is another one"
                    }
                    _ => "one row of each target: how long it holds shows only from two",
                };
                Error::new("", Place::Whole, ErrorKind::Unsupported(what.to_owned()))
            }));
        }
        if let Some(warning) = bad.warning() {
            self.gate.add_warning(warning);
        }
        for warning in self.zone.warnings() {
            self.gate.add_warning(warning);
        }
        self.tell();
        if self.undated && self.start.is_some() {
            self.gate.use_start();
        }
        let clock = match self.zone.zone() {
            _ if self.undated && self.start.is_none() => Clock::Relative,
            Some(zone) => Clock::Zone(zone.name().to_owned()),
            None => Clock::Epoch,
        };
        let unit = self.readings.unit(self.gate.quantity());
        Ok(self.gate.finish("table of a server", unit, clock, damage))
    }

    fn tell(&mut self) {
        let quantity = self.gate.quantity();
        let undirected =
            self.layout.op.is_none() && self.layout.columns.iter().any(|one| one.op.is_none());
        let left_out: Vec<&str> = self
            .left_out
            .iter()
            .take(NAMED)
            .map(String::as_str)
            .collect();
        let left_out = left_out.join(", ");
        let columns = &self.layout.columns;
        let assumed = columns.iter().filter(|one| one.values.is_assumed);
        let mut without_unit: Vec<&str> = assumed.clone().map(|one| one.heading.as_str()).collect();
        without_unit.truncate(NAMED);
        let first = assumed.clone().next();
        let way = first.and_then(|one| one.op).map_or("bytes", Op::name);
        let mut all_assumed = assumed;
        let per = match all_assumed.all(|one| one.values.nature == Nature::Rate) {
            true => " per second",
            false => "",
        };
        let told = [
            (
                !without_unit.is_empty(),
                "unit-assumed",
                format!(
                    "no unit is given: numbers are taken as bytes{per}, in {}; if they are not, name the unit (as \
                     in --log-columns {way}_mib_s={})",
                    without_unit.join(", "),
                    without_unit.first().copied().unwrap_or_default(),
                ),
            ),
            (
                undirected,
                "direction-unknown",
                format!(
                    "nothing says {}: they count as written",
                    quantity.pick("which way bytes flow", "what operations do")
                ),
            ),
            (
                self.odd_unit,
                "time-unit-assumed",
                "times are too large for seconds: their size tells their unit".to_owned(),
            ),
            (
                self.missing > 0,
                "missing-values",
                format!(
                    "{} empty or not a number: left out",
                    counted(self.missing, "field")
                ),
            ),
            (
                self.other_operations > 0,
                "other-operations",
                format!(
                    "{} of what is neither read nor written: left out",
                    counted(self.other_operations, "row")
                ),
            ),
            (
                !self.left_out.is_empty(),
                "left-out",
                format!(
                    "left out, because others count the same {}: {left_out}",
                    quantity.name()
                ),
            ),
        ];
        for (is, code, message) in told {
            if is {
                self.gate.warn(code, message);
            }
        }
    }
}
