//! Whether bursts are those of somebody who writes by the clock.

use iotempo_analysis::runs::{Cutter, Run};
use iotempo_analysis::signature::SignatureFinding;
use iotempo_model::Warning;
use iotempo_report::quantity::duration;

/// What to say of bursts that come by the clock while no run is in progress, too, where runs start by the clock.
pub(super) fn by_the_clock(
    cutter: &Cutter<'_>,
    runs: &[&Run],
    busy: &[(f64, f64)],
    finding: &SignatureFinding,
) -> Option<Warning> {
    let found = finding.signature()?;
    let always = finding.background_around.unwrap_or(finding.background);
    let periods = cutter.by_the_clock(&found.bursts, runs, busy, always);
    let told: Vec<(usize, f64)> = periods
        .into_iter()
        .enumerate()
        .filter_map(|(k, period)| Some((k + 1, period?)))
        .collect();
    let every = told.iter().map(|(_, period)| *period).reduce(f64::min)?;
    let numbers: Vec<String> = told.iter().map(|(number, _)| number.to_string()).collect();
    let bursts = match numbers.as_slice() {
        [one] => format!("burst {one} moves"),
        many => format!("bursts {} move", many.join(", ")),
    };
    let message = format!(
        "runs start by the clock, and half or more of what {bursts} is moved at the same moment of every {} while none is in \
         progress, too, and seldom at others: it is probably another job's",
        duration(every)
    );
    Some(Warning::new("by-the-clock", message))
}
