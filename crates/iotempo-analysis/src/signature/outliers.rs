//! Runs that are not like the others: disturbed, restarted, or of something else.

use super::finding::Outlier;
use super::numbers::{deviation, mean, median};
use super::samples::Sample;
use super::settings::{Method, Settings};
use crate::outliers::{LocalOutlierFactors, Point};

/// Among fewer runs nobody can tell who is the odd one.
pub(super) const FEWEST: usize = 5;

/// Runs whose durations and volumes differ less from the median's are alike, however close to each other
/// the rest may be: the factor has no scale of its own, and others' load alone makes such differences.
const ALIKE: f64 = 0.2;

/// More neighbours tell nothing new, and take time.
const MOST_NEIGHBOURS: usize = 20;

/// Samples by their index, with their rates.
pub(super) type Runs = Vec<(usize, Vec<f64>)>;

/// Takes those out of `runs` whose duration and volume are far from others', and tells which.
pub(super) fn without_outliers(
    runs: &mut Runs,
    samples: &[Sample],
    step: f64,
    settings: &Settings,
) -> Vec<Outlier> {
    let measured = Measured::of(runs, step);
    let Some(factors) = measured.factors(settings) else {
        return Vec::new();
    };
    let limit = settings.outlier_factor.max(mean(&factors));
    let ordinary = measured.ordinary();
    let lenient = settings.method != Method::Iosi;
    let mut told = Vec::new();
    let mut place = 0;
    runs.retain(|(index, _)| {
        let (factor, duration, volume) = (
            factors[place],
            measured.durations[place],
            measured.volumes[place],
        );
        let alike = lenient && ordinary[place];
        place += 1;
        if factor <= limit || alike {
            return true;
        }
        told.push(Outlier {
            id: samples[*index].id.to_owned(),
            place: *index,
            factor: Some(factor),
            reason: unlike(duration, volume, &measured),
        });
        false
    });
    told
}

/// A duration that is off by less is no reason.
const USUAL: f64 = 0.05;

/// Why a run is unlike the others.
fn unlike(duration: f64, volume: f64, measured: &Measured) -> String {
    let usual = median(&mut measured.durations.clone());
    let times = times(volume, median(&mut measured.volumes.clone()));
    match (duration / usual - 1.0).abs() < USUAL {
        true => format!("unlike the others: {times} times the median volume was moved meanwhile"),
        false => format!(
            "unlike the others: it ran {duration:.0} s (median {usual:.0} s), and {times} times the median volume was \
             moved meanwhile"
        ),
    }
}

/// How many times one volume the other is.
fn times(volume: f64, usual: f64) -> String {
    match volume / usual {
        few if few < 0.095 => format!("{few:.1e}"),
        some if some < 100.0 => format!("{some:.2}"),
        many => format!("{many:.0}"),
    }
}

/// Keeps the most ordinary of many `runs`, and says how many others there were.
pub(super) fn keep_ordinary(runs: &mut Runs, step: f64, settings: &Settings) -> usize {
    let surplus = runs.len().saturating_sub(settings.most_samples.max(1));
    if surplus == 0 {
        return 0;
    }
    let factors = Measured::of(runs, step).factors(settings);
    if let Some(factors) = factors {
        // Sorting is stable, and the runs are in an order of their own.
        let mut order: Vec<usize> = (0..runs.len()).collect();
        order.sort_by(|&a, &b| factors[a].total_cmp(&factors[b]));
        order.truncate(runs.len() - surplus);
        order.sort_unstable();
        *runs = order
            .into_iter()
            .map(|i| std::mem::take(&mut runs[i]))
            .collect();
    } else {
        runs.truncate(runs.len() - surplus);
    }
    surplus
}

/// What runs are compared by.
struct Measured {
    durations: Vec<f64>,
    volumes: Vec<f64>,
}

impl Measured {
    fn of(runs: &Runs, step: f64) -> Self {
        let duration = |(_, rates): &(usize, Vec<f64>)| step * rates.len() as f64;
        let volume = |(_, rates): &(usize, Vec<f64>)| step * rates.iter().sum::<f64>();
        Self {
            durations: runs.iter().map(duration).collect(),
            volumes: runs.iter().map(volume).collect(),
        }
    }

    /// Which runs are about as long as most, and move about as much.
    fn ordinary(&self) -> Vec<bool> {
        let middle = [&self.durations, &self.volumes].map(|values| median(&mut values.clone()));
        let near = |x: f64, middle: f64| (x - middle).abs() <= ALIKE * middle;
        let both = self.durations.iter().zip(&self.volumes);
        both.map(|(&duration, &volume)| near(duration, middle[0]) && near(volume, middle[1]))
            .collect()
    }

    /// The local outlier factor of each run; none where there are too few.
    fn factors(&self, settings: &Settings) -> Option<Vec<f64>> {
        let count = self.durations.len();
        if count < FEWEST {
            return None;
        }
        let scaled = [standardised(&self.durations), standardised(&self.volumes)];
        let points: Vec<Point> = (0..count).map(|i| [scaled[0][i], scaled[1][i]]).collect();
        let usual = (count / 2 - 1).min(MOST_NEIGHBOURS);
        let neighbours = settings.outlier_neighbours.unwrap_or(usual).clamp(2, 1000);
        LocalOutlierFactors::of(&points, neighbours).map(|lof| lof.factors)
    }
}

/// Distances from the mean, in deviations; all 0 where nothing deviates.
fn standardised(values: &[f64]) -> Vec<f64> {
    let (mean, deviation) = (mean(values), deviation(values));
    // What differs by rounding alone does not differ.
    if deviation <= 1e-12 * mean.abs() {
        return vec![0.0; values.len()];
    }
    values.iter().map(|x| (x - mean) / deviation).collect()
}
