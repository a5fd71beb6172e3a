//! Whether the servers' clocks show another time than the scheduler's.

use iotempo_analysis::runs::{Cutter, Run, Side};
use iotempo_analysis::signature::Signature;
use iotempo_model::Warning;

/// The share of the runs beside which the log must be known, and how many at the least.
const KNOWN: f64 = 0.6;
const FEWEST: usize = 3;

/// What to say where servers move as much as in a burst beside runs, at the same moment in most of them.
pub(super) fn clocks_may_differ(
    cutter: &Cutter<'_>,
    runs: &[&Run],
    busy: &[(f64, f64)],
    found: &Signature,
) -> Option<Warning> {
    let step_s = runs.first()?.step_s;
    let enough = ((KNOWN * runs.len() as f64).ceil() as usize).max(FEWEST);
    let goes_on = |side: Side| {
        let next_to = |run: &&Run| cutter.next_to(run, side, busy);
        let rows: Vec<Vec<f64>> = runs.iter().filter_map(next_to).collect();
        found.goes_on_in(&rows, enough, step_s)
    };
    let (place, doubt) = match (goes_on(Side::After), goes_on(Side::Before)) {
        (true, false) => ("just after runs end", "ahead of"),
        (false, true) => ("just before runs start", "behind"),
        // Runs follow each other so soon that it is both.
        (true, true) => ("between runs", "ahead of or behind"),
        (false, false) => return None,
    };
    let message = format!(
        "{place}, servers move about as much as in a burst, at the same moment in most: are their clocks {doubt} the \
         scheduler's (--clocks-ahead), or a zone not the right one?"
    );
    Some(Warning::new("clocks-may-differ", message))
}
