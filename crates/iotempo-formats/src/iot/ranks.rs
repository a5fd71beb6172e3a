//! Which rank each process is.

use super::clocks::Clocks;
use super::survey::Log;
use iotempo_model::Warning;
use std::collections::{BTreeSet, HashMap};

/// The rank of every log, in their order.
pub(super) struct Ranks {
    pub(super) of: Vec<i64>,
    /// How many the job had.
    pub(super) count: u64,
    /// Processes that had none, among others that had one.
    without: u64,
}

impl Ranks {
    /// Processes that their launcher gave no rank are counted on, in the order in which they began.
    /// What a process became by `exec` is the same process.
    pub(super) fn new(logs: &[Log], clocks: &Clocks) -> Self {
        let ranked: BTreeSet<i64> = logs.iter().filter_map(given).collect();
        let mut next = ranked.last().map_or(0, |last| last + 1);
        let mut order: Vec<&Log> = logs.iter().filter(|log| given_none(log)).collect();
        order.sort_by(|a, b| {
            let (first, second) = (clocks.start_ns(a), clocks.start_ns(b));
            first.total_cmp(&second).then(process(a).cmp(&process(b)))
        });
        let mut counted = HashMap::new();
        for log in order {
            counted.entry(process(log)).or_insert_with(|| {
                next += 1;
                next - 1
            });
        }
        let rank = |log: &Log| given(log).unwrap_or_else(|| counted[&process(log)]);
        let stated = logs.iter().map(|log| u64::from(log.header.ranks)).max();
        let without = counted.len() as u64;
        Self {
            of: logs.iter().map(rank).collect(),
            count: match ranked.is_empty() {
                true => without,
                false => stated.unwrap_or(0).max(ranked.len() as u64),
            },
            without: if ranked.is_empty() { 0 } else { without },
        }
    }

    pub(super) fn warning(&self) -> Option<Warning> {
        (self.without > 0).then(|| {
            let message = format!(
                "{} without a rank beside {} with one: numbered behind them",
                processes(self.without),
                processes(self.count)
            );
            Warning::new("no-rank", message)
        })
    }
}

fn processes(count: u64) -> String {
    match count {
        1 => "1 process".to_owned(),
        _ => format!("{count} processes"),
    }
}

fn given(log: &Log) -> Option<i64> {
    (log.header.rank >= 0).then(|| i64::from(log.header.rank))
}

fn given_none(log: &Log) -> bool {
    log.header.rank < 0
}

fn process(log: &Log) -> (&str, u32) {
    (&log.header.host, log.header.pid)
}
