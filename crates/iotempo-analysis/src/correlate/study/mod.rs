//! What one column of loads and one of times say about each other, and how sure that is.

mod curves;
mod grains;
mod lags;
mod measured;
mod memory;
mod shifts;
mod slowdown;
mod within;

pub use curves::{Curves, Expected, Forested, Spread, usual};
pub use grains::{Grain, GrainPoint, grains};
pub use lags::{Lag, lags};
pub use measured::{Measured, Outcome};
pub use shifts::{FEWEST_SHIFTS, ShiftNull, Shifted, days_within, shifted};
pub use slowdown::{Busy, Slowdown};
pub use within::Within;

use crate::association::{Bandwidth, Blocks, Coefficient, Undetermined};
use memory::Moved;
use shifts::Others;
use std::num::NonZeroUsize;
use within::Beside;

/// How much work is put into being sure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StudySettings {
    /// Permutations of a test.
    pub permutations: usize,
    /// The same for mutual information, which takes longer.
    pub information_permutations: usize,
    /// Samples drawn anew for an interval.
    pub resamples: usize,
    /// How sure intervals are to be.
    pub level: f64,
    /// Nearest neighbours of the mutual information.
    pub neighbours: usize,
    /// Trees of the forest.
    pub trees: usize,
    /// How wide the kernels of densities and bands are.
    pub bandwidth: Bandwidth,
    /// The fewest jobs that anything is said of.
    pub fewest: usize,
    /// What all that is random is drawn from.
    pub seed: u64,
    /// How many threads share the work; the result does not depend on it.
    pub threads: Option<NonZeroUsize>,
}

impl Default for StudySettings {
    fn default() -> Self {
        Self {
            permutations: 999,
            information_permutations: 199,
            resamples: 999,
            level: 0.95,
            neighbours: 10,
            trees: 500,
            bandwidth: Bandwidth::Normal,
            fewest: 10,
            seed: 1,
            threads: None,
        }
    }
}

/// Jobs as two columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    /// How busy the system was.
    pub load: Vec<f64>,
    /// How long the job took.
    pub time: Vec<f64>,
    /// Which day it was: jobs of one day are no independent witnesses.
    pub day: Vec<i64>,
    /// Whether these are days, and no mere numbers of jobs whose date nobody knows.
    pub dated: bool,
}

impl Points {
    /// Jobs of as many days as belong together.
    fn blocks(&self, days_together: usize) -> Blocks {
        let mut days = self.day.clone();
        days.sort_unstable();
        days.dedup();
        let stretch = |day: &i64| days.binary_search(day).unwrap_or(0) / days_together;
        Blocks::of(&self.day.iter().map(stretch).collect::<Vec<usize>>())
    }
}

/// What is known of how times depend on loads.
#[derive(Debug, Clone)]
pub struct Study {
    /// How many jobs.
    pub jobs: usize,
    /// On how many days; `None` where nobody knows.
    pub days: Option<usize>,
    /// How many days were exchanged, and drawn, as one, because they resemble the next ones in both columns.
    pub days_together: usize,
    /// Each coefficient, or why there is none.
    pub measured: Vec<Outcome>,
    /// How much longer jobs take when the system is busy.
    pub slowdown: Result<Slowdown, Undetermined>,
    /// The same beside jobs of the same weeks, where there are enough of them.
    pub within: Option<Within>,
}

impl StudySettings {
    /// The coefficients that a study gives, in its order.
    #[must_use]
    pub fn coefficients(&self) -> [Coefficient; 5] {
        [
            Coefficient::Pearson,
            Coefficient::Spearman,
            Coefficient::Distance,
            Coefficient::DistanceCorrected,
            Coefficient::Information {
                neighbours: self.neighbours,
                seed: self.seed,
            },
        ]
    }

    /// Studies jobs. `shifted` are the loads of the same jobs on other days, `busy` what a busy system is.
    #[must_use]
    pub fn study(&self, points: &Points, shifted: &[Shifted], busy: Option<Busy>) -> Study {
        let beside = Beside::new(points);
        let both = [Some(points), beside.as_ref().map(Beside::points)];
        let together = both.into_iter().flatten().map(memory::days_together);
        let days_together = together.max().unwrap_or(1);
        // Where nobody knows what else was going on, days that remember are moved along each other.
        let forgetful = days_together == 1 && !beside.as_ref().is_some_and(Beside::is_weekly);
        let moved = match shifted.is_empty() && points.dated && !forgetful {
            true => Moved::new(points, self.permutations, self.seed),
            false => None,
        };
        let others = || match &moved {
            Some(moved) => Others {
                count: moved.count(),
                keeps_built_in: false,
                loads: Box::new(|number| moved.loads(&points.load, number).into()),
            },
            None => Others::known(shifted),
        };
        let blocks = points.blocks(days_together);
        let measured = self
            .coefficients()
            .into_iter()
            .map(|coefficient| measured::measure(self, coefficient, points, &blocks, &others()));
        Study {
            jobs: points.time.len(),
            days: points.dated.then(|| Blocks::of(&points.day).len()),
            days_together,
            measured: measured.collect(),
            slowdown: slowdown::slowdown(self, points, &blocks, busy),
            within: beside.and_then(|beside| beside.study(self, days_together, others())),
        }
    }

    /// Whether there are enough of them.
    fn enough(&self, points: &Points) -> Result<(), Undetermined> {
        let found = points.time.len();
        match found < self.fewest {
            true => Err(Undetermined::TooFew {
                needed: self.fewest,
                found,
            }),
            false => Ok(()),
        }
    }
}

impl Study {
    /// One of the coefficients.
    #[must_use]
    pub fn of(&self, wanted: impl Fn(&Coefficient) -> bool) -> Option<&Measured> {
        let mut known = self
            .measured
            .iter()
            .filter_map(|one| one.value.as_ref().ok());
        known.find(|measured| wanted(&measured.coefficient))
    }

    /// What is exchanged to tell chance from dependence: days, or jobs where nobody knows their days.
    #[must_use]
    pub const fn exchanged(&self) -> &'static str {
        match self.days {
            Some(_) => "days",
            None => "jobs",
        }
    }

    /// What groups are ranked and judged by: ranks beside jobs of the same weeks, or of all where there are too
    /// few weeks.
    #[must_use]
    pub fn telling(&self) -> Option<&Measured> {
        match &self.within {
            Some(within) => Some(&within.rank),
            None => self.rank(),
        }
    }

    /// What a busy system costs, in the same way.
    ///
    /// # Errors
    /// Where nobody knows.
    pub fn cost(&self) -> Result<&Slowdown, &Undetermined> {
        match &self.within {
            Some(within) => within.slowdown.as_ref(),
            None => self.slowdown.as_ref(),
        }
    }

    /// Spearman's, which neither outliers nor curves mislead.
    #[must_use]
    pub fn rank(&self) -> Option<&Measured> {
        self.of(|coefficient| *coefficient == Coefficient::Spearman)
    }
}
