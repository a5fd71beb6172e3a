//! Points that belong together, such as the jobs of one day: neighbours in time are no independent samples.

use super::undetermined::Undetermined;
use std::collections::BTreeMap;

/// Which points belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocks {
    members: Vec<Vec<u32>>,
    points: usize,
}

impl Blocks {
    /// Points with the same label are one block. Blocks come in the order of their labels, the points of
    /// each in the order in which they are given, which is to be that of time.
    #[must_use]
    pub fn of<L: Ord>(labels: &[L]) -> Self {
        let mut members: BTreeMap<&L, Vec<u32>> = BTreeMap::new();
        for (point, label) in (0..).zip(labels) {
            members.entry(label).or_default().push(point);
        }
        Self {
            members: members.into_values().collect(),
            points: labels.len(),
        }
    }

    /// Every point is a block of its own.
    #[must_use]
    pub fn single(points: usize) -> Self {
        Self {
            members: (0..points as u32).map(|point| vec![point]).collect(),
            points,
        }
    }

    /// The points of each block.
    #[must_use]
    pub fn members(&self) -> &[Vec<u32>] {
        &self.members
    }

    /// How many blocks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The points of a block with those of another, which is stretched to its size: the middle of a place in the one
    /// falls on a place in the other.
    pub(crate) fn met<'a>(
        block: &'a [u32],
        other: &'a [u32],
    ) -> impl Iterator<Item = (usize, usize)> + 'a {
        let place = |at: usize| (2 * at + 1) * other.len() / (2 * block.len());
        let points = block.iter().enumerate();
        points.map(move |(at, &point)| (point as usize, other[place(at)] as usize))
    }

    /// Whether all have as many points.
    pub(super) fn are_equal(&self) -> bool {
        self.members
            .windows(2)
            .all(|two| two[0].len() == two[1].len())
    }

    /// Asserts that there are two blocks or more, of as many points.
    pub(super) fn check(&self, points: usize) -> Result<(), Undetermined> {
        if self.points != points {
            return Err(Undetermined::Labels {
                labels: self.points,
                points,
            });
        }
        if self.len() < 2 {
            return Err(Undetermined::OneBlock);
        }
        Ok(())
    }
}
