//! What collectl prints for people, a line per interval: groups of columns under two headings.

use super::family::{Family, left_out};
use super::{KIB, NOTHING, unit};
use crate::error::Error;
use crate::input::Input;
use crate::server::options::{Options, Reading};
use crate::server::quantity::Quantity;
use crate::server::reports::{End, Flow, Level, Report, Reports, Row};
use crate::table::bad_rows::{BadRows, Wrong};
use crate::table::clock::time_of_day;
use crate::table::lines::Lines;
use crate::zone::{Civil, Clock};
use iotempo_model::{Op, TargetKind, ThroughputSink};

const DAY: f64 = 86_400.0;

/// Whether a line names groups: `#<----------Disks----------->`.
pub(super) fn is_groups(line: &str) -> bool {
    line.starts_with('#') && line.contains("<-") && line.contains("->")
}

/// Whether a line names columns of bytes: `#Time KBRead Reads KBWrit Writes`.
pub(super) fn is_heading(line: &str) -> bool {
    line.starts_with('#') && line.contains("KBRead")
}

/// A column of bytes, or of operations.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Column {
    index: usize,
    op: Op,
    family: Family,
}

/// What two lines of headings say.
#[derive(Debug, Default)]
struct Heading {
    fields: usize,
    date: Option<usize>,
    time: Option<usize>,
    columns: Vec<Column>,
    left_out: Option<String>,
}

impl Heading {
    fn of(groups: &str, line: &str, quantity: Quantity) -> Self {
        let groups: Vec<_> = spans(groups).collect();
        let mut heading = Self::default();
        let line = line.replacen('#', " ", 1);
        let mut columns = Vec::new();
        let mut network = false;
        for (index, (at, word)) in words(&line).enumerate() {
            heading.fields = index + 1;
            match word {
                "Date" => heading.date = Some(index),
                "Time" => heading.time = Some(index),
                _ => {}
            }
            let op = match (word, quantity) {
                ("KBRead", Quantity::Bytes) | ("Reads", Quantity::Operations) => Op::Read,
                ("KBWrit" | "KBWrite", Quantity::Bytes) | ("Writes", Quantity::Operations) => {
                    Op::Write
                }
                (word, _) => {
                    network |= word == "KBIn";
                    continue;
                }
            };
            let group = groups
                .iter()
                .find(|(from, to, _)| (*from..=*to).contains(&at));
            let family = match group.map(|(_, _, name)| *name) {
                Some("Disks") => Family::Disk,
                Some(name) if name.starts_with("Lustre Client") => Family::Client,
                Some(name) if name.starts_with("Lustre O") => Family::StorageTarget,
                _ => continue,
            };
            columns.push(Column { index, op, family });
        }
        let families: Vec<Family> = columns.iter().map(|column| column.family).collect();
        if let Some(&chosen) = families.iter().max() {
            heading.left_out = left_out(&families, chosen, false, network);
            columns.retain(|column| column.family == chosen);
        }
        heading.columns = columns;
        heading
    }
}

/// The groups of a line, from where to where.
fn spans(line: &str) -> impl Iterator<Item = (usize, usize, &str)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + line.get(from..)?.find('<')?;
        let end = start + line[start..].find('>')?;
        from = end + 1;
        Some((start, end, line[start + 1..end].trim_matches(['-', ' '])))
    })
}

/// The words of a line, and where each begins.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let begin = line.as_ptr() as usize;
    line.split_ascii_whitespace()
        .map(move |word| (word.as_ptr() as usize - begin, word))
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
        groups: String::new(),
        heading: Heading::default(),
        clock: Clock::of_running_log(options.zone.clone()),
        dated: false,
        day: None,
        last: None,
        zero: None,
    };
    let mut bad = BadRows::default();
    let mut text = Vec::new();
    let damage = loop {
        text.clear();
        match lines.append_to(&mut text) {
            Ok(false) => break None,
            Err(error) => break Some(error),
            Ok(true) => {}
        }
        let line = String::from_utf8_lossy(&text);
        if line.trim().is_empty() || line.starts_with("waiting for ") {
            continue;
        }
        if line.starts_with('#') {
            log.comment(&line);
            continue;
        }
        let row = log.row(&line, !lines.is_whole())?;
        bad.take(lines.number(), row)?;
    };
    bad.judge()?;
    log.finish(&bad, damage)
}

struct Log<'a> {
    reports: Reports<'a>,
    options: &'a Options,
    groups: String,
    heading: Heading,
    clock: Clock,
    dated: bool,
    /// Days since 1970 of times without a date, and the last such time.
    day: Option<i64>,
    last: Option<f64>,
    /// The first time, where nobody knows its date.
    zero: Option<f64>,
}

impl Log<'_> {
    fn comment(&mut self, line: &str) {
        if is_groups(line) {
            self.groups = line.to_owned();
            return;
        }
        if !is_heading(line) {
            return;
        }
        let first = self.heading.fields == 0;
        self.heading = Heading::of(&self.groups, line, self.options.quantity);
        // Unless asked otherwise, a line comes every second.
        if first && self.heading.time.is_none() && self.options.interval.is_none() {
            self.reports.interval(1.0);
            self.reports.gate().warn(
                "interval-assumed",
                "lines have no time: taken as 1 s each, as collectl prints them unasked",
            );
        }
    }

    fn row(&mut self, line: &str, cut_off: bool) -> Result<Result<(), Wrong>, Error> {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        if fields.len() != self.heading.fields {
            let what = "the number of fields differs from the heading's";
            return Ok(Err((what, fields.len().to_string())));
        }
        let end = match self.time(&fields) {
            Ok(end) => end,
            Err(wrong) => return Ok(Err(wrong)),
        };
        let mut report = Report {
            end,
            ..Report::default()
        };
        let unit = unit(self.options.quantity);
        for column in &self.heading.columns {
            let text = fields[column.index];
            let Some(number) = number(text) else {
                return Ok(Err(("not a number", text.to_owned())));
            };
            if cut_off && column.index + 1 == fields.len() {
                return Ok(Err(("the line is not ended", text.to_owned())));
            }
            let kind = match column.family {
                Family::Client => TargetKind::Client,
                _ => TargetKind::Server,
            };
            let device = self
                .reports
                .device(column.family.sum(), Level::Single(kind));
            if report.rows.is_empty() {
                let flows = [Flow::default(); 2];
                report.rows.push(Row { device, flows });
            }
            report.rows[0].flows[column.op as usize] = Flow::of_rate(number * unit);
        }
        if !report.rows.is_empty() {
            self.reports.report(report)?;
        }
        Ok(Ok(()))
    }

    /// When a row was printed: a date and a time, a time, or nothing.
    fn time(&mut self, fields: &[&str]) -> Result<Option<f64>, Wrong> {
        let Some(at) = self.heading.time else {
            return Ok(None);
        };
        let wrong = || ("not a time", fields[at].to_owned());
        if let Some(date) = self.heading.date {
            let text = format!("{} {}", fields[date], fields[at]);
            self.dated = true;
            return self.clock.epoch_s(&text).map(Some).ok_or_else(wrong);
        }
        let seconds = time_of_day(fields[at]).ok_or_else(wrong)?;
        let next = self.last.is_some_and(|last| last - seconds > DAY / 2.0);
        self.last = Some(seconds);
        let day = self
            .day
            .get_or_insert_with(|| nearest_day(self.options.start, seconds));
        *day += i64::from(next);
        let civil = Civil {
            days: *day,
            seconds,
        };
        self.reports.use_start();
        Ok(match self.options.start {
            Some(_) => self.clock.civil_epoch_s(civil, fields[at]),
            None => Some(civil.as_utc() - *self.zero.get_or_insert(civil.as_utc())),
        })
    }

    fn finish(self, bad: &BadRows, damage: Option<Error>) -> Result<Reading, Error> {
        let has_date = self.dated || (self.options.start.is_some() && self.last.is_some());
        self.reports.finish(End {
            format: "collectl text",
            unit: self.options.quantity.pick(
                "KB of 1024 bytes per second, of few digits; stamps are the ends of intervals",
                "operations per second, of few digits; stamps are the ends of intervals",
            ),
            nothing: NOTHING,
            clock: has_date.then_some(&self.clock),
            bad,
            left_out: self.heading.left_out.as_deref(),
            contradictions: 0,
            damage,
        })
    }
}

/// The day on which a clock showed `seconds` closest to `start`.
fn nearest_day(start: Option<f64>, seconds: f64) -> i64 {
    start.map_or(0, |start| ((start - seconds) / DAY).round() as i64)
}

/// `123`, and what is too long for its column: `1124K`.
fn number(text: &str) -> Option<f64> {
    let (digits, scale) = match text.char_indices().last()? {
        (at, 'K') => (&text[..at], KIB),
        (at, 'M') => (&text[..at], KIB * KIB),
        (at, 'G') => (&text[..at], KIB * KIB * KIB),
        (at, 'T') => (&text[..at], KIB * KIB * KIB * KIB),
        _ => (text, 1.0),
    };
    let plain = digits
        .bytes()
        .all(|b| b.is_ascii_digit() || b == b'.' || b == b'-');
    plain
        .then(|| digits.parse::<f64>().ok())
        .flatten()
        .map(|n| n * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_belong_to_the_group_above_them() {
        let groups = "#         <--------CPU--------><----------Disks-----------><--------Lustre Client-------->";
        let line = "#Time     cpu sys inter  ctxsw KBRead  Reads KBWrit Writes  KBRead  Reads  KBWrite Writes";
        let heading = Heading::of(groups, line, Quantity::Bytes);
        assert_eq!((heading.fields, heading.time), (13, Some(0)));
        let found = heading
            .columns
            .iter()
            .map(|one| (one.index, one.op, one.family));
        assert_eq!(
            found.collect::<Vec<_>>(),
            [
                (9, Op::Read, Family::Client),
                (11, Op::Write, Family::Client)
            ]
        );
        let said = heading.left_out.as_deref();
        assert_eq!(said, Some("disks, beside the client of Lustre"));
        let heading = Heading::of(groups, line, Quantity::Operations);
        let found = heading.columns.iter().map(|one| (one.index, one.op));
        assert_eq!(
            found.collect::<Vec<_>>(),
            [(10, Op::Read), (12, Op::Write)],
            "operations"
        );
    }

    #[test]
    fn long_numbers_are_shortened_by_factors_of_1024() {
        assert_eq!(number("123"), Some(123.0));
        assert_eq!(number("12K"), Some(12_288.0));
        assert_eq!(number("x"), None);
        assert_eq!(number("K"), None);
        assert_eq!(number("nan"), None);
    }
}
