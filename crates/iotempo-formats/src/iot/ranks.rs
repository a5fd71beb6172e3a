//! Which rank each process is.

use super::clocks::Clocks;
use super::survey::Log;
use iotempo_model::Warning;
use std::collections::{BTreeSet, HashMap};

/// The rank of every log, in their order.
pub(super) struct Ranks {
    pub(super) of: Vec<i64>,
    /// How many the job had; where none had a rank, how many processes.
    pub(super) count: u64,
    /// Processes that had none, among others that had one.
    without: u64,
}

impl Ranks {
    /// Processes that their launcher gave no rank are counted on, in the order in which they began.
    /// What a process became by `exec` is the same process. One that moved nothing counts only if it
    /// has a rank: launchers fork before they start something else.
    pub(super) fn new(logs: &[Log], clocks: &Clocks) -> Self {
        let ranked: BTreeSet<i64> = logs.iter().filter_map(given).collect();
        let stated = logs.iter().map(|log| u64::from(log.header.ranks)).max();
        let with = match ranked.is_empty() {
            true => 0,
            false => stated.unwrap_or(0).max(ranked.len() as u64),
        };
        let behind = ranked.last().map_or(0, |last| last + 1);
        let behind = behind.max(i64::try_from(with).unwrap_or(0));
        let counted = numbered(logs, clocks, behind);
        let without = counted.len() as u64;
        let rank = |log: &Log| given(log).or_else(|| counted.get(&process(log)).copied());
        Self {
            // What comes while the logs are read may be the first of its process.
            of: logs.iter().map(|log| rank(log).unwrap_or(behind)).collect(),
            count: if with == 0 { without } else { with },
            without: if with == 0 { 0 } else { without },
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

/// The processes without a rank that moved something, or all of them where none did.
fn numbered<'a>(logs: &'a [Log], clocks: &Clocks, first: i64) -> HashMap<(&'a str, u32), i64> {
    let idle = logs.iter().all(|log| log.requests == 0);
    let mut order: Vec<&Log> = logs
        .iter()
        .filter(|log| given_none(log) && (idle || log.requests > 0))
        .collect();
    order.sort_by(|a, b| {
        let (first, second) = (clocks.start_ns(a), clocks.start_ns(b));
        first.total_cmp(&second).then(process(a).cmp(&process(b)))
    });
    let mut numbers = HashMap::new();
    for log in order {
        let next = first + numbers.len() as i64;
        numbers.entry(process(log)).or_insert(next);
    }
    numbers
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
