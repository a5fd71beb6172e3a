//! Where an output goes. A file appears when it is whole, or not at all.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::{Builder, TempPath};

/// What files of unfinished outputs are called: `.iotempo-…​.tmp`.
pub(crate) const UNFINISHED: (&str, &str) = (".iotempo-", ".tmp");

/// A file that is not there yet.
pub(super) struct Target {
    path: PathBuf,
    /// `None` for a device or pipe, which is written at once.
    unfinished: Option<TempPath>,
}

impl Target {
    /// Opens a file beside `path`, to be given its name later.
    pub(super) fn create(path: &Path) -> io::Result<(File, Self)> {
        // Through links: what they point to is replaced, not they.
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&real) {
            Ok(about) if about.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(about) if !about.is_file() => {
                let file = OpenOptions::new().write(true).open(&real)?;
                let path = real;
                return Ok((
                    file,
                    Self {
                        path,
                        unfinished: None,
                    },
                ));
            }
            _ => {}
        }
        let folder = real
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let mut builder = Builder::new();
        builder.prefix(UNFINISHED.0).suffix(UNFINISHED.1);
        if let Some(permissions) = permissions() {
            builder.permissions(permissions);
        }
        let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
        let (file, unfinished) = file.into_parts();
        let target = Self {
            path: real,
            unfinished: Some(unfinished),
        };
        Ok((file, target))
    }

    /// Gives the file its name, in place of whatever had it.
    pub(super) fn commit(self) -> io::Result<()> {
        match self.unfinished {
            Some(unfinished) => unfinished.persist(self.path).map_err(|error| error.error),
            None => Ok(()),
        }
    }
}

/// Those of any new file: the user's umask takes its part away.
#[cfg(unix)]
fn permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
fn permissions() -> Option<Permissions> {
    None
}
