//! Whether what a detector takes for phases are bursts that belong together.
//!
//! A detector sees a curve, and joins what is close to each other in it. Of a signature its bursts are known: where
//! some of them are joined and others of the same kind are not, phases are as regular as chance made them, and their
//! period may be wrong by a factor of two.

use super::finding::SignatureBurst;
use super::numbers::{mean, median};
use crate::period::Phase;

/// Phases hold as many bursts as the others where this share of them does.
const ALIKE: f64 = 0.75;

/// Bursts of a phase that are this much closer to each other than to those of other phases belong together, however
/// many they are.
const CLOSE: f64 = 0.5;

/// Bursts come in turn where places in phases leave this share of their scatter.
const IN_TURN: f64 = 1.0 / 3.0;

/// Bursts whose distances scatter by less than this share of them are regular in any case.
const REGULAR: f64 = 0.1;

/// Whether the bursts of phases that follow each other belong together. The first and the last phase, which may be
/// others, do not count; where hardly any are left, nothing speaks against it. Times of bursts are `ahead_s` ahead of
/// those of phases.
pub(super) fn belong_together(phases: &[Phase], bursts: &[SignatureBurst], ahead_s: f64) -> bool {
    let Some(inner) = phases.get(1..phases.len().saturating_sub(1)) else {
        return true;
    };
    let held: Vec<Vec<SignatureBurst>> = inner
        .iter()
        .map(|phase| {
            let middle = |burst: &SignatureBurst| 0.5 * (burst.start_s + burst.end_s) - ahead_s;
            let holds = |burst: &&SignatureBurst| {
                (phase.start.get()..=phase.end.get()).contains(&middle(burst))
            };
            bursts.iter().filter(holds).copied().collect()
        })
        .filter(|held: &Vec<SignatureBurst>| !held.is_empty())
        .collect();
    if held.len() < 2 || held.iter().all(|held| held.len() == 1) || are_close(&held) {
        return true;
    }
    let usual = usual(held.iter().map(Vec::len));
    let alike = held.iter().filter(|held| held.len() == usual).count();
    alike as f64 >= ALIKE * held.len() as f64 && (usual == 1 || come_in_turn(&held, usual))
}

/// The commonest of these numbers.
fn usual(counts: impl Iterator<Item = usize> + Clone) -> usize {
    let frequency = |one: &usize| counts.clone().filter(|other| other == one).count();
    counts.clone().max_by_key(frequency).unwrap_or(0)
}

/// The time from the start of one to the start of the other.
fn gap(one: &SignatureBurst, next: &SignatureBurst) -> f64 {
    next.start_s - one.start_s
}

/// The times from the last burst of each phase to the first of the next.
fn between(held: &[Vec<SignatureBurst>]) -> Vec<f64> {
    let pairs = held.windows(2);
    let ends = pairs.filter_map(|pair| pair[0].last().zip(pair[1].first()));
    ends.map(|(last, first)| gap(last, first)).collect()
}

fn are_close(held: &[Vec<SignatureBurst>]) -> bool {
    let inside = held.iter().flat_map(|held| held.windows(2));
    let longest = inside
        .map(|pair| gap(&pair[0], &pair[1]))
        .fold(0.0, f64::max);
    let shortest = between(held).into_iter().fold(f64::INFINITY, f64::min);
    longest <= CLOSE * shortest
}

/// Whether bursts at the same place of phases are alike in their distances or their volumes.
fn come_in_turn(held: &[Vec<SignatureBurst>], usual: usize) -> bool {
    let whole: Vec<&Vec<SignatureBurst>> = held.iter().filter(|held| held.len() == usual).collect();
    let gaps = (1..usual).map(|place| -> Vec<f64> {
        let gap = |held: &&Vec<SignatureBurst>| gap(&held[place - 1], &held[place]);
        whole.iter().map(gap).collect()
    });
    let gaps: Vec<Vec<f64>> = gaps.chain([between(held)]).collect();
    let volumes = (0..usual)
        .map(|place| -> Vec<f64> { whole.iter().map(|held| held[place].bytes).collect() });
    let volumes: Vec<Vec<f64>> = volumes.collect();
    let (gaps_apart, gaps_all) = scatters(&gaps);
    let (volumes_apart, volumes_all) = scatters(&volumes);
    gaps_apart <= IN_TURN * gaps_all
        || gaps_apart <= REGULAR * mean(&gaps.concat())
        || volumes_apart <= IN_TURN * volumes_all
}

/// The mean distance of values from the median of their kind, and from that of all.
fn scatters(kinds: &[Vec<f64>]) -> (f64, f64) {
    let distances = |values: &[f64]| -> Vec<f64> {
        let usual = median(&mut values.to_vec());
        values.iter().map(|value| (value - usual).abs()).collect()
    };
    let apart: Vec<f64> = kinds.iter().flat_map(|kind| distances(kind)).collect();
    (mean(&apart), mean(&distances(&kinds.concat())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use iotempo_model::{Bytes, Seconds};

    /// Bursts of 10 s by their starts and volumes, and phases of so many of them each.
    fn told(bursts: &[(f64, f64)], counts: &[usize]) -> bool {
        let burst = |&(start_s, bytes): &(f64, f64)| SignatureBurst {
            time_s: start_s + 5.0,
            start_s,
            end_s: start_s + 10.0,
            bytes,
            bytes_low: bytes,
            bytes_high: bytes,
            peak: bytes / 10.0,
            support: 8,
        };
        let bursts: Vec<SignatureBurst> = bursts.iter().map(burst).collect();
        let mut left = bursts.as_slice();
        let at = |s: f64| Seconds::new(s).expect("finite");
        let phase = |&count: &usize| {
            let (held, others) = left.split_at(count);
            left = others;
            Phase {
                start: at(held[0].start_s),
                end: at(held[count - 1].end_s),
                bytes: Bytes::ZERO,
            }
        };
        let phases: Vec<Phase> = counts.iter().map(phase).collect();
        belong_together(&phases, &bursts, 0.0)
    }

    fn after(gaps: &[f64], volume: impl Fn(usize) -> f64) -> Vec<(f64, f64)> {
        let sum = |sum: &mut f64, gap: &f64| {
            *sum += gap;
            Some(*sum)
        };
        let starts = gaps.iter().scan(0.0, sum).enumerate();
        starts.map(|(at, start)| (start, volume(at))).collect()
    }

    /// As uneven as those of an application that does not repeat.
    const UNEVEN: [f64; 12] = [
        189.0, 228.0, 156.0, 182.0, 108.0, 158.0, 199.0, 197.0, 144.0, 173.0, 89.0, 150.0,
    ];

    #[test]
    fn bursts_that_chance_puts_together_are_no_phases() {
        let bursts = after(&UNEVEN, |at| 1e9 * (10 + at * 7 % 20) as f64);
        assert!(!told(&bursts, &[2; 6]));
        assert!(!told(&bursts, &[2, 1, 2, 3, 2, 2]));
        // One each is what comes at these times, however evenly it does.
        assert!(told(&bursts, &[1; 12]));
        // Nothing is known of so few.
        assert!(told(&bursts, &[2; 3]));
    }

    #[test]
    fn bursts_that_come_in_turn_are_phases() {
        let even = after(&[100.0; 12], |at| [64e9, 32e9][at % 2]);
        assert!(told(&even, &[2; 6]), "large and small ones");
        let uneven = after(&UNEVEN, |at| [64e9, 32e9, 16e9][at % 3]);
        assert!(told(&uneven, &[3; 4]), "of three sizes");
        let gaps: Vec<f64> = (0..12).map(|at| [130.0, 20.0, 120.0][at % 3]).collect();
        assert!(told(&after(&gaps, |_| 1e9), &[3; 4]), "at times in turn");
    }

    #[test]
    fn bursts_that_are_close_to_each_other_are_phases() {
        let gap = |at: usize| {
            [
                300.0, 20.0, 40.0, 280.0, 10.0, 350.0, 30.0, 25.0, 15.0, 290.0,
            ][at]
        };
        let gaps: Vec<f64> = (0..10).map(gap).collect();
        let bursts = after(&gaps, |_| 1e9);
        assert!(told(&bursts, &[3, 2, 4, 1]), "however many they are");
    }
}
