//! Trains of phases, as witnesses propose them.

use super::bursts::{self, Burst};
use super::finding::WitnessKind;
use super::numbers::{deviation, mean};
use super::phases::{self, Moved};
use super::rhythm::{
    Null, Regularity, bursts_per_phase, grouped, regularity, regularity_with_holes, settled,
};
use super::{sizes, volume};

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
}

impl Train {
    fn new(kind: WitnessKind, all: Vec<Burst>, null: Null, moved: &Moved) -> Option<Self> {
        let many = all.len();
        let phases = settled(all);
        let mut regularity = regularity(&phases, null)?;
        // Leaving out what does not fit makes anything look regular.
        let looks = [1.0, 4.0, 16.0][(many - phases.len()).min(2)];
        regularity.p_value = (looks * regularity.p_value).min(1.0);
        Some(Self {
            kind,
            unevenness: unevenness(&phases, moved),
            phases,
            regularity,
            null,
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

    /// Whether its phases are certain to be such, whenever they come.
    pub(super) fn is_certain(&self) -> bool {
        self.kind == WitnessKind::Volume
    }

    /// A part of it, judged by itself.
    pub(super) fn part(&self, phases: &[Burst]) -> Option<Self> {
        Some(Self {
            phases: phases.to_vec(),
            regularity: regularity(phases, self.null)?,
            ..self.clone()
        })
    }
}

/// Evidence this strong that idle time recurs after equal volumes makes phases certain.
const CERTAIN: f64 = 1e-3;

/// Phases between the slow spots of a volume comb.
pub(super) fn by_volume(samples: &[f64], bursts: &[Burst], moved: &Moved) -> Option<Train> {
    let comb = volume::comb(samples).filter(|comb| comb.p_value <= CERTAIN)?;
    let phases = phases::between(&comb.cuts, bursts, moved);
    let (phases, null) = grouped(settled(phases));
    let null = match null {
        Null::Starts(1.0) => Null::Starts(bursts_per_phase(bursts, phases.len())),
        grouped => grouped,
    };
    Train::new(WitnessKind::Volume, phases, null, moved)
}

/// Bursts, joined over the pauses that make them most regular.
pub(super) fn by_spacing(bursts: &[Burst], moved: &Moved) -> Option<Train> {
    const LEVELS: usize = 6;
    let pauses = bursts::pauses(bursts);
    let levels = bursts::levels(&pauses, LEVELS);
    let looks = levels.len() as f64;
    let trains = levels.into_iter().filter_map(|level| {
        let phases = bursts::joined(bursts, level);
        let joined = pauses.iter().filter(|pause| **pause < level);
        let null = Null::PausesAbove(joined.copied().fold(0.0, f64::max));
        let mut train = Train::new(WitnessKind::Spacing, phases, null, moved)?;
        train.regularity.p_value = (train.regularity.p_value * looks).min(1.0);
        Some(train)
    });
    trains.min_by(|a, b| a.p_value().total_cmp(&b.p_value()))
}

/// The bigger ones of bursts of two sizes, and the smaller ones, where the bigger are regular.
pub(super) fn by_size(bursts: &[Burst], moved: &Moved) -> Option<(Train, Option<Train>)> {
    let (big, small) = sizes::split(bursts, moved)?;
    let null = Null::PausesAbove(0.0);
    let big = Train::new(WitnessKind::Spacing, big, null, moved)?;
    Some((big, beside(&small, moved)))
}

/// Bursts beside a bigger rhythm, some of which it hides.
pub(super) fn beside(bursts: &[Burst], moved: &Moved) -> Option<Train> {
    Some(Train {
        kind: WitnessKind::Spacing,
        phases: bursts.to_vec(),
        regularity: regularity_with_holes(bursts)?,
        null: Null::PausesAbove(0.0),
        unevenness: unevenness(bursts, moved),
    })
}

fn unevenness(phases: &[Burst], moved: &Moved) -> f64 {
    let volume = |phase: &Burst| moved.between(phase.start, phase.end);
    let volumes: Vec<f64> = phases.iter().map(volume).collect();
    deviation(&volumes) / mean(&volumes).max(f64::MIN_POSITIVE)
}
