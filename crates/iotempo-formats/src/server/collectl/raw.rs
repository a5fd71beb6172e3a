//! What collectl records: for each instant, lines of `/proc` behind a word that says whose they
//! are. Their numbers are counters.

use super::NOTHING;
use super::family::{Family, left_out};
use super::header::Header;
use super::unsupported;
use crate::error::Error;
use crate::input::Input;
use crate::server::devices::is_counted_elsewhere;
use crate::server::gate::{Gate, Series};
use crate::server::options::{Clock, Options, Reading};
use crate::server::snapshots::Snapshots;
use crate::table::bad_rows::{BadRows, Wrong};
use crate::table::lines::Lines;
use iotempo_model::{Op, ThroughputSink};
use std::collections::{HashMap, HashSet};

/// Counters of disks are in sectors.
const SECTOR: f64 = 512.0;

/// The instant of `>>> 1794727579.006 <<<`.
pub(super) fn stamp(line: &str) -> Option<f64> {
    let inside = line.strip_prefix(">>>")?.strip_suffix("<<<")?;
    inside.trim().parse().ok().filter(|at: &f64| at.is_finite())
}

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let mut lines = Lines::new(input.into_reader(), &options.limits);
    let mut log = Log {
        gate: Gate::new(options, sink),
        counters: Snapshots::default(),
        header: Header::default(),
        at: None,
        block: HashMap::new(),
        order: Vec::new(),
        chosen: None,
        families: Vec::new(),
        network: false,
        known: HashMap::new(),
        parts: Vec::new(),
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
        let line = line.trim_end();
        if line.is_empty() {
            continue;
        }
        if line.starts_with('#') {
            log.comment(line)?;
        } else if line.starts_with(">>>") {
            log.end_block()?;
            log.at = stamp(line);
            let instant = log.at.map(|_| ());
            let row = instant.ok_or_else(|| ("not an instant", line.to_owned()));
            bad.take(lines.number(), row)?;
        } else {
            let row = log.line(line, !lines.is_whole());
            bad.take(lines.number(), row)?;
        }
    };
    bad.judge()?;
    log.finish(&bad, damage)
}

/// Whose counters they are: a family and a name.
type Whose = (Family, String);

struct Log<'a> {
    gate: Gate<'a>,
    counters: Snapshots,
    header: Header,
    at: Option<f64>,
    /// The counters of one instant, by direction, and in which order they came.
    block: HashMap<Whose, [Option<f64>; 2]>,
    order: Vec<Whose>,
    chosen: Option<Family>,
    families: Vec<Family>,
    network: bool,
    known: HashMap<(String, Family, String), Option<Series>>,
    /// Disks that lie on others.
    parts: Vec<String>,
}

impl Log<'_> {
    fn comment(&mut self, line: &str) -> Result<(), Error> {
        // A recording that follows another one may be of another machine.
        if line
            .trim_start_matches('#')
            .trim_start()
            .starts_with("Host:")
        {
            self.end_block()?;
            self.at = None;
        }
        self.header.line(line);
        Ok(())
    }

    fn line(&mut self, line: &str, cut_off: bool) -> Result<(), Wrong> {
        let (tag, rest) = line.split_once(' ').unwrap_or((line, ""));
        let words: Vec<&str> = rest.split_ascii_whitespace().collect();
        if tag == "disk" {
            return self.disk(&words, cut_off);
        }
        if tag == "Net" {
            self.network = true;
            return Ok(());
        }
        let numbered = |prefix: &str| tag.strip_prefix(prefix)?.parse::<usize>().ok();
        let named = |names: &[String], number: usize| {
            let name = names.get(number).cloned();
            name.unwrap_or_else(|| number.to_string())
        };
        let whose = if let Some(number) = numbered("LLITE:") {
            (Family::Client, named(&self.header.clients, number))
        } else if let Some(number) = numbered("LLDET:") {
            (Family::ClientTarget, number.to_string())
        } else if let Some(number) = numbered("OST_") {
            (Family::StorageTarget, named(&self.header.targets, number))
        } else {
            return Ok(());
        };
        self.lustre(whose, &words, cut_off)
    }

    /// `254 0 vda` and a line of `/proc/diskstats`.
    fn disk(&mut self, words: &[&str], cut_off: bool) -> Result<(), Wrong> {
        let [at_read, at_written] = self.gate.quantity().pick([5, 9], [3, 7]);
        let numbers = words.get(at_read).zip(words.get(at_written));
        let (Some(name), Some((read, written))) = (words.get(2), numbers) else {
            let what = "a disk with too few counters";
            return Err((what, words.len().to_string()));
        };
        if cut_off && words.len() == at_written + 1 {
            return Err(("the line is not ended", (*written).to_owned()));
        }
        let unit = self.gate.quantity().pick(SECTOR, 1.0);
        let values = [counter(read)? * unit, counter(written)? * unit];
        let known = self.counters_of((Family::Disk, (*name).to_owned()));
        *known = values.map(Some);
        Ok(())
    }

    /// `read_bytes 1024 samples [bytes] 0 1048576 1073741824`.
    fn lustre(&mut self, whose: Whose, words: &[&str], cut_off: bool) -> Result<(), Wrong> {
        let quantity = self.gate.quantity();
        // Counters that never counted are missing: whoever has others has them, too.
        let known = self.counters_of(whose);
        let op = match words.first().copied() {
            Some("read_bytes" | "ost_read") => Op::Read,
            Some("write_bytes" | "ost_write") => Op::Write,
            _ => return Ok(()),
        };
        let place = quantity.pick(6, 1);
        let value = match (words.get(place), words.get(1)) {
            (Some(sum), _) => counter(sum)?,
            (None, Some(&"0")) => 0.0,
            (None, _) => return Err(("a counter without a sum", words.join(" "))),
        };
        if cut_off && words.len() == place + 1 {
            return Err(("the line is not ended", words.join(" ")));
        }
        known[op as usize] = Some(value);
        Ok(())
    }

    fn counters_of(&mut self, whose: Whose) -> &mut [Option<f64>; 2] {
        if !self.block.contains_key(&whose) {
            self.order.push(whose.clone());
        }
        self.block.entry(whose).or_default()
    }

    /// Hands on what the counters of an instant grew by.
    fn end_block(&mut self) -> Result<(), Error> {
        let order = std::mem::take(&mut self.order);
        let mut block = std::mem::take(&mut self.block);
        let Some(at) = self.at else { return Ok(()) };
        for (family, _) in &order {
            if !self.families.contains(family) {
                self.families.push(*family);
            }
        }
        let best = order.iter().map(|(family, _)| *family).max();
        let chosen = *match (&mut self.chosen, best) {
            (Some(chosen), _) => chosen,
            (none, Some(best)) => none.insert(best),
            (None, None) => return Ok(()),
        };
        let disks = order.iter().filter(|(family, _)| *family == Family::Disk);
        let disks: HashSet<String> = disks.map(|(_, name)| name.clone()).collect();
        for whose in order {
            let values = block.remove(&whose).unwrap_or_default();
            let Some(series) = self.series(&whose, chosen, &disks) else {
                continue;
            };
            for (op, value) in [Op::Read, Op::Write].into_iter().zip(values) {
                let value = match (
                    value,
                    self.counters.shown(series, op).map(|shown| shown.value),
                ) {
                    (Some(value), _) => value,
                    // Not used yet.
                    (None, None | Some(0.0)) => 0.0,
                    // Gone for once: the next look will tell.
                    (None, Some(_)) => continue,
                };
                self.counters.read(&mut self.gate, series, op, at, value)?;
            }
        }
        Ok(())
    }

    fn series(
        &mut self,
        (family, name): &Whose,
        chosen: Family,
        disks: &HashSet<String>,
    ) -> Option<Series> {
        let key = (self.header.host.clone(), *family, name.clone());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let by_name = self.gate.is_chosen_by_name();
        let part = *family == Family::Disk && is_counted_elsewhere(name, disks);
        if part && !by_name && *family == chosen && !self.parts.contains(name) {
            self.parts.push(name.clone());
        }
        let wanted = by_name || (*family == chosen && !part);
        let series = wanted
            .then(|| self.gate.series(&key.0, name, family.kind()))
            .flatten();
        self.known.insert(key, series);
        series
    }

    fn finish(mut self, bad: &BadRows, damage: Option<Error>) -> Result<Reading, Error> {
        self.end_block()?;
        if self.gate.samples() == 0 {
            return Err(damage.unwrap_or_else(|| match self.chosen {
                None => unsupported(NOTHING),
                Some(_) => unsupported(
                    "the recording holds one reading of its counters, or none that is asked for: a \
                     second one is needed",
                ),
            }));
        }
        self.counters.tell(&mut self.gate);
        if !self.parts.is_empty() {
            let names = self.parts.join(", ");
            let message =
                format!("left out: {names}: what they move is counted on the disks below");
            self.gate.warn("left-out", message);
        }
        let by_name = self.gate.is_chosen_by_name();
        let gone = self.chosen.filter(|_| !by_name);
        let gone = gone.and_then(|chosen| left_out(&self.families, chosen, false, self.network));
        if let Some(gone) = gone {
            self.gate.warn("left-out", format!("left out: {gone}"));
        }
        if let Some(warning) = bad.warning() {
            self.gate.add_warning(warning);
        }
        let unit = self.gate.quantity().pick(
            "bytes and sectors of 512, counted since the machine was started",
            "operations, counted since the machine was started",
        );
        Ok(self
            .gate
            .finish("collectl recording", unit, Clock::Epoch, damage))
    }
}

fn counter(text: &str) -> Result<f64, Wrong> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| ("not a counter", text.to_owned()))
}
