//! Snapshots, line by line.

use super::super::gate::{Gate, Series};
use super::super::options::{Clock, Options, Reading};
use super::super::quantity::Quantity;
use super::super::snapshots::Snapshots;
use super::Beginning;
use super::line::{Counter, instant, job_id};
use super::source::{Content, Level, Source};
use crate::error::{Error, ErrorKind, Place};
use crate::table::bad_rows::BadRows;
use crate::zone::is_time;
use iotempo_model::{Op, ThroughputSink};
use std::collections::{BTreeSet, HashMap};
use std::io;

const OPS: [Op; 2] = [Op::Read, Op::Write];

/// What the file is about, so far.
pub(super) struct Log<'a> {
    gate: Gate<'a>,
    snapshots: Snapshots,
    pub(super) bad: BadRows,
    /// Which level is handed on.
    level: Option<Level>,
    left_out: BTreeSet<Level>,
    source: Option<Source>,
    entry: Option<Entry>,
    /// By OST: when its jobs were last looked at, and the latest time in the look under way.
    jobs_seen: HashMap<String, Looks>,
    histograms: bool,
    metadata: bool,
    cut_off: bool,
}

/// The counters of one target, or of one job, at one instant.
#[derive(Default)]
struct Entry {
    job: Option<String>,
    at: Option<f64>,
    began: Option<f64>,
    sums: [Option<f64>; 2],
    /// Whether it has counters at all.
    counts: bool,
    /// Whether it counts calls of programs, as only clients do.
    calls: bool,
}

/// When the jobs of an OST were looked at.
#[derive(Default, Clone, Copy)]
struct Looks {
    before: Option<f64>,
    now: Option<f64>,
}

impl<'a> Log<'a> {
    pub(super) fn new(
        options: &'a Options,
        sink: &'a mut dyn ThroughputSink,
        level: Option<Level>,
    ) -> Self {
        Self {
            gate: Gate::new(options, sink),
            snapshots: Snapshots::default(),
            bad: BadRows::default(),
            level,
            left_out: BTreeSet::new(),
            source: None,
            entry: None,
            jobs_seen: HashMap::new(),
            histograms: false,
            metadata: false,
            cut_off: false,
        }
    }

    /// Takes a line.
    ///
    /// # Errors
    /// Whatever the sink answers.
    pub(super) fn line(&mut self, line: &str, place: Place) -> io::Result<()> {
        match Beginning::of(line) {
            Some(Beginning::Source(source, rest)) => {
                self.end_of_entry()?;
                self.metadata |= source.metadata;
                self.histograms |= source.content == Content::Histograms;
                let (content, rest) = (source.content, rest.trim());
                self.source = Some(source);
                match content {
                    Content::Jobs => self.begin_jobs(),
                    // Some versions begin the value on the same line.
                    Content::Stats if !rest.is_empty() => return self.line(rest, place),
                    _ => {}
                }
            }
            Some(Beginning::Jobs) => {
                self.end_of_entry()?;
                // Behind the name of the parameter it says nothing new.
                let known = self.content() == Some(Content::Jobs);
                if !(known && self.is_fresh_look()) {
                    if !known {
                        self.source = Some(Source::nameless(Content::Jobs));
                    }
                    self.begin_jobs();
                }
            }
            Some(Beginning::Histograms) => {
                self.end_of_entry()?;
                self.histograms = true;
                self.source = Some(Source::nameless(Content::Histograms));
            }
            Some(Beginning::Snapshot(time)) => self.begin_snapshot(time, line, place)?,
            None => self.counter_line(line, place)?,
        }
        Ok(())
    }

    /// Takes the last line, which has no end: a number in it may have lost its last digits.
    pub(super) fn cut_off(&mut self, line: &str, place: Place) -> io::Result<()> {
        let trimmed = line.trim();
        if trimmed.ends_with(['}', ']', ':']) || is_time(trimmed) {
            return self.line(line, place);
        }
        self.cut_off = true;
        Ok(())
    }

    fn content(&self) -> Option<Content> {
        self.source.as_ref().map(|source| source.content)
    }

    fn begin_snapshot(&mut self, time: &str, line: &str, place: Place) -> io::Result<()> {
        self.end_of_entry()?;
        if self.content() != Some(Content::Stats) {
            self.source = Some(Source::nameless(Content::Stats));
        }
        match instant(time) {
            None => self
                .bad
                .bad(|| Error::invalid("", place, "not a time", line)),
            at => {
                self.bad.good();
                self.entry = Some(Entry {
                    at,
                    counts: true,
                    ..Entry::default()
                });
            }
        }
        Ok(())
    }

    /// A line that belongs to what was begun.
    fn counter_line(&mut self, line: &str, place: Place) -> io::Result<()> {
        let trimmed = line.trim();
        let unwanted = matches!(self.content(), Some(Content::Histograms | Content::Other));
        if trimmed.is_empty() || unwanted || is_time(trimmed) {
            return Ok(());
        }
        let understood = match self.content() {
            Some(Content::Jobs) => self.job_line(trimmed)?,
            Some(Content::Stats) => self.stats_line(trimmed),
            _ => false,
        };
        if understood {
            self.bad.good();
        } else {
            self.bad
                .bad(|| Error::invalid("", place, "not a line of Lustre's counters", line));
        }
        Ok(())
    }

    fn stats_line(&mut self, line: &str) -> bool {
        let time = ["start_time", "elapsed_time"]
            .iter()
            .find_map(|name| line.strip_prefix(name));
        if let Some(time) = time {
            return instant(time).is_some();
        }
        let Some(counter) = Counter::of_stats(line) else {
            return false;
        };
        // A counter of bytes without a sum is damaged.
        let quantity = self.gate.quantity();
        self.entry
            .as_mut()
            .is_some_and(|entry| entry.take(&counter, quantity))
    }

    fn job_line(&mut self, line: &str) -> io::Result<bool> {
        if let Some(id) = line.strip_prefix("- job_id:") {
            self.end_of_entry()?;
            self.entry = Some(Entry {
                job: Some(job_id(id).to_owned()),
                ..Entry::default()
            });
            return Ok(true);
        }
        let quantity = self.gate.quantity();
        let Some(entry) = self.entry.as_mut() else {
            return Ok(false);
        };
        if let Some((name, value)) = line.split_once(':') {
            match name.trim() {
                "snapshot_time" => {
                    entry.at = instant(value);
                    return Ok(entry.at.is_some());
                }
                "start_time" => {
                    entry.began = instant(value);
                    return Ok(entry.began.is_some());
                }
                "elapsed_time" => return Ok(instant(value).is_some()),
                _ => {}
            }
        }
        Ok(Counter::of_job(line).is_some_and(|counter| entry.take(&counter, quantity)))
    }

    fn begin_jobs(&mut self) {
        let server = self.source.as_ref().map(|source| source.server.clone());
        let looks = self
            .jobs_seen
            .entry(server.unwrap_or_default())
            .or_default();
        if let Some(now) = looks.now.take() {
            looks.before = Some(looks.before.map_or(now, |before| before.max(now)));
        }
    }

    /// Whether no job was seen yet since the jobs of this OST were begun.
    fn is_fresh_look(&self) -> bool {
        let server = self.source.as_ref().map(|source| source.server.as_str());
        let looks = self.jobs_seen.get(server.unwrap_or_default());
        looks.is_none_or(|looks| looks.now.is_none())
    }

    /// Hands on what was gathered of a target or a job.
    fn end_of_entry(&mut self) -> io::Result<()> {
        let (Some(entry), Some(source)) = (self.entry.take(), self.source.as_ref()) else {
            return Ok(());
        };
        let Some(at) = entry.at else { return Ok(()) };
        let looks = match source.content {
            Content::Jobs => {
                let looks = self.jobs_seen.entry(source.server.clone()).or_default();
                looks.now = Some(looks.now.map_or(at, |now| now.max(at)));
                *looks
            }
            _ => Looks::default(),
        };
        if !entry.counts || source.metadata && entry.sums == [None; 2] {
            return Ok(());
        }
        // Without a name, what is counted tells clients from servers.
        let level = match source.name.is_empty() && entry.calls {
            true => Level::Mount,
            false => source.level,
        };
        let wanted = *self.level.get_or_insert(level);
        if level != wanted && !self.gate.is_chosen_by_name() {
            self.left_out.insert(level);
            return Ok(());
        }
        let name = entry.job.as_deref().unwrap_or(&source.name);
        match self.gate.series(&source.server, name, level.kind()) {
            Some(series) => self.counters(series, &entry, at, looks),
            None => Ok(()),
        }
    }

    fn counters(&mut self, series: Series, entry: &Entry, at: f64, looks: Looks) -> io::Result<()> {
        for (op, sum) in OPS.into_iter().zip(entry.sums) {
            let shown = self.snapshots.shown(series, op);
            let value = match (sum, shown.map(|shown| shown.value)) {
                (Some(sum), _) => sum,
                // Not used yet.
                (None, None | Some(0.0)) => 0.0,
                // Gone: cleared, or lost with the end of the file. The next look will tell.
                (None, Some(_)) => continue,
            };
            if entry.job.is_some() && !self.since_last_look(series, op, entry, at, value, looks)? {
                continue;
            }
            self.snapshots.read(&mut self.gate, series, op, at, value)?;
        }
        Ok(())
    }

    /// Says what the look before this one knew of a job's counter, whose own time is that of its last
    /// request: an idle job keeps it, look after look. `false` where there is nothing new.
    fn since_last_look(
        &mut self,
        series: Series,
        op: Op,
        entry: &Entry,
        at: f64,
        value: f64,
        looks: Looks,
    ) -> io::Result<bool> {
        let (gate, snapshots) = (&mut self.gate, &mut self.snapshots);
        let known = looks.before.filter(|&before| before < at);
        let began = entry.began.filter(|&began| began < at);
        let Some(shown) = snapshots.shown(series, op) else {
            // A job that was not there before began at zero since then.
            if let Some(before) = known {
                let began = began.map_or(before, |began| began.max(before));
                snapshots.read(gate, series, op, began, 0.0)?;
            }
            return Ok(true);
        };
        // Its entry expired, and it has a new one: whatever that shows, it began at zero.
        let is_new = |began: f64| shown.value > 0.0 && shown.at < began && began <= at;
        if entry.began.is_some_and(is_new)
            && let Some(zero) = latest(began, known).filter(|&zero| shown.at < zero)
        {
            snapshots.restart(gate, series, op, zero)?;
            return Ok(true);
        }
        let Some(before) = looks.before else {
            return Ok(true);
        };
        let idle = shown.value == value && at <= before;
        if shown.at < before && (idle || before < at) {
            // It had moved nothing more when it was looked at before.
            snapshots.read(gate, series, op, before, shown.value)?;
        }
        Ok(!idle)
    }

    /// What was found.
    ///
    /// # Errors
    /// Where no counter of bytes was.
    pub(super) fn finish(mut self, damage: Option<Error>) -> Result<Reading, Error> {
        self.end_of_entry()?;
        self.bad.judge()?;
        if self.level.is_none() && damage.is_none() {
            return Err(Error::new(
                "",
                Place::Whole,
                ErrorKind::Unsupported(self.no_bytes()),
            ));
        }
        self.snapshots.tell(&mut self.gate);
        self.tell();
        match damage {
            Some(error) if self.gate.samples() == 0 => Err(error),
            damage => {
                let unit = self.gate.quantity().pick(
                    "bytes, counted since the target or the job began",
                    "operations (samples of read_bytes and write_bytes), counted since the target or the job \
                     began",
                );
                Ok(self
                    .gate
                    .finish("Lustre counters", unit, Clock::Epoch, damage))
            }
        }
    }

    fn no_bytes(&self) -> String {
        let what = match (self.histograms, self.metadata) {
            (true, _) => "brw_stats of Lustre: sizes of requests,",
            (_, true) => "job_stats of a metadata server of Lustre: operations on metadata,",
            _ => "counters of Lustre without read_bytes or write_bytes:",
        };
        let none = self
            .gate
            .quantity()
            .pick("no bytes over time", "no reads and writes over time");
        format!("{what} {none}; take obdfilter.*.stats or obdfilter.*.job_stats, twice or more")
    }

    fn tell(&mut self) {
        if !self.left_out.is_empty() {
            let others: Vec<_> = self.left_out.iter().map(|level| level.name()).collect();
            let taken = self.level.map_or("", Level::name);
            self.gate.warn(
                "left-out",
                format!(
                    "{} count the {} of the {taken} once more: left out (name targets to have them)",
                    others.join(", "),
                    self.gate.quantity().name()
                ),
            );
        }
        if self.histograms {
            self.gate.warn(
                "left-out",
                "brw_stats hold sizes of requests, and nothing over time",
            );
        }
        if self.metadata {
            let message = self.gate.quantity().pick(
                "counters of metadata servers hold operations: only their bytes are read",
                "counters of metadata servers hold operations on metadata: only their reads and writes are \
                 read",
            );
            self.gate.warn("left-out", message);
        }
        if self.cut_off {
            let message =
                "the last line has no end: a number in it may be cut off, so it is left out";
            self.gate.warn("cut-off", message);
        }
        if let Some(warning) = self.bad.warning() {
            self.gate.add_warning(warning);
        }
    }
}

/// The later of two instants, as far as they are known.
fn latest(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    one.into_iter().chain(other).reduce(f64::max)
}

impl Entry {
    /// `false` where a counter of bytes does not say what is asked for.
    fn take(&mut self, counter: &Counter<'_>, quantity: Quantity) -> bool {
        self.calls |= matches!(counter.name, "open" | "close" | "readdir") && self.job.is_none();
        let Some(op) = counter.op() else {
            return true;
        };
        self.counts = true;
        // `read_bytes` is meant where `read` counts, too.
        let sum = &mut self.sums[op as usize];
        let amount = counter.amount(quantity);
        if amount.is_some() && (sum.is_none() || counter.name.ends_with("_bytes")) {
            *sum = amount;
        }
        amount.is_some()
    }
}
