//! The truth about a trace, as JSON states it.

use super::generator::Generator;
use iotempo_analysis::period::Phase;
use iotempo_model::Seconds;
use iotempo_sim::{Synthetic, TrueRhythm, TrueSegment};
use serde::Serialize;
use std::path::Path;

/// What a detector should say about a trace.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    output: Option<String>,
    kind: String,
    seed: u64,
    requests: u64,
    ranks: Option<u64>,
    bytes: f64,
    span_s: f64,
    active_fraction: f64,
    periodic: bool,
    period_s: Option<f64>,
    rhythms: Vec<Rhythm>,
    segments: Vec<Segment>,
}

#[derive(Debug, Serialize)]
struct Rhythm {
    name: &'static str,
    period_s: Option<f64>,
    bytes: f64,
    periods_s: Vec<f64>,
    phases: Vec<OnePhase>,
}

#[derive(Debug, Serialize)]
struct OnePhase {
    start_s: f64,
    end_s: f64,
    bytes: f64,
}

#[derive(Debug, Serialize)]
struct Segment {
    start_s: f64,
    end_s: f64,
    period_s: Option<f64>,
}

impl Answer {
    pub(super) fn new(
        generator: &Generator,
        seed: u64,
        made: &Synthetic,
        output: Option<&Path>,
    ) -> Self {
        let truth = &made.truth;
        let period = truth.mean_period();
        Self {
            output: output.map(|path| path.display().to_string()),
            kind: generator.kind().name(),
            seed,
            requests: made.trace.len() as u64,
            ranks: made.trace.origin.job.ranks,
            bytes: made.trace.volume().get(),
            span_s: truth.span.get(),
            active_fraction: truth.active_fraction,
            periodic: period.is_some(),
            period_s: period.map(Seconds::get),
            rhythms: truth.rhythms.iter().map(Rhythm::from).collect(),
            segments: truth.segments.iter().map(Segment::from).collect(),
        }
    }
}

impl From<&TrueRhythm> for Rhythm {
    fn from(rhythm: &TrueRhythm) -> Self {
        Self {
            name: rhythm.name,
            period_s: rhythm.mean_period().map(Seconds::get),
            bytes: rhythm.bytes().get(),
            periods_s: rhythm.periods.iter().map(|period| period.get()).collect(),
            phases: rhythm.phases.iter().map(OnePhase::from).collect(),
        }
    }
}

impl From<&Phase> for OnePhase {
    fn from(phase: &Phase) -> Self {
        Self {
            start_s: phase.start.get(),
            end_s: phase.end.get(),
            bytes: phase.bytes.get(),
        }
    }
}

impl From<&TrueSegment> for Segment {
    fn from(segment: &TrueSegment) -> Self {
        Self {
            start_s: segment.start.get(),
            end_s: segment.end.get(),
            period_s: segment.period.map(Seconds::get),
        }
    }
}
