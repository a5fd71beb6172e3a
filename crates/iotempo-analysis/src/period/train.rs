//! Trains of phases, as witnesses propose them.

use super::bursts::{self, Burst};
use super::finding::WitnessKind;
use super::numbers::{deviation, mean};
use super::phases::{self, Moved};
use super::rhythm::{
    Null, Regularity, bursts_per_phase, grouped, in_groups, regularity, regularity_with_holes,
    settled,
};
use super::{chance, resemblance, sizes, tracking, volume};

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
            phases: phases.to_vec(),
            regularity: regularity(phases, self.null)?,
            ..self.clone()
        })
    }
}

/// Phases in pairs, where every other one is bigger or longer, and the signal resembles itself more
/// after two periods than after one.
pub(super) fn in_pairs(train: &Train, samples: &[f64], moved: &Moved) -> Option<Train> {
    const CLEARLY: f64 = 0.03;
    let volume = |phase: &Burst| moved.between(phase.start, phase.end);
    let volumes: Vec<f64> = train.phases.iter().map(volume).collect();
    let lengths: Vec<f64> = train.phases.iter().map(|phase| phase.length()).collect();
    // Bursts that chance has thrown together differ in length anyway.
    let in_turns = alternate(&volumes) || (train.certain && alternate(&lengths));
    if !in_turns {
        return None;
    }
    let period = train.regularity.period;
    let resemblance = |period| resemblance::at(samples, period).map(|found| found.correlation);
    let (once, twice) = (resemblance(period)?, resemblance(2.0 * period)?);
    if twice < once + CLEARLY {
        return None;
    }
    Train::new(train.kind, in_groups(&train.phases, 2), train.null, moved)
}

/// Whether every other value is bigger, by far more than the rest of their scatter.
fn alternate(values: &[f64]) -> bool {
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
    values.len() >= FEWEST && step > STEP * mean(values) && step > 3.0 * doubt
}

/// Breaks between lengths of pauses that are tried.
const LEVELS: usize = 6;
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

/// Bursts, joined over the pauses that make their volumes most even: where those hardly differ, these
/// are the phases.
pub(super) fn by_evenness(bursts: &[Burst], moved: &Moved) -> Option<Train> {
    let levels = bursts::levels(&bursts::pauses(bursts), LEVELS);
    let looks = levels.len() as f64;
    let joined = levels.into_iter().map(|level| {
        let phases = bursts::joined(bursts, level);
        let unevenness = unevenness(&phases, moved);
        (
            looks * chance::of_even_gaps(phases.len(), unevenness),
            phases,
        )
    });
    let (p_value, phases) = joined.min_by(|a, b| a.0.total_cmp(&b.0))?;
    if p_value > CERTAIN {
        return None;
    }
    let null = Null::Starts(bursts_per_phase(bursts, phases.len()));
    Train::new(WitnessKind::Spacing, phases, null, moved)
}

/// Bursts, joined over the pauses that make them most regular.
pub(super) fn by_spacing(bursts: &[Burst], moved: &Moved) -> Option<Train> {
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
        unevenness: unevenness(bursts, moved),
        certain: false,
    })
}

fn unevenness(phases: &[Burst], moved: &Moved) -> f64 {
    let volume = |phase: &Burst| moved.between(phase.start, phase.end);
    let volumes: Vec<f64> = phases.iter().map(volume).collect();
    deviation(&volumes) / mean(&volumes).max(f64::MIN_POSITIVE)
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
        assert!(alternate(&[5.0, 3.0, 5.1, 3.1, 4.9, 2.9, 5.0, 3.0]));
        assert!(!alternate(&[5.0, 3.0, 3.1, 5.1, 4.9, 2.9, 3.0, 5.0]));
        assert!(!alternate(&[5.0, 4.9, 5.0, 4.9, 5.0, 4.9]));
        assert!(!alternate(&[5.0, 3.0, 5.0, 3.0]));
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
        let single = by_evenness(&bursts, &moved).expect("even volumes");
        assert_eq!(single.phases.len(), 20);
        let pairs = in_pairs(&single, &samples, &moved).expect("pairs");
        assert_eq!((pairs.phases.len(), pairs.regularity.period), (10, 20.0));
        // Pairs of pairs are no more alike.
        assert_eq!(in_pairs(&pairs, &samples, &moved), None);
    }
}
