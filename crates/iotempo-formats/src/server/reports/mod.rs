//! Logs of monitors that report on all devices of a machine at a time: `iostat`, `sar`, `collectl`.
//!
//! What they have in common: stamps without fractions at the end of intervals, a first report that
//! may be about all the time since the machine was started, sums beside their parts, and quiet
//! devices that are passed over.

mod end;
mod pace;
mod report;

pub(super) use end::{End, cut_off};
pub(super) use report::{Covers, Figure, Flow, Report, Row};

use super::devices::{is_counted_elsewhere, is_doubtful, is_given_by_people};
use super::gate::{Gate, Series};
use super::options::Options;
use crate::error::{Error, ErrorKind, Place};
use iotempo_model::{Op, Seconds, TargetKind, ThroughputSink};
use pace::Pace;
use std::collections::{HashMap, HashSet};
use std::mem;

/// So many rows wait for the first word about how long intervals are.
const WAITING: usize = 1 << 16;

/// So many sums wait for the devices that they are sums of: a day of seconds twelve times over.
const SUMS: usize = 1 << 20;

/// So many names are told in a warning.
const NAMED: usize = 5;

/// What a row of a report is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// A device, or whatever has no parts in this log.
    Single(TargetKind),
    /// A group of devices that the user of `iostat` named.
    Group,
    /// All devices of a machine.
    Sum,
}

/// A device of a log.
struct Device {
    name: String,
    host: usize,
    level: Level,
    /// Whether it was decided what becomes of it.
    decided: bool,
    series: Option<Series>,
    /// The number of the last report with it.
    seen: u64,
}

/// A machine of a log.
#[derive(Default)]
struct Host {
    name: String,
    /// Names of its single devices.
    names: HashSet<String>,
    /// Devices of it that are handed on.
    shown: Vec<usize>,
}

/// Passes reports on to the gate, each byte once.
pub(super) struct Reports<'a> {
    gate: Gate<'a>,
    start: Option<f64>,
    pace: Pace,
    hosts: Vec<Host>,
    hosts_by_name: HashMap<String, usize>,
    host: usize,
    known: HashMap<(usize, Level2, String), usize>,
    devices: Vec<Device>,
    waiting: Vec<Report>,
    waiting_rows: usize,
    sums: Vec<Waiting>,
    /// Whether sums were handed on, since they were too many to wait.
    by_sum: bool,
    singles: bool,
    number: u64,
    since_boot: u64,
    /// Whether the log of the same machine has just begun anew.
    again: bool,
    anew: u64,
    left_out: [Vec<String>; 3],
    left_out_more: [u64; 3],
    /// Whether a device was left out that may be a disk.
    doubtful: bool,
}

/// What a device moved, and when: by direction, where that is known.
type Waiting = (usize, (f64, f64), [Option<f64>; 2]);

/// A level without its kind, to look devices up by.
type Level2 = u8;

impl<'a> Reports<'a> {
    pub(super) fn new(options: &'a Options, sink: &'a mut dyn ThroughputSink) -> Self {
        let pace = Pace::new(options.interval.map(Seconds::get));
        Self {
            gate: Gate::new(options, sink),
            start: options.start,
            pace,
            hosts: vec![Host::default()],
            hosts_by_name: HashMap::from([(String::new(), 0)]),
            host: 0,
            known: HashMap::new(),
            devices: Vec::new(),
            waiting: Vec::new(),
            waiting_rows: 0,
            sums: Vec::new(),
            by_sum: false,
            singles: false,
            number: 0,
            since_boot: 0,
            again: false,
            anew: 0,
            left_out: [const { Vec::new() }; 3],
            left_out_more: [0; 3],
            doubtful: false,
        }
    }

    /// The log of a machine begins, or begins anew.
    pub(super) fn begin(&mut self, host: &str) -> Result<(), Error> {
        self.flush(true)?;
        let known = self.hosts_by_name.get(host).copied();
        self.again = known == Some(self.host) && self.number > 0;
        self.host = known.unwrap_or(self.hosts.len());
        if known.is_none() {
            self.hosts_by_name.insert(host.to_owned(), self.host);
            self.hosts.push(Host {
                name: host.to_owned(),
                ..Host::default()
            });
        }
        if !self.again {
            self.pace.begin(None);
        }
        Ok(())
    }

    /// The next interval begins here.
    pub(super) fn begins_at(&mut self, at: f64) -> Result<(), Error> {
        self.flush(false)?;
        self.pace.begin(Some(at));
        Ok(())
    }

    /// How long intervals are, by the log's own word.
    pub(super) fn interval(&mut self, length: f64) {
        self.pace.state(length);
    }

    /// Notes that times count from the start that the user stated, where one was.
    pub(super) fn use_start(&mut self) {
        if self.start.is_some() {
            self.gate.use_start();
        }
    }

    pub(super) fn gate(&mut self) -> &mut Gate<'a> {
        &mut self.gate
    }

    /// The number by which rows name a device of the machine.
    pub(super) fn device(&mut self, name: &str, level: Level) -> usize {
        let kind = match level {
            Level::Single(_) => 0,
            Level::Group => 1,
            Level::Sum => 2,
        };
        let key = (self.host, kind, name.to_owned());
        *self.known.entry(key).or_insert_with(|| {
            self.devices.push(Device {
                name: name.to_owned(),
                host: self.host,
                level,
                decided: false,
                series: None,
                seen: 0,
            });
            self.devices.len() - 1
        })
    }

    /// Takes the next report.
    ///
    /// # Errors
    /// Where nothing tells how long intervals are, and whatever the sink answers.
    pub(super) fn report(&mut self, mut report: Report) -> Result<(), Error> {
        let stated = report.length.or_else(|| report.length_by_volume());
        if report.covers == Covers::Interval {
            let before = self.waiting.last().map(|report| report.end);
            let before = before.unwrap_or_else(|| self.pace.last());
            let since = report.end.zip(before).map(|(end, before)| end - before);
            let rough = || report.seconds_by_volume();
            if let Some(length) = stated.or(since).or_else(rough) {
                self.pace.note(length);
            }
            report.length = stated;
        }
        self.waiting_rows += report.rows.len() + 1;
        self.waiting.push(report);
        // What the user says is asked for where no stamp will ever tell.
        let timeless = self.waiting.iter().all(|report| report.end.is_none());
        let known = self.pace.known().is_some() || (timeless && self.pace.usual().is_some());
        if known || self.waiting_rows > WAITING {
            self.flush(false)?;
        }
        Ok(())
    }

    fn flush(&mut self, last: bool) -> Result<(), Error> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let full = self.waiting_rows > WAITING;
        if self.pace.usual().is_none() {
            if !last && !full {
                return Ok(());
            }
            let intervals = |report: &&Report| report.covers == Covers::Interval;
            let mut reports = self.waiting.iter().filter(intervals);
            if reports.any(Report::needs_length) {
                return Err(no_interval());
            }
            if full || self.waiting.iter().filter(intervals).count() > 0 {
                self.pace.assume(1.0);
                self.gate.warn(
                    "interval-assumed",
                    "nothing tells how long intervals are: taken as 1 s each",
                );
            }
        }
        self.waiting_rows = 0;
        for report in mem::take(&mut self.waiting) {
            self.hand_on(report)?;
        }
        Ok(())
    }

    fn hand_on(&mut self, report: Report) -> Result<(), Error> {
        let usual = self.pace.usual();
        if report.is_since_boot(usual) {
            self.since_boot += 1;
            if report.end.is_some() {
                self.pace.begin(report.end);
            }
            return Ok(());
        }
        let usual = usual.unwrap_or(1.0);
        if report.end.is_none() {
            // Time goes on, but nobody knows from when.
            self.anew += u64::from(mem::take(&mut self.again));
            if self.pace.last().is_none() {
                self.pace.begin(self.start);
                self.use_start();
            }
        }
        let (when, length) = self.pace.interval(report.end, report.length, usual);
        self.number += 1;
        self.decide(&report);
        for row in &report.rows {
            let device = &mut self.devices[row.device];
            device.seen = self.number;
            let bytes = row.flows.map(|flow| flow.bytes(length));
            if let Some(series) = device.series {
                self.moved(series, when, bytes)?;
            } else if device.level == Level::Sum && !device.decided {
                self.sums.push((row.device, when, bytes));
            }
        }
        if self.sums.len() > SUMS {
            self.by_sum = true;
            self.hand_on_sums()?;
        }
        if !report.torn && self.singles {
            self.fill(when)?;
        }
        Ok(())
    }

    fn moved(
        &mut self,
        series: Series,
        when: (f64, f64),
        bytes: [Option<f64>; 2],
    ) -> Result<(), Error> {
        for (op, bytes) in [Op::Read, Op::Write].into_iter().zip(bytes) {
            if let Some(bytes) = bytes {
                self.gate.moved(series, op, when, bytes)?;
            }
        }
        Ok(())
    }

    /// Devices that a report passes over were quiet.
    fn fill(&mut self, when: (f64, f64)) -> Result<(), Error> {
        for at in 0..self.hosts[self.host].shown.len() {
            let device = &self.devices[self.hosts[self.host].shown[at]];
            if device.seen < self.number
                && let Some(series) = device.series
            {
                self.moved(series, when, [Some(0.0); 2])?;
            }
        }
        Ok(())
    }

    /// Decides what becomes of devices that are met for the first time.
    fn decide(&mut self, report: &Report) {
        let is_new = |device: &Device| !device.decided;
        if !report
            .rows
            .iter()
            .any(|row| is_new(&self.devices[row.device]))
        {
            return;
        }
        let mut singles = false;
        for row in &report.rows {
            let device = &self.devices[row.device];
            if matches!(device.level, Level::Single(_)) {
                singles = true;
                self.hosts[device.host].names.insert(device.name.clone());
            }
        }
        self.singles |= singles;
        for row in &report.rows {
            if is_new(&self.devices[row.device]) {
                self.decide_one(row.device, singles);
            }
        }
    }

    fn decide_one(&mut self, index: usize, singles: bool) {
        let device = &self.devices[index];
        let by_name = self.gate.is_chosen_by_name();
        let (kind, reason) = match device.level {
            Level::Single(kind) => {
                let disk = kind == TargetKind::Device;
                let names = &self.hosts[device.host].names;
                let part = (disk && is_part(&device.name, names)).then_some(0);
                (kind, self.by_sum.then_some(2).or(part))
            }
            Level::Group => (TargetKind::Device, singles.then_some(1)),
            // Whether there are devices may show only later.
            Level::Sum if !by_name && !singles && !self.by_sum => return,
            Level::Sum => (TargetKind::Server, (singles && !self.by_sum).then_some(1)),
        };
        let (host, name) = (device.host, device.name.clone());
        self.devices[index].decided = true;
        if let Some(reason) = reason.filter(|_| !by_name) {
            if reason == 0 && is_doubtful(&name) && !mem::replace(&mut self.doubtful, true) {
                let message = format!(
                    "{name}: nothing tells whether it is a virtual disk or lies on other disks: left \
                     out as if it did (sar -p prints names; name targets to have it)"
                );
                self.gate.warn("device-doubtful", message);
            }
            self.leave_out(&name, reason);
            return;
        }
        let series = self.gate.series(&self.hosts[host].name, &name, kind);
        self.devices[index].series = series;
        if series.is_some() && matches!(self.devices[index].level, Level::Single(_)) {
            self.hosts[host].shown.push(index);
        }
    }

    fn leave_out(&mut self, name: &str, reason: usize) {
        let name = if name.is_empty() { "the sum" } else { name };
        let names = &mut self.left_out[reason];
        if names.iter().any(|other| other == name) {
            return;
        }
        if names.len() < NAMED {
            names.push(name.to_owned());
        } else {
            self.left_out_more[reason] += 1;
        }
    }

    /// Hands on sums that waited for devices in vain.
    fn hand_on_sums(&mut self) -> Result<(), Error> {
        for (index, when, bytes) in mem::take(&mut self.sums) {
            if !self.devices[index].decided {
                self.decide_one(index, !self.by_sum && self.singles);
                let device = &mut self.devices[index];
                if !device.decided {
                    device.decided = true;
                    let host = &self.hosts[device.host].name;
                    device.series = self.gate.series(host, &device.name, TargetKind::Server);
                }
            }
            if let Some(series) = self.devices[index].series {
                self.moved(series, when, bytes)?;
            }
        }
        Ok(())
    }
}

/// Whether what a device moves is counted on others of the machine, which has devices of these names.
fn is_part(name: &str, names: &HashSet<String>) -> bool {
    let on_disks = || names.iter().any(|name| !is_given_by_people(name));
    is_counted_elsewhere(name, names) || (is_given_by_people(name) && on_disks())
}

fn no_interval() -> Error {
    let message = "the log holds rates, but neither times nor volumes: how long its intervals are \
                   must be given (--step, or --interval of signature)";
    Error::new("", Place::Whole, ErrorKind::Unsupported(message.to_owned()))
}
