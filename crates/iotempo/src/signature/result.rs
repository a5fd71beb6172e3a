//! What JSON states.

use super::args::MethodChoice;
use super::clash::Compared;
use super::logs::Logs;
use super::mined::Mined;
use super::select::Question;
use super::told_run::ToldRun;
use crate::servers::LogSource;
use iotempo_analysis::runs::Application;
use iotempo_analysis::signature::{BURSTS_LEFT_OUT, Grid, Outlier, SampleBurst};
use iotempo_model::{Target, Warning};
use serde::Serialize;

/// All settings in force, and the logs that were read.
#[derive(Serialize)]
pub(super) struct Stated<'a> {
    op: &'static str,
    method: MethodChoice,
    fewest_runs: usize,
    most_runs: usize,
    wavelet: &'static str,
    level: usize,
    density_fraction: f64,
    neighbourhood_fraction: f64,
    outlier_factor: f64,
    grid_widths: usize,
    grid_heights: usize,
    clocks_ahead_s: f64,
    all: bool,
    same: Vec<&'static str>,
    logs: &'a [LogSource],
    targets: &'a [Target],
    /// What should be known of the logs together; each has warnings of its own.
    warnings: &'a [Warning],
}

impl<'a> Stated<'a> {
    pub(super) fn new(question: &Question, logs: &'a Logs) -> Self {
        let settings = &question.settings;
        let mut same = vec!["user"];
        same.extend(question.likeness.by_name.then_some("name"));
        same.extend(question.likeness.by_nodes.then_some("nodes"));
        Self {
            op: question.op,
            method: question.method,
            fewest_runs: settings.fewest_samples,
            most_runs: question.max_runs,
            wavelet: "dmey",
            level: settings.level,
            density_fraction: settings.density,
            neighbourhood_fraction: settings.neighbourhood,
            outlier_factor: settings.outlier_factor,
            grid_widths: settings.grid_widths,
            grid_heights: settings.grid_heights,
            clocks_ahead_s: question.clocks_ahead_s,
            all: question.all,
            same,
            logs: &logs.sources,
            targets: logs.throughput.targets(),
            warnings: &logs.warnings,
        }
    }
}

/// What was found of one application.
#[derive(Serialize)]
pub(super) struct SignatureResult<'a> {
    application: &'a Application,
    jobs: usize,
    runs: Vec<RunResult<'a>>,
    rejected: Vec<RejectedResult<'a>>,
    overlapping_runs: usize,
    /// For how long it is known around the runs what servers moved while the application did not run; only `auto` asks.
    others_known_s: Option<f64>,
    /// Why there is no signature.
    undetermined: Option<String>,
    /// Why the signature is not to be relied on.
    unsure: Option<&'a str>,
    bursts: Vec<BurstResult>,
    signature: Option<SeriesResult<'a>>,
    bytes: Option<f64>,
    background_bytes_per_s: f64,
    background_around_bytes_per_s: Option<f64>,
    periodic: Option<bool>,
    period_s: Option<f64>,
    period_low_s: Option<f64>,
    period_high_s: Option<f64>,
    /// Slower or weaker rhythms beside it.
    other_periods_s: Vec<f64>,
    confidence: Option<f64>,
    /// By how much the time from start to start scatters, as a share of the period.
    jitter_fraction: Option<f64>,
    /// The share of the time between bursts that was taken out as delays.
    delay_fraction: Option<f64>,
    outliers: &'a [Outlier],
    grid: Option<Grid>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    compared: &'a [Compared],
    warnings: Vec<&'a Warning>,
}

/// A run that was cut out.
#[derive(Serialize)]
struct RunResult<'a> {
    job: &'a str,
    start_epoch_s: f64,
    duration_s: f64,
    bytes: f64,
    filled_steps: u64,
    /// Whether the signature is made of it.
    used: bool,
    bursts: Vec<SampleBurst>,
}

/// A job that gave no run.
#[derive(Serialize)]
struct RejectedResult<'a> {
    job: &'a str,
    code: &'static str,
    message: String,
    /// For how long something is missing in the servers' logs.
    missing_s: Option<f64>,
}

#[derive(Serialize)]
struct BurstResult {
    start_s: f64,
    end_s: f64,
    centre_s: f64,
    bytes: f64,
    /// What it is from run to run, but for the lowest and the highest tenth.
    bytes_low: f64,
    bytes_high: f64,
    peak_bytes_per_s: f64,
    /// How many runs have it.
    support: usize,
}

#[derive(Serialize)]
struct SeriesResult<'a> {
    start_s: f64,
    step_s: f64,
    bytes_per_s: &'a [f64],
}

impl<'a> SignatureResult<'a> {
    /// What should be known of the logs is said of an application that was chosen, and not of each of
    /// `all` anew.
    pub(super) fn new(
        mined: &'a Mined,
        logs: &'a Logs,
        compared: &'a [Compared],
        all: bool,
    ) -> Self {
        let finding = &mined.finding;
        let of_logs = logs.warnings.iter().filter(|_| !all);
        let found = finding.signature();
        let main = mined.period.as_ref().and_then(|period| period.main());
        Self {
            application: &mined.application,
            jobs: mined.jobs,
            runs: runs(mined, logs),
            rejected: mined
                .rejected
                .iter()
                .map(|(job, why)| RejectedResult {
                    job: &logs.jobs[*job].id,
                    code: why.code(),
                    message: why.text(),
                    missing_s: why.missing_s(),
                })
                .collect(),
            overlapping_runs: mined.overlapping,
            others_known_s: mined.others_s,
            undetermined: mined.why_not(),
            unsure: mined.unsure(),
            bursts: found
                .map(|found| found.bursts.iter().map(burst).collect())
                .unwrap_or_default(),
            signature: found.map(|found| SeriesResult {
                start_s: found.start_s,
                step_s: found.step_s,
                bytes_per_s: &found.rates,
            }),
            bytes: found.map(|found| found.bytes()),
            background_bytes_per_s: finding.background,
            background_around_bytes_per_s: finding.background_around,
            periodic: periodic(mined),
            period_s: main.map(|main| main.period.value.get()),
            period_low_s: main.map(|main| main.period.low.get()),
            period_high_s: main.map(|main| main.period.high.get()),
            other_periods_s: other_periods(mined),
            confidence: main.map(|main| main.confidence),
            jitter_fraction: main.and_then(|main| main.jitter),
            delay_fraction: found
                .and_then(|found| found.timing)
                .map(|timing| timing.delay_share),
            outliers: &finding.outliers,
            grid: finding.grid,
            compared,
            warnings: finding.warnings.iter().chain(of_logs).collect(),
        }
    }
}

/// Whether it repeats; unknown where the bursts that would tell may have been left out.
fn periodic(mined: &Mined) -> Option<bool> {
    let period = mined.period.as_ref()?;
    let mut warnings = mined.finding.warnings.iter();
    let is_known = period.is_periodic() || warnings.all(|told| told.code != BURSTS_LEFT_OUT);
    is_known.then(|| period.is_periodic())
}

fn other_periods(mined: &Mined) -> Vec<f64> {
    let rhythms = mined.period.iter().flat_map(|period| &period.rhythms);
    rhythms
        .skip(1)
        .map(|other| other.period.value.get())
        .collect()
}

fn burst(burst: &iotempo_analysis::signature::SignatureBurst) -> BurstResult {
    BurstResult {
        start_s: burst.start_s,
        end_s: burst.end_s,
        centre_s: burst.time_s,
        bytes: burst.bytes,
        bytes_low: burst.bytes_low,
        bytes_high: burst.bytes_high,
        peak_bytes_per_s: burst.peak,
        support: burst.support,
    }
}

fn runs<'a>(mined: &Mined, logs: &'a Logs) -> Vec<RunResult<'a>> {
    let run = |run: &ToldRun| {
        let bursts = run
            .used
            .and_then(|place| mined.finding.sample_bursts.get(place));
        RunResult {
            job: &logs.jobs[run.job].id,
            start_epoch_s: run.start_s,
            duration_s: run.length_s(),
            bytes: run.bytes,
            filled_steps: run.filled,
            used: run.used.is_some(),
            bursts: bursts.cloned().unwrap_or_default(),
        }
    };
    mined.runs.iter().map(run).collect()
}
