//! The report: one page about one application.

use super::clash::Compared;
use super::logs::Logs;
use super::mined::Mined;
use super::result::Stated;
use super::select::Question;
use super::told_run::ToldRun;
use crate::cli::Units;
use crate::report::{setting_facts, write_bytes};
use crate::servers::LogSource;
use iotempo_analysis::period::Detector;
use iotempo_model::Warning;
use iotempo_report::signature::{Beside, RejectedJobs, RunPart, ShownLog, ShownRun, SignaturePage};
use std::path::Path;

/// Writes the page.
pub(super) fn write(
    path: &Path,
    mined: &Mined,
    logs: &Logs,
    compared: &[Compared],
    question: &Question,
    units: Units,
) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    page(mined, logs, compared, question, units).write_into(&mut bytes)?;
    write_bytes(path, &bytes)
}

fn page(
    mined: &Mined,
    logs: &Logs,
    compared: &[Compared],
    question: &Question,
    units: Units,
) -> SignaturePage {
    let found = mined.finding.signature().cloned();
    SignaturePage {
        application: mined.application.label(),
        signature: found.ok_or_else(|| mined.why_not().unwrap_or_default()),
        period: mined.period.clone(),
        threshold: Detector::default().threshold,
        jobs: mined.jobs,
        runs: runs(mined, logs),
        overlapping: mined.overlapping,
        rejected: rejected(mined, logs),
        background: mined.finding.background,
        compared: compared
            .iter()
            .map(|one| Beside {
                log: one.input.clone(),
                clash: one.clash.clone(),
            })
            .collect(),
        moved: match question.op {
            "both" => "read and write".to_owned(),
            one => one.to_owned(),
        },
        interval_s: logs.throughput.step(),
        targets: logs.throughput.targets().len(),
        logs: logs.sources.iter().map(log).collect(),
        warnings: warnings(mined, logs),
        settings: setting_facts(&Stated::new(question, logs))
            .into_iter()
            // Logs and warnings have places of their own, and there may be thousands of targets.
            .filter(|fact| !["logs", "targets", "warnings"].contains(&fact.name.as_str()))
            .collect(),
        tool: concat!("iotempo ", env!("IOTEMPO_VERSION")).to_owned(),
        units: units.into(),
    }
}

/// All runs, each with its part in the signature.
fn runs(mined: &Mined, logs: &Logs) -> Vec<ShownRun> {
    let part = |place: usize, run: &ToldRun| match run.used {
        Some(used) => RunPart::Used(bursts(mined, used)),
        None => {
            let mut outliers = mined.finding.outliers.iter();
            let why = outliers.find(|outlier| outlier.place == place);
            RunPart::LeftOut(why.map_or_else(String::new, |why| why.reason.clone()))
        }
    };
    let run = |(place, run): (usize, &ToldRun)| ShownRun {
        job: logs.jobs[run.job].id.clone(),
        start_epoch_s: run.start_s,
        step_s: run.step_s,
        rates: run.rates.clone().unwrap_or_default(),
        filled: run.filled,
        part: part(place, run),
    };
    mined.runs.iter().enumerate().map(run).collect()
}

/// The bursts of a run that was used, and which common ones they are.
fn bursts(
    mined: &Mined,
    place: usize,
) -> Vec<(iotempo_analysis::signature::SampleBurst, Option<usize>)> {
    let Some(bursts) = mined.finding.sample_bursts.get(place) else {
        return Vec::new();
    };
    let common = match mined.finding.signature() {
        Some(found) => found.places_of(bursts),
        None => vec![None; bursts.len()],
    };
    bursts.iter().copied().zip(common).collect()
}

fn rejected(mined: &Mined, logs: &Logs) -> Vec<RejectedJobs> {
    let id = |job: &usize| logs.jobs[*job].id.clone();
    let reasons = mined.reasons().into_iter();
    reasons
        .map(|reason| RejectedJobs {
            reason: reason.text,
            jobs: reason.jobs.iter().map(id).collect(),
        })
        .collect()
}

fn log(log: &LogSource) -> ShownLog {
    ShownLog {
        input: log.input.clone(),
        sha256: log.sha256.clone(),
        kind: log.kind.to_owned(),
        format: log.format.clone(),
        rows: log.rows,
        interval_s: log.interval_s,
        unit: log.unit.clone(),
        zone: log.zone.clone(),
        damaged: log.damaged,
    }
}

fn warnings(mined: &Mined, logs: &Logs) -> Vec<Warning> {
    let unread = logs.failures.iter();
    let unread = unread.map(|failure| Warning::new("not-read", failure.to_string()));
    let found = mined.finding.warnings.iter().cloned();
    let is_found = |text: &String| mined.finding.warnings.iter().any(|it| it.message == *text);
    let about_logs = logs.told().filter(|text| !is_found(text));
    let about_logs = about_logs.map(|text| Warning::new("logs", text));
    unread.chain(about_logs).chain(found).collect()
}
