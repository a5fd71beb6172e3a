//! Trains of phases, as witnesses propose them.

use super::bursts::{self, Burst};
use super::finding::WitnessKind;
use super::joining::{Joined, Joiner};
use super::numbers::{deviation, mean};
use super::phases::{self, Moved};
use super::resemblance::Mirror;
use super::rhythm::{
    Null, Regularity, bursts_per_phase, grouped, in_groups, regularity, regularity_with_holes,
    settled,
};
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
    fn new(kind: WitnessKind, mut all: Vec<Burst>, null: Null, moved: &Moved) -> Option<Self> {
        let (settled, regularity) = settled_regularity(&all, null)?;
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

/// The range of phases that are in step, and how regular they are.
fn settled_regularity(all: &[Burst], null: Null) -> Option<(Range<usize>, Regularity)> {
    let settled = settled(all);
    let mut regularity = regularity(&all[settled.clone()], null)?;
    // Leaving out what does not fit makes anything look regular.
    let looks = [1.0, 4.0, 16.0][(all.len() - settled.len()).min(2)];
    regularity.p_value = (looks * regularity.p_value).min(1.0);
    Some((settled, regularity))
}

/// Phases in pairs, where every other one is bigger, and the signal resembles itself more after two
/// periods than after one.
pub(super) fn in_pairs(train: &Train, mirror: &Mirror, moved: &Moved) -> Option<Train> {
    // The less the volumes say, the more the resemblance must.
    let clearly = match alternation(&volumes(&train.phases, moved)) {
        clear if clear > 3.0 => 0.03,
        some if some > 1.0 => 0.12,
        _ => return None,
    };
    let period = train.regularity.period;
    let resemblance = |period| mirror.at(period).map(|found| found.correlation);
    let (once, twice) = (resemblance(period)?, resemblance(2.0 * period)?);
    if twice < once + clearly {
        return None;
    }
    Train::new(train.kind, in_groups(&train.phases, 2), train.null, moved)
}

/// How much bigger every other value is than those between, in standard errors; 0 where that is less
/// than a tenth of them, or there are too few to tell.
fn alternation(values: &[f64]) -> f64 {
    const FEWEST: usize = 6;
    const STEP: f64 = 0.1;
    let every_other = |first: usize| {
        values
            .iter()
            .skip(first)
            .step_by(2)
            .copied()
            .collect::<Vec<f64>>()
    };
    let (even, odd) = (every_other(0), every_other(1));
    let step = (mean(&even) - mean(&odd)).abs();
    let scatter = deviation(&even).hypot(deviation(&odd));
    let doubt = 2.0 * scatter / (values.len() as f64).sqrt();
    if values.len() < FEWEST || step < STEP * mean(values) {
        return 0.0;
    }
    step / doubt.max(f64::MIN_POSITIVE)
}

/// Breaks between lengths of pauses that are tried.
const LEVELS: usize = 6;
/// Evidence this strong that idle time recurs after equal volumes makes phases certain.
const CERTAIN: f64 = 1e-3;

/// Phases between the slow spots of a volume comb.
pub(super) fn by_volume(samples: &[f64], bursts: &[Burst], moved: &Moved) -> Option<Train> {
    let comb = volume::comb(samples, moved).filter(|comb| comb.p_value <= CERTAIN)?;
    let phases = phases::between(&comb.cuts, bursts, moved);
    let (phases, null) = grouped(&phases[settled(&phases)]);
    let null = match null {
        Null::Starts(1.0) => Null::Starts(bursts_per_phase(bursts, phases.len())),
        grouped => grouped,
    };
    Train::new(WitnessKind::Volume, phases, null, moved)
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
        if let Some((_, regularity)) = settled_regularity(&joined.phases, null) {
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
