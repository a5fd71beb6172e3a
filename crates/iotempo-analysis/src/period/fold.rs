//! Phases of a signal that never rests: the stretches above the mean of the folded signal.

use super::bursts::Burst;
use super::numbers::{mean, median};
use super::phases::Moved;

/// How far from where it is due a phase is looked for, as a share of the period.
const REACH: f64 = 0.2;

/// The stretch in which the mean cycle is above its own mean, once per period, where most data moves
/// about the time that it is due. In whole samples.
pub(super) fn phases(samples: &[f64], moved: &Moved, period: f64) -> Vec<Burst> {
    let turns = |index: usize| (index as f64 + 0.5) / period;
    let Some((first, length)) = high(samples, period, turns) else {
        return Vec::new();
    };
    let starts = follow(moved, first, length, period);
    // Phases that come early and late blur the mean cycle: once they are aligned it is sharper.
    let aligned = |index: usize| {
        let at = index as f64 + 0.5;
        // From halfway to the phase on, the sample belongs to it.
        let next = starts.partition_point(|start| *start <= at + 0.5 * (period - length));
        let start = starts.get(next.saturating_sub(1)).copied();
        (at - start.unwrap_or(first)) / period
    };
    let Some((shift, length)) = high(samples, period, aligned) else {
        return Vec::new();
    };
    let first = starts.first().copied().unwrap_or(first) + shift;
    let starts = follow(moved, first, length, period);
    let starts = seen(&starts, moved, length, period);
    let mut phases = whole(&starts, length, samples.len());
    phases.retain(|phase| moved.between(phase.start, phase.end) > 0.0);
    phases
}

/// A signal without its mean cycle.
pub(super) fn without_cycle(samples: &[f64], period: f64) -> Vec<f64> {
    let turns = |index: usize| (index as f64 + 0.5) / period;
    let profile = profile(samples, period, turns);
    let cycle = |index: usize| profile[slot(turns(index), profile.len())];
    let samples = samples.iter().enumerate();
    samples
        .map(|(index, sample)| sample - cycle(index))
        .collect()
}

/// Where in the mean cycle the longest stretch above its mean begins, and how long it is, in samples.
fn high(samples: &[f64], period: f64, turns: impl Fn(usize) -> f64) -> Option<(f64, f64)> {
    let profile = profile(samples, period, turns);
    let level = mean(&profile);
    let high: Vec<bool> = profile.iter().map(|x| *x > level).collect();
    let (from, length) = longest_run(&high)?;
    let width = period / profile.len() as f64;
    Some((from as f64 * width, length as f64 * width))
}

/// The mean cycle, where `turns` says how many periods have passed at the middle of a sample.
fn profile(samples: &[f64], period: f64, turns: impl Fn(usize) -> f64) -> Vec<f64> {
    let slots = (period.ceil() as usize).clamp(2, 64);
    let mut sums = vec![(0.0, 0.0); slots];
    for (index, sample) in samples.iter().enumerate() {
        let sum = &mut sums[slot(turns(index), slots)];
        *sum = (sum.0 + sample, sum.1 + 1.0);
    }
    sums.iter()
        .map(|(sum, n)| sum / f64::max(*n, 1.0))
        .collect()
}

/// The slot of the cycle in which an instant lies.
fn slot(turns: f64, slots: usize) -> usize {
    let slot = (turns.rem_euclid(1.0) * slots as f64) as usize;
    slot.min(slots - 1)
}

/// Where the phases begin, one period after the other from the greatest on, each where most moves near
/// its place. What is cut off at either end counts if half of it is there.
fn follow(moved: &Moved, first: f64, length: f64, period: f64) -> Vec<f64> {
    let end = moved.samples() as f64;
    let middle = |start: f64| start + 0.5 * length;
    let inside = |start: &f64| (0.0..end).contains(&middle(*start));
    let weight = |start: f64| weight(moved, start, length);
    let earliest = middle(first).rem_euclid(period) - 0.5 * length;
    let due = std::iter::successors(Some(earliest), |start| Some(start + period));
    let greatest = due
        .take_while(inside)
        .max_by(|a, b| weight(*a).total_cmp(&weight(*b)));
    let from = greatest.map(|due| nearest(due, period, weight));
    let walk = |step: f64| {
        std::iter::successors(from, move |start| {
            let due = start + step;
            inside(&due).then(|| nearest(due, period, weight))
        })
    };
    let mut starts: Vec<f64> = walk(-period).skip(1).collect();
    starts.reverse();
    starts.extend(walk(period));
    starts
}

/// The place of the greatest weight near the one that is due; of equals the nearest.
fn nearest(due: f64, period: f64, weight: impl Fn(f64) -> f64) -> f64 {
    let mut best = (weight(due), due);
    for shift in 1..=(REACH * period) as usize {
        for at in [due - shift as f64, due + shift as f64] {
            let weight = weight(at);
            if weight > best.0 * (1.0 + 1e-9) {
                best = (weight, at);
            }
        }
    }
    best.1
}

/// What moves in a stretch, that in its middle counted more than that at its edges: a phase that is
/// shorter comes to lie in the middle.
fn weight(moved: &Moved, start: f64, length: f64) -> f64 {
    let within = |edge: f64| moved.between(start + edge * length, start + (1.0 - edge) * length);
    within(0.0) + within(1.0 / 6.0) + within(1.0 / 3.0)
}

/// Phases without a first or a last one that hardly stands out from the period around it.
fn seen(starts: &[f64], moved: &Moved, length: f64, period: f64) -> Vec<f64> {
    let contrasts: Vec<f64> = starts
        .iter()
        .map(|start| contrast(moved, *start, length, period))
        .collect();
    let least = 0.5 * (1.0 + median(&contrasts));
    let stands_out = |(index, _): &(usize, &f64)| {
        let edge = *index == 0 || index + 1 == starts.len();
        !edge || contrasts[*index] >= least
    };
    let seen = starts.iter().enumerate().filter(stands_out);
    seen.map(|(_, start)| *start).collect()
}

/// How many times more a phase moves than as long a part of the period around it does.
fn contrast(moved: &Moved, start: f64, length: f64, period: f64) -> f64 {
    let middle = start + 0.5 * length;
    let from = (middle - 0.5 * period).max(0.0);
    let to = (middle + 0.5 * period).min(moved.samples() as f64);
    let usual = moved.between(from, to) * length / (to - from);
    moved.between(start, start + length) / usual.max(f64::MIN_POSITIVE)
}

/// Phases of this length in whole samples, none of which reaches into the next.
fn whole(starts: &[f64], length: f64, samples: usize) -> Vec<Burst> {
    let mut reached = 0.0;
    let mut phases = Vec::with_capacity(starts.len());
    for start in starts {
        let from = start.round().max(reached);
        let end = (start + length).round().max(from + 1.0).min(samples as f64);
        if from < end {
            phases.push(Burst { start: from, end });
            reached = end;
        }
    }
    phases
}

/// Start and length of the longest run of `true`, around the end.
fn longest_run(high: &[bool]) -> Option<(usize, usize)> {
    let n = high.len();
    let starts = (0..n).filter(|&i| high[i] && !high[(i + n - 1) % n]);
    let length = |from: usize| (0..n).take_while(|k| high[(from + k) % n]).count();
    starts
        .map(|from| (from, length(from)))
        .max_by_key(|run| run.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(samples: &[f64], period: f64) -> Vec<(f64, f64)> {
        let found = phases(samples, &Moved::new(samples, 1.0), period);
        found.iter().map(|phase| (phase.start, phase.end)).collect()
    }

    #[test]
    fn a_wave_is_gone_without_its_cycle_and_another_stays() {
        let wave = |i: i32, period: f64| (std::f64::consts::TAU * f64::from(i) / period).sin();
        let both: Vec<f64> = (0..240).map(|i| wave(i, 12.0) + wave(i, 7.5)).collect();
        let rest = without_cycle(&both, 12.0);
        for (i, x) in (0..).zip(rest) {
            assert!((x - wave(i, 7.5)).abs() < 1e-9, "{i}: {x}");
        }
    }

    #[test]
    fn the_upper_half_of_a_wave_is_its_phase() {
        let wave = |i: i32| 5.0 - (std::f64::consts::TAU * (f64::from(i) + 0.5) / 20.0).cos();
        let samples: Vec<f64> = (0..100).map(wave).collect();
        let halves = [5.0, 25.0, 45.0, 65.0, 85.0].map(|start| (start, start + 10.0));
        assert_eq!(found(&samples, 20.0), halves);
    }

    #[test]
    fn phases_that_come_early_and_late_are_found_where_they_are() {
        let starts = [12, 31, 54, 75, 92, 116, 133];
        let mut samples = vec![1.0; 150];
        for start in starts {
            samples[start..start + 5].fill(4.0);
        }
        let phases = found(&samples, 20.3);
        assert_eq!(phases.len(), starts.len(), "{phases:?}");
        for ((start, end), truth) in phases.iter().zip(starts) {
            assert!((start - truth as f64).abs() <= 1.0, "{phases:?}");
            assert!((end - start - 5.0).abs() <= 2.0, "{phases:?}");
        }
    }

    #[test]
    fn what_is_cut_off_at_the_edge_is_no_phase_unless_most_of_it_is_there() {
        let starts = |shift: usize| -> Vec<f64> {
            let phase = |i: usize| f64::from(u8::from((i + shift) % 20 < 6));
            let samples: Vec<f64> = (0..100).map(|i| 1.0 + phase(i)).collect();
            found(&samples, 20.0).iter().map(|phase| phase.0).collect()
        };
        // One of six samples is there at the start and five are at the end, and the other way round.
        for (shift, first) in [(5, 15.0), (1, -1.0)] {
            let found = starts(shift);
            assert_eq!(found.len(), 5, "{found:?}");
            for (number, start) in found.iter().enumerate() {
                let truth = first + 20.0 * number as f64;
                assert!((start - truth).abs() <= 1.0, "{found:?}");
            }
        }
    }

    #[test]
    fn a_flat_signal_has_no_phases_and_short_periods_do_not_overlap() {
        assert_eq!(found(&[3.0; 50], 10.0), []);
        let samples: Vec<f64> = (0..60).map(|i| f64::from(i % 3)).collect();
        let phases = found(&samples, 3.0);
        assert!(phases.len() >= 18, "{phases:?}");
        assert!(phases.windows(2).all(|pair| pair[0].1 <= pair[1].0));
    }
}
