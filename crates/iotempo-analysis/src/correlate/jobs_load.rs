//! What some jobs themselves put into the logs of servers.

use super::job::{JobMetrics, Share};
use super::sums::Sums;
use super::system::{Load, Series};
use super::windows::Window;
use iotempo_model::Op;

impl Load {
    /// What these jobs moved, in the same intervals: their bytes, spread evenly over the time in which they read and
    /// wrote, because counters do not say more.
    #[must_use]
    pub fn of_jobs(&self, jobs: &[&JobMetrics]) -> Self {
        let mut own = self.clone();
        for (series, op) in [
            (Series::ReadBytes, Op::Read),
            (Series::WriteBytes, Op::Write),
        ] {
            let mut spread = Spread::new(self);
            for job in jobs {
                spread.add(&job.monitored, op);
            }
            own.put(series, Sums::of(spread.volumes().map(Some)));
        }
        own
    }
}

/// Bytes per interval. What a window adds to all intervals between its first and last is noted where it begins and
/// where it ends, so that a file that is open for months costs as much as any other.
struct Spread {
    start_s: f64,
    step_s: f64,
    edges: Vec<f64>,
    /// By how much the intervals from here on have more than those before.
    rises: Vec<f64>,
}

impl Spread {
    fn new(load: &Load) -> Self {
        Self {
            start_s: load.start_s(),
            step_s: load.step_s(),
            edges: vec![0.0; load.intervals()],
            rises: vec![0.0; load.intervals() + 1],
        }
    }

    fn add(&mut self, share: &Share, op: Op) {
        let windows = share.windows.of(op);
        let length_s: f64 = windows.iter().map(|window| window.length_s()).sum();
        let bytes = share.bytes(op) as f64;
        for window in windows {
            // Windows that are instants have as much each.
            let part = match length_s > 0.0 {
                true => window.length_s() / length_s,
                false => 1.0 / windows.len() as f64,
            };
            self.window(*window, bytes * part);
        }
    }

    fn window(&mut self, window: Window, bytes: f64) {
        let place = |at_s: f64| (at_s - self.start_s) / self.step_s;
        let (from, to) = (place(window.start_s()), place(window.end_s()));
        let end = self.edges.len() as f64;
        if !(from.is_finite() && to.is_finite()) || to < 0.0 || from >= end {
            return;
        }
        let per_interval = bytes / (to - from);
        let (first, last) = (from.max(0.0).floor(), to.min(end).ceil() - 1.0);
        if last <= first || !per_interval.is_finite() {
            let inside = match per_interval.is_finite() {
                true => per_interval * (to.min(end) - from.max(0.0)),
                false => bytes,
            };
            self.edges[first as usize] += inside;
            return;
        }
        let (first_at, last_at) = (first as usize, last as usize);
        self.edges[first_at] += per_interval * (first + 1.0 - from.max(0.0));
        self.edges[last_at] += per_interval * (to.min(end) - last);
        self.rises[first_at + 1] += per_interval;
        self.rises[last_at] -= per_interval;
    }

    fn volumes(self) -> impl Iterator<Item = f64> {
        let mut level = 0.0;
        self.edges
            .into_iter()
            .zip(self.rises)
            .map(move |(edge, rise)| {
                level += rise;
                // What rises and falls again leaves rounding behind.
                edge + f64::max(level, 0.0)
            })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn volumes(windows: &[(f64, f64)], bytes: u64) -> Vec<f64> {
        let load = Load::new(100.0, 10.0, 5).unwrap();
        let windows = windows.iter().map(|&(a, b)| Window::new(a, b).unwrap());
        let share = Share {
            windows: windows.collect(),
            files: 1,
            read_bytes: bytes,
            written_bytes: 0,
        };
        let mut spread = Spread::new(&load);
        spread.add(&share, Op::Read);
        spread.volumes().collect()
    }

    #[test]
    fn bytes_are_spread_over_windows() {
        assert_eq!(
            volumes(&[(105.0, 135.0)], 60),
            [10.0, 20.0, 20.0, 10.0, 0.0]
        );
        assert_eq!(
            volumes(&[(102.0, 104.0), (122.0, 128.0)], 8),
            [2.0, 0.0, 6.0, 0.0, 0.0]
        );
        assert_eq!(volumes(&[(110.0, 130.0)], 8), [0.0, 4.0, 4.0, 0.0, 0.0]);
        assert_eq!(volumes(&[(112.0, 112.0)], 8), [0.0, 8.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn what_lies_outside_of_the_log_is_not_in_it() {
        assert_eq!(volumes(&[(80.0, 120.0)], 40), [10.0, 10.0, 0.0, 0.0, 0.0]);
        assert_eq!(volumes(&[(140.0, 190.0)], 50), [0.0, 0.0, 0.0, 0.0, 10.0]);
        assert_eq!(volumes(&[(0.0, 1000.0)], 1000), [10.0; 5]);
        assert_eq!(volumes(&[(0.0, 50.0), (150.0, 160.0)], 60), [0.0; 5]);
        assert_eq!(volumes(&[], 60), [0.0; 5]);
    }
}
