//! What others move while an application does not run.

use super::cut::{Cutter, Run};
use iotempo_model::JobRecord;

/// So many steps from a run are left out: clocks differ, and servers write a little later than a job does.
const MARGIN_STEPS: f64 = 2.0;

/// So many steps on either side of a run are looked at in any case: beside a short run, as many as it has tell
/// little.
const LEAST_STEPS: usize = 100;

impl Cutter<'_> {
    /// What servers moved for as long before and behind each run as it lasts, and a little longer where it is short,
    /// wherever none of the jobs that are `busy`, from their starts to their ends, was in progress. Stretches that the log does not have whole are left
    /// out.
    #[must_use]
    pub fn beside(&self, runs: &[Run], busy: &[(f64, f64)]) -> Vec<Vec<f64>> {
        let Some(margin) = runs.first().map(|run| MARGIN_STEPS * run.step_s) else {
            return Vec::new();
        };
        let around = runs.iter().map(|run| {
            let length = run.step_s * run.rates.len() as f64;
            let far = run.step_s * run.rates.len().max(LEAST_STEPS) as f64;
            (run.start_s - far, run.start_s + length + far)
        });
        let widened = busy
            .iter()
            .map(|(start, end)| (start - margin, end + margin));
        let free = without(&joined(around.collect()), &joined(widened.collect()));
        let cut = |(start, end): &(f64, f64)| {
            let stretch = JobRecord {
                start_epoch_s: Some(*start),
                end_epoch_s: Some(*end),
                ..JobRecord::default()
            };
            Some(self.with_whole_steps_only().cut(0, &stretch).ok()?.rates)
        };
        free.iter().filter_map(cut).collect()
    }
}

/// Stretches of time that do not touch, in order.
fn joined(mut stretches: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    stretches.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut joined: Vec<(f64, f64)> = Vec::with_capacity(stretches.len());
    for (start, end) in stretches {
        match joined.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}

/// What of these stretches lies in none of those; both are in order and do not touch.
fn without(stretches: &[(f64, f64)], those: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut left = Vec::new();
    let mut behind = 0;
    for &(start, end) in stretches {
        while behind < those.len() && those[behind].1 <= start {
            behind += 1;
        }
        let mut from = start;
        for &(taken, free) in &those[behind..] {
            if taken >= end {
                break;
            }
            if taken > from {
                left.push((from, taken));
            }
            from = from.max(free);
        }
        if from < end {
            left.push((from, end));
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_a_time_is_where_nobody_runs() {
        let around = joined(vec![(50.0, 80.0), (0.0, 30.0), (20.0, 40.0)]);
        assert_eq!(around, [(0.0, 40.0), (50.0, 80.0)]);
        let busy = joined(vec![(-5.0, 2.0), (10.0, 15.0), (35.0, 55.0), (90.0, 95.0)]);
        let free = [(2.0, 10.0), (15.0, 35.0), (55.0, 80.0)];
        assert_eq!(without(&around, &busy), free);
        assert_eq!(without(&around, &[]), around);
        assert_eq!(without(&around, &[(-10.0, 100.0)]), []);
    }
}
