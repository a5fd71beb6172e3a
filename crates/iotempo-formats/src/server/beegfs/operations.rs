//! What each user or client asked of storage servers: blocks of `beegfs-ctl --userstats` and
//! `--clientstats`, and of `beegfs stats`.
//!
//! Blocks say how long the command has run, not what time it is. The first one is what was moved
//! since the servers started. Who did nothing is not listed, which is a volume of zero.

use super::super::gate::{Gate, Series};
use super::super::options::{Clock, Options, Reading};
use super::text::{Block, Heading, block, cells, item, volume};
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::table::lines::Lines;
use iotempo_model::{Op, TargetKind, ThroughputSink, counted};
use std::collections::BTreeMap;
use std::io;

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let mut lines = Lines::new(input.into_reader(), &options.limits);
    let mut log = Log::new(options, sink);
    let damage = loop {
        let number = lines.number() + 1;
        match lines.next() {
            Ok(None) => break None,
            Err(error) => break Some(error),
            Ok(Some(line)) => {
                let line = String::from_utf8_lossy(line).into_owned();
                log.line(line.trim(), number)
                    .map_err(|error| Error::new("", Place::Line(number), error))?;
            }
        }
    };
    log.end()?;
    log.finish(damage)
}

struct Log<'a> {
    gate: Gate<'a>,
    start: Option<f64>,
    /// When the present run of the command began, on the clock of the log.
    base: f64,
    /// The end of the latest block, and how long it is; `None` of the first one.
    elapsed: Option<f64>,
    length: Option<f64>,
    is_new: bool,
    heading: Option<Heading>,
    known: BTreeMap<String, Option<Series>>,
    present: BTreeMap<String, ([f64; 2], TargetKind)>,
    sum: Option<[f64; 2]>,
    blocks: u64,
    firsts: u64,
    runs: u64,
    others: u64,
    with_bytes: bool,
    rounded: bool,
    unclear: u64,
    said: u64,
    bad: u64,
    first_bad: Option<Error>,
}

/// Who moved what is in the sum and not in any line.
const OTHERS: &str = "(others)";
/// Six digits are printed: what is missing below this part of the sum may be rounding.
const ROUNDING: f64 = 1e-4;
/// So many users or clients are told apart: each block says something about all of them.
const NAMES: usize = 1 << 16;
/// So many bytes of a line the name takes at least.
const NAME_WIDTH: usize = 16;

impl<'a> Log<'a> {
    fn new(options: &'a Options, sink: &'a mut dyn ThroughputSink) -> Self {
        Self {
            gate: Gate::new(options, sink),
            start: options.start,
            base: options.start.unwrap_or_default(),
            elapsed: None,
            length: None,
            is_new: false,
            heading: None,
            known: BTreeMap::new(),
            present: BTreeMap::new(),
            sum: None,
            blocks: 0,
            firsts: 0,
            runs: 0,
            others: 0,
            with_bytes: false,
            rounded: false,
            unclear: 0,
            said: 0,
            bad: 0,
            first_bad: None,
        }
    }

    fn line(&mut self, line: &str, at: u64) -> io::Result<()> {
        if let Some(block) = block(line) {
            self.end()?;
            self.begin(block);
            return Ok(());
        }
        if line.starts_with("Warning: ") {
            self.said += 1;
        } else if line.contains('[') && line.contains(']') {
            self.items(line, at);
        } else if let Some(heading) = Heading::of(line, self.gate.quantity()) {
            self.heading = Some(heading);
        } else if self.heading.is_some() && line.contains(|c: char| c.is_alphanumeric()) {
            self.row(line, at);
        }
        Ok(())
    }

    fn begin(&mut self, block: Block) {
        self.is_new = block.is_new;
        let since = self.elapsed.map(|last| block.elapsed_s - last);
        self.length = match since {
            Some(since) if since > 0.0 => Some(since),
            // It was started again: its time goes on where the last run ended.
            Some(_) => {
                self.runs += 1;
                self.base += self.elapsed.unwrap_or_default();
                None
            }
            None => None,
        };
        self.elapsed = Some(block.elapsed_s);
        self.blocks += 1;
    }

    fn bad(&mut self, at: u64, what: &'static str, value: &str) {
        self.bad += 1;
        self.first_bad
            .get_or_insert_with(|| Error::invalid("", Place::Line(at), what, value));
    }

    fn note(&mut self, name: &str, kind: TargetKind, op: Op, (bytes, rounded): (f64, bool)) {
        self.with_bytes = true;
        self.rounded |= rounded;
        let place = match name.trim_end_matches(':').eq_ignore_ascii_case("sum") {
            true => self.sum.get_or_insert_default(),
            false => {
                &mut self
                    .present
                    .entry(name.to_owned())
                    .or_insert(([0.0; 2], kind))
                    .0
            }
        };
        place[op as usize] = bytes;
    }

    /// `1001            2049 [sum]  1024 [MiB-wr/s]  `.
    fn items(&mut self, line: &str, at: u64) {
        let Some((first, _)) = line.split_once('[') else {
            return;
        };
        let first = first.trim_end();
        let name = match first.rsplit_once(char::is_whitespace) {
            Some((name, _)) => name.trim(),
            // A long name touches the number behind it.
            None if first.len() > NAME_WIDTH => {
                self.unclear += 1;
                first.trim_end_matches(|c: char| c.is_ascii_digit())
            }
            None => "",
        };
        let name = name.trim_end_matches(':').to_owned();
        if name.is_empty() {
            self.bad(at, "a line without a name", line);
            return;
        }
        if self.known.len().max(self.present.len()) > NAMES {
            self.bad(at, "more names than can be told apart", &name);
            return;
        }
        let kind = match name.as_str() {
            id if id
                .trim_start_matches('-')
                .bytes()
                .all(|b| b.is_ascii_digit()) =>
            {
                TargetKind::User
            }
            id if id.contains(['.', ':']) => TargetKind::Client,
            _ => TargetKind::Unknown,
        };
        // Who is listed and moved no bytes is quiet.
        let is_sum = name.eq_ignore_ascii_case("sum");
        if !is_sum {
            self.present.entry(name.clone()).or_insert(([0.0; 2], kind));
        }
        let length = self.length.unwrap_or(1.0);
        for part in line.split_inclusive(']') {
            let Some((value, label)) = part.trim().trim_end_matches(']').split_once('[') else {
                continue;
            };
            let value = value.trim_end();
            let value = value.rsplit(char::is_whitespace).next().unwrap_or(value);
            match item(value, label.trim(), length, self.gate.quantity()) {
                Some((op, Some(volume))) => self.note(&name, kind, op, volume),
                Some((_, None)) => self.bad(at, "not a number", value),
                None => {}
            }
        }
    }

    /// A row of a table of version 8.
    fn row(&mut self, line: &str, at: u64) {
        let Some(heading) = &self.heading else { return };
        let cells = cells(line);
        let (width, columns, kind) = (heading.width, heading.columns, heading.kind);
        if cells.len() != width {
            self.bad(at, "the number of fields differs from the heading's", line);
            return;
        }
        let name = cells[0].clone();
        if self.known.len().max(self.present.len()) > NAMES {
            self.bad(at, "more names than can be told apart", &name);
            return;
        }
        for (op, column) in [Op::Read, Op::Write].into_iter().zip(columns) {
            let Some(cell) = column.map(|column| cells[column].as_str()) else {
                continue;
            };
            let empty = ["-", "0"].contains(&cell);
            match volume(cell).or(empty.then_some((0.0, false))) {
                Some(volume) => self.note(&name, kind, op, volume),
                None => self.bad(at, "not a volume", cell),
            }
        }
    }

    /// A block is complete: hands on what everybody moved in it.
    fn end(&mut self) -> io::Result<()> {
        let present = std::mem::take(&mut self.present);
        let sum = self.sum.take();
        let Some(elapsed) = self.elapsed else {
            return Ok(());
        };
        let Some(length) = self.length else {
            self.firsts += u64::from(self.blocks > 0);
            return Ok(());
        };
        for (name, (_, kind)) in &present {
            if !self.known.contains_key(name) {
                let series = self.gate.series("", name, *kind);
                self.known.insert(name.clone(), series);
            }
        }
        let end = self.base + elapsed;
        let when = (end - length, end);
        let mut listed = [0.0; 2];
        for (name, series) in &self.known {
            let bytes = present.get(name).map_or([0.0; 2], |(bytes, _)| *bytes);
            for op in [Op::Read, Op::Write] {
                listed[op as usize] += bytes[op as usize];
                if name != OTHERS
                    && let Some(series) = series
                {
                    self.gate.moved(*series, op, when, bytes[op as usize])?;
                }
            }
        }
        self.rest(sum.unwrap_or(listed), listed, when)
    }

    /// Hands on what the sum has beyond those that are listed: only the busiest are.
    fn rest(&mut self, sum: [f64; 2], listed: [f64; 2], when: (f64, f64)) -> io::Result<()> {
        let rest = [0, 1].map(|op| match sum[op] - listed[op] {
            rest if rest > ROUNDING * sum[op] => rest,
            _ => 0.0,
        });
        let is_there = rest.iter().any(|rest| *rest > 0.0);
        if is_there && !self.known.contains_key(OTHERS) {
            let series = self.gate.series("", OTHERS, TargetKind::Unknown);
            self.known.insert(OTHERS.to_owned(), series);
        }
        self.others += u64::from(is_there);
        if let Some(Some(series)) = self.known.get(OTHERS) {
            for op in [Op::Read, Op::Write] {
                self.gate.moved(*series, op, when, rest[op as usize])?;
            }
        }
        Ok(())
    }

    fn finish(mut self, damage: Option<Error>) -> Result<Reading, Error> {
        if self.gate.samples() == 0 {
            return Err(damage.or(self.first_bad).unwrap_or_else(|| {
                let what = match (self.with_bytes, self.blocks) {
                    (true, 0 | 1) => {
                        "one block, which is what was moved since the servers started: let the \
                         command run on, with --interval"
                    }
                    (false, 2..) => {
                        "blocks without bytes read or written: ask storage servers, with \
                         --nodetype=storage"
                    }
                    _ => "nothing that anybody moved",
                };
                Error::new("", Place::Whole, ErrorKind::Unsupported(what.to_owned()))
            }));
        }
        self.tell();
        let clock = match self.start {
            Some(_) => {
                self.gate.use_start();
                Clock::Epoch
            }
            None => Clock::Relative,
        };
        let quantity = self.gate.quantity();
        let operations = "operations of the interval that ends at the time of a block";
        let (format, bytes) = match self.is_new {
            true => (
                "beegfs stats",
                "bytes of the interval that ends at the time of a block",
            ),
            false => (
                "beegfs-ctl statistics",
                "bytes per second or interval, to six digits, until the time of a block",
            ),
        };
        let unit = quantity.pick(bytes, operations);
        Ok(self.gate.finish(format, unit, clock, damage))
    }

    fn tell(&mut self) {
        let blocks = counted(self.firsts, "block");
        let told = [
            (
                self.firsts,
                "left-out",
                format!("{blocks} left out: what was moved before the command began"),
            ),
            (
                self.runs,
                "new-run",
                "the command was started anew: nothing says how long after the last run, and its \
                 time goes on where that ended"
                    .to_owned(),
            ),
            (
                self.others,
                "not-listed",
                format!(
                    "in {} the sum is larger than all that are listed: the rest is called {OTHERS}",
                    counted(self.others, "block")
                ),
            ),
            (
                self.said,
                "beegfs",
                "BeeGFS warns that its list of operations changed while it counted".to_owned(),
            ),
            (
                u64::from(self.rounded),
                "rounded-values",
                "volumes are rounded to units such as MiB: --raw prints them as they are"
                    .to_owned(),
            ),
            (
                self.unclear,
                "long-names",
                format!(
                    "{} whose name touches the number behind it: digits at its end are lost",
                    counted(self.unclear, "line")
                ),
            ),
        ];
        for (count, code, message) in told {
            if count > 0 {
                self.gate.warn(code, message);
            }
        }
        if let Some(first) = &self.first_bad {
            let lines = counted(self.bad, "line");
            let message = format!("{lines} could not be read: left out (the first: {first})");
            self.gate.warn("bad-rows", message);
        }
    }
}
