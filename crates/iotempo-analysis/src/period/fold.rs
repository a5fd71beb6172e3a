//! Phases of a signal that never rests: the stretches above the mean of the folded signal.

use super::bursts::Burst;
use super::numbers::mean;

/// The stretches in which the mean cycle is above its own mean, once per period.
pub(super) fn phases(samples: &[f64], period: f64) -> Vec<Burst> {
    let profile = profile(samples, period);
    let level = mean(&profile);
    let high: Vec<bool> = profile.iter().map(|x| *x > level).collect();
    let Some((from, length)) = longest_run(&high) else {
        return Vec::new();
    };
    let slot = period / profile.len() as f64;
    let (offset, length) = (from as f64 * slot, length as f64 * slot);
    let starts = (-1..).map(|k| offset + f64::from(k) * period);
    let end = samples.len() as f64;
    starts
        .take_while(|start| *start < end)
        .map(|start| Burst {
            start: start.max(0.0),
            end: (start + length).min(end),
        })
        .filter(|burst| burst.end - burst.start > 0.5 * length)
        .collect()
}

/// The mean cycle.
fn profile(samples: &[f64], period: f64) -> Vec<f64> {
    let slots = (period.ceil() as usize).clamp(2, 64);
    let mut sums = vec![(0.0, 0.0); slots];
    for (index, sample) in samples.iter().enumerate() {
        let turn = ((index as f64 + 0.5) / period).fract();
        let slot = ((turn * slots as f64) as usize).min(slots - 1);
        sums[slot].0 += sample;
        sums[slot].1 += 1.0;
    }
    sums.iter()
        .map(|(sum, n)| sum / f64::max(*n, 1.0))
        .collect()
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
