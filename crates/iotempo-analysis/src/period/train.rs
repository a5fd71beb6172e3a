//! Trains of phases, as witnesses propose them.

use super::bursts::{self, Burst};
use super::choice::CHANCE_OF_SHARP_LINE;
use super::finding::WitnessKind;
use super::joining::{Joined, Joiner};
use super::numbers::{deviation, mean};
use super::phases::{self, Moved};
use super::resemblance::Mirror;
use super::rhythm::{
    LEFT_OUT, Null, Regularity, bursts_per_phase, grouped, in_groups, regularity,
    regularity_with_holes, settled,
};
use super::spectral::Line;
use super::{chance, sizes, tracking, volume};
use std::ops::Range;

/// A train of phases.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Train {
    /// Who proposes it.
    pub(super) kind: WitnessKind,
    pub(super) phases: Vec<Burst>,
    pub(super) regularity: Regularity,
    /// What to compare its regularity with.
    pub(super) null: Null,
    /// The standard deviation of the phases' volumes, as a share of their mean.
    pub(super) unevenness: f64,
    /// Whether its phases are certain to be such, whenever they come.
    pub(super) certain: bool,
}

impl Train {
    fn new(kind: WitnessKind, all: Vec<Burst>, null: Null, moved: &Moved) -> Option<Self> {
        Self::without(0, kind, all, null, moved)
    }

    /// A train from which so many phases were left out already.
    fn without(
        left_out: usize,
        kind: WitnessKind,
        mut all: Vec<Burst>,
        null: Null,
        moved: &Moved,
    ) -> Option<Self> {
        let (settled, regularity) = settled_regularity(&all, null, left_out)?;
        all.truncate(settled.end);
        all.drain(..settled.start);
        Some(Self {
            kind,
            unevenness: unevenness(&volumes(&all, moved)),
            phases: all,
            regularity,
            null,
            certain: matches!(null, Null::Starts(_)),
        })
    }

    /// The probability that phases at random times are as regular.
    pub(super) fn p_value(&self) -> f64 {
        self.regularity.p_value
    }

    /// The standard deviation of the distances, as a share of the period.
    pub(super) fn jitter(&self) -> f64 {
        self.regularity.spread / self.regularity.period
    }

    /// A part of it, judged by itself.
    pub(super) fn part(&self, phases: &[Burst]) -> Option<Self> {
        Some(Self {
            kind: self.kind,
            phases: phases.to_vec(),
            regularity: regularity(phases, self.null)?,
            null: self.null,
            unevenness: self.unevenness,
            certain: self.certain,
        })
    }
}

/// The range of phases that are in step, and how regular they are, where some were left out before.
fn settled_regularity(
    all: &[Burst],
    null: Null,
    left_out: usize,
) -> Option<(Range<usize>, Regularity)> {
    let settled = settled(all);
    let mut regularity = regularity(&all[settled.clone()], null)?;
    // Leaving out what does not fit makes anything look regular.
    let left_out = left_out + all.len() - settled.len();
    let looks = LEFT_OUT.powi(left_out as i32);
    regularity.p_value = (looks * regularity.p_value).min(1.0);
    Some((settled, regularity))
}

/// Phases in pairs, where every other one is bigger or longer or the spectrum has a line there, and the
/// signal resembles itself more after two periods than after one.
pub(super) fn in_pairs(
    train: &Train,
    mirror: &Mirror,
    moved: &Moved,
    line: Option<Line>,
) -> Option<Train> {
    /// By how many samples phases must differ for that to be seen.
    const SEEN: f64 = 1.5;
    let by_volume = alternation(&volumes(&train.phases, moved));
    let lengths: Vec<f64> = train.phases.iter().map(|phase| phase.length()).collect();
    // One sample more or less is where a phase lies between samples, not how long it takes.
    let by_length = if step(&lengths).abs() > SEEN {
        alternation(&lengths)
    } else {
        0.0
    };
    // The less the phases say, the more the resemblance must. Bursts that chance has thrown together
    // differ anyway.
    let clearly = match train.certain {
        _ if by_volume > 4.0 => 0.03,
        // Where a phase lasts but a few samples, nobody sees what it is like.
        true if train.regularity.period < 16.0 && may_be_halves(train, mirror, line) => 0.0,
        true if by_length > 5.0 => 0.03,
        // Phases beyond doubt need better reasons to be but half of something.
        true if by_volume > 1.5 && train.p_value() > CHANCE_OF_SHARP_LINE => 0.12,
        _ => return None,
    };
    if more_alike_after_two(train, mirror)? < clearly {
        return None;
    }
    let pairs = in_groups(&train.phases, 2);
    let null = match train.null {
        Null::Starts(bursts) => Null::Starts(2.0 * bursts),
        Null::PausesAbove(_) => Null::PausesAbove(longest_within(&pairs, &train.phases)),
    };
    Train::new(train.kind, pairs, null, moved)
}

/// How much more the signal resembles itself after two periods than after one.
fn more_alike_after_two(train: &Train, mirror: &Mirror) -> Option<f64> {
    let resemblance = |periods: f64| {
        let found = mirror.at(periods * train.regularity.period)?;
        Some(found.correlation)
    };
    Some(resemblance(2.0)? - resemblance(1.0)?)
}

/// Whether the spectrum has a sharp line at just twice the period, and the signal resembles itself no
/// less after two. A handful of phases has such a line by chance.
pub(super) fn may_be_halves(train: &Train, mirror: &Mirror, line: Option<Line>) -> bool {
    const FEWEST: usize = 12;
    let twice = 2.0 * train.regularity.period;
    let sharp = |line: Line| line.p_value() <= CHANCE_OF_SHARP_LINE;
    let exact = |line: Line| (line.period / twice - 1.0).abs() < 0.03;
    train.phases.len() >= FEWEST
        && line.is_some_and(|line| sharp(line) && exact(line))
        && more_alike_after_two(train, mirror).is_some_and(|more| more >= 0.0)
}

/// The longest pause within groups of phases.
fn longest_within(groups: &[Burst], phases: &[Burst]) -> f64 {
    let starts = |at: f64| {
        groups
            .binary_search_by(|group| group.start.total_cmp(&at))
            .is_ok()
    };
    let within = phases.windows(2).filter(|pair| !starts(pair[1].start));
    let pauses = within.map(|pair| pair[1].start - pair[0].end);
    pauses.fold(0.0, f64::max)
}

/// How much bigger every other value is than those between, in standard errors; 0 where that is less
/// than a tenth of them, or there are too few to tell.
fn alternation(values: &[f64]) -> f64 {
    const FEWEST: usize = 6;
    const STEP: f64 = 0.1;
    let (even, odd) = every_other(values);
    let step = step(values).abs();
    let scatter = deviation(&even).hypot(deviation(&odd));
    let doubt = scatter * (2.0 / values.len() as f64).sqrt();
    if values.len() < FEWEST || step < STEP * mean(values) {
        return 0.0;
    }
    step / doubt.max(f64::MIN_POSITIVE)
}

/// By how much every other value is bigger than those between.
fn step(values: &[f64]) -> f64 {
    let (even, odd) = every_other(values);
    mean(&even) - mean(&odd)
}

fn every_other(values: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let from = |first: usize| values.iter().skip(first).step_by(2).copied().collect();
    (from(0), from(1))
}

/// Breaks between lengths of pauses that are tried.
const LEVELS: usize = 6;
/// Evidence this strong that idle time recurs after equal volumes makes phases certain.
const CERTAIN: f64 = 1e-3;

/// Phases between the slow spots of a volume comb.
pub(super) fn by_volume(samples: &[f64], bursts: &[Burst], moved: &Moved) -> Option<Train> {
    let comb = volume::comb(samples, moved).filter(|comb| comb.p_value <= CERTAIN)?;
    let phases = phases::between(&comb.cuts, bursts, moved);
    let in_step = settled(&phases);
    let left_out = phases.len() - in_step.len();
    let (phases, null) = grouped(&phases[in_step]);
    let null = match null {
        Null::Starts(1.0) => Null::Starts(bursts_per_phase(bursts, phases.len())),
        grouped => grouped,
    };
    Train::without(left_out, WitnessKind::Volume, phases, null, moved)
}

/// Bursts, joined over pauses of several lengths.
pub(super) struct ByJoining {
    /// Joined so that their volumes are most even: where those hardly differ, these are the phases.
    pub(super) even: Option<Train>,
    /// Joined so that they are most regular.
    pub(super) spacing: Option<Train>,
}

/// Bursts, joined over the pauses that make them most even, and over those that make them most regular.
pub(super) fn by_joining(bursts: &[Burst], moved: &Moved) -> ByJoining {
    let levels = bursts::levels(&bursts::pauses(bursts), LEVELS);
    let looks = levels.len() as f64;
    let joiner = Joiner::new(bursts, moved);
    let (mut most_even, mut most_regular) = (None, None);
    for level in levels {
        let joined = joiner.joined(level);
        let chance = chance::of_even_gaps(joined.phases.len(), unevenness(&joined.volumes));
        keep_lower(&mut most_even, (looks * chance, level));
        let null = Null::PausesAbove(joined.pause);
        if let Some((_, regularity)) = settled_regularity(&joined.phases, null, 0) {
            keep_lower(
                &mut most_regular,
                ((looks * regularity.p_value).min(1.0), level),
            );
        }
    }
    ByJoining {
        even: most_even.and_then(|(p_value, level)| {
            by_evenness(p_value, joiner.joined(level).phases, bursts, moved)
        }),
        spacing: most_regular
            .and_then(|(p_value, level)| by_spacing(p_value, joiner.joined(level), moved)),
    }
}

/// Keeps what is less likely.
fn keep_lower(best: &mut Option<(f64, f64)>, next: (f64, f64)) {
    if best.is_none_or(|best| next.0.total_cmp(&best.0).is_lt()) {
        *best = Some(next);
    }
}

fn by_evenness(p_value: f64, phases: Vec<Burst>, bursts: &[Burst], moved: &Moved) -> Option<Train> {
    if p_value > CERTAIN {
        return None;
    }
    let null = Null::Starts(bursts_per_phase(bursts, phases.len()));
    Train::new(WitnessKind::Spacing, phases, null, moved)
}

fn by_spacing(p_value: f64, joined: Joined, moved: &Moved) -> Option<Train> {
    let null = Null::PausesAbove(joined.pause);
    let mut train = Train::new(WitnessKind::Spacing, joined.phases, null, moved)?;
    train.regularity.p_value = p_value;
    Some(train)
}

/// The bigger ones of bursts of two sizes.
pub(super) fn by_size(bursts: &[Burst], moved: &Moved) -> Option<Train> {
    let (big, _) = sizes::split(bursts, moved)?;
    Train::new(WitnessKind::Spacing, big, Null::PausesAbove(0.0), moved)
}

/// Bursts beside a bigger rhythm, some of which it hides.
pub(super) fn beside(bursts: &[Burst], moved: &Moved) -> Option<Train> {
    Some(Train {
        kind: WitnessKind::Spacing,
        phases: bursts.to_vec(),
        regularity: regularity_with_holes(bursts)?,
        null: Null::PausesAbove(0.0),
        unevenness: unevenness(&volumes(bursts, moved)),
        certain: false,
    })
}

/// What each phase moves.
fn volumes(phases: &[Burst], moved: &Moved) -> Vec<f64> {
    let volume = |phase: &Burst| moved.between(phase.start, phase.end);
    phases.iter().map(volume).collect()
}

/// The standard deviation of volumes, as a share of their mean.
fn unevenness(volumes: &[f64]) -> f64 {
    deviation(volumes) / mean(volumes).max(f64::MIN_POSITIVE)
}

/// The onsets that follow the strongest wave of the signal best.
pub(super) fn by_tracking(samples: &[f64], bursts: &[Burst], moved: &Moved) -> Option<Train> {
    let phases = tracking::track(samples, bursts, moved)?;
    Some(Train {
        certain: false,
        ..Train::new(WitnessKind::Spacing, phases, Null::Starts(1.0), moved)?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_other_value_must_be_bigger_by_more_than_the_scatter() {
        assert!(alternation(&[5.0, 3.0, 5.1, 3.1, 4.9, 2.9, 5.0, 3.0]) > 10.0);
        assert!(alternation(&[5.0, 3.0, 3.1, 5.1, 4.9, 2.9, 3.0, 5.0]) < 1.0);
        assert_eq!(alternation(&[5.0, 4.9, 5.0, 4.9, 5.0, 4.9]), 0.0);
        assert_eq!(alternation(&[5.0, 3.0, 5.0, 3.0]), 0.0);
    }

    /// Bursts of equal volume, in turns slow and fast.
    fn in_turns() -> Vec<f64> {
        let cycle = |i: usize| match i % 20 {
            0..8 => 1.0,
            12..14 => 4.0,
            _ => 0.0,
        };
        (0..200).map(cycle).collect()
    }

    #[test]
    fn phases_that_are_long_and_short_in_turns_come_in_pairs() {
        let samples = in_turns();
        let moved = Moved::new(&samples, 1.0);
        let bursts = bursts::bursts(&samples, bursts::threshold(&samples));
        let single = by_joining(&bursts, &moved).even.expect("even volumes");
        let mirror = Mirror::of(&samples);
        assert_eq!(single.phases.len(), 20);
        let pairs = in_pairs(&single, &mirror, &moved, None).expect("pairs");
        assert_eq!((pairs.phases.len(), pairs.regularity.period), (10, 20.0));
        // Pairs of pairs are no more alike.
        assert_eq!(in_pairs(&pairs, &mirror, &moved, None), None);
    }
}
