//! What `collectl -P` prints: a heading, and a row per interval with a column for every number.

use super::family::{Family, left_out};
use super::header::Header;
use super::{NOTHING, unit};
use crate::error::Error;
use crate::input::Input;
use crate::server::options::{Options, Reading};
use crate::server::quantity::Quantity;
use crate::server::reports::{End, Flow, Level, Report, Reports, Row};
use crate::table::bad_rows::{BadRows, Wrong};
use crate::table::field;
use crate::table::lines::Lines;
use crate::table::rows::{Delimiter, Row as Fields};
use crate::zone::Clock;
use iotempo_model::{Op, TargetKind, ThroughputSink};

pub(super) fn is_heading(line: &str) -> bool {
    let timed = line.starts_with("#Date") || line.starts_with("#UTC");
    timed
        && line
            .split_once('[')
            .is_some_and(|(_, rest)| rest.contains(']'))
}

/// A column of bytes, or of operations.
#[derive(Debug, Clone, PartialEq)]
struct Column {
    index: usize,
    op: Op,
    family: Family,
    /// The one that it is about; `None` for all of a kind.
    name: Option<String>,
}

impl Column {
    /// What `[DSK:vda]RKBytes` or `[DSK:vda]Reads` holds.
    fn of(index: usize, heading: &str, quantity: Quantity) -> Option<Self> {
        let (family, what) = heading.strip_prefix('[')?.split_once(']')?;
        let (family, name) = match family.split_once(':') {
            Some((family, name)) => (family, Some(name.to_owned())),
            None => (family, None),
        };
        let family = match family {
            "DSK" => Family::Disk,
            "CLT" => Family::Client,
            "OST" => Family::StorageTarget,
            _ => return None,
        };
        let [read, written] = quantity.pick(
            [
                ["ReadKBTot", "RKBytes", "ReadKB"],
                ["WriteKBTot", "WKBytes", "WriteKB"],
            ],
            [
                ["ReadTot", "Reads", "Read"],
                ["WriteTot", "Writes", "Write"],
            ],
        );
        let op = match what {
            what if read.contains(&what) => Op::Read,
            what if written.contains(&what) => Op::Write,
            _ => return None,
        };
        Some(Self {
            index,
            op,
            family,
            name,
        })
    }
}

/// What a heading says.
#[derive(Default)]
struct Heading {
    fields: usize,
    /// Whether times are seconds since 1970.
    epoch: bool,
    columns: Vec<Column>,
    left_out: Option<String>,
}

impl Heading {
    fn of(fields: &Fields, all: bool, quantity: Quantity) -> Self {
        let words =
            (0..fields.len()).map(|index| String::from_utf8_lossy(fields.get(index)).into_owned());
        let words: Vec<String> = words.collect();
        let found = words.iter().enumerate();
        let mut columns: Vec<Column> = found
            .filter_map(|(index, word)| Column::of(index, word, quantity))
            .collect();
        let network = words.iter().any(|word| word.starts_with("[NET"));
        let mut gone = None;
        if let Some(chosen) = columns.iter().map(|column| column.family).max()
            && !all
        {
            let families: Vec<Family> = columns.iter().map(|column| column.family).collect();
            columns.retain(|column| column.family == chosen);
            let parts = columns.iter().any(|column| column.name.is_some());
            let before = columns.len();
            columns.retain(|column| column.name.is_some() == parts);
            gone = left_out(&families, chosen, columns.len() < before, network);
        }
        Self {
            fields: words.len(),
            epoch: words.first().is_some_and(|word| word == "#UTC"),
            columns,
            left_out: gone,
        }
    }
}

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let mut lines = Lines::new(input.into_reader(), &options.limits);
    let mut log = Log {
        reports: Reports::new(options, sink),
        options,
        header: Header::default(),
        heading: Heading::default(),
        delimiter: Delimiter::Whitespace,
        clock: Clock::of_running_log(options.zone.clone()),
        begun: false,
        last: None,
        totals: false,
    };
    let mut bad = BadRows::default();
    let mut text = Vec::new();
    let mut fields = Fields::default();
    let damage = loop {
        text.clear();
        match lines.append_to(&mut text) {
            Ok(false) => break None,
            Err(error) => break Some(error),
            Ok(true) => {}
        }
        if text.trim_ascii().is_empty() || text.starts_with(b"waiting for ") {
            continue;
        }
        if text.starts_with(b"#") {
            log.comment(&String::from_utf8_lossy(&text), &mut fields)?;
            continue;
        }
        fields.split(&text, log.delimiter);
        let row = log.row(&fields, !lines.is_whole())?;
        bad.take(lines.number(), row)?;
    };
    bad.judge()?;
    log.finish(&bad, damage)
}

struct Log<'a> {
    reports: Reports<'a>,
    options: &'a Options,
    header: Header,
    heading: Heading,
    delimiter: Delimiter,
    clock: Clock,
    begun: bool,
    /// The last stamp, and whether it has a fraction.
    last: Option<f64>,
    totals: bool,
}

impl Log<'_> {
    fn comment(&mut self, line: &str, fields: &mut Fields) -> Result<(), Error> {
        if !is_heading(line) {
            if self.header.line(line) {
                self.begun = false;
            }
            return Ok(());
        }
        // What stands behind the first word separates all.
        let word = if line.starts_with("#UTC") {
            "#UTC"
        } else {
            "#Date"
        };
        self.delimiter = match line.as_bytes().get(word.len()) {
            Some(&byte) if !byte.is_ascii_whitespace() => Delimiter::Byte(byte),
            _ => Delimiter::Whitespace,
        };
        fields.split(line.as_bytes(), self.delimiter);
        let by_name = self.reports.gate().is_chosen_by_name();
        self.heading = Heading::of(fields, by_name, self.options.quantity);
        if !self.begun {
            self.begun = true;
            self.reports.begin(&self.header.host)?;
            self.last = None;
            self.clock = Clock::of_running_log(self.header.zone(&self.options.zone));
            if let Some(interval) = self.header.interval {
                self.reports.interval(interval);
            }
        }
        Ok(())
    }

    fn row(&mut self, fields: &Fields, cut_off: bool) -> Result<Result<(), Wrong>, Error> {
        if fields.len() != self.heading.fields {
            let what = "the number of fields differs from the heading's";
            return Ok(Err((what, fields.len().to_string())));
        }
        let text = |index: usize| String::from_utf8_lossy(fields.get(index)).into_owned();
        let time = match self.heading.epoch {
            true => text(0),
            false => format!("{} {}", text(0), text(1)),
        };
        let Some(end) = self.clock.epoch_s(&time) else {
            return Ok(Err(("not a time", time)));
        };
        let mut report = Report {
            end: Some(end),
            length: self.length(end),
            ..Report::default()
        };
        let unit = unit(self.options.quantity);
        for column in &self.heading.columns {
            let field = fields.get(column.index);
            let Some(number) = field::number(field) else {
                return Ok(Err(("not a number", text(column.index))));
            };
            if cut_off && column.index + 1 == fields.len() {
                return Ok(Err(("the line is not ended", text(column.index))));
            }
            let level = match (&column.name, column.family) {
                (Some(_), family) => Level::Single(family.kind()),
                (None, Family::Client) => Level::Single(TargetKind::Client),
                (None, _) => Level::Single(TargetKind::Server),
            };
            let sum = match self.header.host.is_empty() {
                true => column.family.sum(),
                false => "",
            };
            let name = column.name.as_deref().unwrap_or(sum);
            let device = self.reports.device(name, level);
            if report.rows.last().is_none_or(|row| row.device != device) {
                let flows = [Flow::default(); 2];
                report.rows.push(Row { device, flows });
            }
            if let Some(row) = report.rows.last_mut() {
                row.flows[column.op as usize] = match self.header.totals {
                    true => Flow::of_volume(number * unit),
                    false => Flow::of_rate(number * unit),
                };
            }
        }
        self.totals |= self.header.totals;
        self.last = Some(end);
        if !report.rows.is_empty() {
            self.reports.report(report)?;
        }
        Ok(Ok(()))
    }

    /// How long an interval was, by stamps with fractions.
    fn length(&self, end: f64) -> Option<f64> {
        let last = self.last?;
        let exact = end.fract() != 0.0 || last.fract() != 0.0;
        let since = Some(end - last).filter(|&since| since > 0.0)?;
        let usual = self.header.interval;
        let late = usual.is_some_and(|usual| since > 1.5 * usual);
        (exact && !late).then_some(since)
    }

    fn finish(self, bad: &BadRows, damage: Option<Error>) -> Result<Reading, Error> {
        let quantity = self.options.quantity;
        let unit = match self.totals {
            true => quantity.pick(
                "KB of 1024 bytes per interval, without fractions; stamps are their ends",
                "operations per interval; stamps are their ends",
            ),
            false => quantity.pick(
                "KB of 1024 bytes per second, without fractions; stamps are the ends of intervals",
                "operations per second, without fractions; stamps are the ends of intervals",
            ),
        };
        self.reports.finish(End {
            format: "collectl -P",
            unit,
            nothing: NOTHING,
            clock: Some(&self.clock),
            bad,
            left_out: self.heading.left_out.as_deref(),
            contradictions: 0,
            damage,
        })
    }
}
