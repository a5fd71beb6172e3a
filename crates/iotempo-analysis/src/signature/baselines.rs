//! What signatures are compared with: medians, and samples merged by time warping.

use super::alignment;
use super::finding::Undetermined;
use super::numbers::{column_medians, resampled};
use super::samples::SampleSet;
use super::settings::{Settings, Warping};
use super::template::Template;
use crate::dtw;

/// The longest samples that are warped: time grows with the square.
const MOST_WARPED: usize = 100_000;

/// The median of all samples at each point, and its bursts.
pub(super) fn pointwise_median(set: &SampleSet, settings: &Settings) -> Template {
    let samples: Vec<&[f64]> = set.prepared.iter().map(|s| s.trimmed.as_slice()).collect();
    let rates = column_medians(&samples, set.length);
    segmented(rates, set, settings)
}

/// One sample after the other, merged by time warping in the order in which they were given.
pub(super) fn warped(
    set: &SampleSet,
    warping: Warping,
    settings: &Settings,
) -> Result<Template, Undetermined> {
    if set.length > MOST_WARPED {
        return Err(Undetermined::TooLong {
            points: set.length,
            most: MOST_WARPED,
        });
    }
    let mut samples: Vec<_> = set.prepared.iter().collect();
    samples.sort_by_key(|sample| sample.index);
    let mut samples = samples.into_iter();
    let mut merged = samples.next().map_or_else(Vec::new, |s| s.trimmed.clone());
    for (already, sample) in (1..).zip(samples) {
        let next = &sample.trimmed;
        if warping == Warping::Path && merged.len() > MOST_WARPED {
            return Err(Undetermined::TooLong {
                points: merged.len(),
                most: MOST_WARPED,
            });
        }
        let path = dtw::path(&merged, next).unwrap_or_default();
        let halfway = || path.iter().map(|&(i, j)| 0.5 * (merged[i] + next[j]));
        merged = match warping {
            Warping::Path => halfway().collect(),
            Warping::PathResampled => resampled(&halfway().collect::<Vec<f64>>(), set.length),
            Warping::Projected => {
                let mut sums = vec![(0.0, 0_u32); merged.len()];
                for &(i, j) in &path {
                    sums[i].0 += next[j];
                    sums[i].1 += 1;
                }
                let weight = f64::from(already);
                let mean = |(sum, count): (f64, u32)| sum / f64::from(count.max(1));
                let both = merged.iter().zip(sums);
                both.map(|(own, sum)| (weight * own + mean(sum)) / (weight + 1.0))
                    .collect()
            }
        };
    }
    Ok(segmented(merged, set, settings))
}

/// A curve with the bursts that any sample would be said to have, be they in many or few.
fn segmented(rates: Vec<f64>, set: &SampleSet, settings: &Settings) -> Template {
    let aligned: Vec<Vec<f64>> = set
        .prepared
        .iter()
        .map(|sample| {
            let mut rates_of = sample.trimmed.clone();
            rates_of.resize(rates.len(), 0.0);
            rates_of
        })
        .collect();
    let mut template = alignment::segmented(rates, &aligned, settings);
    template.measure(&aligned, &vec![f64::INFINITY; aligned.len()]);
    template
}
