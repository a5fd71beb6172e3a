//! Logs that a command line names, opened one by one.

use crate::cli::InputArgs;
use crate::failure::Failure;
use crate::inputs::{Found, Inputs};
use crate::sha256;
use iotempo_formats::Input;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A log by its name, opened, and where it is.
pub(crate) type OpenedLog = Result<(String, Input, Option<PathBuf>), Failure>;

/// Every file that is named, opened when its turn comes: files, folders, globs, `-`.
pub(crate) fn opened(paths: &[PathBuf]) -> anyhow::Result<impl Iterator<Item = OpenedLog>> {
    let inputs = Inputs::new(InputArgs {
        inputs: paths.to_vec(),
        from: None,
    })?;
    Ok(inputs.map(|found| open(found?)))
}

fn open(found: Found) -> OpenedLog {
    let path = match found {
        Found::Stdin => {
            let input = Input::stream(io::stdin()).map_err(|error| Failure::new("-", error))?;
            return Ok(("-".to_owned(), input, None));
        }
        Found::Named(path) | Found::InFolder { path, .. } | Found::Traced { folder: path, .. } => {
            path
        }
    };
    let name = path.display().to_string();
    let file = File::open(&path).and_then(Input::file);
    match file {
        Ok(input) => Ok((name, input, Some(path))),
        Err(error) => Err(Failure::new(name, error)),
    }
}

/// Where a log is.
pub(crate) fn path_of<I>(
    opened: &Result<(String, I, Option<PathBuf>), Failure>,
) -> Option<PathBuf> {
    match opened {
        Ok((_, _, path)) => path.clone(),
        Err(_) => None,
    }
}

/// The same with the digest of its file.
pub(crate) fn digested<I>(
    (input, log, path): (String, I, Option<PathBuf>),
) -> (String, I, Option<String>) {
    (input, log, path.and_then(|path| digest(&path).ok()))
}

fn digest(path: &Path) -> io::Result<String> {
    sha256::of(File::open(path)?)
}
