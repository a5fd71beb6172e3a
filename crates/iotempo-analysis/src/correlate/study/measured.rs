//! A coefficient with all that tells whether to believe it.

use super::shifts::{Others, ShiftNull};
use super::{Points, StudySettings};
use crate::association::{
    Blocks, Bootstrap, Coefficient, Interval, Method, Permutations, Permuted, Undetermined,
};

/// A coefficient, or why there is none.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Which one.
    pub coefficient: Coefficient,
    /// What it is.
    pub value: Result<Measured, Undetermined>,
}

/// A coefficient of loads and times.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Which one.
    pub coefficient: Coefficient,
    /// Its value.
    pub value: f64,
    /// Between which values it would lie, had other days been seen.
    pub interval: Result<Interval, Undetermined>,
    /// Beside permutations of whole days, or of as many as resemble each other: is it more than chance?
    pub permuted: Result<Permuted, Undetermined>,
    /// Beside the same jobs on other days of the same log: is it more than what is built in?
    pub shifted: Option<ShiftNull>,
}

impl Measured {
    /// How likely it would be if loads and times had nothing to do with each other. What shifts say where
    /// there are any: they alone leave in place what is built into ψ.
    #[must_use]
    pub fn chance(&self) -> Option<f64> {
        match &self.shifted {
            Some(null) => Some(null.p_value),
            None => self.permuted.as_ref().ok().map(|permuted| permuted.p_value),
        }
    }
}

/// Six days can be put in 720 orders: of fewer no chance is small, and drawn anew they are hardly ever others.
const FEWEST_DAYS: usize = 6;

pub(super) fn enough_days(points: &Points, blocks: &Blocks) -> Result<(), Undetermined> {
    let (needed, found) = (FEWEST_DAYS, blocks.len());
    match (found < needed, points.dated) {
        (true, true) => Err(Undetermined::FewDays { needed, found }),
        // Each job stands for a day that nobody knows.
        (true, false) => Err(Undetermined::TooFew { needed, found }),
        (false, _) => Ok(()),
    }
}

pub(super) fn measure(
    settings: &StudySettings,
    coefficient: Coefficient,
    points: &Points,
    blocks: &Blocks,
    others: &Others<'_>,
) -> Outcome {
    let (load, time) = (&points.load, &points.time);
    let value = settings
        .enough(points)
        .and_then(|()| coefficient.of(load, time));
    let value = value.map(|value| {
        let slow = matches!(coefficient, Coefficient::Information { .. });
        let permutations = Permutations {
            count: match slow {
                true => settings.information_permutations,
                false => settings.permutations,
            },
            seed: settings.seed,
            threads: settings.threads,
        };
        let bootstrap = Bootstrap {
            count: settings.resamples,
            level: settings.level,
            // Points that are drawn twice have no distance: BCa's correction for bias goes wrong with them.
            method: match coefficient {
                Coefficient::DistanceCorrected => Method::Unbiased,
                _ => Method::Percentile,
            },
            seed: settings.seed,
            threads: settings.threads,
        };
        let few = enough_days(points, blocks).err();
        Measured {
            coefficient,
            value,
            interval: match few {
                Some(why) => Err(why),
                None => bootstrap.interval(coefficient, load, time, Some(blocks)),
            },
            permuted: match few {
                Some(why) => Err(why),
                None => permutations.test(coefficient, load, time, Some(blocks)),
            },
            shifted: ShiftNull::among(coefficient, value, time, others, settings.threads),
        }
    });
    Outcome { coefficient, value }
}
