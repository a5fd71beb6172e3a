//! What is said beside a result for what is known of the logs behind it.

use super::logs::Logs;
use super::mined::Mined;
use super::select::Question;
use crate::human::plural;
use crate::servers::LogSource;
use iotempo_model::Warning;

/// What logs say of times in an hour that clocks showed twice.
const TWICE: &str = "clock-set-back";

/// What logs say of rows whose times go back: intervals, and what jobs lack, are then guesses.
const BACKWARDS: [&str; 2] = ["clock-backwards", TWICE];

/// Warnings of logs that change how far to believe what was found of an application, or why nothing was.
pub(super) fn of_logs(mined: &Mined, logs: &Logs, question: &Question) -> Vec<Warning> {
    let of = |kind: &'static str| logs.sources.iter().filter(move |log| log.kind == kind);
    let damaged = of("server").filter(|log| log.damaged).map(damaged);
    let unordered = of("server").filter(|_| mined.finding.signature().is_none());
    let unordered = unordered.flat_map(|log| own(log, &BACKWARDS));
    let own_runs = of("compared").flat_map(|log| own(log, &["own-runs"]));
    let twice = of("jobs").any(|log| log.warnings.iter().any(|told| told.code == TWICE));
    let twice = twice.then(|| shown_twice(mined, logs, question)).flatten();
    let about_servers = damaged.chain(unordered).chain(own_runs);
    about_servers.chain(twice).collect()
}

/// Jobs of which an hour is a guess: they may seem to overlap, or to have moved nothing.
fn shown_twice(mined: &Mined, logs: &Logs, question: &Question) -> Option<Warning> {
    let zone = &question.job_options.zone;
    let of_runs = mined.runs.iter().map(|run| run.job);
    let of_others = mined.rejected.iter().map(|(job, _)| *job);
    let mut jobs: Vec<usize> = of_runs.chain(of_others).collect();
    jobs.retain(|&job| {
        let job = &logs.jobs[job];
        let times = [job.start_epoch_s, job.end_epoch_s];
        times.into_iter().flatten().any(|at| zone.shows_twice(at))
    });
    jobs.sort_unstable();
    let first = &logs.jobs[*jobs.first()?].id;
    let message = format!(
        "{}, such as {first}, {} in an hour that clocks of {zone} showed twice: where the log of jobs does not tell \
         which of both is meant, the first is taken, and runs may seem to overlap or to have moved something else",
        plural(jobs.len() as u64, "job"),
        if jobs.len() == 1 {
            "starts or ends"
        } else {
            "start or end"
        },
    );
    Some(Warning::new(TWICE, message))
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
