//! What IOR's options mean for how requests lie in files.

use super::BenchmarkOptions;
use super::collected::{Collected, Draft, Why};
use crate::error::shortened;
use iotempo_model::{Api, FileStrategy, Op, Spatiality};

pub(super) const KIB: f64 = 1024.0;
pub(super) const MIB: f64 = 1_048_576.0;

/// A test of IOR, in bytes; what is missing is `None`.
#[derive(Debug, Clone, Default)]
pub(super) struct Test {
    pub(super) api: Option<String>,
    pub(super) file_per_process: Option<bool>,
    pub(super) collective: bool,
    pub(super) random: bool,
    pub(super) nodes: Option<f64>,
    pub(super) tasks: Option<f64>,
    pub(super) transfer: Option<f64>,
    pub(super) block: Option<f64>,
    /// What all tasks move; else it is what blocks and segments make.
    pub(super) total: Option<f64>,
    pub(super) segments: Option<f64>,
    pub(super) io_nodes: Option<u32>,
}

/// The share of requests that must follow each other to be called consecutive, as for phases.
const CONSECUTIVE: f64 = 0.8;

impl Test {
    /// A repetition of it, in MiB/s; or what is missing.
    pub(super) fn draft(
        &self,
        op: Op,
        mib_per_s: f64,
        options: &BenchmarkOptions,
        collected: &mut Collected,
    ) -> Result<Draft, Why> {
        let missing = |name: &str| format!("{name} not stated");
        let tasks = self.tasks.ok_or_else(|| missing("the number of tasks"))?;
        let transfer = self.transfer.ok_or_else(|| missing("the transfer size"))?;
        let nodes = self.nodes.or(options.nodes.map(|nodes| nodes as f64));
        let nodes = nodes.ok_or(Why::Nodes)?;
        let total = self.total.or_else(|| self.asked_for());
        let total = total.ok_or_else(|| missing("the block size"))?;
        let per_process = total / tasks;
        let api = self.api.as_deref().map(api).or(options.api);
        let files = self.file_per_process.map(|own| match own {
            true => FileStrategy::Unique,
            false => FileStrategy::Shared,
        });
        let files = files.or(options.files);
        if api.is_none() {
            collected.note(
                "assumed",
                "the file does not state the API: posix is assumed",
            );
        }
        if files.is_none() {
            let message = "the file does not state whether files are shared: they are assumed to be, \
                           as IOR does by default";
            collected.note("assumed-files", message);
        }
        let io_nodes = self.io_nodes.or(options.io_nodes);
        if io_nodes.is_none() {
            let message = "the file does not state how many I/O nodes there were: 0 is assumed";
            collected.note("assumed-io-nodes", message);
        }
        let files = files.unwrap_or(FileStrategy::Shared);
        Ok(Draft {
            op,
            api: api.unwrap_or(Api::Posix),
            files,
            spatiality: self.spatiality(files, transfer, per_process),
            nodes,
            processes: tasks,
            bytes_per_process: per_process,
            request_bytes: transfer,
            io_nodes: io_nodes.unwrap_or(0),
            bandwidth: mib_per_s * MIB,
        })
    }

    /// What all tasks would move if each filled its blocks.
    pub(super) fn asked_for(&self) -> Option<f64> {
        let segments = self.segments.unwrap_or(1.0);
        Some(self.tasks? * self.block? * segments)
    }

    fn spatiality(&self, files: FileStrategy, transfer: f64, per_process: f64) -> Spatiality {
        if self.collective {
            return Spatiality::Collective;
        }
        if self.random {
            return Spatiality::Random;
        }
        // In a shared file, the blocks of a task lie apart; in its own they follow each other.
        let block = self.block.unwrap_or(per_process);
        let segments = (per_process / block).round();
        let requests = (block / transfer).max(1.0);
        let follow = (requests - 1.0) / requests;
        if files == FileStrategy::Shared && segments > 1.0 && follow < CONSECUTIVE {
            Spatiality::Sequential
        } else {
            Spatiality::Consecutive
        }
    }
}

/// The layer; of libraries on top of MPI-IO, how they use it is not known.
fn api(word: &str) -> Api {
    let word = word.split([' ', '(', '-']).next().unwrap_or(word);
    word.parse().unwrap_or(Api::Unknown)
}

/// What a row of IOR is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// It moved bytes.
    Moved(Op),
    /// IOR also times how long it takes to remove files.
    Removed,
}

/// What a row is about; `None` of words that IOR does not know.
pub(super) fn access(word: &str) -> Option<Access> {
    match word.to_ascii_lowercase().as_str() {
        "write" => Some(Access::Moved(Op::Write)),
        "read" => Some(Access::Moved(Op::Read)),
        "remove" => Some(Access::Removed),
        _ => None,
    }
}

/// The direction, of a row that moved bytes.
pub(super) fn op(word: &str) -> Option<Op> {
    match access(word)? {
        Access::Moved(op) => Some(op),
        Access::Removed => None,
    }
}

/// Why a row with another word is left out.
pub(super) fn no_access(word: &str) -> String {
    format!("access is neither write nor read: {}", shortened(word))
}
