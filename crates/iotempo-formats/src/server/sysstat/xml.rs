//! The XML of `sadf -x`, tag by tag.

use super::words::{Column, Dates, Number};
use super::{nothing, unit};
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::series::Window;
use crate::server::options::{Options, Reading};
use crate::server::quantity::Quantity;
use crate::server::reports::{End, Flow, Level, Report, Reports, Row, cut_off};
use crate::table::bad_rows::BadRows;
use crate::zone::{Clock, why_no_time};
use iotempo_model::{TargetKind, ThroughputSink};

/// No tag of sadf is longer.
const LONGEST: usize = 64 << 10;

pub(super) fn sniff(head: &[u8]) -> bool {
    let begin = &head[..head.len().min(2048)];
    begin.starts_with(b"<") && begin.windows(8).any(|word| word == b"<sysstat")
}

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let mut log = Log {
        bytes: Window::new(input.into_reader()),
        tag: String::new(),
        place: Place::Byte(0),
        reports: Reports::new(options, sink),
        dates: Dates::new(Clock::of_running_log(options.zone.clone())),
        bad: BadRows::default(),
        report: None,
        sum: None,
        network: false,
        contradictions: 0,
        closed: false,
    };
    let damage = loop {
        match log.next() {
            Ok(true) => log.take()?,
            Ok(false) if log.closed => break None,
            Ok(false) => break Some(log.bytes.ended("a document of sadf")),
            Err(error) => break Some(error),
        }
    };
    log.finish(damage)
}

struct Log<'a> {
    bytes: Window,
    /// What stands between `<` and `>`.
    tag: String,
    place: Place,
    reports: Reports<'a>,
    dates: Dates,
    bad: BadRows,
    report: Option<Report>,
    /// What all disks of the report moved.
    sum: Option<[Flow; 2]>,
    network: bool,
    contradictions: u64,
    closed: bool,
}

impl Log<'_> {
    /// Reads the next tag; `false` where there is none.
    fn next(&mut self) -> Result<bool, Error> {
        loop {
            match self.bytes.peek()? {
                None => return Ok(false),
                Some(b'<') => break,
                Some(_) => {
                    let here = self.bytes.rest();
                    let length = memchr::memchr(b'<', here).unwrap_or(here.len());
                    self.bytes.advance(length);
                }
            }
        }
        self.place = self.bytes.place();
        self.bytes.advance(1);
        let mut text = Vec::new();
        loop {
            if self.bytes.peek()?.is_none() {
                return Err(self.bytes.ended("a tag"));
            }
            let here = self.bytes.rest();
            let end = memchr::memchr(b'>', here);
            let length = end.unwrap_or(here.len());
            text.extend_from_slice(&here[..length]);
            self.bytes.advance(length + usize::from(end.is_some()));
            if text.len() > LONGEST {
                let kind = ErrorKind::Budget {
                    what: "a tag",
                    limit: LONGEST as u64,
                };
                return Err(Error::new("", self.place, kind));
            }
            if end.is_some() {
                break;
            }
        }
        self.tag = String::from_utf8_lossy(&text).into_owned();
        Ok(true)
    }

    fn take(&mut self) -> Result<(), Error> {
        let tag = std::mem::take(&mut self.tag);
        let name = tag.split(|c: char| c.is_ascii_whitespace() || c == '/');
        match name.into_iter().find(|word| !word.is_empty()) {
            Some("sysstat") if tag.starts_with('/') => self.closed = true,
            Some("host") if !tag.starts_with('/') => {
                self.reports
                    .begin(&attribute(&tag, "nodename").unwrap_or_default())?;
            }
            Some("timestamp") if tag.starts_with('/') => self.end_report()?,
            Some("timestamp") => {
                self.end_report()?;
                self.begin_report(&tag);
                // One that holds nothing is closed at once.
                if tag.ends_with('/') {
                    self.report = None;
                }
            }
            Some("disk-device") if !tag.starts_with('/') => self.disk(&tag),
            Some("io-reads" | "io-writes") if !tag.starts_with('/') => {
                let mut flows = self.sum.unwrap_or_default();
                self.numbers(&tag, &mut flows);
                self.sum = Some(flows);
            }
            Some("net-dev") => self.network = true,
            _ => {}
        }
        if self.bad.verdict_is_due() {
            self.bad.judge()?;
        }
        Ok(())
    }

    fn begin_report(&mut self, tag: &str) {
        let part = |name| attribute(tag, name).unwrap_or_default();
        // Older versions write whether it is UTC, later ones the name of the zone.
        let zone = match part("utc").as_str() {
            "1" => "UTC".to_owned(),
            _ => part("tz"),
        };
        let text = format!("{} {} {zone}", part("date"), part("time"));
        let text = text.trim_end();
        let Some(end) = self.dates.epoch_s(text) else {
            self.lose(why_no_time(text), text);
            return;
        };
        let length = Number::parse(&part("interval")).map(|number| number.value);
        self.report = Some(Report {
            end: Some(end),
            length: length.filter(|&length| length > 0.0 && length.is_finite()),
            ..Report::default()
        });
    }

    fn disk(&mut self, tag: &str) {
        let mut flows = [Flow::default(); 2];
        let Some(name) = attribute(tag, "dev") else {
            return self.lose("a disk without a name", tag);
        };
        if !self.numbers(tag, &mut flows) {
            return;
        }
        let asked = self.reports.gate().quantity();
        if asked == Quantity::Operations && flows == [Flow::default(); 2] {
            return;
        }
        let device = self
            .reports
            .device(&name, Level::Single(TargetKind::Device));
        if let Some(report) = &mut self.report {
            self.bad.good();
            report.rows.push(Row { device, flows });
        }
    }

    /// Takes all numbers of a tag; `false` where one is none.
    fn numbers(&mut self, tag: &str, flows: &mut [Flow; 2]) -> bool {
        for (name, value) in attributes(tag) {
            let Some(column) = Column::named_by_sadf(name, self.reports.gate().quantity()) else {
                continue;
            };
            let Some(number) = Number::parse(value) else {
                self.lose("not a number", value);
                return false;
            };
            self.contradictions += u64::from(!column.put(number, flows));
        }
        true
    }

    fn lose(&mut self, what: &'static str, value: &str) {
        let place = self.place;
        if let Some(report) = &mut self.report {
            report.torn = true;
        }
        self.bad.bad(|| Error::invalid("", place, what, value));
    }

    fn end_report(&mut self) -> Result<(), Error> {
        let sum = self.sum.take();
        let Some(mut report) = self.report.take() else {
            return Ok(());
        };
        if let Some(flows) = sum {
            let device = self.reports.device("", Level::Sum);
            report.rows.push(Row { device, flows });
        }
        match report.rows.is_empty() && !report.torn {
            true => Ok(()),
            false => self.reports.report(report),
        }
    }

    fn finish(mut self, damage: Option<Error>) -> Result<Reading, Error> {
        self.bad.judge()?;
        let stopped = |error: &Error| matches!(error.kind, ErrorKind::UnexpectedEnd(_));
        let damage = match damage {
            Some(error) if self.report.is_none() && stopped(&error) => {
                self.reports.gate().add_warning(cut_off(error.place));
                None
            }
            damage => damage,
        };
        if let Some(report) = &mut self.report {
            report.torn = true;
        }
        self.end_report()?;
        self.dates.tell(self.reports.gate());
        let quantity = self.reports.gate().quantity();
        self.reports.finish(End {
            format: "sadf XML",
            unit: unit(
                quantity,
                "kB of 1024 bytes or blocks of 512 per second; stamps are the ends of intervals",
            ),
            nothing: nothing(quantity),
            clock: Some(&self.dates.clock),
            bad: &self.bad,
            left_out: self.network.then_some("network interfaces"),
            contradictions: self.contradictions,
            damage,
        })
    }
}

/// The attributes of a tag, as they are written.
fn attributes(tag: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = tag;
    std::iter::from_fn(move || {
        let (before, after) = rest.split_once('=')?;
        let name = before.split_ascii_whitespace().next_back()?;
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, after) = after[1..].split_once(quote)?;
        rest = after;
        Some((name, value))
    })
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, value) = attributes(tag).find(|(one, _)| *one == name)?;
    let mut text = value.to_owned();
    for (entity, sign) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&amp;", "&"),
    ] {
        if text.contains(entity) {
            text = text.replace(entity, sign);
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_found_whatever_they_hold() {
        let tag = r#"disk-device dev="a&amp;b=c" rkB='1.5' x=1"#;
        assert_eq!(attribute(tag, "dev").as_deref(), Some("a&b=c"));
        assert_eq!(attribute(tag, "rkB").as_deref(), Some("1.5"));
        assert_eq!(attribute(tag, "x"), None);
    }
}
