//! Bursts that come by the clock, whether a run is in progress or not.
//!
//! Where jobs start on the hour, and somebody else writes every five minutes, that is at the same moment of every run,
//! and looks as if it were the application's. But it goes on while none is in progress.

use super::around::free_within;
use super::cut::{Cutter, Run};
use crate::binomial;
use crate::signature::SignatureBurst;
use std::f64::consts::TAU;

/// By what people start things again and again.
const PERIODS_S: [f64; 6] = [300.0, 600.0, 900.0, 1200.0, 1800.0, 3600.0];

/// How close to each other in such a period jobs must start to be started by the clock, as a share of it: of three
/// that start at any time, one in a thousand sets does.
const CLOSE: f64 = 0.02;

/// In fewer steps of a log a period's times cannot be told apart.
const FEWEST_STEPS: f64 = 20.0;

/// At so many times, at the least, it must be known what is moved while no run is in progress; more than these tell
/// nothing new.
const FEWEST: usize = 5;
const MOST: usize = 200;

/// The part of what a burst moves that must be there, and at which share of the times.
const HELD: f64 = 0.5;
const MOSTLY: f64 = 0.6;

/// So many other moments of a period are looked at, too: what is moved there as often is moved at any time.
const OTHER_MOMENTS: usize = 12;

/// How likely chance may be to look the same, for all bursts and periods together.
const CHANCE: f64 = 1e-3;

/// How often a burst's volume was moved, of how many times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Held {
    often: usize,
    times: usize,
}

impl Cutter<'_> {
    /// By which period, the shortest, each of these bursts comes also while no job was in progress of those that are `busy`,
    /// more often than at other moments of that period. What is always there is taken away.
    #[must_use]
    pub fn by_the_clock(
        &self,
        bursts: &[SignatureBurst],
        runs: &[&Run],
        busy: &[(f64, f64)],
        always: f64,
    ) -> Vec<Option<f64>> {
        let Some(step_s) = runs.first().map(|run| run.step_s) else {
            return vec![None; bursts.len()];
        };
        let starts: Vec<f64> = runs.iter().map(|run| run.start_s).collect();
        let first = starts.iter().copied().fold(f64::INFINITY, f64::min);
        let ends = runs
            .iter()
            .map(|run| run.start_s + step_s * run.rates.len() as f64);
        let hour = PERIODS_S[PERIODS_S.len() - 1];
        let around = (first - hour, ends.fold(first, f64::max) + hour);
        let free = free_within(around, busy, step_s);
        let phases: Vec<(f64, f64)> = PERIODS_S
            .into_iter()
            .filter(|period| *period >= FEWEST_STEPS * step_s)
            .filter_map(|period| Some((period, shared_phase(&starts, period, step_s)?)))
            .collect();
        let held = |burst: &SignatureBurst, period: f64, phase: f64| {
            let lasts_s = burst.end_s - burst.start_s;
            let all = times(&free, phase, period, lasts_s);
            let each = all.len().div_ceil(MOST).max(1);
            let held = all.into_iter().step_by(each).filter_map(|at| {
                let (from, to) = (at - step_s, at + lasts_s + step_s);
                let moved = self.moved(from, to)? - always * (to - from);
                Some(moved >= HELD * burst.bytes)
            });
            let held: Vec<bool> = held.collect();
            Held {
                often: held.iter().filter(|held| **held).count(),
                times: held.len(),
            }
        };
        let chance = CHANCE / (phases.len() * bursts.len()).max(1) as f64;
        let comes = |burst: &SignatureBurst, period: f64, phase: f64| {
            let then = held(burst, period, phase + burst.start_s);
            if then.times < FEWEST || (then.often as f64) < MOSTLY * then.times as f64 {
                return false;
            }
            // By whole steps, so that as many of them are looked at.
            let apart = |k: usize| {
                step_s * (period * k as f64 / (OTHER_MOMENTS + 1) as f64 / step_s).round()
            };
            let else_when =
                (1..=OTHER_MOMENTS).map(|k| held(burst, period, phase + burst.start_s + apart(k)));
            then.is_seldom_as_often(else_when, chance)
        };
        let by = |burst: &SignatureBurst| {
            let mut periods = phases.iter();
            let found = periods.find(|(period, phase)| comes(burst, *period, *phase));
            found.map(|(period, _)| *period)
        };
        bursts.iter().map(by).collect()
    }
}

impl Held {
    /// Whether that is more than chance makes of what is there at other moments, with such a probability at the most.
    fn is_seldom_as_often(self, at_others: impl Iterator<Item = Held>, chance: f64) -> bool {
        let (often, times) = at_others.fold((0, 0), |(often, times), held| {
            (often + held.often, times + held.times)
        });
        // As if it had been there once more, and not once more: nothing is never.
        let usual = (often + 1) as f64 / (times + 2) as f64;
        binomial::at_least(self.often, self.times, usual) <= chance
    }
}

/// At what time within a period all of these are, if they are at the same.
fn shared_phase(times: &[f64], period: f64, step_s: f64) -> Option<f64> {
    const FEWEST_RUNS: usize = 3;
    let turn = |time: &f64| (TAU * time / period).sin_cos();
    let (y, x) = times
        .iter()
        .map(turn)
        .fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
    let phase = y.atan2(x) / TAU * period;
    let apart = |time: &f64| {
        let apart = (time - phase).rem_euclid(period);
        apart.min(period - apart)
    };
    // A run begins with a step of the log.
    let limit = (CLOSE * period).max(step_s);
    let is_shared = times.len() >= FEWEST_RUNS && times.iter().all(|time| apart(time) <= limit);
    is_shared.then_some(phase)
}

/// All times in these stretches that are at this time within a period, and so long before the end.
fn times(free: &[(f64, f64)], phase: f64, period: f64, lasts_s: f64) -> Vec<f64> {
    let in_one = |&(from, to): &(f64, f64)| {
        let first = ((from - phase) / period).ceil();
        let last = ((to - lasts_s - phase) / period).floor();
        let count = (last - first + 1.0).clamp(0.0, 1e6) as usize;
        (0..count).map(move |k| phase + period * (first + k as f64))
    };
    free.iter().flat_map(in_one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_that_start_by_the_clock_share_its_phase() {
        let hourly = [7200.0 + 3.0, 3600.0 * 5.0 - 4.0, 3600.0 * 9.0 + 1.0];
        let phase = shared_phase(&hourly, 3600.0, 5.0).expect("on the hour");
        assert!(phase.abs() < 1.0, "{phase}");
        assert!(shared_phase(&hourly, 300.0, 5.0).is_some());
        assert_eq!(
            shared_phase(&[7200.0, 18_000.0, 33_000.0], 3600.0, 5.0),
            None
        );
        assert_eq!(shared_phase(&hourly[..2], 3600.0, 5.0), None);
    }

    #[test]
    fn times_are_those_of_the_clock_while_nobody_runs() {
        let free = [(0.0, 1000.0), (2000.0, 2290.0)];
        let found = times(&free, 60.0, 300.0, 50.0);
        assert_eq!(found, [60.0, 360.0, 660.0, 2160.0]);
    }

    #[test]
    fn what_is_as_often_at_other_moments_is_not_by_the_clock() {
        let of = |often, times| Held { often, times };
        let seldom = |then: Held, others: [usize; 2]| {
            let others = others.map(|often| of(often, 20));
            then.is_seldom_as_often(others.into_iter(), 1e-4)
        };
        assert!(seldom(of(11, 12), [0, 2]));
        assert!(seldom(of(5, 5), [0, 1]));
        assert!(!seldom(of(11, 12), [14, 11]));
        // Four of five are there by chance once in some hundred times.
        assert!(!seldom(of(4, 5), [4, 5]));
        assert!(!seldom(of(0, 5), [0, 0]));
    }
}
