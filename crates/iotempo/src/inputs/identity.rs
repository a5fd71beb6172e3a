//! Which file a name leads to, through links of any kind.

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

/// Files and folders that a command line names.
#[derive(Debug, Default)]
pub(crate) struct Named {
    files: HashSet<Identity>,
    /// By canonical path.
    folders: Vec<PathBuf>,
}

impl Named {
    pub(super) fn add(&mut self, path: &Path) {
        match Identity::of(path) {
            Some(file) => drop(self.files.insert(file)),
            None if path.is_dir() => self.folders.extend(fs::canonicalize(path)),
            None => {}
        }
    }

    /// Whether `path` leads to an input. A file that lies in a folder of inputs under its own name
    /// may be an earlier output; one that a link leads to is none of ours.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        let linked = || {
            let real = fs::canonicalize(path).ok()?;
            let below = self.folders.iter().any(|folder| real.starts_with(folder));
            Some(path.is_symlink() && below)
        };
        let Some(file) = Identity::of(path) else {
            return false;
        };
        self.files.contains(&file) || linked() == Some(true)
    }
}

/// A file itself, whatever its names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Identity(Inner);

#[cfg(unix)]
type Inner = (u64, u64);
#[cfg(not(unix))]
type Inner = PathBuf;

impl Identity {
    /// The regular file that `path` leads to; `None` where there is none.
    fn of(path: &Path) -> Option<Self> {
        let about = fs::metadata(path).ok()?;
        about.is_file().then(|| inner(path, &about))?.map(Self)
    }
}

#[cfg(unix)]
fn inner(_: &Path, about: &Metadata) -> Option<Inner> {
    use std::os::unix::fs::MetadataExt;
    Some((about.dev(), about.ino()))
}

#[cfg(not(unix))]
fn inner(path: &Path, _: &Metadata) -> Option<Inner> {
    fs::canonicalize(path).ok()
}
