//! What became no phase, and what was repaired.

use super::one_file::Refused;
use iotempo_model::{Warning, counted};
use serde::Serialize;

/// Counters that became no phase, and what was odd about those that did. Each is about one file, layer,
/// direction and process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct LeftOut {
    /// Requests that moved nothing.
    pub zero_bytes: u64,
    /// Bytes that nobody knows the time of.
    pub without_times: u64,
    /// How many bytes.
    pub bytes_without_times: u64,
    /// Counters whose first or last access has no time: that of the other was taken.
    pub half_timed: u64,
    /// Counters whose last access ended before the first began: the two were swapped.
    pub backwards: u64,
    /// Counters of all processes of a job that does not say how many it had: their times are sums.
    pub processes_unknown: u64,
}

impl LeftOut {
    /// Counts what became no phase.
    pub(super) fn refuse(&mut self, why: Refused, bytes: u64) {
        match why {
            Refused::NotUsed => {}
            Refused::NothingMoved => self.zero_bytes += 1,
            Refused::NoTimes => {
                self.without_times += 1;
                self.bytes_without_times = self.bytes_without_times.saturating_add(bytes);
            }
        }
    }

    /// What a person should know of it. Requests that moved nothing, such as reads at the end of a file,
    /// are nothing odd.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let records = |count: u64| counted(count, "record");
        let told = [
            (
                self.without_times,
                "no-timestamps",
                format!(
                    "with bytes but without a time: {} bytes are in no phase",
                    self.bytes_without_times
                ),
            ),
            (
                self.half_timed,
                "half-timed",
                "without the time of the first or the last access: the other was taken".to_owned(),
            ),
            (
                self.backwards,
                "clock-backwards",
                "that end before they begin: start and end were swapped".to_owned(),
            ),
            (
                self.processes_unknown,
                "processes-unknown",
                "of all processes, and nobody says how many: times are sums over processes"
                    .to_owned(),
            ),
        ];
        let told = told.into_iter().filter(|(count, ..)| *count > 0);
        told.map(|(count, code, what)| Warning::new(code, format!("{} {what}", records(count))))
            .collect()
    }
}
