//! Files that others can put something else in the place of.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Whether a link in the place of a file is gone after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    Followed,
    Refused,
}

/// Opens a file to read, and never waits: who opens a pipe would, for a writer that may never come.
///
/// # Errors
/// Where it cannot be opened, or is no file but a pipe, a device or a folder.
pub(crate) fn open(path: &Path, links: Links) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        let no_links = match links {
            Links::Followed => 0,
            Links::Refused => libc::O_NOFOLLOW,
        };
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | no_links);
    }
    #[cfg(not(unix))]
    if links == Links::Refused && path.symlink_metadata()?.is_symlink() {
        return Err(io::Error::other("a link"));
    }
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    Ok(file)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_files_are_opened_and_links_as_asked() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, link, pipe] = ["file", "link", "pipe"].map(|name| folder.path().join(name));
        std::fs::write(&file, "x").expect("room");
        symlink(&file, &link).expect("room");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|status| status.success()));
        assert!(open(&file, Links::Refused).is_ok());
        assert!(open(&link, Links::Followed).is_ok());
        assert!(open(&link, Links::Refused).is_err());
        for other in [pipe.as_path(), folder.path(), Path::new("/dev/null")] {
            let refused = open(other, Links::Followed).expect_err("no file");
            assert_eq!(refused.to_string(), "not a regular file");
        }
    }
}
