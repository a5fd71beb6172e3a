//! The logs of a run, read again.

use crate::inputs::{Found, Log, Opened, Opener};
use iotempo_formats::{ReadOptions, Reading, read_trace};
use iotempo_model::{Op, Trace};
use std::fs;
use std::path::{Path, PathBuf};

/// Logs larger than this are not read again just for a summary, in bytes.
const LARGEST: u64 = 256 << 20;

/// What a run left.
pub(super) struct Run {
    folder: PathBuf,
    paths: Vec<PathBuf>,
    pub(super) logs: u64,
    /// Their size.
    pub(super) bytes: u64,
}

impl Run {
    /// The logs in a folder; `None` where there are none.
    pub(super) fn find(folder: &Path) -> Option<Self> {
        let paths = logs(folder);
        let sizes = paths.iter().filter_map(|log| log.metadata().ok());
        let bytes = sizes.map(|about| about.len()).sum();
        (!paths.is_empty()).then(|| Self {
            folder: folder.to_owned(),
            logs: paths.len() as u64,
            paths,
            bytes,
        })
    }

    /// All requests; `None` where the logs are too large for that.
    ///
    /// # Errors
    /// Where they cannot be read.
    pub(super) fn read(&self) -> anyhow::Result<Option<(Reading, Trace)>> {
        if self.bytes > LARGEST {
            return Ok(None);
        }
        let opened = opened(&self.folder, self.paths.clone())?;
        let read = opened.map(|log| read_trace(log.input, &ReadOptions::default()));
        Ok(read.transpose()?)
    }
}

fn logs(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let mut logs: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "iot"))
        // A process that was killed while it made its log leaves an empty one.
        .filter(|path| path.metadata().is_ok_and(|about| about.len() > 0))
        .collect();
    logs.sort();
    logs
}

fn opened(folder: &Path, logs: Vec<PathBuf>) -> anyhow::Result<Option<Log>> {
    let opener = Opener {
        options: ReadOptions::default(),
        hash: false,
    };
    let found = Found::Traced {
        folder: folder.to_owned(),
        logs,
        below: PathBuf::new(),
    };
    match opener.open(found) {
        Ok(Opened::Log(log)) => Ok(Some(log)),
        Ok(_) => Ok(None),
        Err(failure) => Err(anyhow::anyhow!("{failure}")),
    }
}

/// How many requests of a kind there were, and how many bytes they moved.
pub(super) fn moved(reading: &Reading, trace: &Trace, op: Op) -> (u64, f64) {
    let of = trace.iter().filter(|request| request.op == op);
    let (rows, bytes) = of.fold((0, 0.0), |(rows, bytes), request| {
        (rows + 1, bytes + request.bytes.get())
    });
    let requests = reading.requests.map(|requests| requests[op as usize]);
    (requests.unwrap_or(rows), bytes)
}

/// For how long at least one request was under way, in seconds; at most so long where requests share
/// records.
pub(super) fn busy(trace: &Trace) -> f64 {
    let mut stretches: Vec<_> = trace
        .iter()
        .map(|request| (request.when.start().get(), request.when.end().get()))
        .collect();
    stretches.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut busy, mut until) = (0.0, f64::NEG_INFINITY);
    for (start, end) in stretches {
        busy += (end - start.max(until)).max(0.0);
        until = until.max(end);
    }
    busy
}
