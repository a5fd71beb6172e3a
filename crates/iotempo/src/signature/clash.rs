//! Logs of servers that a signature is laid beside.

use super::args::SignatureArgs;
use super::logs::Logs;
use super::mined::Mined;
use super::one;
use super::select::Question;
use super::told_run::ToldRun;
use crate::human::plural;
use crate::servers::{Counting, LogSource, opened};
use crate::talk::Talk;
use iotempo_analysis::signature::Clash;
use iotempo_formats::server;
use iotempo_model::{Binned, Op, Target, Warning};
use serde::Serialize;

/// What a signature would meet in one log.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Compared {
    pub(super) input: String,
    /// `None` where the log is nowhere whole for as long as the signature.
    pub(super) clash: Option<Clash>,
}

/// Lays the signature beside each log that is to be compared, that with which it collides least first. A
/// log that cannot be read is a failure, and the others are compared all the same.
///
/// # Errors
/// Where there are several signatures.
pub(super) fn clashes(
    words: &SignatureArgs,
    question: &Question,
    mined: &[Mined],
    logs: &mut Logs,
    talk: &Talk,
) -> anyhow::Result<Vec<Compared>> {
    if words.compare.is_empty() {
        return Ok(Vec::new());
    }
    let Some(signature) = one(mined, "--compare")?.finding.signature() else {
        talk.warn("--compare: there is no signature to compare");
        return Ok(Vec::new());
    };
    let mut compared = Vec::new();
    for opened in opened(&words.compare)? {
        let mut log = Binned::new();
        let read = logs.take_compared(opened, talk, |input| {
            let mut sink = Counting::new(&mut log, talk);
            let reading = server::read(input, &question.log_options, &mut sink)?;
            Ok(LogSource {
                kind: "compared",
                ..LogSource::of(reading)
            })
        });
        let Some(mut source) = read else {
            continue;
        };
        log.finish();
        let own = own_runs(one(mined, "--compare")?, logs, &log, question);
        source.warnings.extend(own);
        for warning in &source.warnings {
            talk.warn(format!("{}: {}", source.input, warning.message));
        }
        let clash = Clash::of(&signature.rates, signature.step_s, &log, &question.ops);
        compared.push(Compared {
            input: source.input.clone(),
            clash,
        });
        logs.sources.push(source);
    }
    let met = |one: &Compared| {
        one.clash
            .as_ref()
            .map_or(f64::INFINITY, |clash| clash.met_bytes_per_s)
    };
    compared.sort_by(|a, b| met(a).total_cmp(&met(b)));
    Ok(compared)
}

/// What to say where a log of the same targets holds runs that the signature is made of.
fn own_runs(mined: &Mined, logs: &Logs, log: &Binned, question: &Question) -> Option<Warning> {
    let (first, last) = log.span()?;
    let (from, to) = (log.time_of(first), log.time_of(last));
    let known = &logs.throughput;
    let shared = |target: &&Target| known.targets().contains(target);
    let shared: Vec<&Target> = log.targets().iter().filter(shared).collect();
    // Logs that name nothing may be of anything: it is the same where as much was moved.
    let named = shared
        .iter()
        .any(|target| !target.server.is_empty() || !target.name.is_empty());
    let is_within = |run: &&ToldRun| {
        let start = run.start_s + question.clocks_ahead_s;
        let end = start + run.length_s();
        let [here, there] = [log, known].map(|log| moved(log, start, end, &question.ops));
        let same = named || (here - there).abs() <= SAME * there;
        start < to && end > from && same
    };
    let runs = mined.runs.iter().filter(is_within).count();
    let message = format!(
        "{} of the application itself in this log: what they moved is in the load that is told",
        plural(runs as u64, "run")
    );
    (!shared.is_empty() && runs > 0).then(|| Warning::new("own-runs", message))
}

/// How far two logs of the same may differ by the length of their steps.
const SAME: f64 = 0.02;

/// The bytes that a log tells of a time.
fn moved(log: &Binned, start: f64, end: f64, ops: &[Op]) -> f64 {
    let (first, steps) = log.steps_inside(start, end);
    log.step().unwrap_or_default() * log.rates(first, steps, ops).iter().sum::<f64>()
}
