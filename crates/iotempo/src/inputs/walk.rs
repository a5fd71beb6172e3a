//! The files of a folder and of those in it, sorted.

use super::Found;
use crate::convert::UNFINISHED;
use crate::failure::Failure;
use std::collections::HashSet;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use std::vec;

/// Goes through folders, depth first. Every folder is entered once, so that links in circles end.
#[derive(Default)]
pub(super) struct Walk {
    root: PathBuf,
    /// Whether nothing has been found in it.
    empty: bool,
    open: Vec<vec::IntoIter<PathBuf>>,
    /// By canonical path.
    entered: HashSet<PathBuf>,
    failure: Option<Failure>,
    /// The job whose logs lie in the folder that was entered last.
    traced: Option<Found>,
    /// By canonical path.
    output: Option<PathBuf>,
}

impl Walk {
    /// Starts at `folder`.
    pub(super) fn enter(&mut self, folder: PathBuf) {
        self.entered.clear();
        self.root = folder.clone();
        self.empty = true;
        self.descend(&folder);
    }

    /// A file or folder that is not looked at: what is being written.
    pub(super) fn leave_out(&mut self, output: &Path) {
        self.output = fs::canonicalize(output).ok();
    }

    fn is_output(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let (begin, end) = UNFINISHED;
        let unfinished = name.starts_with(begin) && name.ends_with(end);
        let named_alike = |output: &&PathBuf| output.file_name() == path.file_name();
        let output = self.output.as_ref().filter(named_alike);
        unfinished || output.is_some() && fs::canonicalize(path).ok().as_ref() == output
    }

    fn descend(&mut self, folder: &Path) {
        let entries = fs::canonicalize(folder).and_then(|canonical| {
            let is_output = self.output.as_ref() == Some(&canonical);
            if self.entered.insert(canonical) && !is_output {
                sorted(folder)
            } else {
                Ok(Vec::new())
            }
        });
        match entries {
            Ok(entries) => {
                let (logs, others): (Vec<_>, _) = entries.into_iter().partition(|p| is_trace(p));
                self.open.push(others.into_iter());
                self.traced = (!logs.is_empty()).then(|| self.together(folder, logs));
            }
            Err(error) => self.failure = Some(failure(folder, &error)),
        }
    }

    fn step(&mut self) -> Option<Result<Found, Failure>> {
        loop {
            if let Some(failure) = self.failure.take() {
                return Some(Err(failure));
            }
            if let Some(traced) = self.traced.take() {
                return Some(Ok(traced));
            }
            let Some(path) = self.open.last_mut()?.next() else {
                self.open.pop();
                continue;
            };
            // Follows links: to a file, to a folder, or to nothing.
            match fs::metadata(&path) {
                Ok(about) if about.is_dir() => self.descend(&path),
                Ok(about) if about.is_file() && !self.is_output(&path) => {
                    return Some(Ok(self.found(path)));
                }
                Ok(_) => {}
                Err(error) => return Some(Err(failure(&path, &error))),
            }
        }
    }

    /// The processes of a job are one input; it is called after its folder.
    fn together(&self, folder: &Path, logs: Vec<PathBuf>) -> Found {
        let below = folder.strip_prefix(&self.root).unwrap_or(folder);
        let own = || folder.file_name().map_or("trace".into(), PathBuf::from);
        let below = match below.as_os_str().is_empty() {
            true => own(),
            false => below.to_owned(),
        };
        let folder = folder.to_owned();
        Found::Traced {
            folder,
            logs,
            below,
        }
    }

    fn found(&self, path: PathBuf) -> Found {
        let below = path.strip_prefix(&self.root).unwrap_or(&path).to_owned();
        Found::InFolder { path, below }
    }
}

impl Iterator for Walk {
    type Item = Result<Found, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.step();
        if next.is_some() {
            self.empty = false;
        } else if std::mem::take(&mut self.empty) {
            let root = self.root.display().to_string();
            return Some(Err(Failure::new(root, "a folder without a file to read")));
        }
        next
    }
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries: io::Result<Vec<DirEntry>> = fs::read_dir(folder)?.collect();
    let mut paths: Vec<_> = entries?.iter().map(DirEntry::path).collect();
    paths.sort_unstable();
    Ok(paths)
}

/// Whether it is the log of a process under the tracer, by its name and by being a file.
fn is_trace(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "iot") && path.is_file()
}

/// Whether a folder holds the logs of one job and nothing else.
pub(super) fn is_traced(folder: &Path) -> bool {
    let entries = sorted(folder).unwrap_or_default();
    !entries.is_empty() && entries.iter().all(|path| is_trace(path))
}

fn failure(path: &Path, error: &io::Error) -> Failure {
    Failure::new(path.display().to_string(), error)
}
