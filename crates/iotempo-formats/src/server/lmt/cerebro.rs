//! The strings that LMT's agents send (`lmtmetric -m ost`), a line each: counters of all OSTs of a
//! server, with a time before them where whoever collected them wrote one.

use super::super::gate::Gate;
use super::super::options::{Clock as WhoseClock, Options, Reading};
use super::super::snapshots::Snapshots;
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::table::bad_rows::BadRows;
use crate::table::field;
use crate::table::lines::Lines;
use crate::zone::{Clock, is_time};
use iotempo_model::{Op, Seconds, TargetKind, ThroughputSink, counted};
use std::collections::HashMap;
use std::io;

/// `name;ifree;itotal;kfree;ktotal;read;write;iops;exports;locks;grant;cancel;connect;reconnect;state`.
const FIELDS: usize = 15;
const READ: usize = 5;
const WRITTEN: usize = 6;

/// `version;host;cpu;memory`.
const BEFORE: usize = 4;

/// A string, and what stands before it.
struct Metric<'a> {
    time: &'a str,
    version: u32,
    fields: Vec<&'a str>,
}

impl<'a> Metric<'a> {
    /// `2024-01-10 22:01:57 ost: 2;oss1;0.18;13.33;fs-OST0000;…`.
    fn of(line: &'a str) -> Option<Self> {
        let fields: Vec<&str> = line.trim().split(';').collect();
        let first = *fields.first()?;
        let (before, version) = first.rsplit_once([' ', '\t']).unwrap_or(("", first));
        let digits =
            (1..=2).contains(&version.len()) && version.bytes().all(|b| b.is_ascii_digit());
        let version = digits.then(|| version.parse().ok())??;
        // `ost:`, `lmt_ost:`, the name of a host.
        let before = before.trim();
        let time = match before.rsplit_once([' ', '\t']) {
            Some((time, word)) if word.ends_with(':') => time.trim(),
            None if before.ends_with(':') => "",
            _ => before,
        };
        Some(Self {
            time,
            version,
            fields,
        })
    }

    /// What it is about: the names of targets end in the kind and a number.
    fn is_about(&self, kind: &str) -> bool {
        let is_target = |field: &&str| {
            field
                .rsplit_once(kind)
                .is_some_and(|(file_system, number)| {
                    !file_system.is_empty()
                        && number.len() == 4
                        && number.bytes().all(|b| b.is_ascii_hexdigit())
                })
        };
        // The strings of clients have their first name where those of servers have a load.
        self.fields.get(BEFORE).is_some_and(is_target) || self.fields.get(2).is_some_and(is_target)
    }

    fn is_of_osts(&self) -> bool {
        let load = self.fields.get(2).map(|load| load.as_bytes());
        self.fields.len() > BEFORE
            && self.is_about("-OST")
            && load.and_then(field::number).is_some()
    }
}

pub(in super::super) fn sniff(head: &[u8]) -> bool {
    let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let Some(line) = lines.find(|line| !line.is_empty()) else {
        return false;
    };
    let Some(metric) = std::str::from_utf8(line).ok().and_then(Metric::of) else {
        return false;
    };
    let timed = metric.time.is_empty() || is_time(metric.time);
    timed && (metric.is_about("-OST") || metric.is_about("-MDT"))
}

pub(in super::super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let mut lines = Lines::new(input.into_reader(), &options.limits);
    let mut log = Log {
        gate: Gate::new(options, sink),
        snapshots: Snapshots::default(),
        clock: Clock::of_running_log(options.zone.clone()),
        start: options.start,
        step: options.interval.map(Seconds::get),
        count: HashMap::new(),
        relative: false,
        stepless: false,
        found: false,
        others: 0,
        bad: BadRows::default(),
    };
    let damage = loop {
        let line = match lines.next() {
            Ok(None) => break None,
            Err(error) => break Some(error),
            Ok(Some(line)) => String::from_utf8_lossy(line).into_owned(),
        };
        let place = Place::Line(lines.number());
        log.line(&line, place)?;
        if log.bad.verdict_is_due() {
            log.bad.judge()?;
        }
    };
    log.finish(damage)
}

struct Log<'a> {
    gate: Gate<'a>,
    snapshots: Snapshots,
    clock: Clock,
    start: Option<f64>,
    step: Option<f64>,
    /// How many strings of a server came so far, where they have no times.
    count: HashMap<String, u64>,
    relative: bool,
    /// Whether a second string came that nobody can place in time.
    stepless: bool,
    found: bool,
    others: u64,
    bad: BadRows,
}

impl Log<'_> {
    fn line(&mut self, line: &str, place: Place) -> Result<(), Error> {
        if line.trim().is_empty() {
            return Ok(());
        }
        let Some(metric) = Metric::of(line) else {
            // `sysstat: cpu_util: 0.18% mem_util: 13.33%` is another string of an agent.
            self.others += 1;
            return Ok(());
        };
        if !metric.is_of_osts() {
            self.others += 1;
            return Ok(());
        }
        if metric.version != 2 {
            let message = format!("a string of OSTs of version {}, not 2", metric.version);
            return Err(Error::new("", place, ErrorKind::Unsupported(message)));
        }
        self.found = true;
        let invalid = |what, value: &str| Error::invalid("", place, what, value);
        let host = metric.fields[1];
        let at = match metric.time {
            "" => self.counted(host),
            text => match self.clock.epoch_s(text) {
                Some(at) => Some(at),
                None => {
                    self.bad.bad(|| invalid("not a time", text));
                    return Ok(());
                }
            },
        };
        let Some(at) = at else { return Ok(()) };
        let targets = metric.fields[BEFORE..].chunks(FIELDS);
        for target in targets.filter(|target| *target != [""]) {
            let numbers = [READ, WRITTEN].map(|field| {
                let text = target.get(field).filter(|_| target.len() == FIELDS);
                text.and_then(|text| field::number(text.as_bytes()))
            });
            let [Some(read), Some(written)] = numbers else {
                let name = target[0];
                self.bad
                    .bad(|| invalid("an OST without its counters", name));
                continue;
            };
            self.bad.good();
            let failed = |error: io::Error| Error::new("", place, error);
            self.take(host, target[0], at, [read, written])
                .map_err(failed)?;
        }
        Ok(())
    }

    /// When a string without a time was taken: after as many intervals as came before it.
    fn counted(&mut self, host: &str) -> Option<f64> {
        self.relative = true;
        if self.start.is_some() {
            self.gate.use_start();
        }
        let count = self.count.entry(host.to_owned()).or_default();
        let before = *count;
        *count += 1;
        match (before, self.step) {
            (0, _) => Some(self.start.unwrap_or_default()),
            (_, Some(step)) => Some(self.start.unwrap_or_default() + before as f64 * step),
            (_, None) => {
                self.stepless = true;
                None
            }
        }
    }

    fn take(&mut self, host: &str, name: &str, at: f64, counters: [f64; 2]) -> io::Result<()> {
        let series = self.gate.series(host, name, TargetKind::StorageTarget);
        let Some(series) = series else { return Ok(()) };
        for (op, value) in [Op::Read, Op::Write].into_iter().zip(counters) {
            self.snapshots.read(&mut self.gate, series, op, at, value)?;
        }
        Ok(())
    }

    fn finish(mut self, damage: Option<Error>) -> Result<Reading, Error> {
        self.bad.judge()?;
        if !self.found {
            let message = "strings of LMT without those of OSTs (lmt_ost_v2): no bytes over time";
            let kind = ErrorKind::Unsupported(message.to_owned());
            return Err(damage.unwrap_or_else(|| Error::new("", Place::Whole, kind)));
        }
        if self.stepless {
            let message = "strings of LMT without times: give the interval between them, or write \
                           the time before each";
            let kind = ErrorKind::Unsupported(message.to_owned());
            return Err(Error::new("", Place::Whole, kind));
        }
        self.snapshots.tell(&mut self.gate);
        for warning in self.clock.warnings() {
            self.gate.add_warning(warning);
        }
        if self.others > 0 {
            let message = format!(
                "{} of other strings: no bytes over time",
                counted(self.others, "line")
            );
            self.gate.warn("left-out", message);
        }
        if let Some(warning) = self.bad.warning() {
            self.gate.add_warning(warning);
        }
        let whose = match self.clock.zone() {
            Some(zone) => WhoseClock::Zone(zone.name().to_owned()),
            None if self.relative && self.start.is_none() => WhoseClock::Relative,
            None => WhoseClock::Epoch,
        };
        let unit = "bytes, counted since the OST was mounted";
        Ok(self
            .gate
            .finish("LMT strings (lmt_ost_v2)", unit, whose, damage))
    }
}
