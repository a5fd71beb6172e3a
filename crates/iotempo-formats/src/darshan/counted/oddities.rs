//! What counters say that cannot be.

use iotempo_model::{Rank, Seconds, Warning, counted};

/// Counts what was repaired.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Oddities {
    negative_timers: u64,
    negative_counts: u64,
    no_numbers: u64,
    odd_ranks: u64,
    processes: u64,
}

impl Oddities {
    /// A timer. Darshan's clocks drift by some microseconds, and sums of differences fall below 0.
    pub(super) fn timer(&mut self, seconds: f64) -> f64 {
        if !seconds.is_finite() {
            self.no_numbers += 1;
            return 0.0;
        }
        self.negative_timers += u64::from(seconds < 0.0);
        seconds.max(0.0)
    }

    /// A stamp: 0 says that nothing happened, −1 that nothing was recorded.
    pub(super) fn stamp(&mut self, stamp: f64, origin_s: f64) -> Option<Seconds> {
        self.no_numbers += u64::from(!stamp.is_finite());
        (stamp > 0.0)
            .then(|| Seconds::new(stamp - origin_s))
            .flatten()
    }

    /// A count. What a version does not count is −1; sizes of MPI-IO overflow to other numbers.
    pub(super) fn count(&mut self, count: i64) -> u64 {
        self.negative_counts += u64::from(count < -1);
        u64::try_from(count).unwrap_or(0)
    }

    /// How many counts were negative so far.
    pub(super) fn negative_counts(&self) -> u64 {
        self.negative_counts
    }

    /// The process of a record; `None` for all of them.
    pub(super) fn rank(&mut self, rank: i64, processes: Option<u64>) -> Option<Rank> {
        let beyond = |processes: u64| u64::try_from(rank).is_ok_and(|rank| rank >= processes);
        if rank < -1 || processes.is_some_and(beyond) {
            self.odd_ranks += 1;
            self.processes = processes.unwrap_or(0);
        }
        // Beyond 32 bits no rank is one.
        (rank >= 0).then(|| Rank::from_i64(rank).unwrap_or(Rank(i32::MAX)))
    }

    pub(super) fn warnings(&self) -> Vec<Warning> {
        let told = [
            (
                self.negative_timers,
                "negative-timers",
                "negative: taken for 0",
                "timer",
            ),
            (
                self.negative_counts,
                "negative-counts",
                "negative: taken for 0",
                "counter",
            ),
            (
                self.no_numbers,
                "not-a-number",
                "not a number: left out",
                "timer",
            ),
        ];
        let told = told.into_iter().filter(|(count, ..)| *count > 0);
        let mut warnings: Vec<Warning> = told
            .map(|(count, code, what, noun)| {
                let verb = if count == 1 { "is" } else { "are" };
                Warning::new(code, format!("{} {verb} {what}", counted(count, noun)))
            })
            .collect();
        if self.odd_ranks > 0 {
            let records = counted(self.odd_ranks, "record");
            let message = format!(
                "{records} of a rank that a job of {} does not have",
                counted(self.processes, "rank")
            );
            warnings.push(Warning::new("odd-ranks", message));
        }
        warnings
    }
}
