//! What to expect of a column where others are known: random forests.

mod tree;

use super::columns::{check, mean, range};
use super::parallel;
use super::undetermined::{Column, Undetermined};
use crate::outliers::random::Random;
use std::num::NonZeroUsize;
use tree::{Data, Tree};

/// How a forest of regression trees is grown (Breiman, Machine Learning 45, 2001), with the meaning that
/// scikit-learn's `RandomForestRegressor` gives its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ForestSettings {
    /// How many trees.
    pub trees: usize,
    /// The fewest points that share a leaf; one that was drawn twice is one.
    pub leaf: usize,
    /// What points are drawn from.
    pub seed: u64,
    /// How many threads share the work; as many as the machine runs at once where nobody says. The
    /// result does not depend on it.
    pub threads: Option<NonZeroUsize>,
}

impl Default for ForestSettings {
    /// 500 trees with leaves of 5 points.
    fn default() -> Self {
        Self {
            trees: 500,
            leaf: 5,
            seed: 0,
            threads: None,
        }
    }
}

/// Trees, each grown on as many points as there are, drawn with replacement: their mean is the forest's
/// prediction.
#[derive(Debug, Clone, PartialEq)]
pub struct Forest {
    trees: Vec<Tree>,
    inputs: usize,
    /// What targets were divided by.
    unit: f64,
    oob_r2: Option<f64>,
}

/// Trees grown between two looks at how they do on what they have not seen: bounds the memory it takes.
const AT_ONCE: usize = 32;

impl ForestSettings {
    /// Grows a forest that tells `target` from one or a few inputs, which are columns of the same length.
    ///
    /// # Errors
    /// Where there is nothing to learn from: see [`Undetermined`]. Inputs are named as the first column,
    /// the target as the second.
    pub fn grow(&self, inputs: &[&[f64]], target: &[f64]) -> Result<Forest, Undetermined> {
        self.check(inputs, target)?;
        let (least, most) = range(target);
        let unit = most.max(-least);
        let scaled: Vec<f64> = target.iter().map(|value| value / unit).collect();
        let data = Data::new(inputs, &scaled, self.leaf.max(1));
        let mut unseen = Unseen::new(target.len());
        let mut trees = Vec::with_capacity(self.trees.min(1 << 16));
        for first in (0..self.trees).step_by(AT_ONCE) {
            let count = AT_ONCE.min(self.trees - first);
            let grown = parallel::map(count, self.threads, |(): &mut (), number| {
                let mut random = Random::stream(self.seed, (first + number) as u64);
                data.grow(&mut random)
            });
            for (tree, predictions) in grown {
                unseen.add(&predictions);
                trees.push(tree);
            }
        }
        Ok(Forest {
            trees,
            inputs: inputs.len(),
            unit,
            oob_r2: unseen.r2(&scaled),
        })
    }

    fn check(&self, inputs: &[&[f64]], target: &[f64]) -> Result<(), Undetermined> {
        let setting = |name, value: usize| Undetermined::Setting {
            name,
            value: value as f64,
        };
        if self.trees == 0 {
            return Err(setting("number of trees", 0));
        }
        if inputs.is_empty() {
            return Err(setting("number of inputs", 0));
        }
        for input in inputs {
            check(input, target, self.leaf.max(1).saturating_mul(2))?;
        }
        let only_value = |values: &[f64]| {
            let (least, most) = range(values);
            (least >= most).then_some(least)
        };
        if let Some(value) = only_value(target) {
            let column = Column::Y;
            return Err(Undetermined::Constant { column, value });
        }
        // One that varies is enough.
        let inputs: Option<Vec<f64>> = inputs.iter().map(|input| only_value(input)).collect();
        match inputs.as_deref() {
            Some([value, ..]) => Err(Undetermined::Constant {
                column: Column::X,
                value: *value,
            }),
            _ => Ok(()),
        }
    }
}

impl Forest {
    /// The share of the target's variance that trees tell of points they have not seen,
    /// `R² = 1 − Σ(y − ŷ)² / Σ(y − ȳ)²`: scikit-learn's `oob_score_`. Below 0 where the mean tells more. `None`
    /// where trees are so few that hardly any point was unseen by one.
    #[must_use]
    pub fn oob_r2(&self) -> Option<f64> {
        self.oob_r2
    }

    /// What to expect where the inputs are these. `None` where they are not as many as the forest knows.
    #[must_use]
    pub fn predict(&self, inputs: &[f64]) -> Option<f64> {
        let sum: f64 = self.trees.iter().map(|tree| tree.predict(inputs)).sum();
        (inputs.len() == self.inputs).then(|| sum / self.trees.len() as f64 * self.unit)
    }

    /// What to expect along a single input. `None` where the forest knows several.
    #[must_use]
    pub fn curve(&self, points: &[f64]) -> Option<Vec<f64>> {
        points.iter().map(|point| self.predict(&[*point])).collect()
    }
}

/// Sums over the trees that have not seen a point.
struct Unseen {
    sums: Vec<f64>,
    trees: Vec<u32>,
}

impl Unseen {
    fn new(points: usize) -> Self {
        Self {
            sums: vec![0.0; points],
            trees: vec![0; points],
        }
    }

    fn add(&mut self, predictions: &[(u32, f64)]) {
        for &(point, prediction) in predictions {
            self.sums[point as usize] += prediction;
            self.trees[point as usize] += 1;
        }
    }

    fn r2(&self, target: &[f64]) -> Option<f64> {
        let points = (0..target.len()).filter(|&point| self.trees[point] > 0);
        let (truth, errors): (Vec<f64>, Vec<f64>) = points
            .map(|point| {
                let prediction = self.sums[point] / f64::from(self.trees[point]);
                (target[point], target[point] - prediction)
            })
            .unzip();
        let centre = mean(&truth);
        let all: f64 = truth.iter().map(|value| (value - centre).powi(2)).sum();
        let left: f64 = errors.iter().map(|error| error * error).sum();
        (all > 0.0).then(|| 1.0 - left / all)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
