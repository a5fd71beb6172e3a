//! One page about the I/O phases of a job.

mod instants;
mod tables;
mod timeline;
mod view;

pub use instants::Instants;

use crate::page::Fact;
use crate::quantity::{Units, count};
use askama::Template;
use iotempo_analysis::phases::IoPhase;
use iotempo_model::Warning;
use std::io;
use view::View;

/// Everything that a page shows.
#[derive(Debug, Clone)]
pub struct PhasesPage {
    /// The log, as the user named it.
    pub input: String,
    /// Its SHA-256.
    pub sha256: Option<String>,
    /// Its format.
    pub format: String,
    /// What is known of the job, in the order in which to show it.
    pub facts: Vec<Fact>,
    /// How long the job ran, in seconds.
    pub run_time_s: Option<f64>,
    /// What they moved, each byte once, in words; `None` where nothing was counted.
    pub moved: Option<String>,
    /// The phases, in order of time.
    pub phases: Vec<IoPhase>,
    /// Some files of each phase.
    pub files: Vec<Vec<String>>,
    /// How phases compare with finer evidence in the same log.
    pub agreement: Vec<String>,
    /// What the log cannot show, in a sentence.
    pub cannot_show: String,
    /// What was repaired or left out, or else should be known about the result.
    pub warnings: Vec<Warning>,
    /// All settings in force.
    pub settings: Vec<Fact>,
    /// The program that made the page, with its version.
    pub tool: String,
    /// Prefixes of bytes.
    pub units: Units,
}

impl PhasesPage {
    /// Writes the page: HTML that needs nothing beside it, from whatever disk it is opened.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_into(&self, out: &mut impl io::Write) -> io::Result<()> {
        View::new(self).write_into(out)
    }
}

/// The processes of a phase: `all 128`, `12`, `rank 3`.
#[must_use]
pub fn ranks(phase: &IoPhase) -> String {
    let involved = phase.ranks;
    match (involved.all, involved.count, involved.rank) {
        (true, Some(1), _) => "1".to_owned(),
        (true, Some(all), _) => format!("all {}", count(all)),
        (true, None, _) => "all".to_owned(),
        (false, _, Some(rank)) => format!("rank {rank}"),
        (false, some, None) => count(some.unwrap_or(0)),
    }
}

/// A layer, as Darshan calls it.
#[must_use]
pub const fn layer(api: iotempo_model::Api) -> &'static str {
    use iotempo_model::Api;
    match api {
        Api::Posix => "POSIX",
        Api::MpiIo => "MPI-IO",
        Api::Stdio => "STDIO",
        Api::Dfs => "DFS",
        Api::Daos => "DAOS",
        Api::Unknown => "unknown",
    }
}
