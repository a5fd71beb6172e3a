//! What JSON states.

use super::args::EstimateArgs;
use super::estimated::Estimated;
use super::stores::{StoreSource, Stores};
use iotempo_analysis::estimate::{
    BIMODAL_RATIO, CombinedPoint, Curve, DRAWS, Distribution, LeftOut, Match, PhaseEstimate, SEED,
};
use iotempo_analysis::phases::IoPhase;
use iotempo_model::{FileStrategy, Scenario, Warning};
use iotempo_report::estimate::second_thought;
use serde::Serialize;
use std::collections::BTreeMap;

/// All settings in force, and the benchmarks that were read.
#[derive(Serialize)]
pub(super) struct Stated<'a> {
    nodes: Option<u64>,
    columns: BTreeMap<&'a str, &'a str>,
    reach_cells: f64,
    by_request_size: bool,
    bimodal_ratio: f64,
    partial: bool,
    draws: usize,
    seed: u64,
    io_nodes_where_unsaid: Option<u32>,
    benchmark_nodes_where_unsaid: Option<u64>,
    files_where_unsaid: Option<&'static str>,
    benchmarks: &'a [StoreSource],
    benchmark_scenarios: usize,
    benchmark_repetitions: usize,
}

impl<'a> Stated<'a> {
    pub(super) fn new(words: &'a EstimateArgs, stores: &'a Stores) -> Self {
        let columns = words.columns.iter();
        Self {
            nodes: words.nodes,
            columns: columns
                .map(|(ours, theirs)| (ours.as_str(), theirs.as_str()))
                .collect(),
            reach_cells: words.how.reach,
            by_request_size: !words.how.mean_size,
            bimodal_ratio: BIMODAL_RATIO,
            partial: words.how.partial,
            draws: DRAWS,
            seed: SEED,
            io_nodes_where_unsaid: words.unsaid.io_nodes,
            benchmark_nodes_where_unsaid: words.unsaid.benchmark_nodes,
            files_where_unsaid: words
                .unsaid
                .files
                .map(|files| FileStrategy::from(files).name()),
            benchmarks: &stores.sources,
            benchmark_scenarios: stores.store.scenarios().count(),
            benchmark_repetitions: stores.store.repetitions(),
        }
    }
}

/// What is estimated of one log.
#[derive(Serialize)]
pub(super) struct EstimateResult<'a> {
    input: &'a str,
    format: &'a str,
    processes: Option<u64>,
    bytes: f64,
    matched_bytes: f64,
    best_io_nodes: Option<u32>,
    least_loss_io_nodes: Option<u32>,
    /// What to know where these two are not the same.
    second_thought: Option<String>,
    curve: &'a [CombinedPoint],
    left_out_io_nodes: &'a [LeftOut],
    phases: Vec<PhaseResult<'a>>,
    warnings: &'a [Warning],
}

#[derive(Serialize)]
struct PhaseResult<'a> {
    number: usize,
    start_s: f64,
    end_s: f64,
    measured_s: f64,
    bytes: f64,
    scenario: &'a Scenario,
    /// Why there is no match.
    unmatched: Option<String>,
    /// Why requests were taken for ones of their mean size.
    averaged: Option<String>,
    parts: Vec<PartResult<'a>>,
}

#[derive(Serialize)]
struct PartResult<'a> {
    request_bytes: u64,
    bytes: f64,
    matched: &'a Match,
    curve: Vec<PointResult<'a>>,
}

#[derive(Serialize)]
struct PointResult<'a> {
    io_nodes: u32,
    bytes_per_s: &'a Distribution,
    ln_deviation: f64,
    measured: bool,
}

impl<'a> EstimateResult<'a> {
    pub(super) fn new(estimated: &'a Estimated) -> Self {
        let combined = &estimated.combined;
        let phases = estimated.phases.iter().zip(&estimated.estimates);
        Self {
            input: &estimated.input,
            format: &estimated.format,
            processes: estimated.job.ranks,
            bytes: combined.bytes,
            matched_bytes: combined.matched_bytes,
            best_io_nodes: combined.best,
            least_loss_io_nodes: combined.least_loss().map(|point| point.io_nodes),
            second_thought: second_thought(combined),
            curve: &combined.curve,
            left_out_io_nodes: &combined.left_out,
            phases: phases
                .zip(&estimated.numbers)
                .map(|((phase, own), number)| PhaseResult::new(*number, phase, own))
                .collect(),
            warnings: &estimated.warnings,
        }
    }
}

impl<'a> PhaseResult<'a> {
    fn new(number: usize, phase: &IoPhase, estimate: &'a PhaseEstimate) -> Self {
        let parts = estimate.parts.iter().flatten();
        Self {
            number,
            start_s: phase.start_s,
            end_s: phase.end_s,
            measured_s: phase.time_s,
            bytes: estimate.demand.bytes,
            scenario: &estimate.demand.whole,
            unmatched: estimate.parts.as_ref().err().map(ToString::to_string),
            averaged: estimate.averaged.as_ref().map(ToString::to_string),
            parts: parts
                .map(|part| PartResult {
                    request_bytes: part.part.scenario.request_bytes,
                    bytes: part.part.bytes,
                    matched: &part.curve.matched,
                    curve: points(&part.curve),
                })
                .collect(),
        }
    }
}

fn points(curve: &Curve) -> Vec<PointResult<'_>> {
    let points = curve.points.iter().map(|point| PointResult {
        io_nodes: point.io_nodes,
        bytes_per_s: &point.distribution,
        ln_deviation: point.deviation(),
        measured: point.measured,
    });
    points.collect()
}
