//! One time for all processes of a job, on however many machines.
//!
//! On one machine the monotonic clock is common to all. Machines are put side by side by what
//! their clocks of the day said when their programs were loaded.

use super::survey::Log;
use iotempo_model::Warning;
use std::collections::BTreeMap;

/// Clocks of the day are read some time after the monotonic one, and drift; beyond this one of them
/// was set, in ns.
const SET: i128 = 50_000_000;
/// Hosts that a warning names.
const NAMED: usize = 4;

/// Where the times of each log lie.
pub(super) struct Clocks {
    /// By host: what to add to its monotonic clock for the time since 1970, in ns, and by how much
    /// its processes differ about that.
    hosts: BTreeMap<String, (i128, i128)>,
    /// When the first program was loaded, in ns since 1970: time 0.
    pub(super) zero_ns: i128,
}

impl Clocks {
    pub(super) fn new(logs: &[Log]) -> Self {
        let mut offsets: BTreeMap<String, Vec<i128>> = BTreeMap::new();
        for Log { header, .. } in logs {
            let host = offsets.entry(header.host.clone()).or_default();
            host.push(header.offset_ns());
        }
        let middle = |(host, mut offsets): (String, Vec<i128>)| {
            offsets.sort_unstable();
            let spread = offsets[offsets.len() - 1] - offsets[0];
            (host, (offsets[offsets.len() / 2], spread))
        };
        let mut clocks = Self {
            hosts: offsets.into_iter().map(middle).collect(),
            zero_ns: 0,
        };
        let loaded = logs.iter().map(|log| clocks.loaded_ns(log));
        clocks.zero_ns = loaded.min().unwrap_or(0);
        clocks
    }

    /// When a program was loaded, in ns since 1970.
    fn loaded_ns(&self, log: &Log) -> i128 {
        let own = log.header.offset_ns();
        let offset = match self.hosts.get(&log.header.host) {
            Some(&(common, spread)) if spread <= SET => common,
            _ => own,
        };
        i128::from(log.header.monotonic_ns) + offset
    }

    /// When a program was loaded, in ns of the job's time.
    pub(super) fn start_ns(&self, log: &Log) -> f64 {
        (self.loaded_ns(log) - self.zero_ns) as f64
    }

    /// When a log was last written to, in seconds of the job's time.
    pub(super) fn end_s(&self, log: &Log) -> Option<f64> {
        Some((self.start_ns(log) + log.header.length_ns?) * 1e-9)
    }

    /// From when on no log lacks anything, in ns of the job's time.
    pub(super) fn complete_from_ns(&self, logs: &[Log]) -> Option<f64> {
        let begins = logs.iter().filter_map(|log| {
            let loss = log.loss?;
            Some(self.start_ns(log) + loss.complete_from_ns)
        });
        begins.max_by(f64::total_cmp)
    }

    /// How machines were put side by side, and where a clock was set.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let mut warnings: Vec<_> = self.between_hosts().into_iter().collect();
        let set = self.hosts.iter().filter(|(_, (_, spread))| *spread > SET);
        warnings.extend(set.map(|(host, (_, spread))| {
            let message = format!(
                "the clock of {host} was set by {:.3} s between the starts of its processes: \
                 their times may be off by as much",
                *spread as f64 * 1e-9
            );
            Warning::new("clock-set", message)
        }));
        warnings
    }

    fn between_hosts(&self) -> Option<Warning> {
        let (first, &(reference, _)) = self.hosts.first_key_value()?;
        let others: Vec<_> = self.hosts.iter().skip(1).collect();
        if others.is_empty() {
            return None;
        }
        let offset = |(host, (offset, _)): &(&String, &(i128, i128))| {
            format!("{host} {:+.6} s", (offset - reference) as f64 * 1e-9)
        };
        let mut named: Vec<_> = others.iter().take(NAMED).map(offset).collect();
        if others.len() > NAMED {
            named.push("…".to_owned());
        }
        let message = format!(
            "{} hosts, put side by side by their clocks of the day: monotonic clocks moved against \
             {first}'s by {}; by how much the clocks of the day differ is not known",
            self.hosts.len(),
            named.join(", ")
        );
        Some(Warning::new("clock-offset", message))
    }
}
