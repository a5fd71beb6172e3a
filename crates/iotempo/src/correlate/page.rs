//! The page about all groups.

use super::args::CorrelateArgs;
use super::group::{Jobs, Named};
use super::result::Stated;
use super::studied::{Literal, Studied, Verdict};
use super::words;
use crate::cli::{InputArgs, Units};
use crate::convert;
use crate::human::plural;
use crate::inputs::Inputs;
use crate::report::{check_name, setting_facts, write_bytes};
use crate::servers::LogSource;
use iotempo_analysis::correlate::TimeMetric;
use iotempo_analysis::correlate::study::StudySettings;
use iotempo_model::Warning;
use iotempo_report::correlate::{self as shown, CorrelatePage, Quantity, ShownGroup, ShownPair};
use iotempo_report::figures::percent;
use iotempo_report::quantity::{bytes, count, duration};
use iotempo_report::{Fact, Table};
use std::path::{Path, PathBuf};

/// Refuses what could only go wrong, before any work is done.
pub(super) fn check(words: &CorrelateArgs) -> anyhow::Result<()> {
    let Some(path) = &words.output else {
        return Ok(());
    };
    check_name(path)?;
    convert::check_folder(path)?;
    let inputs = words.darshan.iter().chain(&words.log);
    let inputs: Vec<PathBuf> = inputs.chain(&words.table.table).cloned().collect();
    let mut inputs = Inputs::new(InputArgs { inputs, from: None })?;
    Ok(convert::check_output(path, &mut inputs)?)
}

/// Writes the page that was asked for.
pub(super) fn write(
    words: &CorrelateArgs,
    settings: &StudySettings,
    jobs: &Jobs,
    groups: &[Studied],
    units: Units,
) -> anyhow::Result<()> {
    let Some(path) = &words.output else {
        return Ok(());
    };
    let page = CorrelatePage {
        title: title(words, jobs),
        jobs: jobs.read,
        too_few: jobs.too_few,
        too_few_jobs: jobs.too_few_jobs,
        left_out: reasons(&jobs.left_out),
        groups: groups
            .iter()
            .map(|studied| group(studied, words, units))
            .collect(),
        inputs: inputs(words, jobs),
        warnings: warnings(jobs),
        settings: setting_facts(&Stated::new(words, settings, jobs))
            .into_iter()
            // What was read is told elsewhere on the page.
            .filter(|fact| !TOLD.contains(&fact.name.as_str()))
            .collect(),
        tool: concat!("iotempo ", env!("IOTEMPO_VERSION")).to_owned(),
        units: units.into(),
    };
    let mut bytes = Vec::new();
    page.write_into(&mut bytes)?;
    write_bytes(path, &bytes)
}

/// Settings that have a place of their own on the page.
const TOLD: [&str; 7] = [
    "jobs",
    "groups_with_too_few_jobs",
    "jobs_in_them",
    "left_out",
    "inputs",
    "servers",
    "warnings",
];

fn title(words: &CorrelateArgs, jobs: &Jobs) -> String {
    let name = |path: &Path| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        name.to_string_lossy().into_owned()
    };
    match &words.table.table {
        Some(table) => format!("Jobs of {} under load", name(table)),
        None => format!(
            "{} beside {} of servers",
            plural(jobs.read, "job"),
            plural(jobs.servers.len() as u64, "log")
        ),
    }
}

fn reasons(left_out: &super::group::LeftOut) -> Vec<String> {
    let reasons = left_out.reasons();
    reasons.iter().map(super::group::Reason::words).collect()
}

fn warnings(jobs: &Jobs) -> Vec<Warning> {
    let unread = jobs.failures.iter();
    let unread = unread.map(|failure| Warning::new("not-read", failure.to_string()));
    let told = jobs.warnings.iter().chain(&jobs.doubts.short);
    let told = told.map(|text| Warning::new("logs", text.clone()));
    unread.chain(told).collect()
}

fn group<'a>(studied: &'a Studied, words: &CorrelateArgs, units: Units) -> ShownGroup<'a> {
    let subject = &studied.subject;
    let mut facts: Vec<Fact> = subject
        .common
        .0
        .iter()
        .map(|(name, value)| Fact::new(name, value))
        .collect();
    for (name, volume) in ["read", "written"]
        .iter()
        .zip(subject.volumes.iter().flatten())
    {
        let mean = bytes(volume.mean_bytes, units.into());
        let value = match volume.cv > 0.0 {
            true => format!("{mean} a job, varies by {}", percent(volume.cv)),
            false => format!("{mean} by each job"),
        };
        facts.push(Fact::new(*name, value));
    }
    ShownGroup {
        name: subject.label.clone(),
        facts,
        verdict: match studied.verdict() {
            Verdict::SlowsDown => shown::Verdict::SlowsDown,
            Verdict::SpeedsUp => shown::Verdict::SpeedsUp,
            Verdict::Mixed => shown::Verdict::Mixed,
            Verdict::NoSign => shown::Verdict::NoSign,
            Verdict::Undetermined => shown::Verdict::Undetermined,
        },
        sentence: words::sentence(studied),
        adjusted: studied.adjusted,
        load: load(studied, words),
        time: match &words.table.y {
            Some(y) => format!("time of jobs ({y})"),
            None => format!("time of {}", studied.time_of()),
        },
        points: &subject.points,
        study: &studied.study,
        curves: &studied.curves,
        grains: &studied.grains,
        lags: &studied.lags,
        pairs: studied.literal.iter().map(pair).collect(),
        also: words::clocks(studied)
            .into_iter()
            .chain(words::expected(studied, units))
            .collect(),
        left_out: reasons(&subject.left_out),
    }
}

fn load(studied: &Studied, words: &CorrelateArgs) -> Quantity {
    let x = words.table.x.as_deref().unwrap_or_default();
    Quantity {
        name: words::load_of(studied).unwrap_or_else(|| format!("load ({x})")),
        unit: words::load_unit(studied),
    }
}

/// The paper's own pair of numbers.
fn pair(literal: &Literal) -> ShownPair<'_> {
    let traffic = words::traffic_name(literal.traffic);
    ShownPair {
        title: match literal.time {
            TimeMetric::Meta => {
                format!("Time for metadata, beside all {traffic} while the job ran")
            }
            _ => format!("Time in which files were used, beside all {traffic} meanwhile"),
        },
        study: &literal.study,
    }
}

/// Logs that are listed; there may be tens of thousands.
const MOST_LOGS: usize = 100;

fn inputs(words: &CorrelateArgs, jobs: &Jobs) -> Vec<Table> {
    let unknown = || "–".to_owned();
    let read = |named: &Named| {
        let sha256 = named.sha256.clone();
        vec![named.input.clone(), sha256.unwrap_or_else(unknown)]
    };
    let hidden = jobs.inputs.len().saturating_sub(MOST_LOGS);
    let title = match words.table.table {
        Some(_) => "Table",
        None => "Logs of jobs",
    };
    let mut tables = vec![Table {
        title: title.to_owned(),
        columns: ["file", "SHA-256"].map(str::to_owned).to_vec(),
        rows: jobs.inputs.iter().take(MOST_LOGS).map(read).collect(),
        notes: match hidden {
            0 => Vec::new(),
            some => vec![format!(
                "{} more were read; --json names all.",
                count(some as u64)
            )],
        },
    }];
    if !jobs.servers.is_empty() {
        tables.push(servers(&jobs.servers));
    }
    tables
}

fn servers(sources: &[LogSource]) -> Table {
    let unknown = || "–".to_owned();
    let row = |source: &LogSource| {
        let format = match source.damaged {
            true => format!("{} (damaged)", source.format),
            false => source.format.clone(),
        };
        vec![
            source.input.clone(),
            format,
            count(source.rows),
            source.interval_s.map_or_else(unknown, duration),
            source.unit.clone().unwrap_or_else(unknown),
            source.zone.clone().unwrap_or_else(unknown),
            source.sha256.clone().unwrap_or_else(unknown),
        ]
    };
    let columns = [
        "file", "format", "rows", "interval", "unit", "zone", "SHA-256",
    ];
    let hidden = sources.len().saturating_sub(MOST_LOGS);
    Table {
        title: "Logs of servers".to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows: sources.iter().take(MOST_LOGS).map(row).collect(),
        notes: match hidden {
            0 => Vec::new(),
            some => vec![format!(
                "{} more were read; --json names all.",
                count(some as u64)
            )],
        },
    }
}
