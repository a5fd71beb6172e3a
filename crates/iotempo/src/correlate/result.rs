//! What a study says, for programs.

use super::group::{Common, Jobs, Named, Origins, Reason};
use super::studied::{Literal, Studied, Verdict};
use super::words;
use crate::servers::LogSource;
use iotempo_analysis::association::{Band, Bandwidth, Coefficient, Interval, Undetermined};
use iotempo_analysis::correlate::groups::Volume;
use iotempo_analysis::correlate::study::{
    Expected, Forested, Grain, Lag, Measured, Outcome, Slowdown, StudySettings, Within,
};
use iotempo_analysis::correlate::{During, LoadMetric, TimeMetric, Traffic};
use iotempo_model::Seconds;
use iotempo_report::correlate::Unit;
use serde::Serialize;

/// What was asked, and of what.
#[derive(Serialize)]
pub(super) struct Stated<'a> {
    time: Option<TimeMetric>,
    load: Option<LoadMetric>,
    load_unit: Option<&'static str>,
    mount: Option<&'a [String]>,
    targets: Option<&'a [String]>,
    step_s: Option<f64>,
    clocks_ahead_s: Option<f64>,
    x: Option<&'a str>,
    y: Option<&'a str>,
    group: Option<&'a [String]>,
    bytes: Option<&'a [String]>,
    when: Option<&'a str>,
    predict: Option<f64>,
    min_jobs: usize,
    grains: Option<u8>,
    permutations: usize,
    /// `None` of a table, whose days are moved along each other at most `permutations` times.
    shifts: Option<usize>,
    resamples: usize,
    neighbours: usize,
    trees: usize,
    bandwidth: Bandwidth,
    seed: u64,
    jobs: u64,
    groups_with_too_few_jobs: u64,
    jobs_in_them: u64,
    left_out: Vec<Reason>,
    inputs: &'a [Named],
    servers: &'a [LogSource],
    /// Those about groups are about each of them.
    warnings: Vec<&'a str>,
}

impl<'a> Stated<'a> {
    pub(super) fn new(
        words: &'a super::CorrelateArgs,
        settings: &StudySettings,
        jobs: &'a Jobs,
    ) -> Self {
        let of_logs = words.table.table.is_none();
        let (metrics, table) = (&words.metrics, &words.table);
        let load = of_logs.then(|| metrics.load());
        Self {
            time: metrics.time.map(super::args::TimeChoice::metric),
            load,
            load_unit: load.and_then(|load| Unit::of(load).name()),
            mount: given(&metrics.mount),
            targets: given(&words.clocks.target),
            step_s: metrics.step.map(Seconds::get),
            clocks_ahead_s: of_logs.then(|| words.clocks.clocks_ahead.get()),
            x: table.x.as_deref(),
            y: table.y.as_deref(),
            group: given(&table.group),
            bytes: given(&table.bytes),
            when: table.when.as_deref(),
            predict: words.predict,
            min_jobs: words.sure.min_jobs,
            grains: of_logs.then_some(words.sure.grains),
            permutations: settings.permutations,
            shifts: of_logs.then_some(words.sure.shifts),
            resamples: settings.resamples,
            neighbours: settings.neighbours,
            trees: settings.trees,
            bandwidth: settings.bandwidth,
            seed: settings.seed,
            jobs: jobs.read,
            groups_with_too_few_jobs: jobs.too_few,
            jobs_in_them: jobs.too_few_jobs,
            left_out: jobs.left_out.reasons(),
            inputs: &jobs.inputs,
            servers: &jobs.servers,
            warnings: jobs
                .warnings
                .iter()
                .chain(&jobs.doubts.all)
                .map(String::as_str)
                .collect(),
        }
    }
}

/// What was asked for, if anything.
fn given(words: &[String]) -> Option<&[String]> {
    (!words.is_empty()).then_some(words)
}

/// A group.
#[derive(Serialize)]
pub(super) struct GroupResult<'a> {
    group: &'a Common,
    label: &'a str,
    verdict: Verdict,
    says: String,
    jobs: usize,
    days: Option<usize>,
    days_together: usize,
    read_bytes: Option<Volume>,
    written_bytes: Option<Volume>,
    left_out: Vec<Reason>,
    time: Option<TimeMetric>,
    /// The part of a job's time over which its load is taken.
    load_during: Option<During>,
    p_adjusted: Option<f64>,
    coefficients: Vec<CoefficientResult<'a>>,
    within_weeks: Option<WithinResult<'a>>,
    slowdown: Option<&'a Slowdown>,
    why_no_slowdown: Option<String>,
    as_published: Vec<LiteralResult<'a>>,
    forest: Option<ForestResult<'a>>,
    why_no_forest: Option<String>,
    bands: Vec<BandResult>,
    granularity: &'a [Grain],
    lags: &'a [Lag],
    load_unit: Option<&'static str>,
    expected: Option<&'a Expected>,
    why_not_expected: Option<String>,
    points: PointsResult<'a>,
}

#[derive(Serialize)]
struct PointsResult<'a> {
    load: &'a [f64],
    time_s: &'a [f64],
    day: &'a [i64],
    #[serde(flatten)]
    origins: &'a Origins,
}

/// A coefficient.
#[derive(Serialize)]
struct CoefficientResult<'a> {
    name: &'static str,
    value: Option<f64>,
    why_not: Option<String>,
    interval: Option<Interval>,
    why_no_interval: Option<String>,
    p_permutation: Option<f64>,
    why_no_permutation: Option<String>,
    null_mean: Option<f64>,
    p_shift: Option<f64>,
    shift_mean: Option<f64>,
    shift_low: Option<f64>,
    shift_high: Option<f64>,
    shifts: Option<&'a [f64]>,
    keeps_built_in: Option<bool>,
}

/// What is left beside jobs of the same weeks.
#[derive(Serialize)]
struct WithinResult<'a> {
    /// `None` where jobs are of a few weeks, and only days of the week are told apart.
    days: Option<i64>,
    stretches: usize,
    weekly: bool,
    jobs: usize,
    coefficient: CoefficientResult<'a>,
    slowdown: Option<&'a Slowdown>,
    why_no_slowdown: Option<String>,
}

impl<'a> WithinResult<'a> {
    fn new(within: &'a Within) -> Self {
        Self {
            days: (within.stretches > 1).then_some(within.days),
            stretches: within.stretches,
            weekly: within.weekly,
            jobs: within.jobs,
            coefficient: CoefficientResult::of(within.rank.coefficient, Ok(&within.rank)),
            slowdown: within.slowdown.as_ref().ok(),
            why_no_slowdown: within.slowdown.as_ref().err().map(why),
        }
    }
}

impl<'a> CoefficientResult<'a> {
    fn new(outcome: &'a Outcome) -> Self {
        Self::of(outcome.coefficient, outcome.value.as_ref())
    }

    fn of(coefficient: Coefficient, value: Result<&'a Measured, &Undetermined>) -> Self {
        let measured = value.ok();
        let permuted = measured.and_then(|one| one.permuted.as_ref().ok());
        let shifted = measured.and_then(|one| one.shifted.as_ref());
        Self {
            name: words::name(coefficient),
            value: measured.map(|one| one.value),
            why_not: value.err().map(ToString::to_string),
            interval: measured.and_then(|one| one.interval.as_ref().ok().copied()),
            why_no_interval: measured.and_then(|one| one.interval.as_ref().err().map(why)),
            p_permutation: permuted.map(|one| one.p_value),
            why_no_permutation: measured.and_then(|one| one.permuted.as_ref().err().map(why)),
            null_mean: permuted.map(|one| one.null_mean),
            p_shift: shifted.map(|one| one.p_value),
            shift_mean: shifted.map(|one| one.mean),
            shift_low: shifted.map(|one| one.low),
            shift_high: shifted.map(|one| one.high),
            shifts: shifted.map(|one| one.values.as_slice()),
            keeps_built_in: shifted.map(|one| one.keeps_built_in),
        }
    }
}

/// What the paper's own metrics give.
#[derive(Serialize)]
struct LiteralResult<'a> {
    load: Traffic,
    load_during: During,
    time: TimeMetric,
    coefficients: Vec<CoefficientResult<'a>>,
}

impl<'a> LiteralResult<'a> {
    fn new(literal: &'a Literal) -> Self {
        Self {
            load: literal.traffic,
            load_during: literal.time.during(),
            time: literal.time,
            coefficients: coefficients(&literal.study.measured),
        }
    }
}

fn why(undetermined: &Undetermined) -> String {
    undetermined.to_string()
}

fn coefficients(outcomes: &[Outcome]) -> Vec<CoefficientResult<'_>> {
    outcomes.iter().map(CoefficientResult::new).collect()
}

#[derive(Serialize)]
struct ForestResult<'a> {
    oob_r2: Option<f64>,
    load: &'a [f64],
    time_s: &'a [f64],
}

#[derive(Serialize)]
struct BandResult {
    load: f64,
    low_s: Option<f64>,
    median_s: Option<f64>,
    high_s: Option<f64>,
    effective_jobs: f64,
}

impl BandResult {
    fn new(band: &Band) -> Self {
        let at = |which: usize| band.quantiles.map(|quantiles| quantiles[which]);
        Self {
            load: band.x,
            low_s: at(0),
            median_s: at(1),
            high_s: at(2),
            effective_jobs: band.effective,
        }
    }
}

impl<'a> GroupResult<'a> {
    pub(super) fn new(studied: &'a Studied) -> Self {
        let (subject, study, curves) = (&studied.subject, &studied.study, &studied.curves);
        let forest: Option<&Forested> = curves.forest.as_ref().ok();
        let bands = curves.bands.as_ref().map_or(&[][..], Vec::as_slice);
        let expected = studied.expected.as_ref();
        let time = subject.traced.as_ref().map(|traced| traced.time);
        Self {
            group: &subject.common,
            label: &subject.label,
            verdict: studied.verdict(),
            says: words::sentence(studied),
            jobs: study.jobs,
            days: study.days,
            days_together: study.days_together,
            read_bytes: subject.volumes.map(|[read, _]| read),
            written_bytes: subject.volumes.map(|[_, written]| written),
            left_out: subject.left_out.reasons(),
            time,
            load_during: time.map(TimeMetric::during),
            p_adjusted: studied.adjusted,
            coefficients: coefficients(&study.measured),
            within_weeks: study.within.as_ref().map(WithinResult::new),
            slowdown: study.slowdown.as_ref().ok(),
            why_no_slowdown: study.slowdown.as_ref().err().map(ToString::to_string),
            as_published: studied.literal.iter().map(LiteralResult::new).collect(),
            forest: forest.map(|forest| ForestResult {
                oob_r2: forest.oob_r2,
                load: &curves.loads,
                time_s: &forest.times,
            }),
            why_no_forest: curves.forest.as_ref().err().map(why),
            bands: bands.iter().map(BandResult::new).collect(),
            granularity: &studied.grains,
            lags: &studied.lags,
            load_unit: words::load_unit(studied).name(),
            expected: expected.and_then(|one| one.as_ref().ok()),
            why_not_expected: expected.and_then(|one| one.as_ref().err().map(ToString::to_string)),
            points: PointsResult {
                load: &subject.points.load,
                time_s: &subject.points.time,
                day: &subject.points.day,
                origins: &subject.origins,
            },
        }
    }
}
