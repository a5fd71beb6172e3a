//! What tells a job from another one that took its place while nobody looked.

use iotempo_formats::live::a_log_of;
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Bytes of a file that are looked at: what is appended later changes nothing of them.
const BEGINNING: usize = 1024;

/// How a file begins, or which log is in a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Identity {
    /// A hash of so many bytes, the first of the file.
    File { bytes: usize, hash: u64 },
    /// The name of a log, which has the number of its process, below the folder.
    Folder { log: String },
}

impl Identity {
    /// What is there now; `None` where there is nothing to go by yet.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        if path.is_dir() {
            let log = a_log_of(path)?;
            let name = log.strip_prefix(path).ok()?.to_string_lossy();
            return Some(Self::Folder {
                log: name.into_owned(),
            });
        }
        let beginning = beginning(path, BEGINNING).ok()?;
        (!beginning.is_empty()).then(|| Self::File {
            bytes: beginning.len(),
            hash: hash(&beginning),
        })
    }

    /// Whether more of it could be known by now.
    pub(crate) fn is_vague(&self) -> bool {
        matches!(self, Self::File { bytes, .. } if *bytes < BEGINNING)
    }

    /// Whether the same is there still. What cannot be read is not said to be another.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        match self {
            Self::Folder { log } => path.join(log).symlink_metadata().is_ok(),
            Self::File { bytes, hash: known } => {
                beginning(path, *bytes).map_or(true, |beginning| hash(&beginning) == *known)
            }
        }
    }
}

/// The first bytes of a file, as many as that at the most. A link is none: it may lead anywhere.
fn beginning(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let nofollow = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(nofollow.bits() as i32);
    let mut bytes = Vec::new();
    options
        .open(path)?
        .take(most.min(BEGINNING) as u64)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The hash of Fowler, Noll and Vo: the same on every machine and in every version.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_that_grows_stays_the_same_and_another_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        assert_eq!(Identity::of(&path), None);
        fs::write(&path, "op,start,end,bytes\nwrite,0,1,5\n").expect("room");
        let first = Identity::of(&path).expect("there");
        assert!(first.is_vague());
        let more = "op,start,end,bytes\nwrite,0,1,5\n".to_owned() + &"write,2,3,5\n".repeat(200);
        fs::write(&path, &more).expect("room");
        assert!(first.is_at(&path));
        let second = Identity::of(&path).expect("there");
        assert!(!second.is_vague());
        fs::write(&path, more.replacen("0,1,5", "0,2,5", 1)).expect("room");
        assert!(!first.is_at(&path) && !second.is_at(&path));
    }

    #[test]
    fn a_folder_is_told_by_its_logs() {
        let folder = tempfile::tempdir().expect("a folder");
        let job = folder.path().join("job");
        fs::create_dir(&job).expect("room");
        assert_eq!(Identity::of(&job), None);
        fs::write(job.join("node.17.iot"), "x").expect("room");
        let known = Identity::of(&job).expect("there");
        fs::write(job.join("node.18.iot"), "x").expect("room");
        assert!(known.is_at(&job));
        fs::remove_file(job.join("node.17.iot")).expect("there");
        assert!(!known.is_at(&job));
    }
}
