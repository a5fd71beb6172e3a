//! The report of one input.

use super::analysed::{Analysed, Answer};
use super::plan::StatedPlan;
use crate::cli::Units;
use crate::report::{Subject, page, part, write_page};
use iotempo_report::Part;
use std::path::Path;

/// Writes the report.
pub(super) fn write(
    path: &Path,
    analysed: &Analysed,
    stated: &StatedPlan<'_>,
    units: Units,
) -> anyhow::Result<()> {
    let subject = Subject {
        input: &analysed.input,
        sha256: analysed.sha256.as_deref(),
        format: &analysed.format,
        origin: &analysed.origin,
        warnings: &analysed.warnings,
        parts: shown(analysed, stated.op()).into_iter().collect(),
    };
    write_page(path, &page(subject, stated, units))
}

/// What was looked at and found; FTIO's answer stands beside ours.
fn shown(analysed: &Analysed, op: &str) -> Option<Part> {
    let signal = analysed.signal.clone()?;
    let name = match op {
        "both" => "read and write",
        one => one,
    };
    let shown = match &analysed.answer {
        Answer::Ours(finding) => part(name, signal, finding.as_ref().clone(), None),
        Answer::Ftio(ftio) => {
            let ours = analysed.beside.clone()?;
            part(name, signal, ours, Some(ftio))
        }
    };
    Some(Part {
        threshold: analysed.threshold,
        ..shown
    })
}
