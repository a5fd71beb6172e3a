//! The coefficients by name, and for columns whose values are paired anew.

use super::coefficients::Products;
use super::distance::{Distance, Estimate, Room};
use super::information::Neighbours;
use super::undetermined::Undetermined;
use serde::Serialize;

/// A measure of how two columns depend on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Coefficient {
    /// [`pearson`](super::pearson).
    Pearson,
    /// [`spearman`](super::spearman).
    Spearman,
    /// [`distance_correlation`](super::distance_correlation).
    Distance,
    /// [`distance_correlation_corrected`](super::distance_correlation_corrected).
    DistanceCorrected,
    /// λ of [`mutual_information`](super::mutual_information).
    Information {
        /// How many nearest neighbours are looked for: 10 to report, 3 to compare with others.
        neighbours: usize,
        /// What tells equal values apart.
        seed: u64,
    },
}

impl Coefficient {
    /// The coefficient of two columns.
    ///
    /// # Errors
    /// Where they have none: see [`Undetermined`].
    pub fn of(self, x: &[f64], y: &[f64]) -> Result<f64, Undetermined> {
        let plan = self.plan(x, y)?;
        Ok(plan.paired(&plan.as_given(), &mut Room::default()))
    }

    /// Whether it tells rising from falling, so that it is as extreme on either side of 0.
    #[must_use]
    pub const fn is_signed(self) -> bool {
        matches!(self, Self::Pearson | Self::Spearman)
    }

    pub(super) fn plan(self, x: &[f64], y: &[f64]) -> Result<Plan, Undetermined> {
        Ok(match self {
            Self::Pearson => Plan::Products(Products::pearson(x, y)?),
            Self::Spearman => Plan::Products(Products::spearman(x, y)?),
            Self::Distance => Plan::Distance(Distance::new(x, y, Estimate::Plain)?),
            Self::DistanceCorrected => Plan::Distance(Distance::new(x, y, Estimate::Corrected)?),
            Self::Information { neighbours, seed } => {
                Plan::Information(Neighbours::new(x, y, neighbours, seed)?)
            }
        })
    }
}

/// All that does not change when values are paired anew.
pub(super) enum Plan {
    Products(Products),
    Distance(Distance),
    Information(Neighbours),
}

impl Plan {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Products(plan) => plan.len(),
            Self::Distance(plan) => plan.len(),
            Self::Information(plan) => plan.len(),
        }
    }

    /// Each with the one beside it.
    pub(super) fn as_given(&self) -> Vec<u32> {
        (0..self.len() as u32).collect()
    }

    /// The coefficient where the `i`-th of the one column meets the `pairing[i]`-th of the other.
    pub(super) fn paired(&self, pairing: &[u32], room: &mut Room) -> f64 {
        match self {
            Self::Products(plan) => plan.paired(pairing),
            Self::Distance(plan) => plan.paired(pairing, room),
            Self::Information(plan) => plan.normalised(pairing),
        }
    }
}
