//! A folder of the tracer's logs that their programs still write.

use crate::error::{Error, Place};
use crate::iot::follow::GrowingLog;
use crate::iot::transfer::Transfer;
use crate::reading::{Layer, ReadOptions};
use iotempo_model::{Api, Intake, RawRequest, RequestSink};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folders below the one that is followed: jobs have one each.
const DEEPEST: usize = 3;
/// Logs of a job that are followed at a time.
const MOST_LOGS: usize = 1 << 14;

/// All logs of a job, followed while its programs write them.
///
/// The folder is listed at every look: nothing tells about files that other machines write.
#[derive(Debug)]
pub struct GrowingJob {
    folder: PathBuf,
    layer: Layer,
    logs: Vec<GrowingLog>,
    known: HashSet<PathBuf>,
    /// When the first program was loaded, in ns since 1970: time 0.
    zero_ns: Option<i128>,
    /// Files that libraries of MPI moved bytes of by POSIX.
    beneath: HashSet<String>,
}

impl GrowingJob {
    /// The logs below a folder, which need not exist yet.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>, options: &ReadOptions) -> Self {
        Self {
            folder: folder.into(),
            layer: options.layer,
            logs: Vec::new(),
            known: HashSet::new(),
            zero_ns: None,
            beneath: HashSet::new(),
        }
    }

    /// Pushes all requests that were made since the last look into `sink`, and says how many.
    ///
    /// # Errors
    /// Where a log cannot be read; what the others hold was read.
    pub fn poll(&mut self, sink: &mut dyn RequestSink) -> Result<u64, Error> {
        let failed = |error: io::Error| Error::new("", Place::Whole, error);
        self.find(&self.folder.clone(), DEEPEST).map_err(failed)?;
        let mut intake = Intake::new(sink);
        let mut first_error = None;
        for number in 0..self.logs.len() {
            match self.logs[number].poll() {
                Ok(new) => self.offer(number, &new, &mut intake).map_err(failed)?,
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
        match first_error {
            Some(error) => Err(error),
            None => Ok(intake.accepted()),
        }
    }

    /// When its time 0 was, in seconds since 1970.
    #[must_use]
    pub fn start_epoch_s(&self) -> Option<f64> {
        self.zero_ns.map(|ns| ns as f64 * 1e-9)
    }

    /// Opens logs that are new.
    fn find(&mut self, folder: &Path, deep: usize) -> io::Result<()> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
            if kind.is_dir() && deep > 0 {
                self.find(&path, deep - 1)?;
            }
            let log = kind.is_file() && path.extension().is_some_and(|end| end == "iot");
            if log && self.logs.len() < MOST_LOGS && !self.known.contains(&path) {
                self.open(path);
            }
        }
        Ok(())
    }

    fn open(&mut self, path: PathBuf) {
        match GrowingLog::open(&path) {
            Ok(Some(log)) => {
                self.zero_ns.get_or_insert(log.loaded_ns());
                self.logs.push(log);
                self.known.insert(path);
            }
            // Not begun yet.
            Ok(None) => {}
            // It will not become one.
            Err(_) => {
                self.known.insert(path);
            }
        }
    }

    fn offer(
        &mut self,
        number: usize,
        new: &[Transfer],
        intake: &mut Intake<&mut dyn RequestSink>,
    ) -> io::Result<()> {
        let log = &self.logs[number];
        let start_ns = (log.loaded_ns() - self.zero_ns.unwrap_or_default()) as f64;
        for transfer in new {
            let name = log.names.get(&transfer.file).map_or("", String::as_str);
            if transfer.beneath_mpi && !self.beneath.contains(name) {
                self.beneath.insert(name.to_owned());
            }
            if !keeps(self.layer, transfer.api, self.beneath.contains(name)) {
                continue;
            }
            let file = intake.file(name);
            intake.offer(RawRequest {
                rank: log.rank().map_or(number as i64, i64::from),
                op: transfer.op,
                api: transfer.api,
                file,
                start: (start_ns + transfer.start_ns) * 1e-9,
                end: (start_ns + transfer.end_ns) * 1e-9,
                bytes: transfer.bytes as f64,
            })?;
        }
        Ok(())
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
    }
}
