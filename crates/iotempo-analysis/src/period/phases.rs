//! Phases between the slow spots of a comb.

use super::bursts::Burst;
use super::numbers::{median, running_sums};
use iotempo_model::Bytes;

/// The volume moved up to each sample, for sums over any stretch.
pub(super) struct Moved {
    sums: Vec<f64>,
    /// What a sample of 1 moves, in bytes.
    unit: f64,
}

impl Moved {
    pub(super) fn new(samples: &[f64], unit: f64) -> Self {
        Self {
            sums: running_sums(samples),
            unit,
        }
    }

    /// What moved up to each sample, and in all.
    pub(super) fn sums(&self) -> &[f64] {
        &self.sums
    }

    /// What moved up to an instant in samples.
    pub(super) fn until(&self, at: f64) -> f64 {
        let last = self.sums.len() - 1;
        let at = at.clamp(0.0, last as f64);
        // No signal has more samples than 32 bits count, and these are read from a number faster.
        let index = (at as u32 as usize).min(last.saturating_sub(1));
        let next = self.sums[(index + 1).min(last)];
        self.sums[index] + (next - self.sums[index]) * (at - index as f64)
    }

    /// What moved between two instants.
    pub(super) fn between(&self, from: f64, to: f64) -> f64 {
        (self.until(to) - self.until(from)).max(0.0)
    }

    /// The same in bytes.
    pub(super) fn bytes(&self, from: f64, to: f64) -> Bytes {
        Bytes::new((self.between(from, to) * self.unit).min(f64::MAX)).unwrap_or_default()
    }

    pub(super) fn total(&self) -> f64 {
        self.sums[self.sums.len() - 1]
    }

    pub(super) fn samples(&self) -> usize {
        self.sums.len() - 1
    }
}

/// Phases that begin and end where slow spots cut the signal. Between cuts they may hold pauses.
pub(super) fn between(cuts: &[(f64, f64)], bursts: &[Burst], moved: &Moved) -> Vec<Burst> {
    let (Some(first), Some(last)) = (bursts.first(), bursts.last()) else {
        return Vec::new();
    };
    let horizon = 0.1 * (last.end - first.start) / (cuts.len() + 1) as f64;
    let mut starts = vec![first.start];
    let mut ends = Vec::new();
    for &cut in cuts {
        let idle = idle_at(bursts, cut, moved, horizon);
        let after = starts[starts.len() - 1];
        // What precedes the first phase and follows the last is idle anyway.
        if idle.start > after && idle.end < last.end {
            ends.push(idle.start);
            starts.push(idle.end);
        }
    }
    ends.push(last.end);
    join_scraps(&mut starts, &mut ends, moved);
    let phases = starts.into_iter().zip(ends);
    let phases = phases.map(|(start, end)| trimmed(Burst { start, end }, bursts, moved));
    phases.collect()
}

/// Joins what a cut has left of a burst at either end of the signal to the phase that it belongs to.
fn join_scraps(starts: &mut Vec<f64>, ends: &mut Vec<f64>, moved: &Moved) {
    // In a handful of samples nobody sees whether a pause lies between.
    const FEWEST_SAMPLES: usize = 20;
    let phases = starts.len();
    if phases < 3 || moved.samples() < FEWEST_SAMPLES * phases {
        return;
    }
    let volume = |i: usize| moved.between(starts[i], ends[i]);
    let usual = median(&(0..phases).map(volume).collect::<Vec<_>>());
    let scrap = |i: usize, cut: usize| {
        let touches = starts[cut] - ends[cut - 1] < 1.0;
        touches && volume(i) < 0.25 * usual
    };
    let (first, last) = (scrap(0, 1), scrap(phases - 1, phases - 1));
    if last {
        starts.pop();
        ends.remove(phases - 2);
    }
    if first {
        starts.remove(1);
        ends.remove(0);
    }
}

/// The pause at a cut: little moves before it and much after.
fn idle_at(bursts: &[Burst], cut: (f64, f64), moved: &Moved, horizon: f64) -> Burst {
    let rise = |idle: &Burst| {
        let after = moved.between(idle.end, idle.end + horizon);
        let before = moved.between(idle.start - horizon, idle.start);
        let usual = moved.total() / moved.samples() as f64 * horizon;
        let rise = (after - before) / usual.max(f64::MIN_POSITIVE);
        // Between equals the longer pause counts, but stragglers may keep a phase waiting for long.
        rise + 0.5 * (idle.length() / horizon).min(1.0)
    };
    let idle = idle_within(bursts, cut, moved.samples());
    let best = idle.into_iter().max_by(|a, b| rise(a).total_cmp(&rise(b)));
    let middle = 0.5 * (cut.0 + cut.1);
    best.unwrap_or(Burst {
        start: middle,
        end: middle,
    })
}

/// A phase without what trickles after it: the last hundredths of its volume, such as a log between
/// two checkpoints.
fn trimmed(phase: Burst, bursts: &[Burst], moved: &Moved) -> Burst {
    const TRICKLE: f64 = 0.02;
    let enough = (1.0 - TRICKLE) * moved.between(phase.start, phase.end);
    let inside = bursts.partition_point(|burst| burst.end <= phase.start);
    let ends = bursts[inside..].iter().map(|burst| burst.end);
    let end = ends
        .take_while(|end| *end < phase.end)
        .find(|end| moved.between(phase.start, *end) >= enough);
    Burst {
        end: end.unwrap_or(phase.end),
        ..phase
    }
}

/// The pauses that overlap a stretch of time.
fn idle_within(bursts: &[Burst], (from, to): (f64, f64), samples: usize) -> Vec<Burst> {
    let next = bursts.partition_point(|burst| burst.end <= from);
    let mut idle = Vec::new();
    let mut start = if next == 0 { 0.0 } else { bursts[next - 1].end };
    for burst in &bursts[next..] {
        if burst.start > from && start < to {
            idle.push(Burst {
                start,
                end: burst.start,
            });
        }
        if burst.start >= to {
            return idle;
        }
        start = burst.end;
    }
    if start < to {
        let end = samples as f64;
        idle.push(Burst { start, end });
    }
    idle
}

#[cfg(test)]
mod tests {
    use super::super::bursts;
    use super::*;

    #[test]
    fn volumes_between_any_two_instants_add_up() {
        let moved = Moved::new(&[2.0, 0.0, 4.0], 10.0);
        assert_eq!(moved.between(0.0, 3.0), 6.0);
        assert_eq!(moved.between(0.5, 2.5), 3.0);
        assert_eq!(moved.between(-5.0, 99.0), 6.0);
        assert_eq!(moved.between(2.0, 1.0), 0.0);
        assert_eq!(moved.bytes(2.0, 3.0).get(), 40.0);
        assert_eq!((moved.total(), moved.samples()), (6.0, 3));
        assert_eq!(Moved::new(&[], 1.0).between(0.0, 1.0), 0.0);
    }

    /// Cuts within a sample of these instants.
    fn cut(samples: &[f64], cuts: &[f64]) -> Vec<(f64, f64)> {
        let cuts: Vec<_> = cuts.iter().map(|at| (at - 1.0, at + 1.0)).collect();
        let bursts = bursts::bursts(samples, bursts::threshold(samples));
        let phases = between(&cuts, &bursts, &Moved::new(samples, 1.0));
        phases
            .iter()
            .map(|phase| (phase.start, phase.end))
            .collect()
    }

    #[test]
    fn phases_lie_between_cuts_and_may_hold_pauses() {
        let mut samples = vec![0.0; 60];
        for phase in [10, 30, 50] {
            samples[phase] = 8.0;
            samples[phase + 2] = 8.0;
        }
        let found = cut(&samples, &[20.0, 40.0]);
        assert_eq!(found, [(10.0, 13.0), (30.0, 33.0), (50.0, 53.0)]);
    }

    #[test]
    fn a_trickle_after_a_phase_is_no_part_of_it() {
        let mut samples = vec![0.0; 60];
        for phase in [10, 30, 50] {
            samples[phase..phase + 3].fill(80.0);
            samples[phase + 6] = 4.5;
        }
        let found = cut(&samples, &[20.0, 40.0]);
        assert_eq!(found[0], (10.0, 13.0));
        assert_eq!(found[1], (30.0, 33.0));
    }

    #[test]
    fn nothing_has_no_phases() {
        assert_eq!(cut(&[0.0; 20], &[10.0]), []);
    }
}
