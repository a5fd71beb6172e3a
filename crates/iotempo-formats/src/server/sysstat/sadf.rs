//! What `sadf -d` prints, a row per device and interval, and `sadf -p`, a row per number.

use super::words::{Column, Dates, Number};
use super::{lines_of, nothing, unit};
use crate::error::{Error, Place};
use crate::input::Input;
use crate::server::options::{Options, Reading};
use crate::server::quantity::Quantity;
use crate::server::reports::{End, Flow, Level, Report, Reports, Row};
use crate::table::bad_rows::BadRows;
use crate::table::lines::Lines;
use crate::zone::{Clock, is_time, why_no_time};
use iotempo_model::{TargetKind, ThroughputSink};

const HEADING: &str = "hostname;interval;timestamp";

pub(super) fn sniff_semicolons(head: &[u8]) -> bool {
    lines_of(head).next().is_some_and(|line| {
        let words = line.strip_prefix('#').unwrap_or(line);
        words.trim_start().starts_with(HEADING)
    })
}

pub(super) fn sniff_tabs(head: &[u8]) -> bool {
    lines_of(head).next().is_some_and(|line| {
        let fields: Vec<&str> = line.trim_end().split('\t').collect();
        let [_, interval, time, _, metric, value] = fields.as_slice() else {
            return false;
        };
        interval.parse::<i64>().is_ok()
            && is_time(time)
            && Number::parse(metric).is_none()
            && Number::parse(value).is_some()
    })
}

pub(super) fn read_semicolons(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    read(input, options, sink, "sadf -d", Log::semicolons)
}

pub(super) fn read_tabs(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    read(input, options, sink, "sadf -p", Log::tabs)
}

/// What is wrong with a line.
type Wrong = (&'static str, String);

/// Whether a line could be taken; an error ends it all.
type Taken = Result<Result<(), Wrong>, Error>;

fn read<'a>(
    input: Input,
    options: &'a Options,
    sink: &'a mut dyn ThroughputSink,
    format: &'static str,
    take: fn(&mut Log<'a>, &str, bool) -> Taken,
) -> Result<Reading, Error> {
    let mut lines = Lines::new(input.into_reader(), &options.limits);
    let mut log = Log {
        reports: Reports::new(options, sink),
        dates: Dates::new(Clock::of_running_log(options.zone.clone())),
        heading: Heading::default(),
        host: None,
        report: None,
        network: false,
        contradictions: 0,
        without_length: 0,
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
        let line = line.strip_prefix('\u{feff}').unwrap_or(&line);
        if line.trim().is_empty() {
            continue;
        }
        match take(&mut log, line, !lines.is_whole())? {
            Ok(()) => bad.good(),
            Err((what, value)) => {
                if let Some((_, report)) = &mut log.report {
                    report.torn = true;
                }
                bad.bad(|| Error::invalid("", Place::Line(lines.number()), what, value));
            }
        }
        if bad.verdict_is_due() {
            bad.judge()?;
        }
    };
    bad.judge()?;
    log.finish(format, &bad, damage)
}

/// The columns of a part of `sadf -d`.
#[derive(Default)]
struct Heading {
    fields: usize,
    name: Option<usize>,
    columns: Vec<(usize, Column)>,
    /// How many fields repeat for each further device, with -h.
    repeats: usize,
}

impl Heading {
    fn of(words: &str, quantity: Quantity) -> Self {
        let (words, repeated) = match words.strip_suffix("[...]") {
            Some(words) => (words, true),
            None => (words, false),
        };
        let mut heading = Self::default();
        let mut sums = Vec::new();
        let network = words.contains(";IFACE;");
        for (index, word) in words.split(';').enumerate() {
            heading.fields = index + 1;
            match word.trim() {
                "DEV" => {
                    heading.name = Some(index);
                    // The sum stands beside its parts.
                    sums = std::mem::take(&mut heading.columns);
                }
                _ if network => {}
                word => {
                    let column = Column::named(word, quantity).map(|column| (index, column));
                    heading.columns.extend(column);
                }
            }
        }
        if let Some(name) = heading.name.filter(|_| repeated) {
            heading.repeats = heading.fields - name;
        }
        // Of operations there is nothing but the sum.
        if heading.columns.is_empty() {
            heading.columns = sums;
            heading.name = None;
        }
        heading
    }
}

struct Log<'a> {
    reports: Reports<'a>,
    dates: Dates,
    heading: Heading,
    host: Option<String>,
    /// The rows of one stamp, as it is written.
    report: Option<(String, Report)>,
    network: bool,
    contradictions: u64,
    without_length: u64,
}

impl Log<'_> {
    fn semicolons(&mut self, line: &str, cut_off: bool) -> Taken {
        let words = line.strip_prefix('#').unwrap_or(line).trim();
        if words.starts_with(HEADING) {
            self.network |= words.contains(";IFACE;");
            self.heading = Heading::of(words, self.reports.gate().quantity());
            return Ok(Ok(()));
        }
        if line.starts_with('#') {
            return Ok(Ok(()));
        }
        let fields: Vec<&str> = line.trim_end().split(';').collect();
        let [host, interval, time, first, ..] = fields.as_slice() else {
            return Ok(Err(wrong_number(fields.len())));
        };
        if first.starts_with("LINUX-RESTART") || first.starts_with("COM ") {
            return Ok(Ok(()));
        }
        if self.heading.columns.is_empty() {
            return Ok(Ok(()));
        }
        if let Err(wrong) = self.turn_to(host, interval, time)? {
            return Ok(Err(wrong));
        }
        let more = fields.len().checked_sub(self.heading.fields);
        let whole = |more: usize| {
            more == 0 || (self.heading.repeats > 0 && more.is_multiple_of(self.heading.repeats))
        };
        let Some(more) = more.filter(|more| whole(*more)) else {
            return Ok(Err(wrong_number(fields.len())));
        };
        let last = fields.len() - 1;
        let mut rows = Vec::new();
        let groups = more.checked_div(self.heading.repeats).unwrap_or(0);
        for group in 0..=self.heading.name.map_or(0, |_| groups) {
            let moved = group * self.heading.repeats;
            let mut flows = [Flow::default(); 2];
            for &(index, column) in &self.heading.columns {
                let text = fields[index + moved];
                let Some(number) = Number::parse(text) else {
                    return Ok(Err(("not a number", text.to_owned())));
                };
                if cut_off && index + moved == last {
                    return Ok(Err(("the line is not ended", text.to_owned())));
                }
                self.contradictions += u64::from(!column.put(number, &mut flows));
            }
            let name = self.heading.name.map(|at| fields[at + moved]);
            rows.push((name, flows));
        }
        for (name, flows) in rows {
            let level = match name {
                Some(_) => Level::Single(TargetKind::Device),
                None => Level::Sum,
            };
            let device = self.reports.device(name.unwrap_or_default(), level);
            if let Some((_, report)) = &mut self.report {
                report.rows.push(Row { device, flows });
            }
        }
        Ok(Ok(()))
    }

    fn tabs(&mut self, line: &str, cut_off: bool) -> Taken {
        let fields: Vec<&str> = line.trim_end().split('\t').collect();
        let &[host, interval, time, name, metric, value] = fields.as_slice() else {
            let is_event = fields.get(3).is_some_and(|word| word.contains("RESTART"))
                || fields.get(3).is_some_and(|word| word.starts_with("COM"));
            return Ok(if is_event {
                Ok(())
            } else {
                Err(wrong_number(fields.len()))
            });
        };
        self.network |= metric.starts_with("rx");
        let Some(column) = Column::named(metric, self.reports.gate().quantity()) else {
            return Ok(Ok(()));
        };
        let Some(number) = Number::parse(value).filter(|_| !cut_off) else {
            let what = if cut_off {
                "the line is not ended"
            } else {
                "not a number"
            };
            return Ok(Err((what, value.to_owned())));
        };
        if let Err(wrong) = self.turn_to(host, interval, time)? {
            return Ok(Err(wrong));
        }
        let (name, level) = match name {
            "-" => ("", Level::Sum),
            name => (name, Level::Single(TargetKind::Device)),
        };
        let device = self.reports.device(name, level);
        if let Some((_, report)) = &mut self.report {
            if report.rows.last().is_none_or(|row| row.device != device) {
                let flows = [Flow::default(); 2];
                report.rows.push(Row { device, flows });
            }
            if let Some(row) = report.rows.last_mut() {
                self.contradictions += u64::from(!column.put(number, &mut row.flows));
            }
        }
        Ok(Ok(()))
    }

    /// Turns to the report of this stamp.
    fn turn_to(&mut self, host: &str, interval: &str, time: &str) -> Taken {
        let same = self.host.as_deref() == Some(host);
        if same && self.report.as_ref().is_some_and(|(stamp, _)| stamp == time) {
            return Ok(Ok(()));
        }
        let Some(length) = Number::parse(interval).map(|number| number.value) else {
            return Ok(Err(("not an interval", interval.to_owned())));
        };
        let Some(end) = self.dates.epoch_s(time) else {
            return Ok(Err((why_no_time(time), time.to_owned())));
        };
        self.end_report()?;
        if !same {
            self.reports.begin(host)?;
            self.host = Some(host.to_owned());
        }
        let length = Some(length).filter(|&length| length > 0.0 && length.is_finite());
        self.without_length += u64::from(length.is_none());
        let report = Report {
            end: Some(end),
            length,
            ..Report::default()
        };
        self.report = Some((time.to_owned(), report));
        Ok(Ok(()))
    }

    /// Intervals that were rounded to 0 s hold volumes that nobody can tell.
    fn end_report(&mut self) -> Result<(), Error> {
        match self.report.take() {
            Some((_, report)) if report.length.is_some() => self.reports.report(report),
            _ => Ok(()),
        }
    }

    fn finish(
        mut self,
        format: &'static str,
        bad: &BadRows,
        damage: Option<Error>,
    ) -> Result<Reading, Error> {
        if let Some((_, report)) = &mut self.report
            && damage.is_some()
        {
            report.torn = true;
        }
        self.end_report()?;
        self.dates.tell(self.reports.gate());
        let quantity = self.reports.gate().quantity();
        if self.without_length > 0 {
            let message = format!(
                "{} whose interval is 0 s by the log, which rounds it: left out",
                iotempo_model::counted(self.without_length, "report")
            );
            self.reports.gate().warn("no-interval", message);
        }
        self.reports.finish(End {
            format,
            unit: unit(
                quantity,
                "kB of 1024 bytes or blocks of 512 per second; stamps are the ends of intervals",
            ),
            nothing: nothing(quantity),
            clock: Some(&self.dates.clock),
            bad,
            left_out: self.network.then_some("network interfaces"),
            contradictions: self.contradictions,
            damage,
        })
    }
}

fn wrong_number(fields: usize) -> Wrong {
    let what = "the number of fields differs from the heading's";
    (what, fields.to_string())
}
