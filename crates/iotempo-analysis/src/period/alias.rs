//! Rhythms that are too fast for the samples.

use super::finding::Alias;
use super::numbers::{running_sums, sum_of};
use super::spectral::Lines;
use iotempo_model::Seconds;

/// Periods of fewer samples than this may be aliases of faster ones.
const SLOWEST: f64 = 5.0;
/// Periods of fewer samples than this are not even shown as such.
pub(super) const UNRESOLVED: f64 = 3.0;
/// How far above the usual the power of a fast line must be.
const ABOVE: f64 = 10.0;

/// What a period in samples could be, seen at this step.
pub(super) fn of(period: f64, step: Seconds) -> Option<Alias> {
    let rate = 1.0 / step.get();
    let apparent = 1.0 / (period * step.get());
    let seconds = |hertz: f64| Seconds::new(1.0 / hertz);
    // Two samples a period are the most that there can be: nothing faster looks like that.
    if period <= 2.0 {
        return None;
    }
    Some(Alias {
        apparent: seconds(apparent)?,
        step,
        could_be: [seconds(rate - apparent)?, seconds(rate + apparent)?],
    })
}

/// A line of a few samples' period that stands far above its surroundings, in samples: the steps
/// inside phases, say. Phases that begin at any time blur it over as many bins as there are phases.
pub(super) fn fast_line(lines: &Lines, phases: f64) -> Option<f64> {
    let first = (lines.samples as f64 / SLOWEST).ceil() as usize;
    let fast = lines.power.get(first..)?;
    let width = (phases.ceil() as usize).clamp(3, (fast.len() / 8).max(3));
    if fast.len() < 2 * width {
        return None;
    }
    let sums = sums_of(width, fast);
    let top = (0..sums.len()).max_by(|a, b| sums[*a].total_cmp(&sums[*b]))?;
    let far_below = |sum: &&f64| ABOVE * **sum <= sums[top];
    if sums.iter().filter(far_below).count() <= sums.len() / 2 {
        return None;
    }
    // The middle of what was summed.
    let blurred = &fast[top..top + width];
    let middle = sum_of(blurred, |k, power| k * power) / sum_of(blurred, |_, power| power);
    Some(lines.samples as f64 / (first as f64 + top as f64 + middle))
}

/// The sums of every `width` neighbours.
fn sums_of(width: usize, values: &[f64]) -> Vec<f64> {
    let until = running_sums(values);
    let pairs = until[width..].iter().zip(&until);
    pairs.map(|(to, from)| to - from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_of_1_36_s_looks_like_3_78_s_once_a_second() {
        let step = Seconds::new(1.0).expect("finite");
        let alias = of(1.0 / (1.0 - 1.0 / 1.36), step).expect("a period");
        assert!((alias.could_be[0].get() - 1.36).abs() < 1e-9);
        assert!((alias.apparent.get() - 3.78).abs() < 0.01);
    }

    #[test]
    fn sums_slide() {
        assert_eq!(sums_of(2, &[1.0, 2.0, 4.0, 8.0]), [3.0, 6.0, 12.0]);
        assert_eq!(sums_of(2, &[1.0, 2.0]), [3.0]);
    }

    #[test]
    fn fast_steps_inside_phases_stand_out_and_noise_does_not() {
        // A step of 3.7 samples in the first half of every 100.
        let steps = |i: usize| (i % 100 < 50) && ((i as f64) % 3.7) < 1.0;
        let samples: Vec<f64> = (0..2000).map(|i| f64::from(u8::from(steps(i)))).collect();
        let found = fast_line(&Lines::of(&samples), 20.0).expect("a line");
        assert!((found - 3.7).abs() < 0.05, "{found}");
        let noise: Vec<f64> = (0..2000_u64)
            .map(|i| (i * i * 7919 % 1009) as f64)
            .collect();
        assert_eq!(fast_line(&Lines::of(&noise), 20.0), None);
        assert_eq!(fast_line(&Lines::default(), 20.0), None);
    }
}
