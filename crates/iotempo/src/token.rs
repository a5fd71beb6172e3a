//! Secrets that servers and their clients share.

use anyhow::Context;
use std::path::Path;

/// Where a token is where no file is named.
pub(crate) const VARIABLE: &str = "IOTEMPO_TOKEN";

/// The token in a file that nobody else can read, else that in the environment, if there is any.
pub(crate) fn text(file: Option<&Path>) -> anyhow::Result<Option<String>> {
    let Some(path) = file else {
        return Ok(std::env::var(VARIABLE).ok());
    };
    let place = || path.display().to_string();
    #[cfg(unix)]
    assert_private(path).with_context(place)?;
    let text = std::fs::read_to_string(path).with_context(place)?;
    Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()))
}

#[cfg(unix)]
fn assert_private(path: &Path) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = path.metadata()?.permissions().mode() & 0o777;
    anyhow::ensure!(
        mode & 0o077 == 0,
        "others can read it (mode {mode:03o}): chmod 600 it"
    );
    Ok(())
}
