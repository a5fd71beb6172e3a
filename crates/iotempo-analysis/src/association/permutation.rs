//! How often chance alone gives a coefficient as large.

use super::blocks::Blocks;
use super::coefficient::Coefficient;
use super::distance::Room;
use super::parallel;
use super::undetermined::Undetermined;
use crate::outliers::random::Random;
use serde::Serialize;
use std::num::NonZeroUsize;

/// A test of independence by permutations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permutations {
    /// How many.
    pub count: usize,
    /// What they are drawn from.
    pub seed: u64,
    /// How many threads share the work; as many as the machine runs at once where nobody says. The
    /// result does not depend on it.
    pub threads: Option<NonZeroUsize>,
}

impl Default for Permutations {
    /// 999, so that a chance is a whole number of thousandths.
    fn default() -> Self {
        Self {
            count: 999,
            seed: 0,
            threads: None,
        }
    }
}

/// A coefficient beside what permutations of the data give.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Permuted {
    /// The coefficient.
    pub observed: f64,
    /// `(1 + #{as extreme}) / (1 + B)` (Davison and Hinkley 1997, and Phipson and Smyth, Stat. Appl. Genet.
    /// Mol. Biol. 9, 2010): how likely independent columns are to give a coefficient as extreme.
    pub p_value: f64,
    /// How many permutations were as extreme.
    pub as_extreme: usize,
    /// How many there were.
    pub permutations: usize,
    /// The mean over the permutations: what the coefficient is of independent columns.
    pub null_mean: f64,
    /// What 95 % of the permutations do not exceed, by absolute value where the coefficient has a sign.
    pub null_95: f64,
    /// How many blocks were exchanged: of few, no chance is small.
    pub blocks: usize,
}

/// Values that differ less than this in proportion are equal: another order of summation is no evidence.
const ROUNDING: f64 = 1e-12;

impl Permutations {
    /// Pairs the values of two columns anew, again and again, and counts how often the coefficient is as
    /// extreme as it is: on either side of 0 if it has a sign.
    ///
    /// Without `blocks`, each value may meet any other. With them, whole blocks of the second column are
    /// put in another order, one behind the other, and meet the first column, which is left in the order of
    /// its blocks. Values of one block so stay neighbours in both columns, whatever the sizes of blocks.
    /// Where blocks differ in size, some meet parts of two others, and at such seams a neighbourhood of the
    /// first column falls on no neighbourhood of the second: with blocks of many points there are few seams.
    /// Exchanging only blocks of equal size would have none, but there are often too few of a size.
    ///
    /// # Errors
    /// Where the columns have no coefficient, or there are not two blocks: see [`Undetermined`].
    pub fn test(
        &self,
        coefficient: Coefficient,
        x: &[f64],
        y: &[f64],
        blocks: Option<&Blocks>,
    ) -> Result<Permuted, Undetermined> {
        let plan = coefficient.plan(x, y)?;
        if let Some(blocks) = blocks {
            blocks.check(plan.len())?;
        }
        let given = plan.as_given();
        let observed = plan.paired(&given, &mut Room::default());
        let null = parallel::map(self.count, self.threads, |room: &mut Room, number| {
            let mut random = Random::stream(self.seed, number as u64);
            let pairing = match blocks {
                None => shuffled(&given, &mut random),
                Some(blocks) => exchanged(blocks, &mut random),
            };
            plan.paired(&pairing, room)
        });
        let count = blocks.map_or(plan.len(), Blocks::len);
        Ok(summary(coefficient, observed, null, count))
    }
}

fn shuffled(given: &[u32], random: &mut Random) -> Vec<u32> {
    let mut pairing = given.to_vec();
    random.shuffle(&mut pairing);
    pairing
}

/// Blocks in another order meet blocks as they are.
fn exchanged(blocks: &Blocks, random: &mut Random) -> Vec<u32> {
    let mut order: Vec<&Vec<u32>> = blocks.members().iter().collect();
    random.shuffle(&mut order);
    let mut pairing = vec![0; blocks.members().iter().map(Vec::len).sum()];
    let met = blocks
        .members()
        .iter()
        .flatten()
        .zip(order.into_iter().flatten());
    for (&point, &other) in met {
        pairing[point as usize] = other;
    }
    pairing
}

fn summary(coefficient: Coefficient, observed: f64, null: Vec<f64>, blocks: usize) -> Permuted {
    let permutations = null.len();
    let null_mean = super::columns::mean(&null);
    let extremity = |value: f64| {
        if coefficient.is_signed() {
            value.abs()
        } else {
            value
        }
    };
    let mut extremities: Vec<f64> = null.into_iter().map(extremity).collect();
    extremities.sort_unstable_by(f64::total_cmp);
    let reach = extremity(observed) - ROUNDING * observed.abs();
    let as_extreme = permutations - extremities.partition_point(|value| *value < reach);
    Permuted {
        observed,
        p_value: (1 + as_extreme) as f64 / (1 + permutations) as f64,
        as_extreme,
        permutations,
        null_mean,
        null_95: super::quantile::quantile(&extremities, 0.95).unwrap_or(extremity(observed)),
        blocks,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
