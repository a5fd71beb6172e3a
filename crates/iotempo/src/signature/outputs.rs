//! Files to write, checked before any work is done.

use super::args::SignatureArgs;
use crate::cli::InputArgs;
use crate::convert;
use crate::inputs::Inputs;
use crate::report::check_name;
use crate::settings::usage_error;
use std::path::Path;

/// Refuses what could only go wrong: names that are no page, folders that are not there, logs that would
/// be overwritten, and standard input where it is named twice.
pub(super) fn check(words: &SignatureArgs) -> anyhow::Result<()> {
    let _: Inputs = inputs(words)?;
    if let Some(page) = &words.output {
        check_name(page)?;
        check_file(page, words)?;
    }
    if let Some(series) = &words.series {
        if series == Path::new("-") {
            let message = "--series -: what was found goes to standard output: name a file";
            return Err(usage_error(message).into());
        }
        check_file(series, words)?;
    }
    match (&words.output, &words.series) {
        (Some(page), Some(series)) if page == series => {
            let message = format!(
                "{}: --output and --series are different files",
                page.display()
            );
            Err(usage_error(message).into())
        }
        _ => Ok(()),
    }
}

fn check_file(path: &Path, words: &SignatureArgs) -> anyhow::Result<()> {
    convert::check_folder(path)?;
    Ok(convert::check_output(path, &mut inputs(words)?)?)
}

fn inputs(words: &SignatureArgs) -> anyhow::Result<Inputs> {
    let logs = [&words.jobs, &words.log, &words.compare];
    Inputs::new(InputArgs {
        inputs: logs.into_iter().flatten().cloned().collect(),
        from: None,
    })
}
