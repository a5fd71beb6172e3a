//! The text of `iostat`.

use super::table::Heading;
use super::words::{Dates, banner, of_day};
use super::{lines_of, nothing, unit, unsupported};
use crate::error::{Error, Place};
use crate::input::Input;
use crate::server::options::{Options, Reading};
use crate::server::quantity::{Quantity, no_operations};
use crate::server::reports::{Covers, End, Level, Report, Reports, Row};
use crate::table::bad_rows::BadRows;
use crate::table::lines::Lines;
use crate::zone::{Civil, Clock};
use iotempo_model::{TargetKind, ThroughputSink};

/// A heading stands this far down at most.
const LOOKED_AT: usize = 400;

/// The words that head the names of devices.
const DEVICE: [&str; 2] = ["Device", "Device:"];

pub(super) fn sniff(head: &[u8]) -> bool {
    lines_of(head).take(LOOKED_AT).any(|line| {
        let found = heading(line, Quantity::Bytes);
        found.is_some_and(|heading| heading.has_columns() || is_short(line))
    })
}

/// The heading of a table of devices.
fn heading(line: &str, quantity: Quantity) -> Option<Heading> {
    let mut words = line.split_ascii_whitespace();
    let (first, last) = (words.next()?, words.next_back()?);
    let named = DEVICE.contains(&first) || (DEVICE.contains(&last) && !line.starts_with('#'));
    named.then(|| Heading::of(line.split_ascii_whitespace(), &DEVICE, quantity))
}

/// `iostat -s` adds up reads, writes and discards.
fn is_short(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    words.any(|word| matches!(word, "kB/s" | "MB/s" | "sec/s")) && line.contains("areq-sz")
}

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let mut lines = Lines::new(input.into_reader(), &options.limits);
    let mut log = Log {
        reports: Reports::new(options, sink),
        dates: Dates::new(Clock::of_running_log(options.zone.clone())),
        bad: BadRows::default(),
        heading: None,
        in_table: false,
        passes_over: false,
        report: None,
        stamp: None,
        day: None,
        last_time: 0.0,
        stamped: false,
        first: true,
        blank: None,
        name: None,
        contradictions: 0,
    };
    let mut text = Vec::new();
    let damage = loop {
        text.clear();
        match lines.append_to(&mut text) {
            Ok(false) => break None,
            Err(error) => break Some(error),
            Ok(true) => {}
        }
        let line = String::from_utf8_lossy(&text);
        log.line(&line, lines.number(), !lines.is_whole())?;
        if log.bad.verdict_is_due() {
            log.bad.judge()?;
        }
    };
    log.finish(damage)
}

struct Log<'a> {
    reports: Reports<'a>,
    dates: Dates,
    bad: BadRows,
    heading: Option<Heading>,
    in_table: bool,
    /// Whether the next line is about processors.
    passes_over: bool,
    report: Option<Report>,
    stamp: Option<f64>,
    /// Of the banner, and what was added to it since.
    day: Option<i64>,
    last_time: f64,
    stamped: bool,
    /// Whether the next report is the first one.
    first: bool,
    /// How many blank lines follow the banner so far.
    blank: Option<u32>,
    /// A name that has a line of its own.
    name: Option<String>,
    contradictions: u64,
}

impl Log<'_> {
    fn line(&mut self, line: &str, number: u64, cut_off: bool) -> Result<(), Error> {
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        if line.trim().is_empty() {
            self.in_table = false;
            self.name = None;
            if let Some(blank) = &mut self.blank {
                *blank += 1;
            }
            return Ok(());
        }
        // Where -y leaves the first report out, its blank line stays.
        if self.blank.take().is_some_and(|blank| blank > 1) {
            self.first = false;
        }
        if std::mem::take(&mut self.passes_over) {
            return Ok(());
        }
        if let Some((host, date)) = banner(line) {
            return self.begin(host, date);
        }
        if line.starts_with("avg-cpu") {
            self.end_report()?;
            self.passes_over = true;
            return Ok(());
        }
        let quantity = self.reports.gate().quantity();
        if let Some(heading) = heading(line, quantity) {
            if is_short(line) && !heading.has_columns() {
                return Err(unsupported(
                    "iostat -s adds up what is read, written and discarded: leave -s away",
                ));
            }
            if !heading.has_columns() && quantity == Quantity::Operations {
                let instead = "it adds reads and writes up (tps); log with iostat -x";
                return Err(no_operations("iostat without -x", instead));
            }
            return self.begin_table(heading);
        }
        if self.in_table {
            self.row(line, number, cut_off);
            return Ok(());
        }
        if line.starts_with("Filesystem") {
            // Shares of NFS, as versions before 10 print them.
            self.end_report()?;
            self.heading = None;
            self.in_table = true;
            return Ok(());
        }
        match self.time(line) {
            Some(at) => {
                self.end_report()?;
                self.stamp = Some(at);
                self.stamped = true;
            }
            None => self
                .bad
                .bad(|| Error::invalid("", Place::Line(number), "not a line of iostat", line)),
        }
        Ok(())
    }

    fn begin(&mut self, host: &str, date: &str) -> Result<(), Error> {
        self.end_report()?;
        self.reports.begin(host)?;
        self.first = true;
        self.blank = Some(0);
        self.stamp = None;
        self.day = self.dates.day(date);
        Ok(())
    }

    /// A line that is nothing but a time.
    fn time(&mut self, line: &str) -> Option<f64> {
        let Some(time) = line.strip_prefix("Time:") else {
            return self.dates.epoch_s(line);
        };
        // Versions before 9 write no date.
        let (word, half) = match time.trim().split_once(' ') {
            Some((word, half)) => (word, Some(half.trim())),
            None => (time.trim(), None),
        };
        let seconds = of_day(word, half)?;
        let day = self.day?;
        let day = day + i64::from(self.last_time - seconds > 43_200.0);
        (self.day, self.last_time) = (Some(day), seconds);
        let civil = Civil { days: day, seconds };
        self.dates.civil_epoch_s(civil, line)
    }

    fn begin_table(&mut self, heading: Heading) -> Result<(), Error> {
        self.end_report()?;
        let first = std::mem::take(&mut self.first);
        let covers = match first {
            true => Covers::PerhapsAllSinceBoot,
            false => Covers::Interval,
        };
        self.report = Some(Report {
            end: self.stamp.take(),
            covers,
            ..Report::default()
        });
        self.heading = Some(heading);
        self.in_table = true;
        Ok(())
    }

    fn row(&mut self, line: &str, number: u64, cut_off: bool) {
        let (Some(heading), Some(report)) = (&self.heading, &mut self.report) else {
            return;
        };
        let mut words: Vec<&str> = line.split_ascii_whitespace().collect();
        // Versions before 12 put long names, and all with -h, on a line of their own.
        if words.len() == 1 && heading.fields() > 1 {
            self.name = Some(words[0].to_owned());
            return;
        }
        let name = self.name.take();
        if let Some(name) = &name {
            words.insert(0, name);
        }
        match heading.row(&words, cut_off) {
            Ok(read) => {
                self.bad.good();
                // Names of groups are moved in by a space.
                let level = match name.is_none() && is_group(line, &read.name) {
                    true => Level::Group,
                    false => Level::Single(TargetKind::Device),
                };
                self.contradictions += u64::from(read.contradicts);
                report.rows.push(Row {
                    device: self.reports.device(&read.name, level),
                    flows: read.flows,
                });
                if report.covers != Covers::Interval {
                    report.counts.extend(read.counts);
                }
            }
            Err((what, value)) => {
                report.torn = true;
                self.bad
                    .bad(|| Error::invalid("", Place::Line(number), what, value));
            }
        }
    }

    fn end_report(&mut self) -> Result<(), Error> {
        self.in_table = false;
        match self.report.take() {
            Some(report) => self.reports.report(report),
            None => Ok(()),
        }
    }

    fn finish(mut self, damage: Option<Error>) -> Result<Reading, Error> {
        if let Some(report) = &mut self.report
            && damage.is_some()
        {
            report.torn = true;
        }
        self.end_report()?;
        self.bad.judge()?;
        self.dates.tell(self.reports.gate());
        let quantity = self.reports.gate().quantity();
        self.reports.finish(End {
            format: "iostat text",
            unit: unit(
                quantity,
                "kB of 1024 bytes, or as its heading says; stamps are the ends of intervals",
            ),
            nothing: nothing(quantity),
            clock: self.stamped.then_some(&self.dates.clock),
            bad: &self.bad,
            left_out: None,
            contradictions: self.contradictions,
            damage,
        })
    }
}

/// Whether a space too many stands before a name: first in its line, or, with -h, last.
fn is_group(line: &str, name: &str) -> bool {
    let (first, last) = (line.strip_prefix(' '), line.trim_end().strip_suffix(name));
    first.is_some_and(|rest| rest.starts_with(name))
        || last.is_some_and(|rest| rest.ends_with("  "))
}
