//! What is said beside a result for what is known of the logs behind it.

use super::logs::Logs;
use super::mined::Mined;
use crate::servers::LogSource;
use iotempo_model::Warning;

/// What logs say of rows whose times go back: intervals, and what jobs lack, are then guesses.
const BACKWARDS: [&str; 2] = ["clock-backwards", "clock-set-back"];

/// Warnings of logs that change how far to believe what was found of an application, or why nothing was.
pub(super) fn of_logs(mined: &Mined, logs: &Logs) -> Vec<Warning> {
    let of = |kind: &'static str| logs.sources.iter().filter(move |log| log.kind == kind);
    let damaged = of("server").filter(|log| log.damaged).map(damaged);
    let unordered = of("server").filter(|_| mined.finding.signature().is_none());
    let unordered = unordered.flat_map(|log| own(log, &BACKWARDS));
    let own_runs = of("compared").flat_map(|log| own(log, &["own-runs"]));
    damaged.chain(unordered).chain(own_runs).collect()
}

fn damaged(log: &LogSource) -> Warning {
    let message = format!(
        "{} is cut off or damaged: what is lost may be whole series, and volumes too small",
        log.input
    );
    Warning::new("log-damaged", message)
}

/// Those of a log's own warnings that have one of these codes.
fn own(log: &LogSource, codes: &[&str]) -> Vec<Warning> {
    let told = log.warnings.iter();
    let told = told.filter(|warning| codes.contains(&&*warning.code));
    told.map(|warning| Warning {
        code: warning.code.clone(),
        message: format!("{}: {}", log.input, warning.message),
    })
    .collect()
}
