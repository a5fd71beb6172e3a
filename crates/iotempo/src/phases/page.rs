//! The page about one log.

use super::found::Found;
use super::{summary, words};
use crate::cli::Units;
use crate::convert;
use crate::inputs::Inputs;
use crate::report::{setting_facts, write_bytes};
use crate::settings::usage_error;
use iotempo_analysis::phases::Settings;
use iotempo_report::Fact;
use iotempo_report::phases::PhasesPage;
use std::path::Path;

/// Why there is no page of many logs.
pub(super) const ONE_LOG: &str = "-o: a page is about one log; --csv and --json tell of many";

/// Refuses what could only go wrong, before any work is done.
pub(super) fn check(path: &Path, inputs: &mut Inputs) -> anyhow::Result<()> {
    let extension = path.extension().unwrap_or_default();
    let known = ["html", "htm"];
    if !known.iter().any(|end| extension.eq_ignore_ascii_case(end)) {
        let message = format!("-o {}: the name of a page ends in .html", path.display());
        return Err(usage_error(message).into());
    }
    if inputs.several() {
        return Err(usage_error(ONE_LOG).into());
    }
    convert::check_folder(path)?;
    convert::check_output(path, inputs)?;
    inputs.leave_out(path);
    Ok(())
}

/// Writes the page.
pub(super) fn write(
    path: &Path,
    found: &Found,
    settings: &Settings,
    units: Units,
) -> anyhow::Result<()> {
    let facts = summary::facts(found, units).into_iter();
    let page = PhasesPage {
        input: found.input.clone(),
        sha256: found.sha256.clone(),
        format: found.format.clone(),
        facts: facts.map(|(name, value)| Fact::new(name, value)).collect(),
        run_time_s: found.job.run_time_s,
        phases: found.phases.phases.clone(),
        files: found.named.clone(),
        agreement: words::agreement(found),
        cannot_show: words::says_what_is_hidden(found.source),
        warnings: found.warnings.clone(),
        settings: setting_facts(settings),
        tool: concat!("iotempo ", env!("IOTEMPO_VERSION")).to_owned(),
        units: units.into(),
    };
    let mut bytes = Vec::new();
    page.write_into(&mut bytes)?;
    write_bytes(path, &bytes)
}
