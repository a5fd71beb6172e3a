//! One result as programs read it: JSON has all of it, tables have its scalars.

use iotempo_analysis::period::{Alias, Estimate, Phase, Rhythm, Segment, Witness, WitnessKind};
use iotempo_model::Seconds;
use serde::Serialize;

/// Something that repeats.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct RhythmView {
    pub(super) period_s: f64,
    pub(super) period_low_s: f64,
    pub(super) period_high_s: f64,
    pub(super) confidence: f64,
    pub(super) jitter_fraction: Option<f64>,
    pub(super) bytes: f64,
    pub(super) phase_length_s: f64,
    pub(super) bytes_per_phase: f64,
    pub(super) next_start_s: Option<f64>,
    pub(super) next_start_low_s: Option<f64>,
    pub(super) next_start_high_s: Option<f64>,
    pub(super) phases: Vec<PhaseView>,
}

impl From<&Rhythm> for RhythmView {
    fn from(rhythm: &Rhythm) -> Self {
        let next = |end: fn(&Estimate) -> Seconds| rhythm.next_start.as_ref().map(|e| end(e).get());
        Self {
            period_s: rhythm.period.value.get(),
            period_low_s: rhythm.period.low.get(),
            period_high_s: rhythm.period.high.get(),
            confidence: rhythm.confidence,
            jitter_fraction: rhythm.jitter,
            bytes: rhythm.bytes.get(),
            phase_length_s: rhythm.phase_length().get(),
            bytes_per_phase: rhythm.bytes_per_phase().get(),
            next_start_s: next(|next| next.value),
            next_start_low_s: next(|next| next.low),
            next_start_high_s: next(|next| next.high),
            phases: rhythm.phases.iter().map(PhaseView::from).collect(),
        }
    }
}

/// One I/O phase.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct PhaseView {
    start_s: f64,
    end_s: f64,
    bytes: f64,
}

impl From<&Phase> for PhaseView {
    fn from(phase: &Phase) -> Self {
        Self {
            start_s: phase.start.get(),
            end_s: phase.end.get(),
            bytes: phase.bytes.get(),
        }
    }
}

/// A stretch of one behaviour.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct SegmentView {
    start_s: f64,
    end_s: f64,
    bytes: f64,
    period_s: Option<f64>,
    period_low_s: Option<f64>,
    period_high_s: Option<f64>,
    confidence: f64,
}

impl From<&Segment> for SegmentView {
    fn from(segment: &Segment) -> Self {
        let period = |end: fn(&Estimate) -> Seconds| segment.period.as_ref().map(|e| end(e).get());
        Self {
            start_s: segment.start.get(),
            end_s: segment.end.get(),
            bytes: segment.bytes.get(),
            period_s: period(|period| period.value),
            period_low_s: period(|period| period.low),
            period_high_s: period(|period| period.high),
            confidence: segment.confidence,
        }
    }
}

/// A period that may not be what it looks like.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct AliasView {
    apparent_s: f64,
    step_s: f64,
    could_be_s: [f64; 2],
}

impl From<&Alias> for AliasView {
    fn from(alias: &Alias) -> Self {
        Self {
            apparent_s: alias.apparent.get(),
            step_s: alias.step.get(),
            could_be_s: alias.could_be.map(Seconds::get),
        }
    }
}

/// What one witness said.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct WitnessView {
    kind: WitnessKind,
    period_s: f64,
    p_value: f64,
    agrees: bool,
}

impl From<&Witness> for WitnessView {
    fn from(witness: &Witness) -> Self {
        Self {
            kind: witness.kind,
            period_s: witness.period.get(),
            p_value: witness.p_value,
            agrees: witness.agrees,
        }
    }
}
