//! Sockets of the file system.

use super::line::{Line, Peer};
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::net::Shutdown;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// Folders that may have been left behind by programs that had our number.
const LEFT_BEHIND: u32 = 64;

/// A socket of ours in the file system.
#[derive(Debug, Clone)]
pub struct Socket {
    path: PathBuf,
    inode: u64,
}

impl Socket {
    /// Removes it, unless another one took its place. For those who end without dropping the source.
    pub fn remove(&self) {
        let ours = fs::symlink_metadata(&self.path).is_ok_and(|found| found.ino() == self.inode);
        if ours {
            // Who removed it meanwhile has done our work.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A socket that is removed when it is no longer needed.
#[derive(Debug)]
pub(super) struct SocketFile(pub(super) Socket);

impl Drop for SocketFile {
    fn drop(&mut self) {
        self.0.remove();
    }
}

/// A socket that only its owner can connect to. One that nobody listens at any more is replaced.
pub(super) fn bind(path: &Path) -> io::Result<(UnixListener, SocketFile)> {
    refuse_if_used(path)?;
    // Nobody can reach it before its mode is set, and no name is free for a moment.
    let folder = hidden_folder(path)?;
    let bound = bind_in(&folder, path);
    let _ = fs::remove_dir_all(&folder);
    bound
}

/// A new folder beside the socket, which only we can enter.
fn hidden_folder(path: &Path) -> io::Result<PathBuf> {
    let us = std::process::id();
    for number in 0..LEFT_BEHIND {
        let folder = path.with_file_name(format!(".iotempo-{us}-{number}"));
        match DirBuilder::new().mode(0o700).create(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| folder),
        }
    }
    let message = format!("{LEFT_BEHIND} folders .iotempo-{us}-… were left behind beside it");
    Err(io::Error::new(io::ErrorKind::AlreadyExists, message))
}

fn bind_in(folder: &Path, path: &Path) -> io::Result<(UnixListener, SocketFile)> {
    let hidden = folder.join("s");
    let listener = UnixListener::bind(&hidden)?;
    listener.set_nonblocking(true)?;
    fs::set_permissions(&hidden, Permissions::from_mode(0o600))?;
    let inode = fs::symlink_metadata(&hidden)?.ino();
    fs::rename(&hidden, path)?;
    let path = path.to_owned();
    Ok((listener, SocketFile(Socket { path, inode })))
}

fn refuse_if_used(path: &Path) -> io::Result<()> {
    let found = match fs::symlink_metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    if !found.file_type().is_socket() {
        return Err(io::Error::other(
            "there is a file of this name, and it is no socket",
        ));
    }
    match UnixStream::connect(path) {
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => Ok(()),
        Err(error) => Err(error),
        Ok(_) => Err(io::Error::new(
            io::ErrorKind::AddrInUse,
            "another program listens at this socket",
        )),
    }
}

pub(super) fn accept(listener: &UnixListener, path: &Path, count: &mut u64) -> io::Result<Line> {
    let (stream, _) = listener.accept()?;
    *count += 1;
    line(stream, format!("connection {count} to {}", path.display()))
}

pub(super) fn connect(path: &Path) -> io::Result<Line> {
    line(UnixStream::connect(path)?, path.display().to_string())
}

fn line(stream: UnixStream, name: String) -> io::Result<Line> {
    stream.set_nonblocking(false)?;
    let twin = stream.try_clone()?;
    Ok(Line {
        bytes: Box::new(stream),
        peer: Peer {
            name,
            shut: Box::new(move || drop(twin.shutdown(Shutdown::Both))),
            fleeting: false,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_is_its_owners_and_is_removed_at_the_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("job");
        let (listener, file) = bind(&path).expect("free");
        let mode = fs::metadata(&path).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        let refused = bind(&path).expect_err("in use");
        assert_eq!(refused.kind(), io::ErrorKind::AddrInUse);
        drop((listener, file));
        assert!(!path.exists());
    }

    #[test]
    fn a_socket_that_nobody_listens_at_is_replaced_and_a_file_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("job");
        drop(UnixListener::bind(&path).expect("free"));
        let (_listener, _file) = bind(&path).expect("stale");
        UnixStream::connect(&path).expect("somebody listens");
        let other = folder.path().join("data");
        fs::write(&other, "precious").expect("room");
        bind(&other).expect_err("a file");
        assert_eq!(fs::read_to_string(&other).expect("there"), "precious");
    }

    #[test]
    fn a_folder_that_was_left_behind_is_in_nobodys_way() {
        let folder = tempfile::tempdir().expect("a folder");
        let left = format!(".iotempo-{}-0", std::process::id());
        fs::create_dir(folder.path().join(left)).expect("room");
        bind(&folder.path().join("job")).expect("free");
    }

    #[test]
    fn another_socket_in_its_place_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, other] = ["job", "other"].map(|name| folder.path().join(name));
        let (_listener, file) = bind(&path).expect("free");
        let _another = UnixListener::bind(&other).expect("free");
        fs::rename(&other, &path).expect("there");
        file.0.remove();
        assert!(path.exists());
    }
}
