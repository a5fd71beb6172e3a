//! Bandwidth over time, exactly: the step function of overlapping requests.

use crate::order;
use crate::units::{Bytes, Seconds};

/// From `at` on, data moves at `rate` bytes per second, until the next step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// When the rate changes, in seconds.
    pub at: f64,
    /// The new rate in bytes per second.
    pub rate: f64,
}

/// Data that moved in no measurable time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impulse {
    /// When, in seconds.
    pub at: f64,
    /// How much.
    pub bytes: f64,
}

/// The exact bandwidth of a set of requests, each of which moves its bytes evenly over its
/// interval. Zero-length requests have a volume but no rate: they are kept as impulses.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bandwidth {
    steps: Vec<Step>,
    impulses: Vec<Impulse>,
}

impl Bandwidth {
    /// Sweeps over `(start, end, bytes)` in O(n log n); 32 bytes a transfer and nothing more.
    #[must_use]
    pub fn of_transfers(
        expected: usize,
        transfers: impl Iterator<Item = (f64, f64, f64)> + Clone,
    ) -> Self {
        let transfers = transfers.filter(|transfer| transfer.2 != 0.0);
        let moving = transfers.clone().filter_map(|(start, end, bytes)| {
            rate_of(start, end, bytes).map(|rate| (start, end, rate))
        });
        let mut steps = Vec::with_capacity(expected.saturating_mul(2));
        if !one_by_one(moving.clone(), &mut steps) {
            add_up(moving, &mut steps);
        }
        let mut impulses: Vec<Impulse> = transfers
            .filter(|(start, end, bytes)| rate_of(*start, *end, *bytes).is_none())
            .map(|(at, _, bytes)| Impulse { at, bytes })
            .collect();
        impulses.sort_unstable_by(|a, b| a.at.total_cmp(&b.at).then(a.bytes.total_cmp(&b.bytes)));
        Self { steps, impulses }
    }

    /// A step function given as such: `rates[i]` holds from `times[i]` to `times[i + 1]`. The last
    /// rate is dropped, because nothing says how long it holds. Times must not decrease.
    #[must_use]
    pub fn from_steps(steps: impl IntoIterator<Item = Step>) -> Self {
        let mut steps: Vec<Step> = steps.into_iter().collect();
        if let Some(last) = steps.last_mut() {
            last.rate = 0.0;
        }
        Self {
            steps,
            impulses: Vec::new(),
        }
    }

    /// Where the rate changes, in order of time. Before the first step and after the last, which
    /// has rate 0, nothing moves.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The volumes of zero-length requests, in order of time.
    #[must_use]
    pub fn impulses(&self) -> &[Impulse] {
        &self.impulses
    }

    /// Whether nothing ever moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.impulses.is_empty()
    }

    /// The integral: all bytes moved.
    #[must_use]
    pub fn volume(&self) -> Bytes {
        let moving: f64 = self
            .steps
            .windows(2)
            .map(|pair| pair[0].rate * (pair[1].at - pair[0].at))
            .sum();
        let at_once: f64 = self.impulses.iter().map(|impulse| impulse.bytes).sum();
        Bytes::new((moving + at_once).clamp(0.0, f64::MAX)).unwrap_or_default()
    }

    /// The first and the last instant with data; `None` where nothing ever moves.
    #[must_use]
    pub fn bounds(&self) -> Option<(Seconds, Seconds)> {
        let ends = |first: Option<f64>, last: Option<f64>| first.zip(last);
        let steps = ends(
            self.steps.first().map(|s| s.at),
            self.steps.last().map(|s| s.at),
        );
        let impulses = ends(
            self.impulses.first().map(|i| i.at),
            self.impulses.last().map(|i| i.at),
        );
        let (start, end) = match (steps, impulses) {
            (Some(a), Some(b)) => (a.0.min(b.0), a.1.max(b.1)),
            (one, other) => one.or(other)?,
        };
        Seconds::new(start).zip(Seconds::new(end))
    }
}

/// The rate of a transfer; `None` where no number holds it: of one of no length, or as long as time.
fn rate_of(start: f64, end: f64, bytes: f64) -> Option<f64> {
    let rate = bytes / (end - start);
    (rate > 0.0 && rate.is_finite()).then_some(rate)
}

/// The steps of transfers of which none begins before the one before it has ended, as samples are;
/// `false` where one does.
fn one_by_one(moving: impl Iterator<Item = (f64, f64, f64)>, steps: &mut Vec<Step>) -> bool {
    for (at, end, rate) in moving {
        match steps.last_mut() {
            Some(last) if at < last.at => return false,
            Some(last) if at == last.at => last.rate = rate,
            _ => steps.push(Step { at, rate }),
        }
        steps.push(Step { at: end, rate: 0.0 });
    }
    true
}

/// The steps of any transfers.
fn add_up(moving: impl Iterator<Item = (f64, f64, f64)> + Clone, steps: &mut Vec<Step>) {
    steps.clear();
    // All starts, then all ends: where requests come in order, there is little left to sort.
    steps.extend(moving.clone().map(|(at, _, rate)| Step { at, rate }));
    steps.extend(moving.map(|(_, at, rate)| Step { at, rate: -rate }));
    order::sort(steps);
    accumulate(steps);
}

/// Turns sorted changes of the rate into the rate itself, in place, one step per instant.
///
/// The sum is kept in two numbers (Knuth's TwoSum): after a request of 10¹⁸ B/s a plain sum would
/// be wrong by 128 B/s for the rest of the job.
fn accumulate(steps: &mut Vec<Step>) {
    let (mut sum, mut error) = (0.0_f64, 0.0_f64);
    let mut open = 0_i64;
    let mut kept = 0;
    let mut next = 0;
    while next < steps.len() {
        let at = steps[next].at;
        while next < steps.len() && steps[next].at == at {
            let change = steps[next].rate;
            open += if change > 0.0 { 1 } else { -1 };
            let total = sum + change;
            let part = total - sum;
            error += (sum - (total - part)) + (change - part);
            sum = total;
            next += 1;
        }
        if open == 0 {
            (sum, error) = (0.0, 0.0);
        }
        steps[kept] = Step {
            at,
            rate: (sum + error).max(0.0),
        };
        kept += 1;
    }
    steps.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(transfers: &[(f64, f64, f64)]) -> Bandwidth {
        Bandwidth::of_transfers(transfers.len(), transfers.iter().copied())
    }

    #[test]
    fn overlapping_requests_add_up() {
        let bandwidth = of(&[(0.0, 2.0, 20.0), (1.0, 3.0, 10.0)]);
        let expected = [(0.0, 10.0), (1.0, 15.0), (2.0, 5.0), (3.0, 0.0)];
        let steps: Vec<_> = bandwidth.steps().iter().map(|s| (s.at, s.rate)).collect();
        assert_eq!(steps, expected);
        assert_eq!(bandwidth.volume().get(), 30.0);
    }

    #[test]
    fn requests_that_touch_leave_no_gap_and_no_spike() {
        let bandwidth = of(&[(0.0, 1.0, 5.0), (1.0, 2.0, 5.0)]);
        let rates: Vec<_> = bandwidth.steps().iter().map(|s| s.rate).collect();
        assert_eq!(rates, [5.0, 5.0, 0.0]);
    }

    #[test]
    fn requests_one_after_the_other_give_the_same_steps_in_any_order() {
        let mut transfers = vec![
            (0.0, 0.1, 7.0),
            (0.1, 0.30000000000000004, 1e18),
            (0.30000000000000004, 0.5, 3.0),
            (0.6, 0.6, 4.0),
            (0.7, 0.9, 0.0),
            (0.8, 1.0, 5.0),
        ];
        let in_turn = of(&transfers);
        transfers.reverse();
        assert_eq!(of(&transfers), in_turn);
        assert_eq!(in_turn.steps().len(), 6);
    }

    #[test]
    fn a_request_of_no_length_keeps_its_bytes() {
        let bandwidth = of(&[(4.0, 4.0, 7.0), (1.0, 2.0, 3.0)]);
        assert_eq!(
            bandwidth.impulses(),
            [Impulse {
                at: 4.0,
                bytes: 7.0
            }]
        );
        assert_eq!(bandwidth.volume().get(), 10.0);
        let (start, end) = bandwidth.bounds().expect("not empty");
        assert_eq!((start.get(), end.get()), (1.0, 4.0));
    }

    #[test]
    fn a_very_fast_request_leaves_no_residue() {
        // 1e18 B/s for a nanosecond, beside one byte per second for a day.
        let bandwidth = of(&[(0.0, 86_400.0, 86_400.0), (10.0, 10.0 + 1e-9, 1e9)]);
        let after = bandwidth
            .steps()
            .iter()
            .find(|s| s.at > 10.0)
            .expect("a step");
        assert!((after.rate - 1.0).abs() < 1e-12, "{}", after.rate);
    }

    #[test]
    fn sorting_in_parallel_gives_the_same_steps() {
        let n = 1 << 17;
        let transfers: Vec<_> = (0..n)
            .map(|i| {
                let start = ((i * 7919) % n) as f64;
                (start, start + 2.5, 1.0 + (i % 3) as f64)
            })
            .collect();
        let mut reversed = transfers.clone();
        reversed.reverse();
        assert_eq!(of(&transfers), of(&reversed));
    }
}
