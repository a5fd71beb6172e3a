//! Whether the servers' clocks show another time than the scheduler's.
//!
//! Where they do, what an application moves last lies behind the end of every run, or what it moves first before the
//! start. Others write at such times, too, but not beside most runs.

use iotempo_analysis::runs::{Cutter, Run};
use iotempo_analysis::signature::Signature;
use iotempo_model::{JobRecord, Warning};

/// How far beside a run is looked, as a share of its length, and in steps of the log at least.
const FAR: f64 = 0.2;
const LEAST_STEPS: f64 = 12.0;

/// How many of the runs must be known there, and how many at the least.
const KNOWN: f64 = 0.6;
const FEWEST: usize = 3;

/// The part of a burst that must be there.
const PART: f64 = 0.5;

/// What to say where servers move as much as in a burst beside most runs, at the same moment in each.
pub(super) fn clocks_may_differ(
    cutter: &Cutter<'_>,
    runs: &[&Run],
    busy: &[(f64, f64)],
    found: &Signature,
) -> Option<Warning> {
    let bursts = found.bursts.len().max(1) as f64;
    let usual = found.bytes() / bursts;
    let beside = |after: bool| {
        let rows: Vec<Vec<f64>> = runs
            .iter()
            .filter_map(|run| stretch(cutter, run, busy, after))
            .collect();
        let enough = rows.len() >= FEWEST && rows.len() as f64 >= KNOWN * runs.len() as f64;
        enough && runs[0].step_s * common(&rows) >= PART * usual
    };
    let (where_, option) = match (beside(true), beside(false)) {
        (true, false) => ("just after most runs end", "ahead of"),
        (false, true) => ("just before most runs start", "behind"),
        _ => return None,
    };
    let message = format!(
        "{where_}, servers move about as much as in a burst: are their clocks {option} the scheduler's (--clocks-ahead), or \
         a zone not the right one?"
    );
    Some(Warning::new("clocks-may-differ", message))
}

/// What servers moved beside a run, where no other one was in progress.
fn stretch(cutter: &Cutter<'_>, run: &Run, busy: &[(f64, f64)], after: bool) -> Option<Vec<f64>> {
    let lasts = run.step_s * run.rates.len() as f64;
    let far = (FAR * lasts).max(LEAST_STEPS * run.step_s);
    let end = run.start_s + lasts;
    // A step between: clocks are never quite the same, and servers write a little later.
    let (from, to) = match after {
        true => (end + run.step_s, end + run.step_s + far),
        false => (run.start_s - run.step_s - far, run.start_s - run.step_s),
    };
    if busy.iter().any(|(start, end)| *start < to && *end > from) {
        return None;
    }
    let span = JobRecord {
        start_epoch_s: Some(from),
        end_epoch_s: Some(to),
        ..JobRecord::default()
    };
    let mut rates = cutter.with_whole_steps_only().cut(0, &span).ok()?.rates;
    if !after {
        rates.reverse();
    }
    Some(rates)
}

/// What most rows have at the same place beyond what they have at their least.
fn common(rows: &[Vec<f64>]) -> f64 {
    let length = rows.iter().map(Vec::len).min().unwrap_or_default();
    let median = |mut values: Vec<f64>| {
        values.sort_unstable_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    let medians = (0..length).map(|at| median(rows.iter().map(|row| row[at]).collect()));
    let medians: Vec<f64> = medians.collect();
    let low = median(medians.clone());
    medians.iter().map(|rate| (rate - low).max(0.0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_most_have_at_the_same_moment_is_common() {
        let row = |burst: usize| -> Vec<f64> {
            (0..30)
                .map(|at| {
                    if (burst..burst + 3).contains(&at) {
                        9.0
                    } else {
                        1.0
                    }
                })
                .collect()
        };
        assert_eq!(common(&[row(5), row(5), row(5), row(20)]), 24.0);
        assert_eq!(common(&[row(2), row(9), row(16), row(23)]), 0.0);
        assert_eq!(common(&[]), 0.0);
    }
}
