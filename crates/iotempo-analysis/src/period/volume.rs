//! The volume witness: does idle time recur after equal volumes?
//!
//! An application that moves the same amount in every phase is perfectly periodic over *volume*,
//! however uneven its compute phases are and however far its ranks drift apart: neither changes the
//! byte at which the next phase begins. So time is laid out along the volume moved so far, and a
//! comb of slow spots is looked for there.

use super::numbers::{centred, crest, key, mean, median, of_key, sorted};
use super::phases::Moved;
use crate::binomial;
use crate::spectrum::Spectrum;

/// Fewest phases that are looked for.
const FEWEST: f64 = 2.5;
/// Slots per phase below which a slow spot can no longer be told from the phase.
const SLOTS_PER_PHASE: usize = 10;
/// How far from where it is expected a slow spot may lie, as a share of a phase's volume.
const TOLERANCE: f64 = 0.03;
/// Combs that are looked at closely.
const CANDIDATES: usize = 6;
/// A line this far above the mean power of all lines is worth a look: of a thousand random ones, the
/// strongest is about seven times the mean.
const LINE: f64 = 8.0;

/// How far from a line's own number of phases combs are tried.
const SHIFTS: [f64; 5] = [-0.2, -0.1, 0.0, 0.1, 0.2];
/// How far from a line's crest they are tried, in tolerances.
const SIDES: [f64; 9] = [-4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0];

/// A comb of slow spots along the volume.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct VolumeComb {
    /// For each slow spot the stretch of time, in samples, in which it lies.
    pub(super) cuts: Vec<(f64, f64)>,
    /// How likely chance is to do as well.
    pub(super) p_value: f64,
}

/// Looks for a comb of slow spots.
pub(super) fn comb(samples: &[f64], moved: &Moved) -> Option<VolumeComb> {
    let layout = Layout::new(samples, moved)?;
    let candidates = layout.candidates();
    let width = |candidate: &Candidate| width(layout.slots as f64 / candidate.phases);
    let alike = candidates.chunk_by(|a, b| width(a) == width(b));
    let combs = alike.flat_map(|alike| layout.combs(alike, width(&alike[0])));
    let best = combs.max_by(|a, b| a.surprise().total_cmp(&b.surprise()))?;
    // The share of teeth was chosen among three, and the lines among all.
    let trials = candidates.len() * SHIFTS.len() * SIDES.len();
    let looks = (3 * trials).max(layout.slots / SLOTS_PER_PHASE) as f64;
    let p_value = binomial::at_least(best.hits, best.teeth, best.probability);
    Some(VolumeComb {
        cuts: layout.track(&best),
        p_value: (p_value * looks).min(1.0),
    })
}

/// Time along the volume.
struct Layout {
    slots: usize,
    /// When, in samples, each slot of equal volume begins; one more than there are slots.
    begins: Vec<f64>,
    /// The time spent in slots, compressed: one long pause must not drown the others.
    slowness: Vec<f64>,
}

/// A comb at one spacing and offset.
struct Comb {
    spacing: f64,
    offset: f64,
    /// Its teeth, and how many of them are on slow spots.
    teeth: usize,
    hits: usize,
    /// The probability that a random place is as slow.
    probability: f64,
}

impl Comb {
    /// The exponent of Chernoff's bound on the probability of so many hits: cheap, and in the same
    /// order.
    fn surprise(&self) -> f64 {
        let share = self.hits as f64 / self.teeth as f64;
        if share <= self.probability {
            return 0.0;
        }
        let part = |a: f64, b: f64| if a > 0.0 { a * (a / b).ln() } else { 0.0 };
        let bits = part(share, self.probability) + part(1.0 - share, 1.0 - self.probability);
        self.teeth as f64 * bits
    }
}

/// A spacing to look at closely.
struct Candidate {
    /// Phases in the whole volume.
    phases: f64,
    /// Where its line's crest lies, in slots.
    crest: f64,
}

impl Layout {
    fn new(samples: &[f64], moved: &Moved) -> Option<Self> {
        let total = moved.total();
        if !(total > 0.0 && total.is_finite()) || samples.len() < 8 {
            return None;
        }
        let slots = (2 * samples.len()).next_power_of_two().clamp(256, 2048);
        // Long signals may hold many phases.
        let slots = slots.max((samples.len() / 4).next_power_of_two().min(1 << 14));
        let begins = begins(samples, moved, slots);
        let spent: Vec<f64> = begins.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let typical = median(&spent).max(1e-9);
        let slowness = spent
            .iter()
            .map(|time| (1.0 + time / typical).ln())
            .collect();
        Some(Self {
            slots,
            begins,
            slowness,
        })
    }

    /// The strongest lines of the slowness, each with its harmonics.
    fn candidates(&self) -> Vec<Candidate> {
        let spectrum = Spectrum::of(&centred(&self.slowness));
        let lines = spectrum.bins();
        let power: Vec<f64> = lines.iter().map(|line| line.norm_sqr()).collect();
        let last = self.slots / SLOTS_PER_PHASE;
        let mean = mean(&power);
        let around = |k: usize| {
            let near = &power[k - 1..(k + 2).min(power.len())];
            near.iter().copied().fold(0.0, f64::max)
        };
        // A comb has harmonics; those of a spacing that is a multiple of the true one are missing.
        let summed = |k: usize| {
            let overtones = (1..=4).map(|h| h * k).take_while(|&k| k < power.len());
            overtones.map(around).sum::<f64>()
        };
        let mut ranked: Vec<(f64, usize)> = (3..last)
            .filter(|&k| power[k] >= power[k - 1] && power[k] >= power[k + 1])
            .map(|k| (summed(k), k))
            .filter(|(sum, _)| *sum > LINE * mean)
            .collect();
        // Overtones of a comb are as strong as itself, so of the strong ones the lowest are taken.
        let strongest = ranked.iter().map(|(sum, _)| *sum).fold(0.0, f64::max);
        ranked.retain(|(sum, _)| *sum > 0.4 * strongest);
        ranked.truncate(CANDIDATES);
        let candidate = |(_, k): (f64, usize)| {
            let phases = crest(&power, k);
            let turns = -lines[k].arg() / std::f64::consts::TAU;
            let spacing = self.slots as f64 / phases;
            Candidate {
                phases,
                crest: turns.rem_euclid(1.0) * spacing,
            }
        };
        ranked.into_iter().map(candidate).collect()
    }

    /// The best comb of about the spacing and the offset that each line has, of lines from the
    /// widest spacing to the narrowest, whose slow spots are as wide as this.
    fn combs(&self, candidates: &[Candidate], width: usize) -> Vec<Comb> {
        let spacing = |phases: f64| self.slots as f64 / phases.max(FEWEST);
        let most_phases = candidates[candidates.len() - 1].phases + SHIFTS[SHIFTS.len() - 1];
        let places = Places::new(self, width, spacing(most_phases));
        let best = |candidate: &Candidate| {
            let mut best = (0.0, 0.0, 0.0);
            for spacing in SHIFTS.map(|shift| spacing(candidate.phases + shift)) {
                let offset = |side: f64| candidate.crest + side * width as f64;
                let offsets = SIDES.map(|side| offset(side).rem_euclid(spacing));
                let slowness = places.slowness(spacing, offsets);
                for (slowness, offset) in slowness.into_iter().zip(offsets) {
                    if slowness > best.0 {
                        best = (slowness, spacing, offset);
                    }
                }
            }
            places.comb(best.1, best.2)
        };
        candidates.iter().filter_map(best).collect()
    }

    /// The time spent within `width` slots of each slot.
    fn time_within(&self, width: usize) -> Vec<f64> {
        let (begins, slots) = (&self.begins, self.slots);
        let head = (1..=width).map(|m| begins[m + width] - begins[0]);
        let tail = (slots - 2 * width..slots - width).map(|m| begins[slots] - begins[m]);
        let inner = begins[2 * width + 1..].iter().zip(begins);
        let inner = inner.map(|(end, begin)| end - begin);
        head.chain(inner).chain(tail).collect()
    }

    /// Follows a comb from slow spot to slow spot, and gives the stretches of time around them.
    fn track(&self, comb: &Comb) -> Vec<(f64, f64)> {
        let width = width(comb.spacing);
        let spent = |m: &usize| self.begins[m + 1] - self.begins[*m];
        let mut cuts = Vec::new();
        let mut expected = comb.offset;
        while expected < self.slots as f64 {
            let middle = expected.round() as usize;
            let first = middle.saturating_sub(2 * width);
            let last = (middle + 2 * width).min(self.slots - 1);
            let slowest = (first..=last).max_by(|a, b| spent(a).total_cmp(&spent(b)));
            let found = slowest.unwrap_or(middle);
            if found > width && found + width < self.slots {
                cuts.push((self.begins[found - width], self.begins[found + width + 1]));
            }
            // Volumes differ a little: half of what a spot is off is carried on.
            expected += 0.5 * (found as f64 - expected) + comb.spacing;
        }
        cuts
    }
}

/// How slow places are.
struct Places {
    width: usize,
    /// Time spent within `width` slots of each slot.
    near: Vec<f64>,
    /// The longest of these times that teeth may count for, longest first.
    slowest: Vec<f64>,
}

impl Places {
    /// The places of combs that have at least this spacing.
    fn new(layout: &Layout, width: usize, spacing: f64) -> Self {
        let near = layout.time_within(width);
        let mut slowest: Vec<i64> = near.iter().map(|time| key(*time)).collect();
        let last = slowest.len() - 1 - usual(slowest.len(), width, spacing);
        slowest.select_nth_unstable(last);
        slowest.drain(..last);
        slowest.sort_unstable();
        let slowest = slowest.into_iter().rev().map(of_key).collect();
        Self {
            width,
            near,
            slowest,
        }
    }

    /// How slow the teeth of combs are together, each comb with an offset of its own. One long pause
    /// must not outweigh the others: none counts for more than half of the slow places do, if they
    /// all lie around teeth.
    fn slowness<const N: usize>(&self, spacing: f64, offsets: [f64; N]) -> [f64; N] {
        let slots = self.near.len();
        let most = self.slowest[usual(slots, self.width, spacing)];
        let clipped = |time: f64| if time < most { time } else { most };
        let mut at = offsets.map(|offset| fixed(offset + 0.5));
        let step = fixed(spacing);
        let mut sums = [0.0; N];
        let mut teeth = 0;
        // Side by side up to the last tooth that all combs have.
        let mut foremost = at.into_iter().fold(0, u64::max);
        while slot(foremost) < slots {
            for (at, sum) in at.iter_mut().zip(&mut sums) {
                *sum += clipped(self.near[slot(*at)]);
                *at += step;
            }
            foremost += step;
            teeth += 1;
        }
        for (at, sum) in at.into_iter().zip(&mut sums) {
            let mut teeth = teeth;
            if let Some(time) = self.near.get(slot(at)) {
                *sum += clipped(*time);
                teeth += 1;
            }
            *sum /= f64::from(teeth.max(1));
        }
        sums
    }

    /// A comb, if its teeth are slow: all of them, or most, because a pause may be missing.
    fn comb(&self, spacing: f64, offset: f64) -> Option<Comb> {
        let teeth = teeth(spacing, offset, self.width, self.near.len());
        let times: Vec<f64> = teeth.map(|m| self.near[m]).collect();
        if times.len() < 2 {
            return None;
        }
        let times = sorted(&times);
        let missing = |share: f64| {
            let missed = (share * times.len() as f64) as usize;
            let slow = times[missed];
            // Where half of all places are about as slow there is nothing to be seen.
            let stands_out = self.share(|time| 1.5 * time < slow) >= 0.5;
            stands_out.then(|| Comb {
                spacing,
                offset,
                teeth: times.len(),
                hits: times.len() - missed,
                probability: self.share(|time| time >= slow),
            })
        };
        let combs = [0.0, 0.1, 0.25].into_iter().filter_map(missing);
        combs.max_by(|a, b| a.surprise().total_cmp(&b.surprise()))
    }

    /// The share of places whose time is so.
    fn share(&self, is_so: impl Fn(f64) -> bool) -> f64 {
        let count = self.near.iter().filter(|time| is_so(**time)).count();
        count as f64 / self.near.len() as f64
    }
}

/// The slots of a comb's teeth, without those at the edges, where signals begin and end anyway.
fn teeth(spacing: f64, offset: f64, width: usize, slots: usize) -> impl Iterator<Item = usize> {
    let teeth = (0..).map(move |j| (offset + f64::from(j) * spacing + 0.5) as usize);
    teeth
        .take_while(move |m| *m < slots)
        .filter(move |m| *m > width && *m + width < slots)
}

/// A place in slots as a number of 2⁻⁴⁸ slots: combs are walked along in integers.
fn fixed(place: f64) -> u64 {
    (place * (1_u64 << 48) as f64) as u64
}

/// The slot of such a place.
fn slot(place: u64) -> usize {
    (place >> 48) as usize
}

/// How many of `slots` places count as usual for teeth: half of those around them.
fn usual(slots: usize, width: usize, spacing: f64) -> usize {
    let around = slots as f64 / spacing * (2 * width + 1) as f64;
    (0.5 * around) as usize
}

fn width(spacing: f64) -> usize {
    ((TOLERANCE * spacing).round() as usize).max(1)
}

/// When each slot begins. A pause belongs to the slot in which the volume stands still.
fn begins(samples: &[f64], moved: &Moved, slots: usize) -> Vec<f64> {
    let slot = moved.total() / slots as f64;
    let mut begins = Vec::with_capacity(slots + 1);
    begins.push(0.0);
    let mut next = slot;
    for (index, pair) in moved.sums().windows(2).enumerate() {
        while pair[1] > next && begins.len() < slots {
            let part = (next - pair[0]) / samples[index];
            begins.push(index as f64 + part.clamp(0.0, 1.0));
            next = begins.len() as f64 * slot;
        }
    }
    begins.resize(slots + 1, samples.len() as f64);
    begins
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn found(samples: &[f64]) -> Option<VolumeComb> {
        comb(samples, &Moved::new(samples, 1.0))
    }

    /// Phases of equal volume after pauses of these lengths, each spread over some samples.
    fn run(pauses: &[usize]) -> (Vec<f64>, Vec<(f64, f64)>) {
        let mut samples = Vec::new();
        let mut idle = Vec::new();
        for (number, &pause) in pauses.iter().enumerate() {
            idle.push((samples.len() as f64, (samples.len() + pause) as f64));
            samples.extend(vec![0.0; pause]);
            let length = 8 + number % 3;
            samples.extend(vec![240.0 / length as f64; length]);
        }
        (samples, idle)
    }

    #[test]
    fn pauses_of_any_length_between_equal_volumes_are_a_comb() {
        let pauses = [3, 40, 7, 22, 4, 61, 9, 15, 33, 5, 18, 27];
        let (samples, idle) = run(&pauses);
        let comb = found(&samples).expect("a comb");
        assert!(comb.p_value < 1e-6, "{comb:?}");
        // The pause before the first phase cuts nothing.
        assert_eq!(comb.cuts.len(), pauses.len() - 1);
        for ((from, to), (start, end)) in comb.cuts.iter().zip(&idle[1..]) {
            assert!(from < end && to > start, "{from}–{to} misses {start}–{end}");
        }
    }

    #[test]
    fn phases_of_random_volume_are_none() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let combs = (0..50).filter(|_| {
            let mut samples = Vec::new();
            for _ in 0..12 {
                samples.extend(vec![0.0; random.random_range(3..40_u64) as usize]);
                samples.extend(vec![5.0; random.random_range(2..40_u64) as usize]);
            }
            found(&samples).is_some_and(|comb| comb.p_value < 1e-3)
        });
        assert_eq!(combs.count(), 0);
    }

    #[test]
    fn what_never_pauses_or_never_moves_has_no_comb() {
        assert_eq!(found(&[0.0; 100]), None);
        assert_eq!(found(&[1.0; 7]), None);
        let even = found(&[1.0; 100]);
        assert!(even.is_none_or(|comb| comb.p_value > 0.01));
    }

    #[test]
    fn slots_begin_where_their_volume_is_reached_and_pauses_belong_to_one() {
        let samples = [2.0, 0.0, 0.0, 2.0];
        let begins = begins(&samples, &Moved::new(&samples, 1.0), 4);
        assert_eq!(begins, [0.0, 0.5, 3.0, 3.5, 4.0]);
    }
}
