//! What time to expect at which load.

use super::{Points, StudySettings};
use crate::association::{Band, Conditional, Density, Forest, ForestSettings, Undetermined};
use serde::Serialize;

/// Curves over the loads that were seen.
#[derive(Debug, Clone)]
pub struct Curves {
    /// Where they are evaluated: from 1 % to 99 % of the loads.
    pub loads: Vec<f64>,
    /// The mean of a random forest.
    pub forest: Result<Forested, Undetermined>,
    /// The middle and 90 % of what is to be expected.
    pub bands: Result<Vec<Band>, Undetermined>,
    /// How densely jobs lie in the plane of loads and times.
    pub density: Result<Spread, Undetermined>,
}

/// What a forest tells.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Forested {
    /// The share of the variance of times of jobs that a tree has not seen which it explains; `None` where
    /// there are too few of these.
    pub oob_r2: Option<f64>,
    /// Its mean at each load.
    pub times: Vec<f64>,
}

/// A density on a grid, which spans the [`usual`] loads and times, and a little more.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Spread {
    /// Loads.
    pub x: Vec<f64>,
    /// Times.
    pub y: Vec<f64>,
    /// Per time, per load.
    pub density: Vec<Vec<f64>>,
}

/// The time to expect at one load.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Expected {
    /// The load.
    pub load: f64,
    /// 5 %, 50 % and 95 % of jobs take no longer.
    pub times_s: [f64; 3],
    /// As many jobs as this rests on.
    pub effective_jobs: f64,
}

/// Contours around fewer jobs would be drawn around the jobs themselves.
const FEWEST_DENSE: usize = 10;
/// Points of a curve.
const POINTS: usize = 200;
/// Points of each side of a grid.
const GRID: usize = 48;
/// What a grid has beyond the outermost jobs, so that they can be surrounded.
const ROOM: f64 = 0.1;

impl StudySettings {
    /// The curves of jobs.
    #[must_use]
    pub fn curves(&self, points: &Points) -> Curves {
        let (load, time) = (&points.load, &points.time);
        let loads = between(load, 0.01, 0.99, POINTS);
        let forest = self.enough(points).and_then(|()| self.forest(points));
        let forest = forest.map(|forest| Forested {
            oob_r2: forest.oob_r2(),
            times: forest.curve(&loads).unwrap_or_default(),
        });
        let bands = self
            .enough(points)
            .and_then(|()| Conditional::with(load, time, self.bandwidth))
            .map(|conditional| conditional.bands(&loads, self.threads));
        let dense = StudySettings {
            fewest: self.fewest.max(FEWEST_DENSE),
            ..*self
        };
        let density = dense
            .enough(points)
            .and_then(|()| Density::with(load, time, self.bandwidth))
            .map(|density| {
                let grid = |values: &[f64]| {
                    let (low, high) = usual(values).unwrap_or((0.0, 0.0));
                    let room = ROOM * (high - low);
                    steps((low - room, high + room), GRID)
                };
                let (x, y) = (grid(load), grid(time));
                let density = density.grid(&x, &y, self.threads);
                Spread { x, y, density }
            });
        Curves {
            loads,
            forest,
            bands,
            density,
        }
    }

    /// How long a job would take at a load.
    ///
    /// # Errors
    /// Where too few jobs were seen at such loads.
    pub fn expected(&self, points: &Points, load: f64) -> Result<Expected, Undetermined> {
        self.enough(points)?;
        let least = points.load.iter().copied().fold(f64::INFINITY, f64::min);
        let most = points
            .load
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        if !(least..=most).contains(&load) {
            return Err(Undetermined::Setting {
                name: "load that was seen",
                value: load,
            });
        }
        let band = Conditional::with(&points.load, &points.time, self.bandwidth)?.at(load);
        let times_s = band.quantiles.ok_or(Undetermined::TooFew {
            needed: crate::association::FEWEST_EFFECTIVE as usize,
            found: band.effective as usize,
        })?;
        Ok(Expected {
            load,
            times_s,
            effective_jobs: band.effective,
        })
    }

    fn forest(&self, points: &Points) -> Result<Forest, Undetermined> {
        let settings = ForestSettings {
            trees: self.trees,
            seed: self.seed,
            threads: self.threads,
            ..ForestSettings::default()
        };
        settings.grow(&[&points.load], &points.time)
    }
}

/// Equal steps from one quantile of values to another.
fn between(values: &[f64], low: f64, high: f64, count: usize) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else {
        return Vec::new();
    };
    let at = |share: f64| sorted[(share * last as f64).round() as usize];
    steps((at(low), at(high)), count)
}

/// Equal steps from one value to another.
fn steps((low, high): (f64, f64), count: usize) -> Vec<f64> {
    let step = (high - low) / (count - 1) as f64;
    (0..count).map(|k| low + step * k as f64).collect()
}

/// The share of values at either end that may lie far out.
const FAR_SHARE: f64 = 0.02;
/// How far that is, in widths of where the others lie.
const FAR_WIDTHS: f64 = 1.0;

/// The least and the greatest value, without the few that lie so far out that next to them all others would
/// look alike. `None` where there is none at all.
#[must_use]
pub fn usual(values: &[f64]) -> Option<(f64, f64)> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|x| x.is_finite()).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let (&first, &last) = (sorted.first()?, sorted.last()?);
    let far = (FAR_SHARE * sorted.len() as f64).floor() as usize;
    let (low, high) = (sorted[far], sorted[sorted.len() - 1 - far]);
    let room = FAR_WIDTHS * (high - low);
    // Where nearly all are the same, the others are what there is to see.
    if room <= 0.0 {
        return Some((first, last));
    }
    let mut inside = sorted
        .iter()
        .filter(|value| (low - room..=high + room).contains(*value));
    let (least, greatest) = (inside.clone().next()?, inside.next_back()?);
    Some((*least, *greatest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_far_out_are_not_usual() {
        let mut values: Vec<f64> = (0..100).map(f64::from).collect();
        assert_eq!(usual(&values), Some((0.0, 99.0)));
        values.push(150.0);
        assert_eq!(usual(&values), Some((0.0, 150.0)), "not far");
        values.push(5000.0);
        values.push(-9000.0);
        assert_eq!(usual(&values), Some((0.0, 150.0)));
        assert_eq!(usual(&[1.0, 2.0, 1e9]), Some((1.0, 1e9)), "too few to tell");
        assert_eq!(usual(&[5.0, 5.0, f64::NAN]), Some((5.0, 5.0)));
        assert_eq!(usual(&[]), None);
        let mut same = vec![3.0; 100];
        same.push(9.0);
        assert_eq!(usual(&same), Some((3.0, 9.0)));
    }
}
