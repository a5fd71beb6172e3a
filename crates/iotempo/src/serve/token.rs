//! The secret that clients must know.

use anyhow::{Context, bail};
use iotempo_serve::Token;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Where the token is where no file is named.
const VARIABLE: &str = "IOTEMPO_TOKEN";

/// The token in a file, else that in the environment, if there is any.
pub(crate) fn find(file: Option<&Path>) -> anyhow::Result<Option<Token>> {
    let Some(text) = text(file)? else {
        return Ok(None);
    };
    let place = file.map_or(VARIABLE.to_owned(), |file| file.display().to_string());
    let token = Token::new(&text).with_context(|| place)?;
    Ok(Some(token))
}

/// The same as text.
pub(crate) fn text(file: Option<&Path>) -> anyhow::Result<Option<String>> {
    let Some(path) = file else {
        return Ok(std::env::var(VARIABLE).ok());
    };
    let place = || path.display().to_string();
    let mode = path.metadata().with_context(place)?.permissions().mode();
    if mode & 0o077 != 0 {
        bail!(
            "{} can be read by others (mode {:03o}): chmod 600 it",
            place(),
            mode & 0o777
        );
    }
    let text = std::fs::read_to_string(path).with_context(place)?;
    Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()))
}
