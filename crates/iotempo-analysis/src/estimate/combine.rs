//! From the curves of phases to that of the application.

use super::matching::PhaseEstimate;
use super::numbers::{quantile, sorted};
use super::runs::runs;
use serde::Serialize;
use std::collections::BTreeSet;

/// What is estimated of an application.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Combined {
    /// What all phases move.
    pub bytes: f64,
    /// What those move that have a match; the curve is about these.
    pub matched_bytes: f64,
    /// By number of I/O nodes, from few to many. Empty where no phase has a match.
    pub curve: Vec<CombinedPoint>,
    /// The number of I/O nodes with the highest bandwidth; of equals the fewest.
    pub best: Option<u32>,
    /// Numbers of I/O nodes that were not benchmarked near all phases with a match: the curve lacks them.
    pub left_out: Vec<LeftOut>,
}

/// A loss that is not worth a second thought.
const HARDLY: f64 = 0.002;

/// A number of I/O nodes that is not known for all phases with a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The number of I/O nodes.
    pub io_nodes: u32,
    /// The phases with a match that lack it, counted from 1.
    pub phases_without: Vec<usize>,
}

impl Combined {
    /// The point with the highest bandwidth.
    #[must_use]
    pub fn best(&self) -> Option<&CombinedPoint> {
        let best = |point: &&CombinedPoint| Some(point.io_nodes) == self.best;
        self.curve.iter().find(best)
    }

    /// The point with the least expected regret: the best one where that hardly loses more, because runs are drawn
    /// by chance.
    #[must_use]
    pub fn least_loss(&self) -> Option<&CombinedPoint> {
        let loss = |point: &&CombinedPoint| point.expected_regret;
        let least = self
            .curve
            .iter()
            .min_by(|a, b| loss(a).total_cmp(&loss(b)))?;
        let best = self.best();
        best.filter(|best| best.expected_regret <= least.expected_regret + HARDLY)
            .or(Some(least))
    }
}

/// An application at a number of I/O nodes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CombinedPoint {
    /// The number of I/O nodes.
    pub io_nodes: u32,
    /// The time of all phases, one after the other, in a typical run.
    pub time_s: f64,
    /// The same where phases that overlap are as long as the longest of them.
    pub overlapping_time_s: f64,
    /// All bytes over that of one after the other: half of the runs is slower.
    pub bytes_per_s: f64,
    /// A tenth of runs is slower.
    pub low_bytes_per_s: f64,
    /// A tenth of runs is faster.
    pub high_bytes_per_s: f64,
    /// What is lost, on the average over runs, to whoever always chooses this number: 0 is nothing,
    /// 0.5 half of the bandwidth of the best number.
    pub expected_regret: f64,
}

/// Adds up the phases that have a match.
#[must_use]
pub fn combine(phases: &[PhaseEstimate]) -> Combined {
    let matched: Vec<&PhaseEstimate> = phases.iter().filter(|phase| phase.parts.is_ok()).collect();
    let moved = |phases: &mut dyn Iterator<Item = &PhaseEstimate>| -> f64 {
        phases.fold(0.0, |sum, phase| sum + phase.demand.bytes)
    };
    let bytes = moved(&mut phases.iter());
    let matched_bytes = moved(&mut matched.iter().copied());
    let common = matched.iter().filter_map(|phase| phase.io_nodes());
    let common = common.reduce(|a, b| a.intersection(&b).copied().collect());
    let common: Vec<u32> = common.unwrap_or_default().into_iter().collect();
    let drawn = runs(&matched, &common, matched_bytes);
    let groups = overlapping(&matched);
    let point = |(at, &io_nodes): (usize, &u32)| {
        let own = sorted(&drawn.iter().map(|run| run[at]).collect::<Vec<_>>());
        let share = |share| quantile(&own, share).unwrap_or(f64::NAN);
        let time_s = matched_bytes / share(0.5);
        CombinedPoint {
            io_nodes,
            time_s,
            overlapping_time_s: time_s * overlap(&groups, io_nodes),
            bytes_per_s: share(0.5),
            low_bytes_per_s: share(0.1),
            high_bytes_per_s: share(0.9),
            expected_regret: regret(&drawn, at),
        }
    };
    let curve: Vec<CombinedPoint> = common.iter().enumerate().map(point).collect();
    let best = curve
        .iter()
        .rev()
        .max_by(|a, b| a.bytes_per_s.total_cmp(&b.bytes_per_s));
    let best = best.map(|point| point.io_nodes);
    Combined {
        bytes,
        matched_bytes,
        curve,
        best,
        left_out: left_out(phases, &common),
    }
}

/// Numbers of I/O nodes that are known of some phases, but not `common` to all that have a match.
fn left_out(phases: &[PhaseEstimate], common: &[u32]) -> Vec<LeftOut> {
    let known: Vec<(usize, BTreeSet<u32>)> = phases
        .iter()
        .enumerate()
        .filter_map(|(at, phase)| Some((at + 1, phase.io_nodes()?)))
        .collect();
    let parts = phases.iter().flat_map(|phase| phase.parts.iter().flatten());
    let all: BTreeSet<u32> = parts
        .flat_map(|part| &part.io_nodes() | &part.curve.far)
        .collect();
    let missing = all.into_iter().filter(|n| !common.contains(n));
    missing
        .map(|io_nodes| {
            let without = known.iter().filter(|(_, own)| !own.contains(&io_nodes));
            LeftOut {
                io_nodes,
                phases_without: without.map(|(number, _)| *number).collect(),
            }
        })
        .collect()
}

fn regret(drawn: &[Vec<f64>], at: usize) -> f64 {
    let lost = |run: &Vec<f64>| {
        let best = run.iter().copied().fold(0.0, f64::max);
        1.0 - run[at] / best
    };
    drawn.iter().map(lost).sum::<f64>() / drawn.len().max(1) as f64
}

/// Phases that overlap, directly or through others.
fn overlapping<'a>(phases: &[&'a PhaseEstimate]) -> Vec<Vec<&'a PhaseEstimate>> {
    let mut phases = phases.to_vec();
    phases.sort_by(|a, b| a.demand.start_s.total_cmp(&b.demand.start_s));
    let mut groups: Vec<Vec<&PhaseEstimate>> = Vec::new();
    let mut end = f64::NEG_INFINITY;
    for phase in phases {
        match groups.last_mut() {
            Some(group) if phase.demand.start_s < end => group.push(phase),
            _ => groups.push(vec![phase]),
        }
        end = end.max(phase.demand.end_s);
    }
    groups
}

/// The time of phases that overlap as long as the longest of each group, over that of one after the other.
fn overlap(groups: &[Vec<&PhaseEstimate>], io_nodes: u32) -> f64 {
    if groups.iter().all(|group| group.len() == 1) {
        return 1.0;
    }
    let time = |phase: &&PhaseEstimate| phase.time_s(io_nodes).unwrap_or(0.0);
    let longest = |group: &Vec<&PhaseEstimate>| group.iter().map(time).fold(0.0, f64::max);
    let together: f64 = groups.iter().map(longest).sum();
    let after_each_other: f64 = groups.iter().flatten().map(time).sum();
    (together / after_each_other).min(1.0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::estimate::testing::{benchmark, repeated, scenario};
    use crate::estimate::{Demand, Reach, Store, Unmatched};
    use iotempo_model::Scenario;

    const GIB: f64 = (1_u64 << 30) as f64;

    fn store() -> Store {
        let fast = scenario(4, 64, 8 << 20);
        let slow = scenario(4, 64, 1 << 20);
        Store::new(vec![
            repeated(slow, 0, 8.0 * GIB),
            repeated(slow, 2, 4.0 * GIB),
            repeated(fast, 0, 16.0 * GIB),
            repeated(fast, 2, 64.0 * GIB),
        ])
    }

    #[test]
    fn chance_alone_is_no_second_thought() {
        let point = |io_nodes, bytes_per_s, expected_regret| CombinedPoint {
            io_nodes,
            time_s: 1.0,
            overlapping_time_s: 1.0,
            bytes_per_s,
            low_bytes_per_s: 1.0,
            high_bytes_per_s: 2.0,
            expected_regret,
        };
        let least = |regret| {
            let combined = Combined {
                bytes: 1.0,
                matched_bytes: 1.0,
                curve: vec![point(0, 2.0, regret), point(1, 1.9, 0.01)],
                best: Some(0),
                left_out: Vec::new(),
            };
            combined.least_loss().unwrap().io_nodes
        };
        assert_eq!((least(0.0115), least(0.013)), (0, 1));
    }

    fn near(value: f64, expected: f64) -> bool {
        (value / expected - 1.0).abs() < 1e-9
    }

    fn phase(request: u64, start_s: f64, end_s: f64) -> PhaseEstimate {
        let demand = Demand::even(scenario(4, 64, request), start_s, end_s);
        PhaseEstimate::of(demand, &store(), &Reach::default())
    }

    #[test]
    fn times_add_up_and_bandwidth_is_bytes_over_time() {
        // 64 GiB each: 8 s and 4 s without I/O nodes, 16 s and 1 s with two.
        let combined = combine(&[phase(1 << 20, 0.0, 5.0), phase(8 << 20, 5.0, 6.0)]);
        assert!(near(combined.curve[0].time_s, 12.0) && near(combined.curve[1].time_s, 17.0));
        assert!(near(combined.curve[0].bytes_per_s, 128.0 * GIB / 12.0));
        assert_eq!(
            combined.curve[0].overlapping_time_s,
            combined.curve[0].time_s
        );
        assert_eq!((combined.best, combined.left_out.len()), (Some(0), 0));
        // Repetitions are all the same: so is every run.
        assert_eq!(combined.curve[0].expected_regret, 0.0);
        assert!((combined.curve[1].expected_regret - (1.0 - 12.0 / 17.0)).abs() < 1e-9);
    }

    #[test]
    fn phases_that_overlap_take_between_their_longest_and_their_sum() {
        let three = [
            phase(1 << 20, 0.0, 5.0),
            phase(8 << 20, 4.0, 9.0),
            phase(8 << 20, 20.0, 21.0),
        ];
        let combined = combine(&three);
        assert!(near(combined.curve[0].time_s, 16.0));
        assert!(near(combined.curve[0].overlapping_time_s, 12.0));
    }

    #[test]
    fn phases_without_a_match_are_counted_and_not_in_the_curve() {
        let none = phase(1 << 30, 0.0, 1.0);
        assert!(none.parts.is_err());
        let combined = combine(&[none.clone(), phase(8 << 20, 2.0, 3.0)]);
        assert_eq!(
            (combined.bytes, combined.matched_bytes),
            (128.0 * GIB, 64.0 * GIB)
        );
        assert_eq!(combined.best, Some(2));
        let nothing = combine(&[none]);
        assert_eq!((nothing.curve.len(), nothing.best), (0, None));
        assert_eq!(combine(&[]).curve, []);
    }

    #[test]
    fn a_phase_that_moves_nothing_has_no_match_and_harms_nobody() {
        let nothing = Scenario {
            bytes_per_process: 0,
            ..scenario(4, 64, 1 << 20)
        };
        let nothing = Demand::even(nothing, 0.0, 1.0);
        let nothing = PhaseEstimate::of(nothing, &store(), &Reach::default());
        assert_eq!(nothing.parts.as_ref().unwrap_err(), &Unmatched::Nothing);
        let combined = combine(&[nothing, phase(8 << 20, 2.0, 3.0)]);
        assert!(near(combined.curve[0].time_s, 4.0));
    }

    #[test]
    fn requests_of_two_sizes_are_matched_one_by_one() {
        let whole = scenario(4, 64, 2 << 20);
        let sizes = [
            ((1 << 20) as f64, 32.0 * GIB),
            ((8 << 20) as f64, 32.0 * GIB),
        ];
        let demand = Demand::even(whole, 0.0, 1.0).of_sizes(sizes.into_iter());
        let phase = PhaseEstimate::of(demand, &store(), &Reach::default());
        assert_eq!(phase.time_s(0), Some(4.0 + 2.0));
        let odd = [((1 << 30) as f64, 64.0 * GIB)];
        let demand = Demand::even(scenario(4, 64, 8 << 20), 0.0, 1.0).of_sizes(odd.into_iter());
        let phase = PhaseEstimate::of(demand, &store(), &Reach::default());
        assert!(phase.averaged.is_some());
        assert_eq!(phase.time_s(0), Some(4.0));
    }

    /// 300 phases between two benchmarks that ran `repetitions` times.
    fn interpolated(repetitions: usize, apart: u64) -> Combined {
        let sizes = [(1 << 20, 1e9), (4 << 20, 4e9)];
        let benchmarks = sizes.into_iter().flat_map(|(request, bandwidth)| {
            [(1, bandwidth), (2, 1.1 * bandwidth)].map(|(io_nodes, bandwidth)| {
                let mut one = benchmark(scenario(4, 64, request), io_nodes, bandwidth);
                one.bandwidths = vec![bandwidth; repetitions];
                one
            })
        });
        let store = Store::new(benchmarks.collect());
        let phases: Vec<PhaseEstimate> = (0..300)
            .map(|at| {
                let start = at as f64;
                let own = scenario(4, 64, (2 << 20) + at * apart);
                PhaseEstimate::of(
                    Demand::even(own, start, start + 1.0),
                    &store,
                    &Reach::default(),
                )
            })
            .collect();
        combine(&phases)
    }

    #[test]
    fn many_phases_do_not_make_the_model_surer_than_it_is() {
        // Equal phases, and phases that are not quite equal.
        for (repetitions, apart) in [(5, 0), (1, 0), (5, 512)] {
            let combined = interpolated(repetitions, apart);
            for point in &combined.curve {
                let (low, high) = (point.low_bytes_per_s, point.high_bytes_per_s);
                assert!(
                    low <= point.bytes_per_s && point.bytes_per_s <= high,
                    "{point:?}"
                );
                // One phase alone is as unsure.
                assert!(high / low > 1.5, "{point:?}");
                // In the middle of the two, as one phase is.
                assert!(
                    (point.bytes_per_s / 2e9).ln().abs() < 0.15,
                    "{point:?} {repetitions} {apart}"
                );
            }
            assert!(combined.curve[0].expected_regret > 0.0);
        }
    }

    #[test]
    fn one_repetition_leaves_a_doubt() {
        let slow = scenario(4, 64, 1 << 20);
        let store = Store::new(vec![benchmark(slow, 0, 8e9), benchmark(slow, 2, 8.1e9)]);
        let demand = Demand::even(slow, 0.0, 1.0);
        let combined = combine(&[PhaseEstimate::of(demand, &store, &Reach::default())]);
        for point in &combined.curve {
            assert!(
                point.high_bytes_per_s / point.low_bytes_per_s > 1.3,
                "{point:?}"
            );
            assert!(point.expected_regret > 0.03, "{point:?}");
        }
        assert!((combined.curve[0].bytes_per_s / 8e9 - 1.0).abs() < 0.01);
    }

    #[test]
    fn numbers_that_some_phases_lack_are_told_with_these_phases() {
        let [read, write] =
            [iotempo_model::Op::Read, iotempo_model::Op::Write].map(|op| Scenario {
                op,
                ..scenario(4, 64, 1 << 20)
            });
        let of = |scenario: Scenario, store: &Store| {
            PhaseEstimate::of(Demand::even(scenario, 0.0, 1.0), store, &Reach::default())
        };
        let store = Store::new(vec![
            repeated(read, 1, 1e9),
            repeated(write, 1, 1e9),
            repeated(write, 8, 9e9),
        ]);
        let combined = combine(&[of(write, &store), of(read, &store)]);
        assert_eq!(combined.curve.len(), 1);
        let expected = LeftOut {
            io_nodes: 8,
            phases_without: vec![2],
        };
        assert_eq!(combined.left_out, [expected]);
        let store = Store::new(vec![repeated(read, 1, 1e9), repeated(write, 8, 9e9)]);
        let combined = combine(&[of(write, &store), of(read, &store)]);
        assert_eq!((combined.curve.len(), combined.left_out.len()), (0, 2));
        assert!(combined.matched_bytes > 0.0);
    }
}
