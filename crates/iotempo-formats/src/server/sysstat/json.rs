//! The JSON of `iostat -o JSON` and of `sadf -j`, as it comes.

use super::words::{Column, Dates, Number, is_count};
use super::{nothing, unit};
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::json::Json;
use crate::series::{Token, Tokens, Window};
use crate::server::options::{Options, Reading};
use crate::server::quantity::Quantity;
use crate::server::reports::{Covers, End, Flow, Level, Report, Reports, Row, cut_off};
use crate::table::bad_rows::BadRows;
use crate::zone::{Clock, why_no_time};
use iotempo_model::{TargetKind, ThroughputSink};

pub(super) fn sniff(head: &[u8]) -> bool {
    let text = head.trim_ascii_start();
    let key = text.strip_prefix(b"{").map(<[u8]>::trim_ascii_start);
    let begin = &head[..head.len().min(4096)];
    key.is_some_and(|key| key.starts_with(b"\"sysstat\""))
        && begin.windows(7).any(|word| word == b"\"hosts\"")
}

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let mut bytes = Window::new(input.into_reader());
    bytes.peek()?;
    if bytes.rest().starts_with(b"\xef\xbb\xbf") {
        bytes.advance(3);
    }
    let mut log = Log {
        json: Json::new(bytes, &options.limits),
        reports: Reports::new(options, sink),
        dates: Dates::new(Clock::of_running_log(options.zone.clone())),
        bad: BadRows::default(),
        stamped: false,
        by_sadf: false,
        first: true,
        lost: false,
        network: false,
        contradictions: 0,
        between: false,
    };
    let damage = log.documents().err();
    log.finish(damage)
}

struct Log<'a> {
    json: Json,
    reports: Reports<'a>,
    dates: Dates,
    bad: BadRows,
    stamped: bool,
    by_sadf: bool,
    /// Whether the next report is the first one of a machine.
    first: bool,
    /// Whether the report at hand lies nowhere, as its time cannot be read.
    lost: bool,
    network: bool,
    contradictions: u64,
    /// Whether the last thing read is a whole report.
    between: bool,
}

/// The value of a key, where it is one.
enum Value {
    Number(f64),
    Text(String),
    /// A list or an object, passed over.
    Other,
}

impl Log<'_> {
    fn documents(&mut self) -> Result<(), Error> {
        while self.json.more()? {
            if self.json.next()? != Token::Map {
                return Err(self.invalid("not an object of sysstat"));
            }
            while let Some(key) = self.key()? {
                match key.as_str() {
                    "sysstat" => self.sysstat()?,
                    _ => self.pass()?,
                }
            }
        }
        Ok(())
    }

    fn invalid(&self, what: &'static str) -> Error {
        Error::new(
            "",
            Place::Byte(self.json.at()),
            ErrorKind::Unsupported(what.to_owned()),
        )
    }

    /// The next key of the object that is open; `None` at its end.
    fn key(&mut self) -> Result<Option<String>, Error> {
        Ok(match self.json.next()? {
            Token::Text(key) => Some(key.to_owned()),
            Token::End => None,
            _ => return Err(self.invalid("not a key of an object")),
        })
    }

    /// The value of a key.
    fn value(&mut self) -> Result<Value, Error> {
        let depth = self.json.depth();
        Ok(match self.json.next()? {
            Token::Number(number) => Value::Number(number),
            Token::Text(text) => Value::Text(text.to_owned()),
            Token::List | Token::Map => {
                self.json.leave(depth + 1)?;
                Value::Other
            }
            _ => Value::Other,
        })
    }

    fn pass(&mut self) -> Result<(), Error> {
        self.value().map(drop)
    }

    /// Calls `each` for every object of the list that comes next; other values are passed over.
    fn objects(&mut self, each: fn(&mut Self) -> Result<(), Error>) -> Result<(), Error> {
        let depth = self.json.depth();
        match self.json.next()? {
            Token::List => {}
            Token::Map => return self.json.leave(depth + 1),
            _ => return Ok(()),
        }
        loop {
            let inside = self.json.depth();
            match self.json.next()? {
                Token::End => return Ok(()),
                Token::Map => each(self)?,
                Token::List => self.json.leave(inside + 1)?,
                _ => {}
            }
        }
    }

    fn sysstat(&mut self) -> Result<(), Error> {
        if self.json.next()? != Token::Map {
            return Err(self.invalid("not an object of sysstat"));
        }
        while let Some(key) = self.key()? {
            match key.as_str() {
                "hosts" => self.objects(Self::host)?,
                _ => self.pass()?,
            }
        }
        Ok(())
    }

    /// Behind the `{` of a machine.
    fn host(&mut self) -> Result<(), Error> {
        self.first = true;
        let mut begun = false;
        while let Some(key) = self.key()? {
            match key.as_str() {
                "nodename" => {
                    if let Value::Text(name) = self.value()? {
                        self.reports.begin(&name)?;
                        begun = true;
                    }
                }
                "file-date" | "timezone" => {
                    self.by_sadf = true;
                    self.pass()?;
                }
                "statistics" => {
                    if !begun {
                        self.reports.begin("")?;
                    }
                    self.objects(Self::statistics)?;
                }
                _ => self.pass()?,
            }
        }
        Ok(())
    }

    /// Behind the `{` of a report.
    fn statistics(&mut self) -> Result<(), Error> {
        self.between = false;
        self.lost = false;
        let mut report = Report::default();
        let mut has_disks = false;
        let read = self.statistic(&mut report, &mut has_disks);
        report.torn |= read.is_err();
        if has_disks {
            let first = std::mem::take(&mut self.first);
            if first && !self.by_sadf {
                report.covers = Covers::PerhapsAllSinceBoot;
            }
            // What a torn one holds is whole, row by row. One that counts nothing that is asked for tells of no
            // quiet disk.
            let counts = self.reports.gate().quantity() == Quantity::Bytes && read.is_ok();
            if !self.lost && (counts || !report.rows.is_empty()) {
                self.reports.report(report)?;
            }
        }
        self.between = read.is_ok();
        read
    }

    fn statistic(&mut self, report: &mut Report, has_disks: &mut bool) -> Result<(), Error> {
        while let Some(key) = self.key()? {
            match key.as_str() {
                "timestamp" => self.timestamp(report)?,
                "disk" => {
                    *has_disks = true;
                    self.disks(report)?;
                }
                "io" => {
                    *has_disks = true;
                    self.sum(report)?;
                }
                "network" => {
                    self.network = true;
                    self.pass()?;
                }
                _ => self.pass()?,
            }
        }
        Ok(())
    }

    /// A text in the way of the locale, or an object with its parts.
    fn timestamp(&mut self, report: &mut Report) -> Result<(), Error> {
        let depth = self.json.depth();
        let text = match self.json.next()? {
            Token::Text(text) => text.to_owned(),
            Token::Map => return self.parts_of_time(report),
            Token::List => return self.json.leave(depth + 1),
            _ => return Ok(()),
        };
        report.end = self.dates.epoch_s(&text);
        self.note_time(report.end, &text);
        Ok(())
    }

    fn parts_of_time(&mut self, report: &mut Report) -> Result<(), Error> {
        self.by_sadf = true;
        let [mut date, mut time, mut zone] = [const { String::new() }; 3];
        while let Some(key) = self.key()? {
            match (key.as_str(), self.value()?) {
                ("date", Value::Text(text)) => date = text,
                ("time", Value::Text(text)) => time = text,
                // Older versions write whether it is UTC, later ones the name of the zone.
                ("utc", Value::Number(number)) if number != 0.0 => zone = "UTC".to_owned(),
                ("tz", Value::Text(text)) => zone = text,
                ("interval", Value::Number(length)) if length > 0.0 => {
                    report.length = Some(length);
                }
                _ => {}
            }
        }
        let text = format!("{date} {time} {zone}");
        report.end = self.dates.epoch_s(text.trim_end());
        self.note_time(report.end, text.trim_end());
        Ok(())
    }

    fn note_time(&mut self, found: Option<f64>, text: &str) {
        self.stamped |= found.is_some();
        if found.is_none() {
            self.lost = true;
            let place = Place::Byte(self.json.at());
            self.bad
                .bad(|| Error::invalid("", place, why_no_time(text), text));
        }
    }

    fn disks(&mut self, report: &mut Report) -> Result<(), Error> {
        let depth = self.json.depth();
        match self.json.next()? {
            Token::List => {}
            Token::Map => return self.json.leave(depth + 1),
            _ => return Ok(()),
        }
        loop {
            let inside = self.json.depth();
            match self.json.next()? {
                Token::End => return Ok(()),
                Token::Map => self.disk(report)?,
                Token::List => self.json.leave(inside + 1)?,
                _ => {}
            }
        }
    }

    fn disk(&mut self, report: &mut Report) -> Result<(), Error> {
        let place = Place::Byte(self.json.at());
        let mut name = None;
        let mut flows = [Flow::default(); 2];
        let mut wrong = None;
        while let Some(key) = self.key()? {
            let value = self.value()?;
            if let ("disk_device" | "disk-device", Value::Text(text)) = (key.as_str(), &value) {
                name = Some(text.clone());
                continue;
            }
            if let Value::Number(number) = value
                && self.first
                && is_count(&key)
            {
                report.counts.push(number);
            }
            wrong = wrong.or_else(|| self.put(&key, value, &mut flows));
        }
        let Some(name) = name else {
            wrong.get_or_insert(("a disk without a name", String::new()));
            return self.lose(place, wrong, report);
        };
        if wrong.is_some() {
            return self.lose(place, wrong, report);
        }
        // A report that is lost is one bad row, and its disks are no good ones.
        if self.lost {
            return Ok(());
        }
        self.bad.good();
        let asked = self.reports.gate().quantity();
        if asked == Quantity::Operations && flows == [Flow::default(); 2] {
            return Ok(());
        }
        // Names of groups are moved in by a space.
        let (name, level) = match name.strip_prefix(' ') {
            Some(group) => (group.to_owned(), Level::Group),
            None => (name, Level::Single(TargetKind::Device)),
        };
        let device = self.reports.device(&name, level);
        report.rows.push(Row { device, flows });
        Ok(())
    }

    /// Takes a number of a row; answers what is wrong with it.
    fn put(
        &mut self,
        key: &str,
        value: Value,
        flows: &mut [Flow; 2],
    ) -> Option<(&'static str, String)> {
        let quantity = self.reports.gate().quantity();
        let by_sadf = Column::named_by_sadf(key, quantity);
        let column = Column::named(key, quantity).or(by_sadf)?;
        let number = match value {
            Value::Number(number) => number,
            Value::Text(text) => return Some(("not a number", text)),
            Value::Other => return Some(("not a number", key.to_owned())),
        };
        let is_whole = !key.ends_with("/s") && by_sadf.is_none();
        let agrees = column.put(Number::plain(number, is_whole), flows);
        self.contradictions += u64::from(!agrees);
        None
    }

    fn lose(
        &mut self,
        place: Place,
        wrong: Option<(&'static str, String)>,
        report: &mut Report,
    ) -> Result<(), Error> {
        report.torn = true;
        if let Some((what, value)) = wrong {
            self.bad.bad(|| Error::invalid("", place, what, value));
        }
        if self.bad.verdict_is_due() {
            self.bad.judge()?;
        }
        Ok(())
    }

    /// `"io": {"tps": 7, "io-reads": {"bread": 0}, "io-writes": {"bwrtn": 32776}}`.
    fn sum(&mut self, report: &mut Report) -> Result<(), Error> {
        let depth = self.json.depth();
        match self.json.next()? {
            Token::Map => {}
            Token::List => return self.json.leave(depth + 1),
            _ => return Ok(()),
        }
        let place = Place::Byte(self.json.at());
        let mut flows = [Flow::default(); 2];
        let mut wrong = None;
        while let Some(key) = self.key()? {
            if key != "io-reads" && key != "io-writes" {
                self.pass()?;
                continue;
            }
            let inside = self.json.depth();
            match self.json.next()? {
                Token::Map => {}
                Token::List => {
                    self.json.leave(inside + 1)?;
                    continue;
                }
                _ => continue,
            }
            while let Some(key) = self.key()? {
                let value = self.value()?;
                wrong = wrong.or_else(|| self.put(&key, value, &mut flows));
            }
        }
        if wrong.is_some() {
            return self.lose(place, wrong, report);
        }
        let device = self.reports.device("", Level::Sum);
        report.rows.push(Row { device, flows });
        Ok(())
    }

    fn finish(mut self, damage: Option<Error>) -> Result<Reading, Error> {
        self.bad.judge()?;
        // A tool that is stopped leaves its lists open.
        let stopped = |error: &Error| matches!(error.kind, ErrorKind::UnexpectedEnd(_));
        let damage = match damage {
            Some(error) if self.between && stopped(&error) => {
                self.reports.gate().add_warning(cut_off(error.place));
                None
            }
            damage => damage,
        };
        self.dates.tell(self.reports.gate());
        let quantity = self.reports.gate().quantity();
        let format = match self.by_sadf {
            true => "sadf JSON",
            false => "iostat JSON",
        };
        self.reports.finish(End {
            format,
            unit: unit(
                quantity,
                "kB of 1024 bytes, or as its keys say; stamps are the ends of intervals",
            ),
            nothing: nothing(quantity),
            clock: self.stamped.then_some(&self.dates.clock),
            bad: &self.bad,
            left_out: self.network.then_some("network interfaces"),
            contradictions: self.contradictions,
            damage,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sysstats_own_objects_are_taken() {
        assert!(sniff(br#" {"sysstat": {"hosts": ["#));
        assert!(!sniff(br#"{"sysstat": 1}"#));
        assert!(!sniff(br#"{"hosts": {"sysstat": 1}}"#));
        assert!(!sniff(b"[1]"));
    }
}
