//! Which page goes where. Nothing that is no page is overwritten unasked.

use super::described::Described;
use super::write::write_bytes;
use crate::cli::CommonArgs;
use crate::convert;
use crate::failure::Failure;
use crate::inputs::Inputs;
use crate::settings::usage_error;
use anyhow::Context;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Where pages go.
pub(super) enum Output {
    Stdout,
    /// One page, and what it is about once it was written.
    File(PathBuf, Option<String>),
    /// A page per input, and what those that were written are about.
    Folder(PathBuf, HashMap<PathBuf, String>),
    /// The same in the working folder, under names that nobody chose.
    Here(HashMap<PathBuf, String>),
}

/// What every page begins with, somewhere in its first bytes.
const GENERATOR: &[u8] = b"<meta name=\"generator\" content=\"iotempo\">";

impl Output {
    /// # Errors
    /// Where the words contradict each other.
    pub(super) fn new(
        file: Option<PathBuf>,
        folder: Option<PathBuf>,
        common: &CommonArgs,
    ) -> Result<Self, clap::Error> {
        let output = match (file, folder) {
            (_, Some(folder)) => Self::Folder(folder, HashMap::new()),
            (Some(path), None) if path.as_os_str() == "-" => Self::Stdout,
            (Some(path), None) => Self::File(path, None),
            (None, None) => Self::Here(HashMap::new()),
        };
        if common.json && matches!(output, Self::Stdout) {
            return Err(usage_error(
                "--json and the page cannot both go to standard output",
            ));
        }
        Ok(output)
    }

    /// Refuses what could only go wrong.
    pub(super) fn check(&self, inputs: &mut Inputs) -> anyhow::Result<()> {
        match self {
            Self::Stdout | Self::File(..) if inputs.several() => {
                let message = "a page is about one input: --out-dir takes a page for each";
                Err(usage_error(message).into())
            }
            Self::File(path, _) if path.is_dir() => {
                let message = "it is a folder: use --out-dir";
                Err(usage_error(format!("{}: {message}", path.display())).into())
            }
            Self::File(path, _) => {
                convert::check_folder(path)?;
                Ok(convert::check_output(path, inputs)?)
            }
            Self::Folder(path, _) if path.exists() && !path.is_dir() => {
                let message = "it is a file, and --out-dir names a folder";
                Err(usage_error(format!("{}: {message}", path.display())).into())
            }
            Self::Folder(path, _) => {
                inputs.leave_out(path);
                Ok(())
            }
            Self::Stdout | Self::Here(_) => Ok(()),
        }
    }

    /// Writes a page; where, or why it may not be written.
    pub(super) fn write(
        &mut self,
        described: &Described,
    ) -> anyhow::Result<Result<String, Failure>> {
        let input = &described.about.input;
        let path = match self {
            Self::Stdout => {
                io::stdout().write_all(&described.page)?;
                return Ok(Ok("-".to_owned()));
            }
            Self::File(path, _) => path.clone(),
            Self::Folder(folder, _) => with_ending(&folder.join(&described.below)),
            Self::Here(_) => {
                let below = &described.below;
                // What follows a dot in the name of a folder is no ending.
                let name = if Path::new(input).is_dir() {
                    below.file_name()
                } else {
                    below.file_stem()
                };
                with_ending(Path::new(name.unwrap_or_default()))
            }
        };
        if let Some(message) = self.refusal(&path, input) {
            return Ok(Err(Failure::new(input.clone(), message)));
        }
        if let (Self::Folder(..), Some(folder)) = (&*self, path.parent()) {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        write_bytes(&path, &described.page)?;
        Ok(Ok(path.display().to_string()))
    }

    /// Why a page may not have this name; else the name is taken.
    fn refusal(&mut self, path: &Path, input: &str) -> Option<String> {
        let taken = match self {
            Self::Stdout => None,
            Self::File(_, first) => first.replace(input.to_owned()),
            Self::Folder(_, taken) | Self::Here(taken) => {
                taken.insert(path.to_owned(), input.to_owned())
            }
        };
        let page = path.display();
        if let Some(first) = taken {
            return Some(format!("its page {page} is that of {first} already"));
        }
        let chosen = matches!(self, Self::File(..));
        (!chosen && path.exists() && !is_page(path))
            .then(|| format!("{page} exists and is no page of iotempo's: name another with -o"))
    }
}

/// `job.1.html` of `job.1`.
fn with_ending(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".html");
    PathBuf::from(name)
}

/// Whether we made it.
fn is_page(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(512).read_to_end(&mut head));
    let ours = |window: &[u8]| window == GENERATOR;
    read.is_ok() && head.windows(GENERATOR.len()).any(ours)
}
