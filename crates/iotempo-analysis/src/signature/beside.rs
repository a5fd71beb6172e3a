//! What others move around a burst, while it lasts.
//!
//! The lowest rates of a run tell how busy others are at their least. What they usually move is more, and
//! differs from hour to hour: a volume would hold what they move meanwhile. So it is measured beside each
//! burst, in each sample, and taken away.

use super::numbers::{column_medians, mean, median};
use super::template::{Common, EDGE, Template};
use std::ops::Range;

/// A burst is where it reaches this share of its height.
const CORE: f64 = 0.5;

/// Beside it is where the template rises above its lowest by no more than this share of the burst's height: what is
/// higher is the burst's own.
const LOW: f64 = EDGE;

/// How far beside a burst others are looked at: so many times its length, and so many points at least.
const FAR: usize = 2;
const FARTHER: usize = 30;

/// Fewer points tell nothing.
const FEWEST: usize = 8;

/// Sides that differ by less than this share of the burst's height differ as others always do.
const ALIKE: f64 = 0.1;

/// Takes what others move out of the bursts of aligned samples, and makes the template's rates anew of them.
pub(super) fn take_out(template: &mut Template, aligned: &mut [Vec<f64>]) {
    let cores: Vec<Range<usize>> = template
        .bursts
        .iter()
        .map(|burst| core(burst, &template.rates))
        .collect();
    let sides: Vec<[Vec<usize>; 2]> = (0..cores.len())
        .map(|k| {
            let from = k.checked_sub(1).map_or(0, |before| cores[before].end);
            let until = cores.get(k + 1).map_or(template.rates.len(), |c| c.start);
            sides(&template.rates, &cores[k], from..until)
        })
        .collect();
    let height = |core: &Range<usize>| {
        template.rates[core.clone()]
            .iter()
            .copied()
            .fold(0.0, f64::max)
    };
    let heights: Vec<f64> = cores.iter().map(height).collect();
    for sample in aligned.iter_mut() {
        // What lies beside one burst may belong to the extent of the next: look first, then take.
        let levels: Vec<f64> = sides
            .iter()
            .zip(&heights)
            .map(|(sides, height)| level(sample, sides, *height))
            .collect();
        for (burst, level) in template.bursts.iter().zip(levels) {
            for rate in &mut sample[burst.start..=burst.end] {
                *rate = (*rate - level).max(0.0);
            }
        }
    }
    template.rates = column_medians(aligned, template.rates.len());
}

/// The points from the first to the last where a burst is high.
fn core(burst: &Common, rates: &[f64]) -> Range<usize> {
    let own = &rates[burst.start..=burst.end];
    let high = CORE * own.iter().copied().fold(0.0, f64::max);
    let is_high = |rate: &f64| *rate >= high;
    let first = own.iter().position(is_high).unwrap_or(0);
    let last = own.iter().rposition(is_high).unwrap_or(own.len() - 1);
    burst.start + first..burst.start + last + 1
}

/// The points before and behind a burst where the template is low.
fn sides(rates: &[f64], core: &Range<usize>, within: Range<usize>) -> [Vec<usize>; 2] {
    let far = (FAR * core.len()).max(FARTHER);
    let before = core.start.saturating_sub(far).max(within.start)..core.start;
    let behind = core.end..(core.end + far).min(within.end).max(core.end);
    let peak = rates[core.clone()].iter().copied().fold(0.0, f64::max);
    let around = before.clone().chain(behind.clone());
    let lowest = around.map(|i| rates[i]).fold(peak, f64::min);
    let limit = lowest + LOW * (peak - lowest);
    [before, behind].map(|side| side.filter(|&i| rates[i] <= limit).collect())
}

/// What is usual on both sides, or on the one where enough is known. What is on one side alone is a burst of others,
/// which began or ended about there: at the burst it is in some samples, and in no median.
fn level(sample: &[f64], sides: &[Vec<usize>; 2], height: f64) -> f64 {
    let known = sides.iter().filter(|side| side.len() >= FEWEST);
    let usual =
        known.map(|side| median(&mut side.iter().map(|&i| sample[i]).collect::<Vec<f64>>()));
    let usual: Vec<f64> = usual.collect();
    let least = usual.iter().copied().fold(f64::INFINITY, f64::min);
    let everywhere = usual
        .into_iter()
        .map(|rate| rate.min(least + ALIKE * height));
    mean(&everywhere.collect::<Vec<f64>>())
}

#[cfg(test)]
mod tests {
    use super::super::template::burst;
    use super::*;

    /// What is left of a sample of two bursts of 10 for ten points each, that reach to the trough between them,
    /// beside others that move this much.
    fn left(others: impl Fn(usize) -> f64) -> (Vec<f64>, Template) {
        let own = |i: usize| match i {
            10..20 | 40..50 => 10.0,
            _ => 0.0,
        };
        let seen: Vec<f64> = (0..60).map(|i| own(i) + others(i)).collect();
        let mut aligned = vec![seen.clone(); 3];
        let mut template = Template {
            rates: seen,
            bursts: vec![burst(5, 29), burst(30, 55)],
            timing: None,
            doubtful: 0,
        };
        take_out(&mut template, &mut aligned);
        (aligned.remove(0), template)
    }

    #[test]
    fn what_others_move_meanwhile_is_not_the_applications() {
        let (sample, template) = left(|_| 2.0);
        assert_eq!(template.rates, sample);
        // As much of the second burst as of the first.
        assert_eq!(sample[10..20], [10.0; 10]);
        assert_eq!(sample[40..50], [10.0; 10]);
        assert_eq!(sample[20..40], [0.0; 20]);
        // Where no burst is, nothing is taken.
        assert_eq!(sample[0], 2.0);
    }

    #[test]
    fn it_is_measured_beside_each_burst() {
        let (sample, _) = left(|i| if i < 30 { 1.0 } else { 1.5 });
        // Between the bursts 1.25 is usual; 1 is before the first of them, and 1.5 behind the second.
        assert_eq!(sample[10..20], [9.875; 10]);
        assert_eq!(sample[40..50], [10.125; 10]);
    }

    #[test]
    fn what_is_on_one_side_alone_is_a_burst_of_others() {
        let own = |i: usize| if (40..50).contains(&i) { 10.0 } else { 0.0 };
        let alone: Vec<f64> = (0..90).map(own).collect();
        let beside: Vec<f64> = (0..90)
            .map(|i| if i < 40 { own(i) + 8.0 } else { own(i) })
            .collect();
        let mut template = Template {
            rates: alone.clone(),
            bursts: vec![burst(40, 49)],
            timing: None,
            doubtful: 0,
        };
        let mut aligned = vec![beside.clone(), beside, alone];
        take_out(&mut template, &mut aligned);
        // A tenth of its height more on one side is what differs anyway.
        assert_eq!(template.rates[40..50], [9.5; 10]);
    }

    #[test]
    fn a_burst_without_anything_beside_it_stays_as_it_is() {
        let mut aligned = vec![vec![4.0; 12]; 3];
        let mut template = Template {
            rates: vec![4.0; 12],
            bursts: vec![burst(0, 11)],
            timing: None,
            doubtful: 0,
        };
        take_out(&mut template, &mut aligned);
        assert_eq!(template.rates, [4.0; 12]);
    }
}
