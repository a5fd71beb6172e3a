//! Distance correlation, which is zero only where columns are independent.

mod column;
mod discordance;

use super::columns::{Columns, dot, sum_of};
use super::undetermined::{Column, Undetermined};
use column::Distances;
use discordance::discordance;

/// What is used again from one pairing to the next.
pub(super) use discordance::Room;

/// Which estimate of the distance correlation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Estimate {
    Plain,
    Corrected,
}

/// The distance correlation `R = √(dCov² / √(dVar²_x dVar²_y))`, from 0 to 1, with
/// `dCov² = Σ_jk A_jk B_jk / n²`, where `A` holds the distances `a_jk = |x_j − x_k|` less the means of
/// their row and column plus the mean of all, and `B` those of the other column (Székely, Rizzo and
/// Bakirov, Ann. Statist. 35, 2007). As `dcor.distance_correlation`, in O(n log n).
///
/// Independent columns do not give 0 but about `0.14` for 173 points and less for more: compare with
/// what permutations give, or see [`distance_correlation_corrected`].
///
/// # Errors
/// Where the columns have no coefficient: see [`Undetermined`].
pub fn distance_correlation(x: &[f64], y: &[f64]) -> Result<f64, Undetermined> {
    Ok(Distance::new(x, y, Estimate::Plain)?.straight())
}

/// The bias-corrected square of the distance correlation, `R*`: 0 on average where columns are
/// independent, so also below 0. `dCov*² = Σ_{j≠k} Ã_jk B̃_jk / (n(n−3))`, where
/// `ã_jk = a_jk − a_j·/(n−2) − a_·k/(n−2) + a_··/((n−1)(n−2))` (Székely and Rizzo, J. Multivariate Anal.
/// 117, 2013, and Ann. Statist. 42, 2014). As `dcor.u_distance_correlation_sqr`, in O(n log n).
///
/// # Errors
/// Where the columns have no coefficient: see [`Undetermined`]. It takes four points, and a column in
/// which no more than one value differs from the others has no corrected variance.
pub fn distance_correlation_corrected(x: &[f64], y: &[f64]) -> Result<f64, Undetermined> {
    Ok(Distance::new(x, y, Estimate::Corrected)?.straight())
}

/// Two columns and all about them that no pairing changes.
pub(super) struct Distance {
    x: Distances,
    y: Distances,
    /// At which place each value of the second column is once sorted.
    ranks: Vec<u32>,
    estimate: Estimate,
    /// `√(dVar²_x dVar²_y)`.
    norm: f64,
}

impl Distance {
    pub(super) fn new(x: &[f64], y: &[f64], estimate: Estimate) -> Result<Self, Undetermined> {
        let needed = match estimate {
            Estimate::Plain => super::coefficients::FEWEST,
            Estimate::Corrected => 4,
        };
        let columns = Columns::new(x, y, needed)?;
        let (x, y) = (Distances::new(&columns.x), Distances::new(&columns.y));
        let norm =
            variance(&x, estimate, Column::X)?.sqrt() * variance(&y, estimate, Column::Y)?.sqrt();
        Ok(Self {
            ranks: y.ranks(),
            x,
            y,
            estimate,
            norm,
        })
    }

    pub(super) fn len(&self) -> usize {
        self.x.len()
    }

    fn straight(&self) -> f64 {
        let pairing: Vec<u32> = (0..self.len() as u32).collect();
        self.paired(&pairing, &mut Room::default())
    }

    /// The coefficient where the `i`-th of the one column meets the `pairing[i]`-th of the other.
    pub(super) fn paired(&self, pairing: &[u32], room: &mut Room) -> f64 {
        let partner = |place: usize| self.ranks[pairing[self.x.order[place] as usize] as usize];
        room.ranks.clear();
        room.ranks.extend((0..self.len()).map(partner));
        let over_pairs = |x: &[f64], y: &[f64]| {
            let ranks = &room.ranks;
            sum_of(ranks.len(), |place| x[place] * y[ranks[place] as usize])
        };
        let products = over_pairs(&self.x.sorted, &self.y.sorted);
        let rows = over_pairs(&self.x.rows, &self.y.rows);
        // The product of distances is that of differences, but for pairs that run against each other.
        let n = self.len() as f64;
        let agreeing = n * products - self.x.sum * self.y.sum;
        let against = discordance(&self.x.sorted, &self.y.sorted, room);
        let all = 2.0 * (agreeing + 2.0 * against);
        let square = self
            .estimate
            .centred(n, all, rows, self.x.total * self.y.total)
            / self.norm;
        match self.estimate {
            Estimate::Plain => square.clamp(0.0, 1.0).sqrt(),
            Estimate::Corrected => square.clamp(-1.0, 1.0),
        }
    }
}

/// What a variance has to be of the mean square of the distances: less is left of rounding.
const ROUNDING: f64 = 1e-11;

fn variance(column: &Distances, estimate: Estimate, name: Column) -> Result<f64, Undetermined> {
    let n = column.len() as f64;
    let rows = dot(&column.rows, &column.rows);
    let variance = estimate.centred(n, column.squares, rows, column.total * column.total);
    if variance > ROUNDING * column.squares / (n * n) {
        Ok(variance)
    } else {
        Err(Undetermined::Outweighed { column: name })
    }
}

impl Estimate {
    /// The mean product of centred distances, from the sums over all products, over those of the sums of
    /// rows, and of the sums of all.
    fn centred(self, n: f64, all: f64, rows: f64, total: f64) -> f64 {
        match self {
            Self::Plain => (all - 2.0 / n * rows + total / (n * n)) / (n * n),
            Self::Corrected => {
                let means = 2.0 / (n - 2.0) * rows - total / ((n - 1.0) * (n - 2.0));
                (all - means) / (n * (n - 3.0))
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
