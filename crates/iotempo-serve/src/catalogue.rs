//! Which jobs there are.

use iotempo_formats::live::{holds_logs, is_log};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Jobs below one root.
const MOST: usize = 100_000;
/// A folder without logs is walked through again after so long, and after so many times as long as that takes.
const AGAIN: Duration = Duration::from_secs(5);
const AT_EASE: u32 = 200;
/// How the names of files end that a job appends to.
const APPENDED: [&str; 3] = ["jsonl", "msgpack", "csv"];

/// Finds jobs below some roots.
#[derive(Debug)]
pub(crate) struct Catalogue {
    roots: Vec<PathBuf>,
    /// Folders that are known to hold logs: they are not listed again.
    folders: BTreeSet<PathBuf>,
    /// Folders without any: when they were last changed, and when to look again.
    barren: BTreeMap<PathBuf, (Option<SystemTime>, Instant)>,
    /// Whether roots were links when they were first there.
    linked: BTreeMap<PathBuf, bool>,
}

/// A job that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// Its name, for people.
    pub(crate) name: String,
    /// Where it is.
    pub(crate) path: PathBuf,
    /// A person has named it, and it was a link then: that may lead anywhere. No other may.
    pub(crate) linked: bool,
}

/// All jobs that are there by their ids, and the roots that could not be looked at.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) jobs: BTreeMap<String, Found>,
    pub(crate) failures: Vec<(PathBuf, io::Error)>,
}

impl Catalogue {
    pub(crate) fn new(roots: Vec<PathBuf>) -> Self {
        Self {
            roots,
            folders: BTreeSet::new(),
            barren: BTreeMap::new(),
            linked: BTreeMap::new(),
        }
    }

    /// Looks for jobs.
    pub(crate) fn scan(&mut self) -> Scan {
        let mut scan = Scan::default();
        for number in 0..self.roots.len() {
            let root = self.roots[number].clone();
            match self.below(&root) {
                Ok(paths) => {
                    // Names of other roots than the first may be those of the first.
                    let salt = (number > 0).then(|| root.as_os_str());
                    for path in paths {
                        let linked = path == root && self.linked.get(&root) == Some(&true);
                        scan.add(path, linked, salt);
                    }
                }
                Err(error) => scan.failures.push((root, error)),
            }
        }
        let there: BTreeSet<_> = scan.jobs.values().map(|found| &found.path).collect();
        self.folders.retain(|folder| there.contains(folder));
        if self.barren.len() > MOST {
            self.barren.clear();
        }
        scan
    }

    /// Looks into a folder again whose logs are gone.
    pub(crate) fn doubt(&mut self, folder: &Path) {
        self.folders.remove(folder);
    }

    /// The jobs of a root: itself, or what is in it.
    fn below(&mut self, root: &Path) -> io::Result<Vec<PathBuf>> {
        let is_link = root.symlink_metadata()?.is_symlink();
        let linked = self.linked.entry(root.to_owned()).or_insert(is_link);
        if is_link && !*linked {
            let message = "a link has taken its place, which is not followed";
            return Err(io::Error::other(message));
        }
        if root.is_file() {
            return Ok(vec![root.to_owned()]);
        }
        let entries: Vec<DirEntry> = fs::read_dir(root)?.collect::<io::Result<_>>()?;
        if entries.iter().any(|entry| is_log(entry).unwrap_or(false)) {
            return Ok(vec![root.to_owned()]);
        }
        let jobs = entries.iter().filter(|entry| self.is_job(entry));
        Ok(jobs.take(MOST).map(DirEntry::path).collect())
    }

    fn is_job(&mut self, entry: &DirEntry) -> bool {
        let (name, path) = (entry.file_name(), entry.path());
        let hidden = name.as_bytes().first() == Some(&b'.');
        // Of the link itself: what lies outside of the root is nobody's business.
        let Ok(kind) = entry.file_type() else {
            return false;
        };
        if hidden {
            false
        } else if kind.is_dir() {
            self.folders.contains(&path) || self.is_folder_of_job(entry, path)
        } else {
            kind.is_file() && path.extension().is_some_and(is_appended)
        }
    }
}

impl Catalogue {
    /// Whether there are logs in a folder that is not known to have some. One that has none may be a tree of others'
    /// data, which costs their file system dearly to walk through: it is done again when the folder itself was
    /// changed, or after a while.
    fn is_folder_of_job(&mut self, entry: &DirEntry, path: PathBuf) -> bool {
        let changed = entry.metadata().and_then(|told| told.modified()).ok();
        let began = Instant::now();
        if let Some((known, again)) = self.barren.get(&path)
            && (*known, began < *again) == (changed, true)
        {
            return false;
        }
        if holds_logs(&path) {
            self.barren.remove(&path);
            return self.folders.insert(path);
        }
        let pause = AGAIN.max(AT_EASE * began.elapsed());
        self.barren.insert(path, (changed, began + pause));
        false
    }
}

impl Scan {
    fn add(&mut self, path: PathBuf, linked: bool, salt: Option<&OsStr>) {
        let Some(name) = path.file_name() else {
            return;
        };
        let id = id(name.as_bytes(), salt.map(OsStr::as_bytes));
        let name = name.to_string_lossy().into_owned();
        let found = Found { name, path, linked };
        self.jobs.entry(id).or_insert(found);
    }
}

fn is_appended(end: &OsStr) -> bool {
    APPENDED.iter().any(|known| end == *known)
}

/// The name where it can stand in an address; else with a mark that tells it from others like it.
fn id(name: &[u8], salt: Option<&[u8]>) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    let as_is = name.iter().all(|byte| plain(*byte)) && salt.is_none();
    let letters = name.iter().map(|byte| match *byte {
        byte if plain(byte) => char::from(byte),
        _ => '_',
    });
    let mut id: String = letters.collect();
    if !as_is {
        let mark = fnv(salt.unwrap_or_default().iter().chain(b"/").chain(name));
        id.push_str(&format!("-{mark:08x}"));
    }
    id
}

/// The hash of Fowler, Noll and Vo: the same on every machine and in every version.
fn fnv<'a>(bytes: impl Iterator<Item = &'a u8>) -> u32 {
    bytes.fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn write(root: &Path, name: impl AsRef<OsStr>) {
        let path = root.join(Path::new(name.as_ref()));
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, "x").expect("room");
    }

    fn ids(roots: &[&Path]) -> Vec<String> {
        let roots = roots.iter().map(|root| root.to_path_buf()).collect();
        Catalogue::new(roots).scan().jobs.into_keys().collect()
    }

    #[test]
    fn folders_with_logs_and_files_that_grow_are_jobs() {
        let root = tempfile::tempdir().expect("a folder");
        for name in [
            "a/h.1.iot",
            "b/deep/h.2.iot",
            "c/readme.txt",
            "d.jsonl",
            "e.csv",
            "f.txt",
            ".state/x.jsonl",
            ".hidden.jsonl",
        ] {
            write(root.path(), name);
        }
        assert_eq!(ids(&[root.path()]), ["a", "b", "d.jsonl", "e.csv"]);
        let single = ids(&[&root.path().join("a"), &root.path().join("d.jsonl")]);
        assert_eq!(single.len(), 2);
        assert!(single[0] == "a" && single[1].starts_with("d.jsonl-"));
    }

    #[test]
    fn what_appears_is_found_and_what_goes_is_missed() {
        let root = tempfile::tempdir().expect("a folder");
        let mut catalogue = Catalogue::new(vec![root.path().to_owned()]);
        assert!(catalogue.scan().jobs.is_empty());
        write(root.path(), "job/h.1.iot");
        assert_eq!(catalogue.scan().jobs.len(), 1);
        fs::remove_dir_all(root.path().join("job")).expect("removed");
        assert!(catalogue.scan().jobs.is_empty() && catalogue.folders.is_empty());
        drop(root);
        assert_eq!(catalogue.scan().failures.len(), 1);
    }

    #[test]
    fn a_folder_without_logs_is_not_walked_through_again_and_again() {
        let root = tempfile::tempdir().expect("a folder");
        write(root.path(), "data/deep/x.bin");
        let mut catalogue = Catalogue::new(vec![root.path().to_owned()]);
        catalogue.scan();
        let known = catalogue.barren.clone();
        assert_eq!(known.len(), 1);
        catalogue.scan();
        assert_eq!(catalogue.barren, known);
        // A log that is put into it is seen at once; the clock of files may be coarse.
        std::thread::sleep(Duration::from_millis(20));
        write(root.path(), "data/h.1.iot");
        assert_eq!(catalogue.scan().jobs.len(), 1);
        assert!(catalogue.barren.is_empty());
    }

    #[test]
    fn links_lead_nowhere() {
        let (root, other) = (tempfile::tempdir(), tempfile::tempdir());
        let (root, other) = (root.expect("a folder"), other.expect("a folder"));
        write(other.path(), "job/h.1.iot");
        write(other.path(), "x.jsonl");
        for name in ["job", "x.jsonl"] {
            symlink(other.path().join(name), root.path().join(name)).expect("a link");
        }
        assert!(ids(&[root.path()]).is_empty());
    }

    #[test]
    fn any_name_has_an_id_of_its_own_that_fits_into_an_address() {
        let root = tempfile::tempdir().expect("a folder");
        let names: [&[u8]; 4] = [b"a b.csv", b"a+b.csv", b"a_b.csv", b"\xff\xfe.csv"];
        for name in names {
            write(root.path(), OsStr::from_bytes(name));
        }
        let ids = ids(&[root.path()]);
        assert_eq!(ids.len(), 4, "{ids:?}");
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        assert!(ids.iter().all(|id| id.chars().all(plain)), "{ids:?}");
        assert!(ids.contains(&"a_b.csv".to_owned()));
    }
}
