//! What the lines of a text say.

use super::{DxtText, DxtTextModule, DxtTextRecord, DxtTextRequest};
use crate::darshan::log::Damage;
use crate::darshan::module::Module;
use crate::darshan::text::{Heading, Spot};
use crate::error::shortened;
use iotempo_model::{Warning, counted};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
struct Counts {
    records: u64,
    requests: u64,
    damage: Option<Damage>,
}

/// What was read so far.
pub(super) struct Scan {
    heading: Heading,
    tallies: BTreeMap<Module, Counts>,
    /// The record that the last request belongs to.
    pub(super) record: DxtTextRecord,
    /// Whether the comments of the record were there.
    headed: bool,
    /// Where the record began.
    begun: Spot,
    /// Writes and reads of the record so far.
    seen: (u64, u64),
    headless: u64,
}

impl Default for Scan {
    fn default() -> Self {
        Self {
            heading: Heading::default(),
            tallies: BTreeMap::new(),
            record: blank_record(0, Module::DxtPosix),
            headed: false,
            begun: Spot::default(),
            seen: (0, 0),
            headless: 0,
        }
    }
}

fn blank_record(ordinal: u64, module: Module) -> DxtTextRecord {
    DxtTextRecord {
        ordinal,
        module,
        id: 0,
        name: String::new(),
        rank: -1,
        hostname: String::new(),
        announced: None,
    }
}

impl Scan {
    /// Whether there were requests, or damage.
    pub(super) fn has_begun(&self) -> bool {
        !self.tallies.is_empty()
    }

    /// Takes a line; a request, where it is one.
    pub(super) fn line(&mut self, line: &str, spot: Spot) -> Option<DxtTextRequest> {
        if line.trim().is_empty() {
            return None;
        }
        if let Some(comment) = line.strip_prefix("# DXT, ") {
            self.comment(comment, spot);
            return None;
        }
        if let Some(comment) = line.strip_prefix('#') {
            match comment.trim_start().strip_suffix(" module data") {
                Some(module) => self.section(module),
                None => self.heading.take(line, spot),
            }
            return None;
        }
        let request = parse(line).filter(|_| !spot.cut || ends_whole(line));
        let Some((module, rank, request)) = request else {
            self.damage(spot.damage(match spot.cut {
                true => "the text ends inside a line".to_owned(),
                false => format!("not a request: {}", shortened(line.trim())),
            }));
            return None;
        };
        self.count(module, rank, &request, spot);
        Some(request)
    }

    /// `DXT_POSIX module data`.
    fn section(&mut self, name: &str) {
        if let Some(module) = Module::from_name(name).filter(|module| is_dxt(*module)) {
            self.close_record();
            self.record = blank_record(self.record.ordinal + 1, module);
        }
    }

    fn comment(&mut self, comment: &str, spot: Spot) {
        let mut damaged = false;
        if let Some((id, name)) = pair(comment, "file_id", "file_name") {
            self.close_record();
            self.record = blank_record(self.record.ordinal + 1, self.record.module);
            (self.headed, self.begun) = (true, spot);
            name.clone_into(&mut self.record.name);
            damaged = set(&mut self.record.id, id);
        } else if let Some((rank, host)) = pair(comment, "rank", "hostname") {
            host.clone_into(&mut self.record.hostname);
            damaged = set(&mut self.record.rank, rank);
        } else if let Some((writes, reads)) = pair(comment, "write_count", "read_count") {
            let announced = writes.parse().ok().zip(reads.trim().parse().ok());
            (self.record.announced, damaged) = (announced, announced.is_none());
        }
        if damaged {
            self.damage(spot.damage(format_args!("not a number: {}", shortened(comment))));
        }
    }

    fn count(&mut self, module: Module, rank: i64, request: &DxtTextRequest, spot: Spot) {
        if self.headed && self.seen == (0, 0) {
            // The line knows better than comments that may be missing.
            self.record.module = module;
            if self.record.rank < 0 {
                self.record.rank = rank;
            }
        }
        if !self.headed || module != self.record.module || rank != self.record.rank {
            self.begin_headless(module, rank, spot);
        }
        let counts = self.tallies.entry(module).or_default();
        counts.requests += 1;
        if self.seen == (0, 0) {
            counts.records += 1;
        }
        if request.write {
            self.seen.0 += 1;
        } else {
            self.seen.1 += 1;
        }
    }

    /// Requests without comments of their own: a text of which lines were selected.
    fn begin_headless(&mut self, module: Module, rank: i64, spot: Spot) {
        self.close_record();
        self.record = blank_record(self.record.ordinal + 1, module);
        self.record.rank = rank;
        self.begun = spot;
        self.headed = true;
        self.headless += 1;
    }

    /// Compares the record with what it announced: a text that ends between two lines shows no
    /// other trace of it.
    pub(super) fn close_record(&mut self) {
        let (writes, reads) = std::mem::take(&mut self.seen);
        let message = match self.record.announced.take() {
            Some((w, r)) if (w, r) != (writes, reads) => {
                format!(
                    "the record announces {w} writes and {r} reads and has {writes} and {reads}"
                )
            }
            None if self.headed && (writes, reads) == (0, 0) => {
                "the record ends inside its comments".to_owned()
            }
            _ => String::new(),
        };
        self.headed = false;
        if !message.is_empty() {
            self.damage(self.begun.damage(message));
        }
    }

    pub(super) fn damage(&mut self, damage: Damage) {
        let counts = self.tallies.entry(self.record.module).or_default();
        counts.damage.get_or_insert(damage);
    }

    pub(super) fn finish(self) -> DxtText {
        let tallies = self.tallies;
        let (versions, partial) = (self.heading.versions.clone(), self.heading.partial.clone());
        let printed = |module: Module| tallies.contains_key(&module);
        let mut log = self.heading.finish("darshan-dxt-parser", printed);
        let message = "the text has times with four decimals: \
                       what is shorter than 0.0001 s cannot be seen";
        log.warnings.push(Warning::new("text-rounding", message));
        if self.headless > 0 {
            let message = format!(
                "{} without a heading: the file is unknown",
                counted(self.headless, "record")
            );
            log.warnings
                .push(Warning::new("text-no-record-heading", message));
        }
        let modules = tallies.into_iter().map(|(module, counts)| DxtTextModule {
            module,
            version: versions.get(&module).copied().unwrap_or(0),
            partial: partial.contains(&module),
            records: counts.records,
            requests: counts.requests,
            damage: counts.damage,
        });
        DxtText {
            modules: modules.collect(),
            log,
        }
    }
}

fn is_dxt(module: Module) -> bool {
    matches!(module, Module::DxtPosix | Module::DxtMpiio)
}

/// `first: a, second: b`; `b` may hold anything.
fn pair<'a>(comment: &'a str, first: &str, second: &str) -> Option<(&'a str, &'a str)> {
    let rest = comment.strip_prefix(first)?.strip_prefix(": ")?;
    let (a, rest) = rest.split_once(", ")?;
    Some((a, rest.strip_prefix(second)?.strip_prefix(": ")?))
}

/// Whether `text` is not a number.
fn set<T: std::str::FromStr>(target: &mut T, text: &str) -> bool {
    match text.trim().parse() {
        Ok(value) => *target = value,
        Err(_) => return true,
    }
    false
}

/// Whether a line is a request.
pub(in crate::darshan) fn is_request(line: &str) -> bool {
    parse(line).is_some()
}

/// `X_POSIX 0 write 0 offset length start end`, then `[ost]` for each stripe on Lustre, then the
/// thread as of 2025. Numbers in brackets may be padded with blanks.
pub(super) fn parse(line: &str) -> Option<(Module, i64, DxtTextRequest)> {
    let mut words = line.split_ascii_whitespace();
    let module = Module::from_name(words.next()?).filter(|module| is_dxt(*module))?;
    let rank = words.next()?.parse().ok()?;
    let write = match words.next()? {
        "write" => true,
        "read" => false,
        _ => return None,
    };
    words.next()?.parse::<u64>().ok()?;
    let request = DxtTextRequest {
        write,
        offset: words.next()?.parse().ok()?,
        length: words.next()?.parse().ok()?,
        start_s: words.next()?.parse().ok()?,
        end_s: words.next()?.parse().ok()?,
        // A log without threads has −1 there.
        thread: words
            .last()
            .filter(|word| !word.ends_with(']'))
            .and_then(|word| word.parse().ok()),
    };
    Some((module, rank, request))
}

/// Whether the end time has all its decimals: the rest of a cut line does not matter.
fn ends_whole(line: &str) -> bool {
    let end = line.split_ascii_whitespace().nth(7).unwrap_or_default();
    end.rsplit_once('.')
        .is_some_and(|(_, decimals)| decimals.len() >= 4)
}
