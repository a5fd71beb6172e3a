//! The text of `sar`.
//!
//! A table for each kind of statistics, whose heading begins with the time at which its first
//! interval begins. Live, the tables take turns every interval; from a file, one follows the other.
//! Rows begin with a time of day: the day stands in the banner alone.

use super::table::Heading;
use super::words::{Dates, banner, is_time_of_day, of_day};
use super::{lines_of, nothing, unit};
use crate::error::{Error, Place};
use crate::input::Input;
use crate::server::options::{Options, Reading};
use crate::server::quantity::Quantity;
use crate::server::reports::{End, Level, Report, Reports, Row};
use crate::table::bad_rows::BadRows;
use crate::table::lines::Lines;
use crate::zone::{Civil, Clock};
use iotempo_model::{TargetKind, ThroughputSink};

/// The word that heads the names of disks.
const DEVICE: [&str; 1] = ["DEV"];

/// A time that lies this far before the one above it is one of the next day.
const HALF_A_DAY: f64 = 43_200.0;

/// So many kinds of statistics are told apart.
const SECTIONS: usize = 256;

pub(super) fn sniff(head: &[u8]) -> bool {
    let mut lines = lines_of(head)
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let Some(first) = lines.next() else {
        return false;
    };
    let table = |line: &str| {
        let (words, _) = timed(line)?;
        Some(heading(&words, Quantity::Bytes))
    };
    match banner(first) {
        // Disks may come after all else.
        Some(_) => lines.next().is_some_and(|line| {
            let words = timed(line).map(|(words, _)| words);
            words.is_some_and(|words| words.first().is_some_and(|word| is_name(word)))
        }),
        None => table(first)
            .flatten()
            .is_some_and(|found| found.has_columns()),
    }
}

/// Whether a word is none of a row of numbers.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '%')
}

/// What follows the time that a line begins with, and that time in seconds since midnight.
fn timed(line: &str) -> Option<(Vec<&str>, f64)> {
    let mut words: Vec<&str> = line.split_ascii_whitespace().collect();
    let first = *words.first()?;
    if !is_time_of_day(first) {
        return None;
    }
    let half = words.get(1).copied();
    let half = half.filter(|word| ["AM", "PM", "am", "pm"].contains(word));
    let seconds = of_day(first, half)?;
    words.drain(..if half.is_some() { 2 } else { 1 });
    Some((words, seconds))
}

/// The heading that these words are: of disks, or of their sum; any other has no columns.
fn heading(words: &[&str], quantity: Quantity) -> Option<Heading> {
    if !words.iter().all(|word| is_name(word)) {
        return None;
    }
    let found = Heading::of(words.iter().copied(), &DEVICE, quantity);
    let sum = words.contains(&"bread/s");
    Some(match found.has_name() || sum {
        true => found,
        false => Heading::of(std::iter::empty(), &DEVICE, quantity),
    })
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
        day: None,
        zero: None,
        sections: Vec::new(),
        section: None,
        report: None,
        network: false,
        begins: None,
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

/// One kind of statistics.
struct Section {
    words: String,
    heading: Heading,
    /// Days since that of the banner, and the time of its last line.
    days: i64,
    last: Option<f64>,
}

struct Log<'a> {
    reports: Reports<'a>,
    dates: Dates,
    bad: BadRows,
    /// Of the banner.
    day: Option<i64>,
    /// The first time of a log without a banner.
    zero: Option<f64>,
    sections: Vec<Section>,
    section: Option<usize>,
    /// The rows of one stamp.
    report: Option<(f64, Report)>,
    network: bool,
    /// When the interval of the next row begins, as a heading says.
    begins: Option<f64>,
    contradictions: u64,
}

impl Log<'_> {
    fn line(&mut self, line: &str, number: u64, cut_off: bool) -> Result<(), Error> {
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        if line.trim().is_empty() {
            return Ok(());
        }
        if let Some((host, date)) = banner(line) {
            self.end_report()?;
            self.reports.begin(host)?;
            self.day = self.dates.day(date);
            self.sections.clear();
            self.section = None;
            self.begins = None;
            if self.day.is_none() {
                let what = "not a date";
                return Err(Error::invalid("", Place::Line(number), what, date));
            }
            return Ok(());
        }
        // Averages, in whatever language.
        let Some((words, seconds)) = timed(line) else {
            return Ok(());
        };
        if words.contains(&"RESTART") || words.contains(&"LINUX-RESTART") {
            self.end_report()?;
            return Ok(());
        }
        if words.first().is_some_and(|word| *word == "COM") {
            return Ok(());
        }
        if let Some(heading) = heading(&words, self.reports.gate().quantity()) {
            self.network |= words.contains(&"IFACE");
            self.begin_section(&words.join(" "), heading);
            self.begins = self.instant(seconds, line);
            return Ok(());
        }
        self.row(line, &words, seconds, (number, cut_off))
    }

    fn begin_section(&mut self, words: &str, heading: Heading) {
        let known = self.sections.iter().position(|one| one.words == words);
        self.section = known.or_else(|| {
            (self.sections.len() < SECTIONS).then(|| {
                self.sections.push(Section {
                    words: words.to_owned(),
                    heading,
                    days: 0,
                    last: None,
                });
                self.sections.len() - 1
            })
        });
    }

    /// The instant of a time of day in the section.
    fn instant(&mut self, seconds: f64, line: &str) -> Option<f64> {
        let section = &mut self.sections[self.section?];
        if section.last.is_some_and(|last| last - seconds > HALF_A_DAY) {
            section.days += 1;
        }
        section.last = Some(seconds);
        let days = self.day.unwrap_or_default() + section.days;
        let civil = Civil { days, seconds };
        match self.day {
            Some(_) => self.dates.civil_epoch_s(civil, line),
            // Without a banner, times count from the first one.
            None => Some(civil.as_utc() - *self.zero.get_or_insert(civil.as_utc())),
        }
    }

    fn row(
        &mut self,
        line: &str,
        words: &[&str],
        seconds: f64,
        (number, cut_off): (u64, bool),
    ) -> Result<(), Error> {
        let Some(section) = self.section.map(|at| &self.sections[at]) else {
            return Ok(());
        };
        if !section.heading.has_columns() {
            return Ok(());
        }
        let read = section.heading.row(words, cut_off);
        let level = match section.heading.has_name() {
            true => Level::Single(TargetKind::Device),
            false => Level::Sum,
        };
        let Some(at) = self.instant(seconds, line) else {
            self.bad
                .bad(|| Error::invalid("", Place::Line(number), "not a time", line));
            return Ok(());
        };
        if self.report.as_ref().is_none_or(|(stamp, _)| *stamp != at) {
            self.end_report()?;
            self.report = Some((at, Report::default()));
        }
        if let Some(begins) = self.begins.take() {
            self.begin_interval(begins)?;
        }
        let Some((_, report)) = &mut self.report else {
            return Ok(());
        };
        report.end = Some(at);
        match read {
            Ok(read) => {
                self.bad.good();
                self.contradictions += u64::from(read.contradicts);
                report.rows.push(Row {
                    device: self.reports.device(&read.name, level),
                    flows: read.flows,
                });
            }
            Err((what, value)) => {
                report.torn = true;
                self.bad
                    .bad(|| Error::invalid("", Place::Line(number), what, value));
            }
        }
        Ok(())
    }

    /// Live, the headings of all tables of an interval say when it begins; the first does.
    fn begin_interval(&mut self, at: f64) -> Result<(), Error> {
        match &self.report {
            Some((_, report)) if report.rows.is_empty() => self.reports.begins_at(at),
            _ => Ok(()),
        }
    }

    fn end_report(&mut self) -> Result<(), Error> {
        match self.report.take() {
            Some((_, report)) => self.reports.report(report),
            None => Ok(()),
        }
    }

    fn finish(mut self, damage: Option<Error>) -> Result<Reading, Error> {
        if let Some((_, report)) = &mut self.report
            && damage.is_some()
        {
            report.torn = true;
        }
        self.end_report()?;
        self.bad.judge()?;
        self.dates.tell(self.reports.gate());
        let quantity = self.reports.gate().quantity();
        self.reports.finish(End {
            format: "sar text",
            unit: unit(
                quantity,
                "kB of 1024 bytes or blocks of 512 per second; stamps are the ends of intervals",
            ),
            nothing: nothing(quantity),
            clock: self.day.is_some().then_some(&self.dates.clock),
            bad: &self.bad,
            left_out: self.network.then_some("network interfaces"),
            contradictions: self.contradictions,
            damage,
        })
    }
}
