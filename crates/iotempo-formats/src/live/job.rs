//! A folder of the tracer's logs that their programs still write.

use super::folder::Folder;
use crate::error::{Error, ErrorKind};
use crate::iot::files::{Files, Known};
use crate::iot::follow::{GrowingLog, Place, Takes};
use crate::iot::transfer::Transfer;
use crate::reading::{Layer, ReadOptions};
use crate::regular::Root;
use iotempo_model::{Api, Intake, RawRequest, RequestSink, Warning, counted};
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[cfg(test)]
mod tests;

/// Logs of a job that are followed at a time.
const MOST_LOGS: usize = 1 << 14;

/// A log whose first page is not finished after this long is worth a word, and so is one that ends within a chunk: of
/// a file system that others share, parts can be seen before the rest.
const BEGUN: Duration = Duration::from_secs(10);

/// All logs of a job, followed while its programs write them.
///
/// No file stays open between two looks.
#[derive(Debug)]
pub struct GrowingJob {
    folder: Folder,
    layer: Layer,
    logs: Vec<Log>,
    /// Logs that were ever found.
    found: usize,
    /// Time 0, in ns since 1970.
    zero_ns: Option<u64>,
    /// Names of files that libraries of MPI moved bytes of by POSIX.
    beneath: HashSet<u64>,
    warnings: Vec<Warning>,
    /// The last look took in all logs.
    caught_up: bool,
    /// The job that the first log is of, and whether it was told that others are not.
    name: Option<String>,
    told_of_others: bool,
}

/// A log of the folder.
#[derive(Debug)]
struct Log {
    path: PathBuf,
    /// Stands for its rank where it has none.
    number: usize,
    state: State,
    /// It was told that it cannot be read for now.
    told: bool,
    /// It was told that it was cut before it was first looked at.
    told_cut: bool,
    /// The last look could not read it.
    failed: bool,
    found: Instant,
}

#[derive(Debug)]
enum State {
    /// Its program has not finished the first page.
    Awaited,
    Followed(Box<GrowingLog>),
    /// It was told why, once.
    Broken,
    Deleted,
}

impl GrowingJob {
    /// The logs below a folder, which need not exist yet.
    ///
    /// Time 0 is when the first program was loaded, of those whose logs are there when logs are first found.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>, options: &ReadOptions) -> Self {
        Self {
            folder: Folder::new(folder.into()),
            layer: options.layer,
            logs: Vec::new(),
            found: 0,
            zero_ns: None,
            beneath: HashSet::new(),
            warnings: Vec::new(),
            caught_up: false,
            name: None,
            told_of_others: false,
        }
    }

    /// The same, but a link in the place of the folder is not gone after: it may lead anywhere.
    #[must_use]
    pub fn refusing_links(mut self) -> Self {
        self.folder = self.folder.refusing_links();
        self
    }

    /// The same with a time 0 that was agreed on before, in ns since 1970.
    #[must_use]
    pub fn starting_at(mut self, epoch_ns: u64) -> Self {
        self.zero_ns = Some(epoch_ns);
        self
    }

    /// When its time 0 was, in ns since 1970; `None` as long as no log was found.
    #[must_use]
    pub fn start_epoch_ns(&self) -> Option<u64> {
        self.zero_ns
    }

    /// When its time 0 was, in seconds since 1970.
    #[must_use]
    pub fn start_epoch_s(&self) -> Option<f64> {
        self.zero_ns.map(|ns| ns as f64 * 1e-9)
    }

    /// Whether it had logs, and all of them were deleted.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.found > 0 && self.logs.is_empty()
    }

    /// Whether all programs have come to their end, as their logs say, and all that they wrote was read. Others may
    /// still be started. Files that are no logs do not count.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        let mut some = false;
        let ended = self.logs.iter().all(|log| match &log.state {
            State::Followed(followed) => {
                some = true;
                followed.has_ended()
            }
            State::Awaited => log.told,
            State::Broken | State::Deleted => true,
        });
        some && ended && self.caught_up
    }

    /// Whether the last look took in all that was there then.
    #[must_use]
    pub fn has_caught_up(&self) -> bool {
        self.caught_up
    }

    /// What became of single logs since this was last asked: each is told once.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// The same when nobody will ask again.
    pub fn take_last_warnings(&mut self) -> Vec<Warning> {
        for log in &mut self.logs {
            log.tell_what_is_missing(&mut self.warnings);
        }
        self.take_warnings()
    }

    /// Pushes all requests that were made since the last look into `sink`, and says how many. Names of files are not
    /// kept: all requests that the sink [wants](RequestSink::wants) are on one [without a name](RequestSink::nameless).
    ///
    /// # Errors
    /// Where the folder cannot be listed, or the sink takes no more. A log or a folder below that cannot
    /// be read is left out, with a [warning](Self::take_warnings); it is tried again, unless it is damaged.
    pub fn poll(&mut self, sink: &mut dyn RequestSink) -> Result<u64, Error> {
        self.poll_at(Instant::now(), sink)
    }

    fn poll_at(&mut self, now: Instant, sink: &mut dyn RequestSink) -> Result<u64, Error> {
        self.caught_up = false;
        if self.folder.has_changed(now, &mut self.warnings)? {
            self.compare_with_folder(now);
        }
        for log in &mut self.logs {
            log.begin(self.folder.root(), now, &mut self.warnings);
        }
        self.compare_names();
        let loaded = self.logs.iter().filter_map(Log::followed);
        let first = loaded.map(GrowingLog::loaded_ns).min();
        self.zero_ns = self.zero_ns.or(first);
        let mut intake = Intake::new(sink);
        for number in 0..self.logs.len() {
            self.follow(number, now, &mut intake)?;
        }
        self.caught_up = self.folder.is_whole() && !self.logs.iter().any(|log| log.failed);
        self.drop_deleted();
        Ok(intake.accepted())
    }

    /// Takes in logs that have come, and lets go of those that are no more there.
    fn compare_with_folder(&mut self, now: Instant) {
        let listed: HashSet<&Path> = self.folder.logs().into_iter().collect();
        for log in &mut self.logs {
            if !listed.contains(log.path.as_path()) {
                log.state = State::Deleted;
            }
        }
        let known: HashSet<&Path> = self.logs.iter().map(|log| log.path.as_path()).collect();
        let mut new: Vec<_> = listed
            .difference(&known)
            .map(|&path| path.to_owned())
            .collect();
        new.sort_unstable();
        let room = MOST_LOGS.saturating_sub(self.logs.len());
        for path in new.into_iter().take(room) {
            self.logs.push(Log {
                path,
                number: self.found,
                state: State::Awaited,
                told: false,
                told_cut: false,
                failed: false,
                found: now,
            });
            self.found += 1;
        }
    }

    /// Says once where logs are of several jobs.
    fn compare_names(&mut self) {
        let names = self
            .logs
            .iter()
            .filter_map(Log::followed)
            .map(GrowingLog::job);
        for name in names.filter(|name| !name.is_empty()) {
            let first = self.name.get_or_insert_with(|| name.to_owned());
            if first != name && !std::mem::replace(&mut self.told_of_others, true) {
                let message = format!(
                    "there are logs of several jobs ({first}, {name}): what is said is of all of them together"
                );
                self.warnings.push(Warning::new("several-jobs", message));
            }
        }
    }

    fn follow(
        &mut self,
        number: usize,
        now: Instant,
        intake: &mut Intake<&mut dyn RequestSink>,
    ) -> Result<(), Error> {
        let Some(log) = self.logs.get_mut(number) else {
            return Ok(());
        };
        let State::Followed(followed) = &mut log.state else {
            return Ok(());
        };
        let zero_ns = self.zero_ns.unwrap_or_default();
        let mut offer = Offer {
            layer: self.layer,
            rank: followed.rank().map_or(log.number as i64, i64::from),
            start_ns: (i128::from(followed.loaded_ns()) - i128::from(zero_ns)) as f64,
            beneath: &mut self.beneath,
            intake,
            refused: None,
        };
        let root = self.folder.root();
        let read = followed.poll(root, &log.path, now, &mut offer);
        let refused = offer.refused;
        match (refused, read) {
            (Some(error), _) => return Err(error.into()),
            (None, Err(error)) => log.fail(&error, &mut self.warnings),
            (None, Ok(Place::Other)) => log.replace(&mut self.warnings),
            (None, Ok(Place::Same)) if now.duration_since(log.found) > BEGUN => {
                log.tell_what_is_missing(&mut self.warnings);
            }
            (None, Ok(Place::Same)) => {}
        }
        Ok(())
    }

    fn drop_deleted(&mut self) {
        let deleted = |log: &mut Log| matches!(log.state, State::Deleted);
        let count = self.logs.extract_if(.., deleted).count() as u64;
        if count > 0 {
            let message = format!(
                "{} deleted: what was read before still counts",
                match count {
                    1 => "a log was".to_owned(),
                    _ => format!("{} were", counted(count, "log")),
                }
            );
            self.warnings.push(Warning::new("deleted", message));
        }
    }
}

impl Log {
    fn followed(&self) -> Option<&GrowingLog> {
        match &self.state {
            State::Followed(log) => Some(log),
            _ => None,
        }
    }

    /// Looks whether its program has begun.
    fn begin(&mut self, root: Root<'_>, now: Instant, warnings: &mut Vec<Warning>) {
        self.failed = false;
        if matches!(self.state, State::Awaited) {
            match GrowingLog::open(root, &self.path, now) {
                Ok(Some(log)) => self.state = State::Followed(Box::new(log)),
                Ok(None) => self.wait(now, warnings),
                Err(error) => self.fail(&error, warnings),
            }
        }
    }

    /// Programs finish their first page at once, unless they are killed just then.
    fn wait(&mut self, now: Instant, warnings: &mut Vec<Warning>) {
        if now.duration_since(self.found) > BEGUN {
            self.tell_what_is_missing(warnings);
        }
    }

    /// Says once that its beginning or its end is not there.
    fn tell_what_is_missing(&mut self, warnings: &mut Vec<Warning>) {
        let path = self.path.display();
        match &self.state {
            State::Awaited if !std::mem::replace(&mut self.told, true) => {
                let message =
                    format!("{path}: its header is not complete: it is not followed until it is");
                warnings.push(Warning::new("incomplete", message));
            }
            State::Followed(log) => {
                if let Some(end) = log.cut_at()
                    && !std::mem::replace(&mut self.told_cut, true)
                {
                    let message = format!("{path}: the log was cut at byte {end}");
                    warnings.push(Warning::new("truncated", message));
                }
            }
            State::Awaited | State::Broken | State::Deleted => {}
        }
    }

    fn replace(&mut self, warnings: &mut Vec<Warning>) {
        let path = self.path.display();
        let message = format!("{path}: another log took its place, and is followed from now on");
        warnings.push(Warning::new("replaced", message));
        self.state = State::Awaited;
    }

    fn fail(&mut self, error: &Error, warnings: &mut Vec<Warning>) {
        self.failed = true;
        let path = self.path.display();
        match &error.kind {
            ErrorKind::Io(error) if error.kind() == io::ErrorKind::NotFound => {
                self.state = State::Deleted;
            }
            // A file system that fails now may not do so later.
            ErrorKind::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
                if !self.told {
                    let message = format!("{path}: {error}: tried again with every look");
                    warnings.push(Warning::new("unreadable", message));
                }
                self.told = true;
            }
            _ => {
                let message = format!("{path}: {error}: not followed");
                warnings.push(Warning::new("damaged", message));
                self.state = State::Broken;
                // There is nothing to wait for.
                self.failed = false;
            }
        }
    }
}

/// How transfers of a log become requests.
struct Offer<'a, 'b> {
    layer: Layer,
    rank: i64,
    /// When the program was loaded, in the job's time.
    start_ns: f64,
    beneath: &'a mut HashSet<u64>,
    intake: &'a mut Intake<&'b mut dyn RequestSink>,
    /// Why the sink takes no more.
    refused: Option<io::Error>,
}

impl Offer<'_, '_> {
    fn all(&mut self, files: &Files, new: &[Transfer]) -> io::Result<()> {
        let unnamed = Known::new("", self.wants(""));
        let file = self.intake.nameless();
        for transfer in new {
            let known = files.get(transfer.file).unwrap_or(unnamed);
            if transfer.beneath_mpi {
                self.beneath.insert(known.name());
            }
            let beneath = self.beneath.contains(&known.name());
            if !known.is_wanted() || !keeps(self.layer, transfer.api, beneath) {
                continue;
            }
            self.intake.offer(RawRequest {
                rank: self.rank,
                op: transfer.op,
                api: transfer.api,
                file,
                start: (self.start_ns + transfer.start_ns) * 1e-9,
                end: (self.start_ns + transfer.end_ns) * 1e-9,
                bytes: transfer.bytes as f64,
            })?;
        }
        Ok(())
    }
}

impl Takes for Offer<'_, '_> {
    fn wants(&self, name: &str) -> bool {
        self.intake.wants(name)
    }

    fn take(&mut self, files: &Files, new: &[Transfer]) -> io::Result<()> {
        // What the sink says is no fault of the log.
        self.all(files, new).map_err(|error| {
            self.refused = Some(error);
            io::Error::other("")
        })
    }
}

/// Whether a request is kept. MPI-IO stands on POSIX, whose requests come first: what it moves of a file is
/// taken from there if anything was.
fn keeps(layer: Layer, api: Api, posix_beneath: bool) -> bool {
    match layer {
        Layer::Auto => api != Api::MpiIo || !posix_beneath,
        Layer::Posix => api == Api::Posix,
        Layer::MpiIo => api == Api::MpiIo,
        Layer::Stdio => api == Api::Stdio,
        Layer::All => true,
    }
}
