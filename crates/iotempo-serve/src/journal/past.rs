//! What a journal tells of the time before a restart.

use super::Entry;
use crate::board::{Published, RING};
use crate::followed::KEPT;
use crate::identity::Identity;
use crate::view::Told;
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

/// What was told of all jobs.
#[derive(Debug, Default)]
pub(crate) struct Pasts {
    jobs: HashMap<Arc<str>, JobPast>,
    recent: VecDeque<Published>,
    last_seq: u64,
    damaged: u64,
}

/// What was told of a job.
#[derive(Debug, Default)]
pub(crate) struct JobPast {
    pub(crate) run: u64,
    pub(crate) start_epoch_ns: Option<u64>,
    pub(crate) made_epoch_s: f64,
    /// The last predictions of the last run, oldest first.
    pub(crate) told: VecDeque<Arc<Told>>,
    /// Whether that run went on after it had been said to have ended.
    pub(crate) returned: bool,
    /// What its files were when it was last told of.
    pub(crate) identity: Option<Identity>,
    /// The last line as it stands in the journal, and its number.
    pub(crate) entry: Arc<[u8]>,
    pub(crate) seq: u64,
}

/// The last run of a job that is not there any more.
#[derive(Debug)]
pub(crate) struct LastRun {
    pub(crate) run: u64,
    /// Its last line in the journal, and the number of that.
    pub(crate) entry: Arc<[u8]>,
    pub(crate) seq: u64,
}

impl Pasts {
    /// Takes in a file, which need not exist; where its last whole line ends.
    pub(super) fn read(&mut self, path: &Path) -> io::Result<u64> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(error),
        };
        let (mut reader, mut line, mut end) = (BufReader::new(file), Vec::new(), 0);
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                return Ok(end);
            }
            end += length as u64;
            if self.take_in(&line).is_none() {
                self.damaged += 1;
            }
        }
    }

    /// `None` where it is no line of a journal.
    fn take_in(&mut self, line: &[u8]) -> Option<()> {
        let entry: Entry<'_> = serde_json::from_slice(line).ok()?;
        // A new journal begins with lines of the old one.
        if entry.seq <= self.last_seq && self.jobs.contains_key(entry.job) {
            return Some(());
        }
        let told = Arc::new(Told::new(entry.line.to_owned()).ok()?);
        let job: Arc<str> = Arc::from(entry.job);
        if self.recent.len() == RING {
            self.recent.pop_front();
        }
        let event = Published::prediction(entry.seq, &job, &told.json);
        self.recent.push_back(event);
        self.last_seq = self.last_seq.max(entry.seq);
        let past = self.jobs.entry(job).or_default();
        if past.run != entry.run {
            past.told.clear();
            past.returned = false;
        }
        past.returned |= entry.returned || past.told.back().is_some_and(|last| last.has_ended());
        if past.told.len() == KEPT {
            past.told.pop_front();
        }
        past.told.push_back(told);
        past.run = entry.run;
        past.start_epoch_ns = entry.start_epoch_ns;
        past.made_epoch_s = entry.made_epoch_s;
        past.identity = entry.identity;
        past.entry = Arc::from(line);
        past.seq = entry.seq;
        Some(())
    }

    /// The number of the last prediction.
    pub(crate) fn last_seq(&self) -> u64 {
        self.last_seq
    }

    /// Lines that could not be understood.
    pub(crate) fn damaged(&self) -> u64 {
        self.damaged
    }

    /// The last predictions of all jobs, oldest first, without a gap: a new journal begins with lines that
    /// were not made one after the other.
    pub(crate) fn take_recent(&mut self) -> VecDeque<Published> {
        let mut recent = std::mem::take(&mut self.recent);
        let events = recent.make_contiguous();
        events.sort_by_key(|event| event.seq);
        let follows = |pair: &[Published]| pair[0].seq.map(|seq| seq + 1) == pair[1].seq;
        let gap = events.windows(2).rposition(|pair| !follows(pair));
        recent.drain(..gap.map_or(0, |gap| gap + 1));
        recent
    }

    /// What was told of a job.
    pub(crate) fn take(&mut self, job: &str) -> Option<JobPast> {
        self.jobs.remove(job)
    }

    /// The last runs of all jobs that nobody has asked for.
    pub(crate) fn into_runs(self) -> impl Iterator<Item = (Arc<str>, LastRun)> {
        self.jobs.into_iter().map(|(job, past)| {
            let (run, seq, entry) = (past.run, past.seq, past.entry);
            (job, LastRun { run, seq, entry })
        })
    }

    /// The last lines of all jobs that nobody has asked for yet.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &[u8]> {
        self.jobs.values().map(|past| &*past.entry)
    }
}
