//! What passes: sizes that fit each other, and bandwidths that are some.

use super::{BenchmarkFormat, BenchmarkReading, NODES_UNSTATED};
use crate::error::{Error, ErrorKind, Place, shortened};
use iotempo_model::{
    Api, BenchmarkGatherer, FileStrategy, Op, Scenario, Spatiality, Warning, counted,
};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// No machine moves more, in bytes per second; who writes bytes for MiB does.
const FASTEST: f64 = 1e15;
/// Nor does anybody benchmark less.
const SLOWEST: f64 = 1e3;
/// Repetitions of one run differ by a hundredfold where a cache helps. Beyond this factor, units do.
const MIXED_UNITS: f64 = 1e5;
/// Where MB stand among GB, the middles of two heaps lie a factor of 1000 or more apart, give or take what runs
/// differ by, and nothing lies between. Caches make heaps, too, but nearer ones: in the results of FORGE, middles are
/// 87 apart at most and the gap is 59; in those of RR-9366, 138 and 131.
const A_PREFIX: f64 = 500.0;
const NOTHING_BETWEEN: f64 = 100.0;

/// A repetition as a file states it, in bytes and seconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draft {
    pub(super) op: Op,
    pub(super) api: Api,
    pub(super) files: FileStrategy,
    pub(super) spatiality: Spatiality,
    pub(super) nodes: f64,
    pub(super) processes: f64,
    pub(super) bytes_per_process: f64,
    pub(super) request_bytes: f64,
    pub(super) io_nodes: u32,
    pub(super) bandwidth: f64,
}

/// Why a row cannot be used.
#[derive(Debug)]
pub(super) enum Why {
    /// Nobody says on how many nodes it ran.
    Nodes,
    /// What is wrong with it.
    Odd(String),
}

impl<T: Into<String>> From<T> for Why {
    fn from(what: T) -> Self {
        Self::Odd(what.into())
    }
}

/// What nobody says.
const NODES: &str = "the number of nodes";

/// Repetitions that were taken, and why others were not.
#[derive(Default)]
pub(super) struct Collected {
    /// Repetitions of each benchmark, with their lines.
    taken: BTreeMap<(Scenario, u32), Vec<(f64, u64)>>,
    rows: u64,
    /// Problems by their code, with the first of each.
    odd: BTreeMap<&'static str, (u64, u64, String)>,
    warnings: Vec<Warning>,
}

impl Collected {
    /// Says something about the whole file, once.
    pub(super) fn note(&mut self, code: &'static str, message: impl Into<String>) {
        if !self.warnings.iter().any(|known| known.code == code) {
            self.warnings.push(Warning::new(code, message));
        }
    }

    /// Leaves a row out.
    pub(super) fn leave_out(&mut self, line: u64, why: impl Into<Why>) {
        match why.into() {
            Why::Nodes => self.odd(NODES_UNSTATED, line, format!("{NODES} is not stated")),
            Why::Odd(what) => self.odd("row-left-out", line, what),
        }
    }

    fn odd(&mut self, code: &'static str, line: u64, what: impl Into<String>) {
        let entry = self.odd.entry(code);
        let known = entry.or_insert_with(|| (0, line, what.into()));
        known.0 += 1;
    }

    /// Takes a row, or counts what is wrong with it.
    pub(super) fn push(&mut self, line: u64, draft: &Draft) {
        match checked(draft) {
            Ok(scenario) => self.take(line, scenario, draft),
            Err(why) => self.leave_out(line, why),
        }
    }

    fn take(&mut self, line: u64, scenario: Scenario, draft: &Draft) {
        let bandwidth = draft.bandwidth;
        if !(bandwidth.is_finite() && bandwidth > 0.0) {
            self.odd("no-bandwidth", line, format!("a bandwidth of {bandwidth}"));
        } else if !(SLOWEST..=FASTEST).contains(&bandwidth) {
            let what = format!("{bandwidth:e} bytes per second: are the units right?");
            self.odd("units", line, what);
        } else {
            self.rows += 1;
            let key = (scenario, draft.io_nodes);
            self.taken.entry(key).or_default().push((bandwidth, line));
        }
    }

    /// Leaves out repetitions that are too far from the others to be of the same unit; all, where it cannot be told
    /// which are.
    fn leave_out_mixed(&mut self, format: BenchmarkFormat) {
        let mut mixed = Vec::new();
        for repetitions in self.taken.values_mut() {
            let mut sorted = repetitions.clone();
            sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (Some(slow), Some(fast)) = (sorted.first(), sorted.last()) else {
                continue;
            };
            let gap = |at: &usize| sorted[*at].0 / sorted[at - 1].0;
            let widest = (1..sorted.len()).max_by(|a, b| gap(a).total_cmp(&gap(b)));
            let (low, high) = sorted.split_at(widest.unwrap_or(0));
            // A program that prints its own results does so in one unit.
            let a_prefix_apart = format.is_table() && are_a_prefix_apart(low, high);
            if fast.0 / slow.0 <= MIXED_UNITS && !a_prefix_apart {
                continue;
            }
            let keep = match low.len().cmp(&high.len()) {
                Ordering::Less => slow.0.max(high[0].0)..=fast.0,
                Ordering::Greater => slow.0..=low[low.len() - 1].0,
                Ordering::Equal => f64::INFINITY..=f64::INFINITY,
            };
            let what = format!(
                "line {} is {:.0} times as fast as line {} with the same sizes: are the units mixed up?",
                fast.1,
                fast.0 / slow.0,
                slow.1
            );
            let out = repetitions.iter().filter(|one| !keep.contains(&one.0));
            mixed.extend(out.map(|one| (one.1, what.clone())));
            repetitions.retain(|one| keep.contains(&one.0));
        }
        mixed.sort();
        self.rows -= mixed.len() as u64;
        for (line, what) in mixed {
            self.odd("units-mixed", line, what);
        }
    }

    pub(super) fn finish(mut self, format: BenchmarkFormat) -> Result<BenchmarkReading, Error> {
        self.leave_out_mixed(format);
        if self.rows == 0 {
            let first = self.odd.into_iter().min_by_key(|(_, (_, line, _))| *line);
            return Err(match first {
                Some((NODES_UNSTATED, (_, line, _))) => {
                    Error::new("", Place::Line(line), ErrorKind::Unstated(NODES))
                }
                Some((_, (_, line, what))) => {
                    Error::invalid("", Place::Line(line), "no repetition can be used", what)
                }
                None => Error::invalid("", Place::Whole, "no repetitions in it", format.name()),
            });
        }
        for (code, (count, line, what)) in self.odd {
            let rows = counted(count, "row");
            let message = format!("{rows} left out, the first in line {line}: {what}");
            self.warnings.push(Warning::new(code, message));
        }
        let mut gatherer = BenchmarkGatherer::default();
        for ((scenario, io_nodes), repetitions) in self.taken {
            for (bandwidth, _) in repetitions {
                gatherer.push(scenario, io_nodes, bandwidth);
            }
        }
        Ok(BenchmarkReading {
            format,
            rows: self.rows,
            benchmarks: gatherer.finish(),
            warnings: self.warnings,
        })
    }
}

/// Whether repetitions, in the order of their bandwidths, lie in two heaps as if of two units.
fn are_a_prefix_apart(low: &[(f64, u64)], high: &[(f64, u64)]) -> bool {
    let (Some(end), Some(start)) = (low.last(), high.first()) else {
        return false;
    };
    let middle = |heap: &[(f64, u64)]| heap[heap.len() / 2].0;
    start.0 / end.0 >= NOTHING_BETWEEN && middle(high) / middle(low) >= A_PREFIX
}

fn checked(draft: &Draft) -> Result<Scenario, String> {
    let sizes = [
        ("nodes", draft.nodes),
        ("processes", draft.processes),
        ("bytes per process", draft.bytes_per_process),
        ("bytes of a request", draft.request_bytes),
    ];
    // Beyond this, whole numbers are not exact.
    const LARGEST: f64 = 9e15;
    for (name, value) in sizes {
        if !(1.0..LARGEST).contains(&value) {
            return Err(format!("{name}: {value}"));
        }
    }
    if draft.nodes > draft.processes {
        return Err(format!(
            "{} nodes for {} processes",
            draft.nodes, draft.processes
        ));
    }
    // Bytes are rarely divided evenly.
    if draft.request_bytes > draft.bytes_per_process * 1.01 {
        return Err(format!(
            "a request of {} bytes is larger than the {} bytes that a process moves: are the units \
             mixed up?",
            draft.request_bytes,
            draft.bytes_per_process.round()
        ));
    }
    Ok(Scenario {
        op: draft.op,
        api: draft.api,
        files: draft.files,
        spatiality: draft.spatiality,
        nodes: draft.nodes.round() as u64,
        processes: draft.processes.round() as u64,
        bytes_per_process: draft.bytes_per_process.round() as u64,
        request_bytes: draft.request_bytes.round() as u64,
    })
}

/// A number, or what is wrong with its text.
pub(super) fn number(name: &str, text: &str) -> Result<f64, String> {
    let parsed = text.trim().parse::<f64>();
    parsed.map_err(|_| format!("{name} is no number: {}", shortened(text)))
}

/// A whole number of I/O nodes.
pub(super) fn io_nodes(text: &str) -> Result<u32, String> {
    let number = number("the number of I/O nodes", text)?;
    let whole = number.fract() == 0.0 && (0.0..=1e9).contains(&number);
    whole
        .then_some(number as u32)
        .ok_or_else(|| format!("no number of I/O nodes: {}", shortened(text)))
}
