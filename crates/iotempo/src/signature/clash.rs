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
use std::collections::HashSet;

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
    let known = &logs.throughput;
    let targets: HashSet<&Target> = known.targets().iter().collect();
    let shared = log
        .targets()
        .iter()
        .filter(|target| targets.contains(target));
    let shared: Vec<&Target> = shared.collect();
    let named = shared.iter().any(|target| target.is_unique());
    let is_within = |run: &&ToldRun| {
        let start = run.start_s + question.clocks_ahead_s;
        let both = common_steps(log, known, (start, start + run.length_s()));
        both.is_some_and(|both| named || is_same(log, known, both, &question.ops))
    };
    let runs = mined.runs.iter().filter(is_within).count();
    let message = format!(
        "{} of the application itself in this log: what they moved is in the load that is told",
        plural(runs as u64, "run")
    );
    (!shared.is_empty() && runs > 0).then(|| Warning::new("own-runs", message))
}

/// From when to when two logs both have whole steps of this time.
fn common_steps(one: &Binned, other: &Binned, (start, end): (f64, f64)) -> Option<(f64, f64)> {
    let within = |(from, to): (f64, f64), log: &Binned| {
        let (first, last) = log.span()?;
        let (from, to) = (from.max(log.time_of(first)), to.min(log.time_of(last)));
        let (first, steps) = log.steps_inside(from, to);
        let behind = first.saturating_add_unsigned(steps as u64);
        (steps > 0).then(|| (log.time_of(first), log.time_of(behind)))
    };
    // What lies within whole steps of the coarser is whole in both, or nearly.
    let mut logs = [one, other];
    logs.sort_by(|a, b| a.step().unwrap_or(0.0).total_cmp(&b.step().unwrap_or(0.0)));
    logs.into_iter().try_fold((start, end), within)
}

/// How far two logs of the same may differ.
const SAME: f64 = 0.02;

/// Whether two logs that do not say what they are of tell of the same bytes.
fn is_same(one: &Binned, other: &Binned, (start, end): (f64, f64), ops: &[Op]) -> bool {
    let moved = |log: &Binned| {
        let (first, steps) = log.steps_inside(start, end);
        log.step().unwrap_or_default() * log.rates(first, steps, ops).iter().sum::<f64>()
    };
    let (one, other) = (moved(one), moved(other));
    one > 0.0 && (one - other).abs() <= SAME * one
}
