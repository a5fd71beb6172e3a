//! The page about one log.

use super::found::Found;
use super::result::Stated;
use super::{summary, words};
use crate::cli::Units;
use crate::report::{setting_facts, write_bytes};
use iotempo_report::Fact;
use iotempo_report::phases::PhasesPage;
use std::path::Path;

/// Writes the page.
pub(super) fn write(
    path: &Path,
    found: &Found,
    stated: &Stated<'_>,
    units: Units,
) -> anyhow::Result<()> {
    let facts = summary::facts(found, units).into_iter();
    // The page tells it beside the log's name.
    let facts = facts.filter(|(name, _)| *name != "format");
    let page = PhasesPage {
        input: found.input.clone(),
        sha256: found.sha256.clone(),
        format: found.format.clone(),
        facts: facts.map(|(name, value)| Fact::new(name, value)).collect(),
        run_time_s: found.job.run_time_s,
        moved: summary::moved(found, units),
        phases: found.phases.phases.clone(),
        files: found.named.clone(),
        agreement: words::agreement(found),
        cannot_show: words::says_what_is_hidden(found.source),
        warnings: found.warnings.clone(),
        settings: setting_facts(stated),
        tool: concat!("iotempo ", env!("IOTEMPO_VERSION")).to_owned(),
        units: units.into(),
    };
    let mut bytes = Vec::new();
    page.write_into(&mut bytes)?;
    write_bytes(path, &bytes)
}
