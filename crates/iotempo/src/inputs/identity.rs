//! Which file a name leads to, through links of any kind.

use std::fs::Metadata;
use std::path::Path;

/// A file itself, whatever its names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Identity(Inner);

#[cfg(unix)]
type Inner = (u64, u64);
#[cfg(not(unix))]
type Inner = std::path::PathBuf;

impl Identity {
    /// The regular file that `path` leads to; `None` where there is none.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let about = std::fs::metadata(path).ok()?;
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
    std::fs::canonicalize(path).ok()
}
