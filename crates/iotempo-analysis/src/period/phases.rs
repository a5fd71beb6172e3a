//! Phases between the slow spots of a comb.

use super::bursts::Burst;
use super::numbers::running_sums;
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
    let phases = starts.into_iter().zip(ends);
    let phases = phases.map(|(start, end)| trimmed(Burst { start, end }, bursts, moved));
    phases.collect()
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
