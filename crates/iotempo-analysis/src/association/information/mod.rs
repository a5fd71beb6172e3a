//! Mutual information, which knows any kind of dependence.

mod neighbours;

use super::columns::{Columns, sum_of};
use super::undetermined::Undetermined;
use crate::outliers::random::Random;
use neighbours::Neighbourhood;
use serde::Serialize;

/// How much one column tells of the other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Information {
    /// The mutual information in nats, not below 0.
    pub nats: f64,
    /// `λ = √(1 − e^{−2I})`, from 0 to 1: the absolute value of Pearson's coefficient of normal columns
    /// that tell as much of each other.
    pub normalised: f64,
}

impl Information {
    fn of(nats: f64) -> Self {
        let nats = nats.max(0.0);
        Self {
            nats,
            normalised: (-(-2.0 * nats).exp_m1()).sqrt(),
        }
    }
}

/// How far values are moved at random so that none are equal, in standard deviations (Kraskov,
/// Stögbauer and Grassberger, Phys. Rev. E 69, 2004, and scikit-learn).
const JITTER: f64 = 1e-10;

/// The mutual information of two columns, each brought to mean 0 and deviation 1 and moved by 1e-10 at
/// random, so that equal values are told apart: see [`mutual_information_as_is`].
///
/// # Errors
/// Where the columns have none: see [`Undetermined`].
pub fn mutual_information(
    x: &[f64],
    y: &[f64],
    neighbours: usize,
    seed: u64,
) -> Result<Information, Undetermined> {
    Ok(Information::of(
        Neighbours::new(x, y, neighbours, seed)?.straight(),
    ))
}

/// The first estimate of Kraskov, Stögbauer and Grassberger, Phys. Rev. E 69, 2004,
/// `I = ψ(k) + ψ(n) − ⟨ψ(n_x + 1) + ψ(n_y + 1)⟩`: a point's `k` nearest neighbours by the larger of both
/// distances lie within some distance; `n_x` and `n_y` others are strictly nearer along one axis alone.
/// Of the values as they are: those of `scikit-learn`'s `_compute_mi_cc`.
///
/// # Errors
/// Where the columns have none: see [`Undetermined`].
pub fn mutual_information_as_is(
    x: &[f64],
    y: &[f64],
    neighbours: usize,
) -> Result<Information, Undetermined> {
    // For its checks alone.
    Columns::new(x, y, needed(neighbours)?)?;
    let plan = Neighbours::of(x.to_vec(), y.to_vec(), neighbours);
    Ok(Information::of(plan.straight()))
}

/// A neighbour for each to ask for, and never less than for other coefficients.
fn needed(neighbours: usize) -> Result<usize, Undetermined> {
    if neighbours == 0 {
        return Err(Undetermined::Setting {
            name: "number of neighbours",
            value: 0.0,
        });
    }
    Ok(neighbours
        .saturating_add(1)
        .max(super::coefficients::FEWEST))
}

/// Two columns and all about them that no pairing changes.
pub(super) struct Neighbours {
    x: Vec<f64>,
    y: Vec<f64>,
    sorted_x: Vec<f64>,
    sorted_y: Vec<f64>,
    /// `ψ(m)` for whole numbers from 1, at place `m − 1`.
    digamma: Vec<f64>,
    neighbours: usize,
}

impl Neighbours {
    pub(super) fn new(
        x: &[f64],
        y: &[f64],
        neighbours: usize,
        seed: u64,
    ) -> Result<Self, Undetermined> {
        let columns = Columns::new(x, y, needed(neighbours)?)?;
        let mut random = Random::new(seed);
        let [x, y] = [columns.x, columns.y].map(|mut column| {
            let squares = sum_of(column.len(), |place| column[place] * column[place]);
            let deviation = (squares / column.len() as f64).sqrt();
            for value in &mut column {
                *value = *value / deviation + JITTER * random.normal();
            }
            column
        });
        Ok(Self::of(x, y, neighbours))
    }

    fn of(x: Vec<f64>, y: Vec<f64>, neighbours: usize) -> Self {
        let [sorted_x, sorted_y] = [&x, &y].map(|column| {
            let mut sorted = column.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            sorted
        });
        Self {
            digamma: digamma(x.len()),
            x,
            y,
            sorted_x,
            sorted_y,
            neighbours,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.x.len()
    }

    fn straight(&self) -> f64 {
        let pairing: Vec<u32> = (0..self.len() as u32).collect();
        self.paired(&pairing)
    }

    /// λ where the `i`-th of the one column meets the `pairing[i]`-th of the other.
    pub(super) fn normalised(&self, pairing: &[u32]) -> f64 {
        Information::of(self.paired(pairing)).normalised
    }

    fn paired(&self, pairing: &[u32]) -> f64 {
        let partners = pairing.iter().map(|&j| self.y[j as usize]);
        let points: Vec<[f64; 2]> = self.x.iter().zip(partners).map(|(&x, y)| [x, y]).collect();
        let neighbourhood = Neighbourhood::new(points.clone());
        let mut nearest = Vec::with_capacity(self.neighbours + 1);
        let psi = |&[x, y]: &[f64; 2]| {
            // The point itself is the nearest of all.
            let distance = neighbourhood.distance([x, y], self.neighbours + 1, &mut nearest);
            let within = distance.next_down().max(0.0);
            let in_x = count_within(&self.sorted_x, x, within);
            let in_y = count_within(&self.sorted_y, y, within);
            self.digamma[in_x - 1] + self.digamma[in_y - 1]
        };
        let count = self.len();
        let sum: f64 = points.iter().map(psi).sum();
        self.digamma[self.neighbours - 1] + self.digamma[count - 1] - sum / count as f64
    }
}

/// How many sorted values lie no further than `within` from one of them, itself included.
fn count_within(sorted: &[f64], value: f64, within: f64) -> usize {
    let start = sorted.partition_point(|other| value - other > within);
    let end = sorted.partition_point(|other| other - value <= within);
    end.saturating_sub(start).max(1)
}

/// `ψ(1)` to `ψ(count)`: each is the last plus the inverse of its argument.
fn digamma(count: usize) -> Vec<f64> {
    const EULER: f64 = 0.577_215_664_901_532_9;
    let mut psi = -EULER;
    let next = |number| {
        let this = psi;
        psi += 1.0 / number as f64;
        this
    };
    (1..=count).map(next).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
