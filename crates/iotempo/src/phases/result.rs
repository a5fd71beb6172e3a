//! What JSON states.

use super::found::Found;
use super::words;
use iotempo_analysis::phases::{Agreement, IoPhase, LeftOut, Settings};
use iotempo_model::{Job, Source, Warning};
use serde::Serialize;
use std::collections::BTreeMap;

/// All settings in force.
#[derive(Serialize)]
pub(super) struct Stated<'a> {
    #[serde(flatten)]
    settings: Settings,
    columns: BTreeMap<&'a str, &'a str>,
}

impl<'a> Stated<'a> {
    pub(super) fn new(settings: Settings, columns: &'a [(String, String)]) -> Self {
        let columns = columns.iter();
        Self {
            settings,
            columns: columns
                .map(|(ours, theirs)| (ours.as_str(), theirs.as_str()))
                .collect(),
        }
    }
}

/// The phases of a log.
#[derive(Serialize)]
pub(super) struct PhasesResult<'a> {
    input: &'a str,
    sha256: Option<&'a str>,
    format: &'a str,
    source: Source,
    job: &'a Job,
    phases: Vec<PhaseResult<'a>>,
    left_out: LeftOut,
    cannot_show: &'static str,
    warnings: &'a [Warning],
    damaged: bool,
}

#[derive(Serialize)]
struct PhaseResult<'a> {
    #[serde(flatten)]
    phase: &'a IoPhase,
    /// Some of its files.
    some_files: &'a [String],
    /// What finer evidence in the same log says.
    agreement: Option<&'a Agreement>,
}

impl<'a> PhasesResult<'a> {
    pub(super) fn new(found: &'a Found) -> Self {
        let phases = found.phases.phases.iter().enumerate();
        Self {
            input: &found.input,
            sha256: found.sha256.as_deref(),
            format: &found.format,
            source: found.source,
            job: &found.job,
            phases: phases
                .map(|(place, phase)| PhaseResult {
                    phase,
                    some_files: found.named.get(place).map_or(&[], Vec::as_slice),
                    agreement: found.evidence.of_phases.get(place).and_then(Option::as_ref),
                })
                .collect(),
            left_out: found.phases.left_out,
            cannot_show: words::cannot_show(found.source),
            warnings: &found.warnings,
            damaged: found.damaged,
        }
    }
}
