//! Whether the servers' clocks show another time than the scheduler's.

use super::mined::CLOCKS;
use iotempo_analysis::runs::{Cutter, Run, Side};
use iotempo_analysis::signature::Signature;
use iotempo_model::Warning;

/// The share of the runs beside which the log must be known, and how many at the least.
const KNOWN: f64 = 0.6;
const FEWEST: usize = 3;

/// The part of the least burst that must be there. What is read first is mostly read at once, and less than what is
/// written: before the start, less is enough.
const PART: f64 = 0.5;
const SMALLER: f64 = 0.25;

/// What to say where servers move as much as in a burst beside runs, at the same moment in most of them.
pub(super) fn clocks_may_differ(
    cutter: &Cutter<'_>,
    runs: &[&Run],
    busy: &[(f64, f64)],
    found: &Signature,
) -> Option<Warning> {
    let step_s = runs.first()?.step_s;
    let enough = ((KNOWN * runs.len() as f64).ceil() as usize).max(FEWEST);
    let goes_on = |side: Side, part: f64| {
        let next_to = |run: &&Run| cutter.next_to(run, side, busy);
        let rows: Vec<Vec<f64>> = runs.iter().filter_map(next_to).collect();
        found.goes_on_in(&rows, enough, step_s, part)
    };
    let (after, before) = (goes_on(Side::After, PART), goes_on(Side::Before, PART));
    // What is as small on both sides comes and goes beside the runs, and is of others.
    let is_input = || goes_on(Side::Before, SMALLER) && !goes_on(Side::After, SMALLER);
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
