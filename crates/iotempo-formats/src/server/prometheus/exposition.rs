//! What exporters show to Prometheus, saved again and again: one snapshot behind the other.
//!
//! When a snapshot was taken, its samples may say; or a line with a time above it, as `date` prints
//! it between two calls of `curl`; or the exporter's own clock (`node_time_seconds`).

use super::super::flows::Measure;
use super::super::metrics::{Emitter, Identity, Stop, Survey, Taker, Wishes};
use super::super::options::{Clock, Options, Reading};
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::table::lines::Lines;
use crate::zone;
use iotempo_model::{ThroughputSink, counted};
use std::collections::HashMap;
use std::collections::HashSet;

/// Metrics whose value is the time of their snapshot.
const CLOCKS: [&str; 2] = ["node_time_seconds", "node_time"];

/// So many readings of one snapshot are held.
const HELD: usize = 1 << 20;

/// Whether these bytes begin a snapshot.
pub(super) fn sniff(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let Ok(text) = std::str::from_utf8(&head[..head.len().min(16 << 10)])
        .or_else(|error| std::str::from_utf8(&head[..error.valid_up_to()]))
    else {
        return false;
    };
    let whole = head.len() < 16 << 10;
    let mut lines = text
        .split_inclusive('\n')
        .filter(|line| whole || line.ends_with('\n'));
    let mut stamps = 0;
    let mut described = false;
    let found = lines.find_map(|line| {
        let line = line.trim();
        let mut words = line.split_ascii_whitespace();
        match (words.next(), words.next(), words.next(), words.next()) {
            (None, ..) => None,
            (Some("#"), Some("HELP"), Some(_), _) => {
                described = true;
                None
            }
            (Some("#"), Some("TYPE"), Some(_), Some(kind)) => Some(is_type(kind)),
            _ if is_stamp(line) && stamps < 2 => {
                stamps += 1;
                None
            }
            _ => Some(sample(line).is_some_and(|sample| described || !sample.labels.is_empty())),
        }
    });
    found == Some(true)
}

fn is_type(word: &str) -> bool {
    [
        "counter",
        "gauge",
        "histogram",
        "summary",
        "untyped",
        "unknown",
        "info",
        "stateset",
    ]
    .contains(&word)
}

/// Whether a line is nothing but a time, which may stand in a comment.
fn is_stamp(line: &str) -> bool {
    zone::is_time(line.trim_start_matches('#').trim())
}

/// One line of a snapshot.
struct Sample<'a> {
    /// Name and labels, as they are written.
    key: &'a str,
    name: &'a str,
    labels: Vec<(String, String)>,
    value: f64,
    /// As it is written: milliseconds, or in OpenMetrics seconds with a decimal point.
    time: Option<&'a str>,
}

/// `name{label="value",…} 1.5e9 1700000000000`.
fn sample(line: &str) -> Option<Sample<'_>> {
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | ':')))?;
    let (name, rest) = line.split_at(end);
    if !name.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | ':')) {
        return None;
    }
    let (labels, rest) = match rest.trim_start().strip_prefix('{') {
        Some(inside) => labels(inside)?,
        None => (Vec::new(), rest),
    };
    let key = &line[..line.len() - rest.len()];
    // What OpenMetrics calls an exemplar is not read.
    let rest = rest.split(" # ").next().unwrap_or(rest);
    let mut words = rest.split_ascii_whitespace();
    let value = words.next()?.parse().ok()?;
    let time = words.next();
    let is_time = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    if words.next().is_some() || time.is_some_and(|text| !is_time(text)) {
        return None;
    }
    Some(Sample {
        key,
        name,
        labels,
        value,
        time,
    })
}

/// Labels up to the closing brace, and what follows it.
fn labels(mut text: &str) -> Option<(Vec<(String, String)>, &str)> {
    let mut labels = Vec::new();
    loop {
        text = text.trim_start_matches([' ', ',']);
        if let Some(rest) = text.strip_prefix('}') {
            labels.sort();
            return Some((labels, rest));
        }
        let (name, rest) = text.split_once('=')?;
        let rest = rest.trim_start().strip_prefix('"')?;
        let mut value = String::new();
        let mut letters = rest.char_indices();
        let end = loop {
            let (at, letter) = letters.next()?;
            match letter {
                '"' => break at,
                '\\' => match letters.next()?.1 {
                    'n' => value.push('\n'),
                    other => value.push(other),
                },
                other => value.push(other),
            }
        };
        labels.push((name.trim().to_owned(), value));
        text = &rest[end + 1..];
    }
}

pub(super) fn read(
    input: Input,
    options: &Options,
    sink: &mut dyn ThroughputSink,
) -> Result<Reading, Error> {
    let wishes = Wishes::new(options)?;
    let [look, all] = input.twice()?;
    let mut survey = Survey::new(&options.limits);
    // Damage is told of when it is met again.
    let _ = Snapshots::new(options, &mut survey).walk(&mut Lines::new(look, &options.limits));
    let mut emitter = Emitter::new(options, wishes, Measure::PerSecond, sink);
    emitter.prepare(survey);
    let mut snapshots = Snapshots::new(options, &mut emitter);
    let damage = match snapshots.walk(&mut Lines::new(all, &options.limits)) {
        Ok(()) => None,
        Err(stop) => Some(stop.damage()?),
    };
    let told = snapshots.told();
    for (code, message) in told.warnings {
        emitter.warn(code, message);
    }
    for warning in told.zone.warnings() {
        emitter.add_warning(warning);
    }
    if emitter.readings() == 0 && told.timeless > 0 {
        let what = match told.timeless {
            1 => "one snapshot of an exporter: what moved shows only between two of them",
            _ => {
                "snapshots of an exporter that do not say when they were taken: put a line with the \
                 time above each (date +%s), or give --interval"
            }
        };
        let kind = ErrorKind::Unsupported(what.to_owned());
        return Err(Error::new("", Place::Whole, kind));
    }
    if told.undated && options.start.is_some() {
        emitter.use_start();
    }
    let clock = match told.zone.zone() {
        _ if told.undated && options.start.is_none() => Clock::Relative,
        Some(zone) => Clock::Zone(zone.name().to_owned()),
        None => Clock::Epoch,
    };
    emitter.finish("Prometheus text", clock, damage)
}

/// What is to be said about all snapshots.
struct Told {
    warnings: Vec<(&'static str, String)>,
    zone: zone::Clock,
    timeless: u64,
    /// Whether times count from the first snapshot.
    undated: bool,
}

/// One snapshot after the other.
struct Snapshots<'a> {
    taker: &'a mut dyn Taker,
    zone: zone::Clock,
    start: Option<f64>,
    interval: Option<f64>,
    /// Whether a series was in the present snapshot, by its number here.
    known: HashMap<Vec<u8>, Option<usize>>,
    /// The metric that was called a counter last: its samples follow.
    counter: String,
    seen: HashSet<usize>,
    held: Vec<(usize, Option<f64>, f64)>,
    /// When the present snapshot was taken, and what its own clock says.
    stamp: Option<f64>,
    clock: Option<f64>,
    number: u64,
    timeless: u64,
    undated: bool,
    bad: u64,
    first_bad: Option<Error>,
}

impl<'a> Snapshots<'a> {
    fn new(options: &Options, taker: &'a mut dyn Taker) -> Self {
        Self {
            taker,
            zone: zone::Clock::of_running_log(options.zone.clone()),
            start: options.start,
            interval: options.interval.map(iotempo_model::Seconds::get),
            known: HashMap::new(),
            counter: String::new(),
            seen: HashSet::new(),
            held: Vec::new(),
            stamp: None,
            clock: None,
            number: 0,
            timeless: 0,
            undated: false,
            bad: 0,
            first_bad: None,
        }
    }

    fn walk(&mut self, lines: &mut Lines) -> Result<(), Stop> {
        loop {
            let number = lines.number() + 1;
            let line = match lines.next() {
                Ok(Some(line)) => String::from_utf8_lossy(line).into_owned(),
                Ok(None) => return self.end(),
                Err(error) => {
                    self.end()?;
                    return Err(error.into());
                }
            };
            self.line(line.trim(), number)?;
        }
    }

    fn line(&mut self, line: &str, number: u64) -> Result<(), Stop> {
        let comment = line.strip_prefix('#').map(str::trim);
        if line.is_empty() {
            return Ok(());
        }
        if comment == Some("EOF") {
            return self.end();
        }
        if let Some(text) = comment.and_then(|text| text.strip_prefix("TYPE ")) {
            // A gauge may be a counter, too: libraries for exporters have counters that count up by
            // themselves, and gauges that are set to what a server counts.
            let counts = text.trim().strip_suffix(" counter");
            self.counter = counts.unwrap_or_default().trim().to_owned();
            return Ok(());
        }
        if comment.is_some_and(|text| text.starts_with("HELP ")) {
            return Ok(());
        }
        if let Some(stamp) = self.zone.epoch_s(comment.unwrap_or(line)) {
            self.end()?;
            self.stamp = Some(stamp);
            return Ok(());
        }
        if comment.is_some() {
            return Ok(());
        }
        let Some(sample) = sample(line) else {
            self.bad += 1;
            let what = match is_stamp(line) {
                true => zone::why_no_time(line),
                false => "not a sample",
            };
            self.first_bad
                .get_or_insert_with(|| Error::invalid("", Place::Line(number), what, line));
            return Ok(());
        };
        if CLOCKS.contains(&sample.name) {
            // Without labels of interest: a snapshot has one of it.
            if self.clock.is_some() {
                self.end()?;
            }
            self.clock = Some(sample.value).filter(|time| time.is_finite());
            return Ok(());
        }
        let at = sample.time.and_then(milliseconds);
        let key = sample.key.as_bytes();
        let series = match self.known.get(key) {
            Some(known) => *known,
            None => {
                let identity = Identity {
                    name: sample.name.to_owned(),
                    labels: sample.labels,
                    counts: sample.name == self.counter,
                    ..Identity::default()
                };
                let series = self.taker.series(identity)?;
                self.known.insert(key.to_vec(), series);
                series
            }
        };
        let Some(series) = series else { return Ok(()) };
        if self.seen.contains(&series) {
            self.end()?;
        }
        self.seen.insert(series);
        self.held.push((series, at, sample.value));
        if self.held.len() > HELD {
            let kind = ErrorKind::Budget {
                what: "samples of one snapshot",
                limit: HELD as u64,
            };
            return Err(Error::new("", Place::Line(number), kind).into());
        }
        Ok(())
    }

    /// A snapshot is complete.
    fn end(&mut self) -> Result<(), Stop> {
        let (stamp, clock) = (self.stamp.take(), self.clock.take());
        self.seen.clear();
        if self.held.is_empty() {
            return Ok(());
        }
        let counted = self
            .interval
            .map(|interval| self.start.unwrap_or_default() + self.number as f64 * interval);
        self.number += 1;
        let mut timeless = false;
        for (series, at, value) in self.held.drain(..) {
            match at.or(stamp).or(clock).or(counted) {
                Some(time) => self.taker.reading(series, time, value)?,
                None => timeless = true,
            }
            let by_count = at.or(stamp).or(clock).is_none();
            self.undated |= by_count;
        }
        self.timeless += u64::from(timeless);
        Ok(())
    }

    fn told(self) -> Told {
        let mut warnings = Vec::new();
        if let Some(first) = self.first_bad {
            let lines = counted(self.bad, "line");
            warnings.push(("bad-rows", format!("{lines} left out (the first: {first})")));
        }
        if self.timeless > 0 {
            let snapshots = counted(self.timeless, "snapshot");
            warnings.push(("no-time", format!("{snapshots} without a time: left out")));
        }
        Told {
            warnings,
            zone: self.zone,
            timeless: self.timeless,
            undated: self.undated && self.interval.is_some(),
        }
    }
}

/// Milliseconds since 1970 by Prometheus' own format; seconds with a decimal point by OpenMetrics.
fn milliseconds(text: &str) -> Option<f64> {
    let number: f64 = text.parse().ok()?;
    Some(if text.contains('.') || number.abs() < 1e11 {
        number
    } else {
        number / 1e3
    })
}
