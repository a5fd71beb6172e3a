//! Onsets that follow the strongest wave of a signal, where phases are full of holes.
//!
//! As a beat is tracked in music: an onset is strong where much moves after it and little before, and
//! the best sequence has strong onsets about one period apart (dynamic programming over onsets).

use super::bursts::Burst;
use super::numbers::{centred, crest, mean, sorted};
use super::phases::Moved;
use crate::spectrum::Spectrum;

/// Most onsets that are looked at: the strongest.
const MOST: usize = 400;
/// Fewest phases that show a distance twice.
const FEWEST: usize = 3;
/// How much a distance that is e times too long costs, in onsets of the usual strength.
const STIFFNESS: f64 = 4.0;

/// An onset that may begin a phase.
struct Onset {
    burst: usize,
    at: f64,
    strength: f64,
}

/// The phases that begin with the best sequence of onsets.
pub(super) fn track(samples: &[f64], bursts: &[Burst], moved: &Moved) -> Option<Vec<Burst>> {
    if bursts.len() < FEWEST {
        return None;
    }
    let period = strongest_wave(samples)?;
    let onsets = onsets(bursts, moved, period);
    let starts = best_sequence(&onsets, period);
    (starts.len() >= FEWEST).then(|| phases(&onsets, &starts, bursts))
}

/// The period, in samples, of the bin with most power, from two repetitions on.
fn strongest_wave(samples: &[f64]) -> Option<f64> {
    let power = Spectrum::of(&centred(samples)).powers();
    let top = (2..power.len()).max_by(|a, b| power[*a].total_cmp(&power[*b]))?;
    Some(samples.len() as f64 / crest(&power, top))
}

/// The strongest onsets, in order of time; their mean strength is 1.
fn onsets(bursts: &[Burst], moved: &Moved, period: f64) -> Vec<Onset> {
    let horizon = 0.2 * period;
    let strength = |at: f64| {
        let [before, here, after] = [at - horizon, at, at + horizon].map(|at| moved.until(at));
        ((after - here).max(0.0) - (here - before).max(0.0)).max(0.0)
    };
    let mut onsets: Vec<Onset> = bursts
        .iter()
        .enumerate()
        .map(|(burst, &Burst { start: at, .. })| Onset {
            burst,
            at,
            strength: strength(at),
        })
        .collect();
    if onsets.len() > MOST {
        onsets.select_nth_unstable_by(MOST, |a, b| b.strength.total_cmp(&a.strength));
        onsets.truncate(MOST);
        onsets.sort_unstable_by_key(|onset| onset.burst);
    }
    // One per period is what is looked for: the usual strength is theirs.
    let strengths: Vec<f64> = onsets.iter().map(|onset| onset.strength).collect();
    let strengths = sorted(&strengths);
    let strongest = ((moved.samples() as f64 / period) as usize).max(1);
    let usual = mean(&strengths[strengths.len().saturating_sub(strongest)..]);
    let usual = usual.max(f64::MIN_POSITIVE);
    for onset in &mut onsets {
        onset.strength /= usual;
    }
    onsets
}

/// The sequence with the greatest sum of strengths less what odd distances cost, as indices.
fn best_sequence(onsets: &[Onset], period: f64) -> Vec<usize> {
    let mut best: Vec<(f64, Option<usize>)> = Vec::with_capacity(onsets.len());
    for (index, onset) in onsets.iter().enumerate() {
        let near = (0..index)
            .rev()
            .skip_while(|&k| onset.at - onsets[k].at < 0.3 * period)
            .take_while(|&k| onset.at - onsets[k].at < 3.0 * period);
        let (mut most, mut before) = (0.0, None);
        for k in near {
            // Most are too weak at any distance.
            if best[k].0 < most {
                continue;
            }
            let odd = ((onset.at - onsets[k].at) / period).ln();
            let gain = best[k].0 - STIFFNESS * odd * odd;
            if gain >= most && gain > 0.0 {
                (most, before) = (gain, Some(k));
            }
        }
        best.push((onset.strength + most, before));
    }
    let last = (0..best.len()).max_by(|a, b| best[*a].0.total_cmp(&best[*b].0));
    let mut sequence: Vec<usize> = std::iter::successors(last, |index| best[*index].1).collect();
    sequence.reverse();
    sequence
}

/// From each onset to the last burst before the next.
fn phases(onsets: &[Onset], starts: &[usize], bursts: &[Burst]) -> Vec<Burst> {
    let firsts = starts.iter().map(|&index| onsets[index].burst);
    let nexts = firsts.clone().skip(1).chain([bursts.len()]);
    firsts
        .zip(nexts)
        .map(|(first, next)| Burst {
            start: bursts[first].start,
            end: bursts[next - 1].end,
        })
        .collect()
}
