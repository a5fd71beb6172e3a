//! What a person should know about logs that were put together.

use super::Target;
use crate::warning::{Warning, counted};
use std::collections::BTreeMap;

/// Targets that are told one by one.
const SHOWN: usize = 4;

/// What was noted while logs were put together.
#[derive(Debug, Default)]
pub(super) struct Told {
    logs: Vec<String>,
    /// Logs whose intervals are longer than steps were: how long, and how long steps were.
    coarser: Vec<(u32, f64, f64)>,
    /// By target: how many intervals are in no step, and their bytes.
    unplaced: BTreeMap<usize, (u64, f64)>,
    twice: BTreeMap<usize, Twice>,
    nameless: BTreeMap<usize, Twice>,
}

/// What two logs say of one target.
#[derive(Debug, Default)]
struct Twice {
    logs: [u32; 2],
    /// By direction.
    seconds: [f64; 2],
    bytes: f64,
}

impl Twice {
    /// How long both speak of it: mostly in both directions at once.
    fn seconds(&self) -> f64 {
        self.seconds[0].max(self.seconds[1])
    }
}

impl Told {
    /// Notes the name of a log: its number.
    pub(super) fn log(&mut self, name: String) -> u32 {
        self.logs.push(name);
        u32::try_from(self.logs.len() - 1).unwrap_or(u32::MAX)
    }

    pub(super) fn coarser(&mut self, log: u32, length: f64, step: f64) {
        self.coarser.push((log, length, step));
    }

    pub(super) fn unplaced(&mut self, target: usize, bytes: f64) {
        let (intervals, sum) = self.unplaced.entry(target).or_default();
        *intervals += 1;
        *sum += bytes;
    }

    pub(super) fn twice(
        &mut self,
        (target, op): (usize, usize),
        logs: [u32; 2],
        seconds: f64,
        bytes: f64,
    ) {
        let twice = self.twice.entry(target).or_default();
        twice.logs = logs;
        twice.seconds[op] += seconds;
        twice.bytes += bytes;
    }

    pub(super) fn nameless(&mut self, (target, op): (usize, usize), logs: [u32; 2], seconds: f64) {
        let twice = self.nameless.entry(target).or_default();
        twice.logs = logs;
        twice.seconds[op] += seconds;
    }

    /// The name of a log.
    pub(super) fn name(&self, log: u32) -> &str {
        let name = self.logs.get(log as usize);
        name.map_or("the log", String::as_str)
    }

    /// All of it as warnings, of logs that were brought to steps of `step` seconds.
    pub(super) fn warnings(&self, targets: &[Target], step: f64) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for &(log, length, before) in &self.coarser {
            let message = format!(
                "{}: its intervals are {length} s long, those of other logs {before} s: all are \
                 looked at in steps of {length} s",
                self.name(log)
            );
            warnings.push(Warning::new("coarse-log", message));
        }
        let unplaced = self.unplaced.iter().filter(|(_, (_, bytes))| *bytes > 0.0);
        let lines = unplaced.map(|(&target, (intervals, bytes))| {
            let named = named(targets, target);
            format!(
                "{named}{bytes:.0} bytes in {}",
                counted(*intervals, "interval")
            )
        });
        let why =
            format!("longer than a few steps of {step} s, so that nobody knows when: left out");
        warnings.extend(shown("bytes-not-placed", lines.collect(), &why));
        // The last interval of a log may reach into the first one of the next.
        let real = |(_, twice): &(&usize, &Twice)| twice.seconds() > 1.5 * step;
        let lines = self.twice.iter().filter(real).map(|(&target, twice)| {
            let [first, second] = twice.logs.map(|log| self.name(log));
            format!(
                "{}{:.0} s are in {first} and in {second} ({:.0} bytes)",
                named(targets, target),
                twice.seconds(),
                twice.bytes
            )
        });
        let why = "those of the second are left out";
        warnings.extend(shown("target-twice", lines.collect(), why));
        let lines = self.nameless.iter().filter(real).map(|(&target, twice)| {
            let [first, second] = twice.logs.map(|log| self.name(log));
            format!(
                "{}{:.0} s are in {first} and in {second}",
                named(targets, target),
                twice.seconds()
            )
        });
        let why = "neither names its server: taken for different ones, and added up";
        warnings.extend(shown("servers-unnamed", lines.collect(), why));
        warnings
    }
}

fn named(targets: &[Target], index: usize) -> String {
    let label = targets.get(index).map(Target::label).unwrap_or_default();
    match label.as_str() {
        "" => String::new(),
        label => format!("{label}: "),
    }
}

fn shown(code: &'static str, lines: Vec<String>, why: &str) -> Option<Warning> {
    let more = match lines.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("; the same of {}", counted(more as u64, "other target")),
    };
    let few: Vec<String> = lines.into_iter().take(SHOWN).collect();
    let message = format!("{}{more}: {why}", few.join("; "));
    (!few.is_empty()).then(|| Warning::new(code, message))
}
