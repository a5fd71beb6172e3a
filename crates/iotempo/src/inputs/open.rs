//! From a name to bytes that a reader can read.

use super::Found;
use super::archive::{Archive, Member, is_tar};
use super::ending::Ending;
use super::window::Window;
use crate::failure::Failure;
use crate::sha256::{self, Hashed};
use iotempo_formats::{ErrorKind, Input, Part, ReadOptions, ReadSeek, detect_with};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A log, ready to be read.
pub(crate) struct Log {
    /// As the user would name it.
    pub(crate) name: String,
    /// The name that an output made from it should have, below the folder for outputs.
    pub(crate) below: PathBuf,
    /// Whether it is one of several in an archive.
    pub(crate) member: bool,
    /// Whether somebody named it; else it lay in a folder or an archive.
    pub(crate) named: bool,
    /// Whether nobody named it and its first bytes could be those of something else.
    pub(crate) guessed: bool,
    pub(crate) input: Input,
    pub(crate) sha256: Sha256Of,
}

/// What opening led to.
pub(crate) enum Opened {
    Log(Log),
    Archive(Archive),
    /// It lay among logs and is none.
    NoLog(Failure),
}

/// Bytes that come once and in order.
type Stream = Box<dyn Read + Send>;

/// Where to take the digest from, once the log has been read.
pub(crate) enum Sha256Of {
    Nothing,
    File(PathBuf),
    /// One after the other.
    Files(Vec<PathBuf>),
    Stream(Hashed<Stream>),
    Window(Window),
    Known(String),
}

impl Sha256Of {
    /// The digest, where it was asked for.
    pub(crate) fn finish(self) -> io::Result<Option<String>> {
        match self {
            Self::Nothing => Ok(None),
            Self::File(path) => sha256::of(File::open(path)?).map(Some),
            Self::Files(paths) => sha256::of_files(&paths).map(Some),
            Self::Stream(stream) => stream.finish().map(Some),
            Self::Window(window) => sha256::of(window).map(Some),
            Self::Known(digest) => Ok(Some(digest)),
        }
    }
}

/// Opens inputs.
pub(crate) struct Opener {
    pub(crate) options: ReadOptions,
    /// Whether anybody will ask for digests.
    pub(crate) hash: bool,
}

impl Opener {
    /// Opens what a command line named.
    pub(crate) fn open(&self, found: Found) -> Result<Opened, Failure> {
        match found {
            Found::Stdin => self.stdin(),
            Found::Named(path) => {
                let below = path.file_name().map(PathBuf::from).unwrap_or_default();
                self.file(path, below, true)
            }
            Found::InFolder { path, below } => self.file(path, below, false),
            Found::Traced {
                folder,
                logs,
                below,
            } => self.traced(&folder, logs, below),
        }
    }

    fn stdin(&self) -> Result<Opened, Failure> {
        let stream = self.stream(Box::new(io::stdin()));
        let (input, sha256) = stream.map_err(|error| Failure::new("-", error))?;
        self.judge("-".to_owned(), PathBuf::from("stdin"), input, sha256, true)
    }

    fn stream(&self, bytes: Stream) -> io::Result<(Input, Sha256Of)> {
        if !self.hash {
            return Ok((Input::stream(bytes)?, Sha256Of::Nothing));
        }
        let stream = Hashed::new(bytes);
        Ok((Input::stream(stream.reader())?, Sha256Of::Stream(stream)))
    }

    fn file(&self, path: PathBuf, below: PathBuf, named: bool) -> Result<Opened, Failure> {
        let name = path.display().to_string();
        let failed = |error: io::Error| Failure::new(name.clone(), error);
        let file = File::open(&path).map_err(failed)?;
        // A pipe or another special file comes once and in order.
        if !file.metadata().map_err(failed)?.is_file() {
            let (input, sha256) = self.stream(Box::new(file)).map_err(failed)?;
            return self.judge(name, below, input, sha256, named);
        }
        let input = Input::file(file).map_err(failed)?;
        if is_tar(input.head()) {
            let file = File::open(&path).map_err(failed)?;
            return Ok(Opened::Archive(Archive::in_place(
                name,
                file,
                self.options.limits,
            )));
        }
        let sha256 = if self.hash {
            Sha256Of::File(path)
        } else {
            Sha256Of::Nothing
        };
        self.judge(name, below, input, sha256, named)
    }

    /// Opens the logs of all processes of a job as one input.
    fn traced(&self, folder: &Path, logs: Vec<PathBuf>, below: PathBuf) -> Result<Opened, Failure> {
        let name = folder.display().to_string();
        let sha256 = match self.hash {
            true => Sha256Of::Files(logs.clone()),
            false => Sha256Of::Nothing,
        };
        let input = Input::several(logs.into_iter().map(part).collect());
        let input = input.map_err(|error| Failure::new(name.clone(), error))?;
        self.judge(name, below, input, sha256, true)
    }

    /// Opens a member of an archive. What is in an archive may be anything.
    pub(crate) fn member(&self, name: String, member: Member) -> Result<Opened, Failure> {
        let (input, sha256) = match member {
            Member::Window(window) => {
                let input = Input::seekable(window.clone());
                let input = input.map_err(|error| Failure::new(name.clone(), error))?;
                (input, self.hash.then_some(Sha256Of::Window(window)))
            }
            Member::Spooled(bytes) => {
                let digest = self.hash.then(|| sha256::of(&bytes[..]));
                let digest = digest.and_then(Result::ok).map(Sha256Of::Known);
                (Input::bytes(bytes), digest)
            }
        };
        let below = inside(&name);
        let sha256 = sha256.unwrap_or(Sha256Of::Nothing);
        let opened = self.judge(name.clone(), below, input, sha256, false)?;
        Ok(match opened {
            Opened::Log(log) => Opened::Log(Log {
                member: true,
                ..log
            }),
            Opened::Archive(_) => {
                Opened::NoLog(Failure::new(name, "archives in archives are not opened"))
            }
            Opened::NoLog(why) => Opened::NoLog(why),
        })
    }

    /// Looks at the first bytes, below any compression.
    fn judge(
        &self,
        name: String,
        below: PathBuf,
        input: Input,
        sha256: Sha256Of,
        named: bool,
    ) -> Result<Opened, Failure> {
        let input = input
            .unwrapped()
            .map_err(|error| Failure::of(name.clone(), &error))?;
        if is_tar(input.head()) {
            let archive = Archive::in_order(name, input.into_reader(), self.options.limits);
            return Ok(Opened::Archive(archive));
        }
        let ending = Ending::of(&name);
        match detect_with(input.head(), &self.options) {
            Ok(format) => Ok(Opened::Log(Log {
                name,
                below,
                member: false,
                named,
                guessed: !named && !format.is_certain() && ending != Ending::Log,
                input,
                sha256,
            })),
            Err(error)
                if !named && self.is_no_log(&error.kind) && !ending.is_damage(&error.kind) =>
            {
                Ok(Opened::NoLog(Failure::of(name, &error)))
            }
            Err(error) => Err(Failure::of(name, &error)),
        }
    }

    /// Whether an error says that something is no log, rather than a bad one. Where a user names
    /// columns, tables without them are no logs.
    fn is_no_log(&self, kind: &ErrorKind) -> bool {
        let unknown = matches!(
            kind,
            ErrorKind::UnknownFormat(_) | ErrorKind::Unsupported(_) | ErrorKind::Empty
        );
        unknown || !self.options.columns.is_empty()
    }
}

/// One log of a job. A job may have more of them than files can be open.
fn part(path: PathBuf) -> Part {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Part::new(name.into_owned(), move || {
        let file: Box<dyn ReadSeek> = Box::new(File::open(&path)?);
        Ok(file)
    })
}

/// `a/jobs.tar:../x/y.log` becomes `jobs.tar/x/y.log`: a member's name may not lead anywhere else.
fn inside(name: &str) -> PathBuf {
    use std::path::Component;
    // Folders may have colons in their names, too: the archive is a file.
    let mut colons = name
        .match_indices(':')
        .map(|(at, _)| (&name[..at], &name[at + 1..]));
    let is_archive = |(archive, _): &(&str, &str)| Path::new(archive).is_file();
    let first = name.split_once(':');
    let (archive, member) = colons.find(is_archive).or(first).unwrap_or((name, ""));
    let archive = Path::new(archive).file_name().map(PathBuf::from);
    let plain = Path::new(member)
        .components()
        .filter(|component| matches!(component, Component::Normal(_)));
    archive.unwrap_or_default().join(plain.collect::<PathBuf>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_archives_stay_below_the_archive() {
        for (name, expected) in [
            ("a/jobs.tar:x/y.log", "jobs.tar/x/y.log"),
            ("jobs.tar:../../etc/passwd", "jobs.tar/etc/passwd"),
            ("jobs.tar:/etc/passwd", "jobs.tar/etc/passwd"),
        ] {
            assert_eq!(inside(name), Path::new(expected));
        }
    }
}
