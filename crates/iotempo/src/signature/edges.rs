//! Whether the servers' clocks show another time than the scheduler's.

use super::mined::CLOCKS;
use iotempo_analysis::runs::{Cutter, Run, Side};
use iotempo_analysis::signature::{Signature, SignatureBurst};
use iotempo_model::Warning;

/// The share of the runs beside which the log must be known, and how many at the least.
const KNOWN: f64 = 0.6;
const FEWEST: usize = 3;

/// What is read first is mostly read at once, and less than what is written: before the start it is compared with this
/// share of the least burst, though not with less than that of the mean one.
const SMALLER: f64 = 0.5;
const OF_MEAN: f64 = 0.3;

/// What to say where servers move as much as in a burst beside runs, at the same moment in most of them.
pub(super) fn clocks_may_differ(
    cutter: &Cutter<'_>,
    runs: &[&Run],
    busy: &[(f64, f64)],
    found: &Signature,
) -> Option<Warning> {
    let step_s = runs.first()?.step_s;
    let enough = ((KNOWN * runs.len() as f64).ceil() as usize).max(FEWEST);
    let goes_on = |side: Side, found: &Signature| {
        let next_to = |run: &&Run| cutter.next_to(run, side, busy);
        let rows: Vec<Vec<f64>> = runs.iter().filter_map(next_to).collect();
        found.goes_on_in(&rows, enough, step_s)
    };
    let (after, before) = (goes_on(Side::After, found), goes_on(Side::Before, found));
    // What is as small on both sides comes and goes beside the runs, and is of others.
    let is_input = || {
        let found = smaller(found);
        goes_on(Side::Before, &found) && !goes_on(Side::After, &found)
    };
    let burst = "about as much as in a burst";
    let (place, much, doubt) = match (after, before) {
        (true, false) => ("just after runs end", burst, "ahead of"),
        (false, true) => ("just before runs start", burst, "behind"),
        // Runs follow each other so soon that it is both.
        (true, true) => ("between runs", burst, "ahead of or behind"),
        (false, false) if is_input() => ("just before runs start", "a smaller burst", "behind"),
        (false, false) => return None,
    };
    let message = format!(
        "{place}, servers move {much}, at the same moment in most: are their clocks {doubt} the scheduler's \
         (--clocks-ahead), or a zone not the right one?"
    );
    Some(Warning::new(CLOCKS, message))
}

/// The same bursts, each as small as one outside of the runs may be.
fn smaller(found: &Signature) -> Signature {
    let bytes = found.bursts.iter().map(|burst| burst.bytes);
    let mean = bytes.clone().sum::<f64>() / found.bursts.len().max(1) as f64;
    let bytes = (SMALLER * bytes.fold(mean, f64::min)).max(OF_MEAN * mean);
    let small = |burst: &SignatureBurst| SignatureBurst { bytes, ..*burst };
    Signature {
        bursts: found.bursts.iter().map(small).collect(),
        ..found.clone()
    }
}
