//! Where an output goes. A file appears when it is whole, or not at all.

use super::unfinished::Unfinished;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// A file that is not there yet.
pub(crate) struct Target {
    path: PathBuf,
    /// `None` for a device or pipe, which is written at once.
    unfinished: Option<Unfinished>,
}

impl Target {
    /// Opens a file beside `path`, to be given its name later.
    pub(crate) fn create(path: &Path) -> io::Result<(File, Self)> {
        // Through links: what they point to is replaced, not they.
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let old = fs::metadata(&real);
        match &old {
            Ok(about) if about.is_dir() => {
                let message = "it is a folder: use --out-dir";
                return Err(io::Error::new(io::ErrorKind::IsADirectory, message));
            }
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
        let folder = folder.unwrap_or(Path::new("."));
        if !folder.exists() {
            let message = format!("the folder {} does not exist", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, message));
        }
        let (file, unfinished) = Unfinished::create(folder)?;
        if let Ok(old) = old {
            // Who may read the old file may read the new one, and nobody else.
            file.set_permissions(old.permissions())?;
        }
        let target = Self {
            path: real,
            unfinished: Some(unfinished),
        };
        Ok((file, target))
    }

    /// Gives the file its name, in place of whatever had it.
    pub(crate) fn commit(self) -> io::Result<()> {
        match self.unfinished {
            Some(unfinished) => unfinished.persist(&self.path),
            None => Ok(()),
        }
    }
}
