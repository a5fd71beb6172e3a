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
    /// Without `blocks`, each value may meet any other. With them, each block of the first column meets a block of
    /// the second, value by value in their order. Where blocks differ in size, that of the second column is
    /// stretched: some of its values are met several times, or not at all. Put one behind the other instead, as
    /// they are, blocks would meet parts of two others: what points of a block have in common then counts for
    /// less than in the data, and too little passes for chance (10 to 15 % of independent columns at 5 %, by
    /// twenty to sixty blocks of ten points or so; stretched, 4 to 7 %).
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
        let stretches = blocks.is_some_and(|blocks| !blocks.are_equal());
        let given = plan.as_given();
        let observed = plan.paired(&given, &mut Room::default());
        let null = parallel::map(self.count, self.threads, |room: &mut Room, number| {
            let mut random = Random::stream(self.seed, number as u64);
            let pairing = match blocks {
                None => shuffled(&given, &mut random),
                Some(blocks) => exchanged(blocks, &mut random),
            };
            match stretches {
                false => plan.paired(&pairing, room),
                true => {
                    let met: Vec<f64> = pairing.iter().map(|&other| y[other as usize]).collect();
                    // Where one value alone is left, nothing depends on it.
                    coefficient.of(x, &met).unwrap_or(0.0)
                }
            }
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

/// Blocks meet others, stretched to their size.
fn exchanged(blocks: &Blocks, random: &mut Random) -> Vec<u32> {
    let members = blocks.members();
    let mut order: Vec<&Vec<u32>> = members.iter().collect();
    random.shuffle(&mut order);
    let mut pairing = vec![0; members.iter().map(Vec::len).sum()];
    for (block, other) in members.iter().zip(order) {
        for (point, met) in Blocks::met(block, other) {
            pairing[point] = met as u32;
        }
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
