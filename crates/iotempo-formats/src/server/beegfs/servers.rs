//! What storage servers did in each second: tables of `beegfs-ctl --serverstats`, for all servers
//! together or, with `--perserver`, for each.

use super::super::flows::{Flow, Flows, Measure, Stamp};
use super::super::gate::Gate;
use super::super::options::{Clock, Options, Reading};
use super::number;
use crate::error::{Error, Place};
use crate::input::Input;
use crate::table::bad_rows::BadRows;
use crate::table::lines::Lines;
use iotempo_model::{Op, TargetKind, ThroughputSink};
use std::io;

const KIB: f64 = 1024.0;

/// The numbers at the end of a row, by their headings.
struct Heading {
    names: usize,
    /// From the end of a row, because names may have spaces.
    columns: [Option<usize>; 2],
    has_time: bool,
}

impl Heading {
    fn of(line: &str) -> Option<Self> {
        let names: Vec<&str> = line.split_ascii_whitespace().collect();
        let from_end = |wanted: &str| {
            let place = names.iter().position(|name| *name == wanted)?;
            Some(names.len() - place)
        };
        let has_time = names.first() == Some(&"time_index");
        let has_name = names
            .first()
            .is_some_and(|name| name.eq_ignore_ascii_case("nodeid"));
        let columns = [from_end("read_KiB"), from_end("write_KiB")];
        let fits = (has_time || has_name) && columns.iter().any(Option::is_some);
        fits.then_some(Self {
            names: names.len(),
            columns,
            has_time,
        })
    }
}

pub(super) fn is_heading(line: &str) -> bool {
    Heading::of(line).is_some()
}

/// The time of `===== time index: 1700000000 =====`.
pub(super) fn time_index(line: &str) -> Option<f64> {
    let inside = line.strip_prefix("==")?.trim_matches('=').trim();
    inside.strip_prefix("time index:")?.trim().parse().ok()
}

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let mut lines = Lines::new(input.into_reader(), &options.limits);
    let mut log = Log {
        gate: Gate::new(options, sink),
        flows: Flows::new(Stamp::End),
        heading: None,
        time: None,
        all: "all servers".to_owned(),
        per_server: false,
    };
    let mut bad = BadRows::default();
    let damage = loop {
        let number = lines.number() + 1;
        let line = match lines.next() {
            Ok(None) => break None,
            Err(error) => break Some(error),
            Ok(Some(line)) => String::from_utf8_lossy(line).into_owned(),
        };
        match log.line(line.trim()) {
            Ok(Line::Row) => bad.good(),
            Ok(Line::Other) => {}
            Ok(Line::Bad(what)) => bad.bad(|| Error::invalid("", Place::Line(number), what, &line)),
            Err(error) => return Err(Error::new("", Place::Line(number), error)),
        }
        if bad.verdict_is_due() {
            bad.judge()?;
        }
    };
    bad.judge()?;
    log.flows.finish(&mut log.gate)?;
    if let Some(warning) = bad.warning() {
        log.gate.add_warning(warning);
    }
    if log.gate.samples() == 0 {
        return Err(damage.unwrap_or_else(|| {
            let what = "one row or none of each server: what it moved and how long that took shows \
                        only from two";
            let kind = crate::error::ErrorKind::Unsupported(what.to_owned());
            Error::new("", Place::Whole, kind)
        }));
    }
    let unit = "KiB of the interval that ends at its time index";
    Ok(log
        .gate
        .finish("beegfs-ctl server statistics", unit, Clock::Epoch, damage))
}

enum Line {
    Row,
    Other,
    Bad(&'static str),
}

struct Log<'a> {
    gate: Gate<'a>,
    flows: Flows,
    heading: Option<Heading>,
    time: Option<f64>,
    /// What all servers together are called.
    all: String,
    per_server: bool,
}

impl Log<'_> {
    fn line(&mut self, line: &str) -> io::Result<Line> {
        if let Some(time) = time_index(line) {
            self.time = Some(time);
            self.per_server = true;
            return Ok(Line::Other);
        }
        if let Some(heading) = Heading::of(line) {
            self.heading = Some(heading);
            return Ok(Line::Other);
        }
        if let Some(count) = line.strip_prefix("Total results for ") {
            self.all = format!("all {}", count.trim_end_matches(':'));
            return Ok(Line::Other);
        }
        if line.is_empty()
            || line.contains("PRESS ANY KEY")
            || line.trim_matches(['*', '=', '-']).is_empty()
        {
            return Ok(Line::Other);
        }
        self.row(line)
    }

    fn row(&mut self, line: &str) -> io::Result<Line> {
        let Some(heading) = &self.heading else {
            return Ok(Line::Bad("a row without a heading above it"));
        };
        let cells: Vec<&str> = line.split_ascii_whitespace().collect();
        let too_few = cells.len() < heading.names;
        if too_few || (heading.has_time && cells.len() > heading.names) {
            return Ok(Line::Bad("the number of fields differs from the heading's"));
        }
        let (time, name) = match heading.has_time {
            true => (number(cells[0]), self.all.clone()),
            false => (
                self.time,
                cells[..cells.len() + 1 - heading.names].join(" "),
            ),
        };
        let Some(at) = time else {
            return Ok(Line::Bad("a row without a time"));
        };
        let mut values = [None; 2];
        for (value, column) in values.iter_mut().zip(heading.columns) {
            let Some(column) = column else { continue };
            match number(cells[cells.len() - column]) {
                Some(kib) => *value = Some(kib * KIB),
                None => return Ok(Line::Bad("not a number")),
            }
        }
        let lower = name.to_ascii_lowercase();
        // Beside the servers, their sum would count each byte again.
        if self.per_server && (lower.starts_with("total") || lower.starts_with("sum")) {
            return Ok(Line::Other);
        }
        let series = match heading.has_time {
            true => self.gate.series("", &name, TargetKind::Server),
            false => self.gate.series(&name, "", TargetKind::Server),
        };
        let Some(series) = series else {
            return Ok(Line::Row);
        };
        for (op, value) in [Op::Read, Op::Write].into_iter().zip(values) {
            if let Some(value) = value {
                let measure = Measure::PerInterval;
                let flow = Flow { at, value, measure };
                self.flows.take(&mut self.gate, series, op, flow)?;
            }
        }
        Ok(Line::Row)
    }
}
