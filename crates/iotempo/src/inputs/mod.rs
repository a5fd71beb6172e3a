//! What a command line names: files, folders, globs, manifests, archives, standard input.

mod archive;
mod ending;
mod identity;
mod open;
mod walk;
mod window;

pub(crate) use archive::{Archive, Member};
pub(crate) use identity::Named;
pub(crate) use open::{Log, Opened, Opener, Sha256Of};

use crate::cli::InputArgs;
use crate::failure::Failure;
use crate::settings::usage_error;
use anyhow::Context;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use walk::{Walk, is_traced};

/// Something to open.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Stdin,
    /// A file that was named: it must be readable.
    Named(PathBuf),
    /// A file that lay in a folder: it may be anything.
    InFolder {
        path: PathBuf,
        /// Its name below the folder that was named.
        below: PathBuf,
    },
    /// The logs of all processes of a job, which lay in a folder of their own.
    Traced {
        folder: PathBuf,
        logs: Vec<PathBuf>,
        below: PathBuf,
    },
}

/// Everything that a command line names, in order, found as it is asked for.
pub(crate) struct Inputs {
    arguments: Box<dyn Iterator<Item = Result<PathBuf, Failure>> + Send>,
    /// What a glob matched.
    matches: VecDeque<PathBuf>,
    walk: Walk,
    several: bool,
}

impl Inputs {
    /// # Errors
    /// Where the manifest cannot be opened, or standard input is asked for twice.
    pub(crate) fn new(arguments: InputArgs) -> anyhow::Result<Self> {
        let InputArgs { inputs, from } = arguments;
        let dashes = inputs
            .iter()
            .chain(&from)
            .filter(|path| is_stdin(path))
            .count();
        if dashes > 1 {
            return Err(usage_error("standard input can be read only once").into());
        }
        let several = match &inputs[..] {
            [one] => from.is_some() || one.is_dir() && !is_traced(one) || is_glob(one),
            _ => true,
        };
        let manifest = from.map(|path| manifest(&path)).transpose()?;
        let named = inputs.into_iter().map(Ok);
        Ok(Self {
            arguments: Box::new(named.chain(manifest.into_iter().flatten())),
            matches: VecDeque::new(),
            walk: Walk::default(),
            several,
        })
    }

    /// Whether there may be more than one input, however many there turn out to be.
    pub(crate) fn several(&self) -> bool {
        self.several
    }

    /// An output, which is no input even where it lies among them.
    pub(crate) fn leave_out(&mut self, output: &Path) {
        self.walk.leave_out(output);
    }

    /// What was named, one by one or by a glob, for who must not overwrite it.
    pub(crate) fn named(&mut self) -> Named {
        let arguments: Vec<_> = self.arguments.by_ref().collect();
        let mut named = Named::default();
        for path in arguments.iter().flatten() {
            if is_glob(path) {
                let matches = matches(path).unwrap_or_default();
                matches.iter().for_each(|path| named.add(path));
            } else {
                named.add(path);
            }
        }
        self.arguments = Box::new(arguments.into_iter());
        named
    }

    fn expand(&mut self, path: PathBuf) -> Result<Option<Found>, Failure> {
        if is_stdin(&path) {
            return Ok(Some(Found::Stdin));
        }
        if path.is_dir() {
            self.walk.enter(path);
            return Ok(None);
        }
        if is_glob(&path) {
            self.matches = matches(&path)?;
            return Ok(None);
        }
        Ok(Some(Found::Named(path)))
    }
}

impl Iterator for Inputs {
    type Item = Result<Found, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(found) = self.walk.next() {
                return Some(found);
            }
            let next = match self.matches.pop_front() {
                Some(path) => Ok(path),
                None => self.arguments.next()?,
            };
            if let Some(found) = next.and_then(|path| self.expand(path)).transpose() {
                return Some(found);
            }
        }
    }
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a shell left a pattern as it was. A file of that very name is no pattern.
fn is_glob(path: &Path) -> bool {
    let pattern = path
        .to_str()
        .is_some_and(|text| text.contains(['*', '?', '[']));
    pattern && !path.exists()
}

/// The files and folders that match, sorted.
fn matches(pattern: &Path) -> Result<VecDeque<PathBuf>, Failure> {
    let text = pattern.to_string_lossy();
    let failure = |message: String| Failure::new(text.as_ref(), message);
    let paths = glob::glob(&text).map_err(|error| failure(error.to_string()))?;
    // A folder that may not be looked into hides no match that we could read.
    let paths: VecDeque<_> = paths.filter_map(Result::ok).collect();
    if paths.is_empty() {
        return Err(failure("no file matches".to_owned()));
    }
    Ok(paths)
}

/// The paths in a manifest: one a line; blanks around them, blank lines and those that begin
/// with `#` do not count.
fn manifest(
    path: &Path,
) -> anyhow::Result<impl Iterator<Item = Result<PathBuf, Failure>> + Send + use<>> {
    let name = path.display().to_string();
    let reader: Box<dyn BufRead + Send> = if is_stdin(path) {
        Box::new(BufReader::new(io::stdin()))
    } else {
        let file = File::open(path).with_context(|| name.clone())?;
        Box::new(BufReader::new(file))
    };
    let mut failed = false;
    let lines = reader.split(b'\n').map_while(move |line| {
        // After a failure the same failure would come again, for ever.
        let go_on = !failed;
        failed = line.is_err();
        go_on.then(|| line.map_err(|error| Failure::new(name.clone(), error)))
    });
    Ok(lines.filter_map(|line| match line {
        Ok(line) => {
            let name = line.trim_ascii();
            let named = !name.is_empty() && !name.starts_with(b"#");
            named.then(|| Ok(path_of(name)))
        }
        Err(failure) => Some(Err(failure)),
    }))
}

/// Names of files are bytes, and need not be text.
#[cfg(unix)]
fn path_of(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(name))
}

#[cfg(not(unix))]
fn path_of(name: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(name).into_owned())
}
