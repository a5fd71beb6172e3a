//! Pages that were asked for by name: what could only go wrong is refused before any work is done.

use crate::convert;
use crate::inputs::Inputs;
use crate::settings::usage_error;
use std::path::Path;

/// Refuses a page whose name is not that of a page.
pub(crate) fn check_name(path: &Path) -> Result<(), clap::Error> {
    let extension = path.extension().unwrap_or_default();
    let known = ["html", "htm"];
    if known.iter().any(|end| extension.eq_ignore_ascii_case(end)) {
        return Ok(());
    }
    let message = format!("-o {}: the name of a page ends in .html", path.display());
    Err(usage_error(message))
}

/// Refuses a page about several logs, and one that would take the place of a log. It is not among the logs to
/// read if it is there already.
pub(crate) fn check_page_of_one(path: &Path, inputs: &mut Inputs) -> anyhow::Result<()> {
    check_name(path)?;
    if inputs.several() {
        return Err(several_logs().into());
    }
    convert::check_folder(path)?;
    convert::check_output(path, inputs)?;
    inputs.leave_out(path);
    Ok(())
}

/// Why there is no page of many logs.
pub(crate) fn several_logs() -> clap::Error {
    usage_error("-o: a page is about one log; --csv and --json tell of many")
}
