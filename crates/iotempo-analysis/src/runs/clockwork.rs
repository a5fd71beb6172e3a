//! Bursts that come by the clock, whether a run is in progress or not.
//!
//! Where jobs start on the hour, and somebody else writes every five minutes, that is at the same moment of every run,
//! and looks as if it were the application's. But it goes on while none is in progress.

use super::around::free_around;
use super::cut::{Cutter, Run};
use crate::signature::SignatureBurst;
use std::f64::consts::TAU;

/// By what people start things again and again.
const PERIODS_S: [f64; 6] = [300.0, 600.0, 900.0, 1200.0, 1800.0, 3600.0];

/// How close to each other in such a period jobs must start to be started by the clock, as a share of it: of three
/// that start at any time, one in a thousand sets does.
const CLOSE: f64 = 0.02;

/// At so many times, at the least, it must be known what is moved while no run is in progress.
const FEWEST: usize = 5;

/// The part of what a burst moves that must be there, and at which share of the times.
const HELD: f64 = 0.5;
const MOSTLY: f64 = 0.6;

impl Cutter<'_> {
    /// By which period, the shortest, each of these bursts comes also while no job was in progress of those that are `busy`. What is
    /// always there is taken away.
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
        let span = |run: &&Run| (run.start_s, run.start_s + step_s * run.rates.len() as f64);
        let spans: Vec<(f64, f64)> = runs.iter().map(span).collect();
        let free = free_around(&spans, busy, step_s);
        let phases: Vec<(f64, f64)> = PERIODS_S
            .into_iter()
            .filter_map(|period| Some((period, shared_phase(&starts, period, step_s)?)))
            .collect();
        let comes = |burst: &SignatureBurst, period: f64, phase: f64| {
            let times = times(
                &free,
                phase + burst.start_s,
                period,
                burst.end_s - burst.start_s,
            );
            let held = times.filter_map(|at| {
                let (from, to) = (at - step_s, at + burst.end_s - burst.start_s + step_s);
                let moved = self.moved(from, to)? - always * (to - from);
                Some(moved >= HELD * burst.bytes)
            });
            let held: Vec<bool> = held.collect();
            let often = held.iter().filter(|held| **held).count();
            held.len() >= FEWEST && often as f64 >= MOSTLY * held.len() as f64
        };
        let by = |burst: &SignatureBurst| {
            let mut periods = phases.iter();
            let found = periods.find(|(period, phase)| comes(burst, *period, *phase));
            found.map(|(period, _)| *period)
        };
        bursts.iter().map(by).collect()
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
    let limit = (CLOSE * period).max(step_s);
    let is_shared = times.len() >= FEWEST_RUNS && times.iter().all(|time| apart(time) <= limit);
    is_shared.then_some(phase)
}

/// All times in these stretches that are at this time within a period, and so long before the end.
fn times(
    free: &[(f64, f64)],
    phase: f64,
    period: f64,
    lasts_s: f64,
) -> impl Iterator<Item = f64> + '_ {
    free.iter().flat_map(move |&(from, to)| {
        let first = ((from - phase) / period).ceil();
        let last = ((to - lasts_s - phase) / period).floor();
        let count = (last - first + 1.0).clamp(0.0, 1e6) as usize;
        (0..count).map(move |k| phase + period * (first + k as f64))
    })
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
        let found: Vec<f64> = times(&free, 60.0, 300.0, 50.0).collect();
        assert_eq!(found, [60.0, 360.0, 660.0, 2160.0]);
    }
}
