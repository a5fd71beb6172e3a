//! Which logs lie in a folder and below it.

use crate::regular::{Links, Root};
use iotempo_model::Warning;
use std::fs::{self, DirEntry, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// Folders below that of a job in which its logs are looked for.
const DEEPEST: usize = 3;
/// File systems count times of change in steps of up to 2 s: within these a folder can change again
/// unseen.
const SETTLED: Duration = Duration::from_secs(3);
/// How often it is listed anyway: not every file system tells that a folder has changed.
const SELDOM: Duration = Duration::from_secs(10);

/// A folder, listed when it has changed.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    links: Links,
    deep: usize,
    /// Its time of change, and when that was first seen.
    modified: Option<(SystemTime, Instant)>,
    listed: Option<Instant>,
    logs: Vec<PathBuf>,
    below: Vec<Self>,
    /// It cannot be listed, and that was told.
    unreadable: bool,
    told: bool,
}

impl Folder {
    pub(super) fn new(path: PathBuf) -> Self {
        Self::at_depth(path, DEEPEST)
    }

    /// The same, but not where a link is in its place.
    pub(super) fn refusing_links(mut self) -> Self {
        self.links = Links::Refused;
        self
    }

    fn at_depth(path: PathBuf, deep: usize) -> Self {
        Self {
            path,
            links: Links::Followed,
            deep,
            modified: None,
            listed: None,
            logs: Vec::new(),
            below: Vec::new(),
            unreadable: false,
            told: false,
        }
    }

    /// Whether logs have come or gone since the last time.
    ///
    /// # Errors
    /// Where it cannot be listed itself. A folder below that cannot be is told once, and what was last
    /// known of it stands.
    pub(super) fn has_changed(
        &mut self,
        now: Instant,
        warnings: &mut Vec<Warning>,
    ) -> io::Result<bool> {
        let modified = match self.metadata().and_then(|found| found.modified()) {
            Ok(modified) => modified,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(self.empty()),
            Err(error) => return Err(error),
        };
        let mut changed = false;
        if self.is_listing_due(modified, now) {
            changed = self.list()?;
            self.listed = Some(now);
        }
        for folder in &mut self.below {
            let result = folder.has_changed(now, warnings);
            folder.unreadable = result.is_err();
            match result {
                Ok(has) => changed |= has,
                Err(error) => folder.tell(&error, warnings),
            }
        }
        Ok(changed)
    }

    /// A folder that was named may be a link; one that was found is none, or is gone.
    fn metadata(&self) -> io::Result<Metadata> {
        let named = self.deep == DEEPEST;
        if named && self.links == Links::Followed {
            return fs::metadata(&self.path);
        }
        let found = fs::symlink_metadata(&self.path)?;
        if found.is_symlink() && !named {
            return Err(io::ErrorKind::NotFound.into());
        }
        if found.is_symlink() {
            return Err(io::Error::other("it is a link, which is not followed"));
        }
        Ok(found)
    }

    /// How its logs are opened.
    pub(super) fn root(&self) -> Root<'_> {
        Root {
            path: &self.path,
            links: self.links,
        }
    }

    /// Whether all folders below could be listed the last time.
    pub(super) fn is_whole(&self) -> bool {
        let mut below = self.below.iter();
        below.all(|folder| !folder.unreadable && folder.is_whole())
    }

    fn tell(&mut self, error: &io::Error, warnings: &mut Vec<Warning>) {
        if !std::mem::replace(&mut self.told, true) {
            let path = self.path.display();
            let message = format!("{path}: {error}: tried again with every look");
            warnings.push(Warning::new("unreadable", message));
        }
    }

    /// All logs that were there when it was last looked at.
    pub(super) fn logs(&self) -> Vec<&Path> {
        let mut logs: Vec<_> = self.logs.iter().map(PathBuf::as_path).collect();
        for folder in &self.below {
            logs.extend(folder.logs());
        }
        logs
    }

    fn is_listing_due(&mut self, modified: SystemTime, now: Instant) -> bool {
        let seen = match self.modified {
            Some((same, seen)) if same == modified => seen,
            _ => {
                self.modified = Some((modified, now));
                return true;
            }
        };
        self.listed.is_none_or(|listed| {
            listed.duration_since(seen) < SETTLED || now.duration_since(listed) > SELDOM
        })
    }

    /// Forgets everything; whether there was something.
    fn empty(&mut self) -> bool {
        let held = !self.logs().is_empty();
        *self = Self {
            links: self.links,
            ..Self::at_depth(std::mem::take(&mut self.path), self.deep)
        };
        held
    }

    fn list(&mut self) -> io::Result<bool> {
        let entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(self.empty()),
            Err(error) => return Err(error),
        };
        let (mut logs, mut below) = (Vec::new(), Vec::new());
        for entry in entries {
            let entry = entry?;
            if self.deep > 0 && entry.file_type()?.is_dir() {
                below.push(entry.path());
            } else if is_log(&entry)? {
                logs.push(entry.path());
            }
        }
        logs.sort_unstable();
        let gone = self
            .below
            .extract_if(.., |folder| !below.contains(&folder.path));
        let lost = gone.filter(|folder| !folder.logs().is_empty()).count();
        let new = below
            .into_iter()
            .filter(|path| self.below.iter().all(|folder| folder.path != *path));
        let new: Vec<_> = new
            .map(|path| Self::at_depth(path, self.deep - 1))
            .collect();
        self.below.extend(new);
        let changed = lost > 0 || logs != self.logs;
        self.logs = logs;
        Ok(changed)
    }
}

/// Whether an entry of a folder is a log of the tracer, by its name. A link is none.
///
/// # Errors
/// Where the file system does not say what it is.
pub fn is_log(entry: &DirEntry) -> io::Result<bool> {
    let named = Path::new(&entry.file_name())
        .extension()
        .is_some_and(|end| end == "iot");
    Ok(named && entry.file_type()?.is_file())
}

/// Whether there is a log in a folder, or so far below it that it would be found there.
#[must_use]
pub fn holds_logs(folder: &Path) -> bool {
    a_log_of(folder).is_some()
}

/// One of the logs of a folder, or so far below it that it would be found there; it does not matter which.
#[must_use]
pub fn a_log_of(folder: &Path) -> Option<PathBuf> {
    first_logs(folder, 1).next()
}

/// The first log of each folder that has some, this one and those below it, of so many folders at the most.
pub(super) fn first_logs(folder: &Path, most: usize) -> impl Iterator<Item = PathBuf> {
    let mut found = Vec::new();
    find_first_logs(folder, DEEPEST, most, &mut found);
    found.into_iter()
}

fn find_first_logs(folder: &Path, deep: usize, most: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let (mut first, mut below) = (None, Vec::new());
    for entry in entries.flatten() {
        if is_log(&entry).unwrap_or(false) {
            let path = entry.path();
            first = Some(first.filter(|first| *first < path).unwrap_or(path));
            // Who asks for one does not care which.
            if most == 1 {
                break;
            }
        } else if deep > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            below.push(entry.path());
        }
    }
    found.extend(first);
    below.sort_unstable();
    for folder in below {
        if found.len() >= most {
            return;
        }
        find_first_logs(&folder, deep - 1, most, found);
    }
}
