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

/// A folder whose files are opened by a way that no link is part of: below it, others may put links in the place of
/// folders, which lead anywhere.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Root<'a> {
    pub(crate) path: &'a Path,
    /// Whether it may be a link itself.
    pub(crate) links: Links,
}

impl Root<'_> {
    /// Opens a file in or below it.
    ///
    /// # Errors
    /// Where it cannot be opened, is no file, or a link is on the way to it.
    pub(crate) fn open(self, path: &Path) -> io::Result<File> {
        if path.parent() == Some(self.path) && self.links == Links::Followed {
            return open(path, Links::Refused);
        }
        let file = self.walk(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        Ok(file)
    }

    #[cfg(unix)]
    fn walk(self, path: &Path) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags};
        let outside = || io::Error::other("it is not below its folder");
        let below = path.strip_prefix(self.path).map_err(|_| outside())?;
        let name = below.file_name().ok_or_else(outside)?;
        let folder = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let first = match self.links {
            Links::Followed => folder,
            Links::Refused => folder | OFlags::NOFOLLOW,
        };
        let mut at = rustix::fs::open(self.path, first, Mode::empty())?;
        for part in below.parent().into_iter().flat_map(Path::components) {
            let std::path::Component::Normal(part) = part else {
                return Err(outside());
            };
            at = rustix::fs::openat(&at, part, folder | OFlags::NOFOLLOW, Mode::empty())?;
        }
        // Who opens a pipe would wait for a writer.
        let last = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(rustix::fs::openat(&at, name, last, Mode::empty())?.into())
    }

    #[cfg(not(unix))]
    fn walk(self, path: &Path) -> io::Result<File> {
        let folders = path.ancestors().skip(1);
        for folder in folders.take_while(|folder| *folder != self.path) {
            if folder.symlink_metadata()?.is_symlink() {
                return Err(io::Error::other("a link"));
            }
        }
        open(path, Links::Refused)
    }
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

    #[test]
    fn no_link_is_on_the_way_to_a_file_below_a_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let [real, named] = ["real", "named"].map(|name| folder.path().join(name));
        std::fs::create_dir_all(real.join("a/b")).expect("room");
        std::fs::write(real.join("a/b/file"), "x").expect("room");
        std::fs::write(real.join("file"), "x").expect("room");
        symlink(&real, &named).expect("room");
        symlink(real.join("a"), real.join("link")).expect("room");
        symlink(real.join("file"), real.join("a/last")).expect("room");
        for (path, links) in [
            (&real, Links::Refused),
            (&real, Links::Followed),
            (&named, Links::Followed),
        ] {
            let root = Root { path, links };
            for there in ["file", "a/b/file"] {
                assert!(root.open(&path.join(there)).is_ok(), "{there}");
            }
            for refused in ["link/b/file", "a/last", "a/b", "a/../file", "a/b/none"] {
                assert!(root.open(&path.join(refused)).is_err(), "{refused}");
            }
            assert!(root.open(folder.path()).is_err());
        }
        let strict = Root {
            path: &named,
            links: Links::Refused,
        };
        assert!(strict.open(&named.join("file")).is_err());
        assert!(strict.open(&named.join("a/b/file")).is_err());
    }
}
