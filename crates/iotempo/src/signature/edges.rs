//! Whether the servers' clocks show another time than the scheduler's.
//!
//! Where they do, what an application moves last lies behind the end of every run, or what it moves first before the
//! start. Others write at such times, too, but not beside most runs.

use iotempo_analysis::runs::{Cutter, Run};
use iotempo_analysis::signature::Signature;
use iotempo_model::{JobRecord, Warning};

/// How far beside a run is looked, as a share of its length, and in steps of the log: what most runs have beside them
/// takes as much to tell from what nobody has.
const FAR: f64 = 0.2;
const LEAST_STEPS: f64 = 12.0;

/// How many of the runs must be known there, and how many at the least.
const KNOWN: f64 = 0.6;
const FEWEST: usize = 3;

/// The part of the least burst that must be there, and of the mean one: ripples are no bursts.
const PART: f64 = 0.5;
const PART_OF_MEAN: f64 = 0.15;

/// What to say where servers move as much as in a burst beside most runs, at the same moment in each.
pub(super) fn clocks_may_differ(
    cutter: &Cutter<'_>,
    runs: &[&Run],
    busy: &[(f64, f64)],
    found: &Signature,
) -> Option<Warning> {
    let bursts = found.bursts.len().max(1) as f64;
    let mean = found.bytes() / bursts;
    let bytes = found.bursts.iter().map(|burst| burst.bytes);
    let least = (PART * bytes.fold(mean, f64::min)).max(PART_OF_MEAN * mean);
    let beside = |after: bool| {
        let rows: Vec<Vec<f64>> = runs
            .iter()
            .filter_map(|run| stretch(cutter, run, busy, after))
            .collect();
        let known = ((KNOWN * runs.len() as f64).ceil() as usize).max(FEWEST);
        runs[0].step_s * common(rows, known) >= least
    };
    let (place, doubt) = match (beside(true), beside(false)) {
        (true, false) => ("just after most runs end", "ahead of"),
        (false, true) => ("just before most runs start", "behind"),
        // Runs follow each other so soon that it is both.
        (true, true) => ("between most runs", "ahead of or behind"),
        (false, false) => return None,
    };
    let message = format!(
        "{place}, servers move about as much as in a burst: are their clocks {doubt} the scheduler's (--clocks-ahead), or \
         a zone not the right one?"
    );
    Some(Warning::new("clocks-may-differ", message))
}

/// What servers moved beside a run until another one was in progress, the nearest first.
fn stretch(cutter: &Cutter<'_>, run: &Run, busy: &[(f64, f64)], after: bool) -> Option<Vec<f64>> {
    let lasts = run.step_s * run.rates.len() as f64;
    let far = (FAR * lasts).max(LEAST_STEPS * run.step_s);
    // A step between: clocks are never quite the same, and servers write a little later.
    let edge = match after {
        true => run.start_s + lasts + run.step_s,
        false => run.start_s - run.step_s,
    };
    if busy.iter().any(|(start, end)| *start < edge && *end > edge) {
        return None;
    }
    let (from, to) = if after {
        let next = busy.iter().map(|(start, _)| *start);
        let next = next.filter(|start| *start >= edge);
        (edge, next.fold(edge + far, f64::min))
    } else {
        let last = busy.iter().map(|(_, end)| *end);
        let last = last.filter(|end| *end <= edge);
        (last.fold(edge - far, f64::max), edge)
    };
    let span = JobRecord {
        start_epoch_s: Some(from),
        end_epoch_s: Some(to),
        ..JobRecord::default()
    };
    let mut rates = cutter.with_whole_steps_only().cut(0, &span).ok()?.rates;
    if !after {
        rates.reverse();
    }
    (rates.len() as f64 >= LEAST_STEPS).then_some(rates)
}

/// What most rows have at the same place beyond what they have at their least, as far as enough of them reach.
fn common(mut rows: Vec<Vec<f64>>, enough: usize) -> f64 {
    rows.sort_by_key(|row| std::cmp::Reverse(row.len()));
    let length = rows.get(enough - 1).map_or(0, Vec::len);
    let rows = rows.iter().filter(|row| row.len() >= length);
    let rows: Vec<&Vec<f64>> = rows.collect();
    let medians = (0..length).map(|at| median(rows.iter().map(|row| row[at]).collect()));
    let medians: Vec<f64> = medians.collect();
    let low = median(medians.clone());
    medians.iter().map(|rate| (rate - low).max(0.0)).sum()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
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
        assert_eq!(common([5, 5, 5, 20].map(row).into(), 3), 24.0);
        assert_eq!(common([2, 9, 16, 23].map(row).into(), 3), 0.0);
        // One run has little time beside it.
        let short = [row(5), row(5), row(5), vec![1.0; 12]];
        assert_eq!(common(short.into(), 3), 24.0);
        assert_eq!(common([row(5), row(5)].into(), 3), 0.0);
    }
}
