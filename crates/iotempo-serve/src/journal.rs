//! All predictions in a file, so that a restart neither loses nor repeats one.

mod past;

pub(crate) use past::{JobPast, LastRun, Pasts};

use crate::identity::Identity;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::VecDeque;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The journal, and what it was before it became too long.
const NAME: &str = "predictions.jsonl";
const OLD_NAME: &str = "predictions.old.jsonl";
/// Held by the server that writes the journal.
const LOCK: &str = "lock";
/// Bytes after which a new journal is begun.
const LONG: u64 = 64 << 20;
/// Lines that wait for room on the disk at the most.
const WAITING: usize = 4096;

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Entry<'a> {
    /// Counts predictions of all jobs.
    pub(crate) seq: u64,
    pub(crate) job: &'a str,
    /// Counts how often the job was begun anew.
    pub(crate) run: u64,
    /// When the job's time 0 was, in ns since 1970, where its source says so.
    pub(crate) start_epoch_ns: Option<u64>,
    /// When the prediction was made, by the clock of this machine.
    pub(crate) made_epoch_s: f64,
    /// What the job's files were then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) identity: Option<Identity>,
    /// Whether this run went on after it had been said to have ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) returned: bool,
    #[serde(borrow)]
    pub(crate) line: &'a RawValue,
}

/// Why there is no journal.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Another server writes it.
    Taken,
    /// It cannot be written.
    Io(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A file that is only ever appended to, by whole lines.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: PathBuf,
    file: File,
    /// The end of the last whole line.
    length: u64,
    longest: u64,
    waiting: VecDeque<Vec<u8>>,
    /// Lines that were given up because too many waited.
    pub(crate) lost: u64,
    _lock: File,
}

impl Journal {
    /// Opens the journal in a folder, which is made, and reads what it holds.
    pub(crate) fn open(folder: &Path) -> Result<(Self, Pasts), Failure> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)?;
        let lock = open(&folder.join(LOCK))?;
        match rustix::fs::flock(&lock, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => return Err(Failure::Taken),
            // Some shared file systems have no locks: better no lock than no journal.
            Err(_) => {}
        }
        let mut pasts = Pasts::default();
        pasts.read(&folder.join(OLD_NAME))?;
        let length = pasts.read(&folder.join(NAME))?;
        let file = open(&folder.join(NAME))?;
        // What a crash left of a line was never told to anybody.
        file.set_len(length)?;
        let journal = Self {
            folder: folder.to_owned(),
            file,
            length,
            longest: LONG,
            waiting: VecDeque::new(),
            lost: 0,
            _lock: lock,
        };
        Ok((journal, pasts))
    }

    /// Appends a line, and with it those that waited.
    pub(crate) fn append(&mut self, line: Vec<u8>) -> io::Result<()> {
        if self.waiting.len() == WAITING {
            self.waiting.pop_front();
            self.lost += 1;
        }
        self.waiting.push_back(line);
        self.flush()
    }

    /// Appends what waits, as long as there is room.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        while let Some(line) = self.waiting.front() {
            match self.file.write(line) {
                Ok(written) if written == line.len() => {
                    self.length += written as u64;
                    self.waiting.pop_front();
                }
                Ok(_) => {
                    self.cut_back();
                    return Err(io::ErrorKind::StorageFull.into());
                }
                Err(error) => {
                    self.cut_back();
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// Lines that wait for room.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Whether a new one should be begun.
    pub(crate) fn is_long(&self) -> bool {
        self.length > self.longest && self.waiting.is_empty()
    }

    /// Begins a new journal with the last line of every job; the old one is kept, the one before not.
    pub(crate) fn begin_anew<'a>(
        &mut self,
        lines: impl Iterator<Item = &'a [u8]>,
    ) -> io::Result<()> {
        let (name, next) = (self.folder.join(NAME), self.folder.join("predictions.new"));
        let mut all = Vec::new();
        lines.for_each(|line| all.extend_from_slice(line));
        // Whenever we are stopped, one of them holds every job.
        let mut file = open(&next)?;
        file.set_len(0)?;
        file.write_all(&all)?;
        let old = self.folder.join(OLD_NAME);
        fs::rename(&name, &old)?;
        fs::rename(&next, &name)?;
        (self.file, self.length) = (file, all.len() as u64);
        // Where even that is long, try again only when there is something to be gained.
        self.longest = LONG.max(2 * self.length);
        Ok(())
    }

    /// Takes back a part of a line. Where even that fails, the next line is appended to it, and both are
    /// left out when the journal is read.
    fn cut_back(&mut self) {
        let _ = self.file.set_len(self.length);
    }
}

/// Readable by nobody else: what jobs do is nobody else's business.
fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true).read(true).mode(0o600);
    options.open(path)
}

/// A line as it stands in the file.
pub(crate) fn line(entry: &Entry<'_>) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(entry)?;
    bytes.push(b'\n');
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(seq: u64, job: &str, run: u64, number: u64) -> Vec<u8> {
        let json = format!(
            r#"{{"number":{number},"start_epoch_s":null,"at_s":{number}.5,"state":"learning",
            "period_s":null,"confidence":0,"accuracy":{{"judged":0,"missed":0,"within_interval":0}}}}"#
        )
        .replace('\n', "");
        let raw = RawValue::from_string(json).expect("JSON");
        let entry = Entry {
            seq,
            job,
            run,
            start_epoch_ns: Some(1),
            made_epoch_s: 2.0,
            identity: None,
            returned: false,
            line: &raw,
        };
        line(&entry).expect("JSON")
    }

    #[test]
    fn what_was_appended_is_there_after_a_restart_and_a_torn_line_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut journal, pasts) = Journal::open(folder.path()).expect("a journal");
        assert_eq!(pasts.last_seq(), 0);
        for number in 1..=100 {
            let line = entry(number, "a", 1, number);
            journal.append(line).expect("room");
        }
        journal.append(entry(101, "b", 3, 1)).expect("room");
        assert!(matches!(Journal::open(folder.path()), Err(Failure::Taken)));
        drop(journal);
        let name = folder.path().join(NAME);
        let whole = fs::read(&name).expect("a file");
        fs::write(&name, [&whole[..], &entry(102, "a", 1, 101)[..40]].concat()).expect("room");
        let (mut journal, mut pasts) = Journal::open(folder.path()).expect("a journal");
        assert_eq!((pasts.last_seq(), pasts.damaged()), (101, 0));
        assert_eq!(fs::read(&name).expect("a file"), whole);
        journal.append(entry(102, "a", 1, 101)).expect("room");
        let a = pasts.take("a").expect("a past");
        assert_eq!((a.run, a.told.len()), (1, 64));
        assert_eq!(a.told.back().expect("some").figures.number, 100);
        assert_eq!(pasts.take("b").map(|past| past.run), Some(3));
        assert!(pasts.take("b").is_none());
    }

    #[test]
    fn a_long_journal_is_begun_anew_and_still_knows_every_job() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut journal, _) = Journal::open(folder.path()).expect("a journal");
        journal.append(entry(1, "a", 1, 1)).expect("room");
        journal.append(entry(2, "b", 1, 1)).expect("room");
        let carried = [entry(1, "a", 1, 1), entry(2, "b", 1, 1)];
        for _ in 0..2 {
            let lines = carried.iter().map(Vec::as_slice);
            journal.begin_anew(lines).expect("room");
        }
        journal.append(entry(3, "a", 1, 2)).expect("room");
        drop(journal);
        let (_, mut pasts) = Journal::open(folder.path()).expect("a journal");
        assert_eq!(pasts.last_seq(), 3);
        let a = pasts.take("a").expect("a past");
        let numbers: Vec<_> = a.told.iter().map(|told| told.figures.number).collect();
        assert_eq!(numbers, [1, 2]);
        assert!(pasts.take("b").is_some());
    }

    #[test]
    fn damage_costs_no_more_than_its_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = [
            entry(1, "a", 1, 1),
            b"\xff\xfe\n\n{}\n{\"seq\":2}\n".to_vec(),
            entry(3, "a", 1, 2),
        ];
        fs::write(folder.path().join(NAME), text.concat()).expect("room");
        let (_, mut pasts) = Journal::open(folder.path()).expect("a journal");
        assert_eq!((pasts.last_seq(), pasts.damaged()), (3, 4));
        // Who comes back must not take what is damaged for never told.
        let recent = pasts.take_recent().into_iter();
        assert_eq!(recent.map(|event| event.seq).collect::<Vec<_>>(), [Some(3)]);
        assert_eq!(pasts.take("a").map(|past| past.told.len()), Some(2));
    }
}
