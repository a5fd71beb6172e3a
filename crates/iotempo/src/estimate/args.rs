//! Words of `iotempo estimate`.

use crate::cli::{InputArgs, column};
use clap::{Args, ValueEnum};
use iotempo_analysis::estimate::Reach;
use iotempo_model::FileStrategy;
use serde::Serialize;
use std::path::PathBuf;

/// Words of `iotempo estimate`.
#[derive(Debug, Args)]
pub(crate) struct EstimateArgs {
    /// Logs of runs of applications: of Darshan, or folders of `iotempo trace`; folders, archives and
    /// globs of them; `-` is standard input.
    #[arg(value_name = "LOG", required_unless_present_any = ["evaluate", "from"])]
    logs: Vec<PathBuf>,
    /// Read the names of logs from this file, one a line; `-` is standard input.
    #[arg(long, value_name = "MANIFEST")]
    from: Option<PathBuf>,
    /// Which columns of a log that is a table of requests hold what, such as start=t0,bytes=len.
    #[arg(long, value_name = "OURS=THEIRS", value_delimiter = ',', value_parser = column)]
    pub(super) columns: Vec<(String, String)>,
    /// Results of benchmarks: tables, what IOR prints, FORGE, IO500.
    #[arg(long, value_name = "STORE", num_args = 1.., required_unless_present = "plan")]
    pub(super) benchmarks: Vec<PathBuf>,
    /// On how many nodes the applications ran, which logs do not tell.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), required_unless_present = "evaluate")]
    pub(super) nodes: Option<u64>,
    /// Print a script that runs benchmarks (IOR) like the phases of the log.
    #[arg(long, conflicts_with_all = ["evaluate", "output", "csv", "json", "benchmarks"])]
    pub(super) plan: bool,
    /// The numbers of I/O nodes that the script tries.
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "0,1,2,4,8",
        requires = "plan"
    )]
    pub(super) plan_io_nodes: Vec<u32>,
    /// How often the script runs each.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..), requires = "plan")]
    pub(super) plan_repetitions: u32,
    /// Tell how good estimates are on these benchmarks: each of them in turn is the application.
    #[arg(long, conflicts_with_all = ["logs", "from", "columns", "output", "csv", "nodes", "mean_size", "partial", "ascii"])]
    pub(super) evaluate: bool,
    #[command(flatten)]
    pub(super) how: HowArgs,
    #[command(flatten)]
    pub(super) unsaid: UnsaidArgs,
    /// Write a page about one log.
    #[arg(short, long, value_name = "FILE.html", help_heading = "Output")]
    pub(super) output: Option<PathBuf>,
    /// Print a row per log and number of I/O nodes as CSV.
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    pub(super) csv: bool,
    /// Draw the curve with letters that every terminal has.
    #[arg(long, help_heading = "Output")]
    pub(super) ascii: bool,
}

impl EstimateArgs {
    /// What to read.
    pub(super) fn inputs(&self) -> InputArgs {
        InputArgs {
            inputs: self.logs.clone(),
            from: self.from.clone(),
        }
    }
}

/// How phases are matched.
#[derive(Debug, Args)]
#[command(next_help_heading = "Method")]
pub(super) struct HowArgs {
    /// How far from a benchmark phases may be in every size, in steps from one benchmark to the next; no step
    /// counts for more than a factor of 4.
    #[arg(long, value_name = "CELLS", value_parser = cells, default_value = "1")]
    pub(super) reach: f64,
    /// Take all requests of a phase for ones of their mean size.
    #[arg(long)]
    pub(super) mean_size: bool,
    /// Estimate what a log saw, also where Darshan ran out of memory for files or a part of the log is
    /// damaged.
    #[arg(long)]
    pub(super) partial: bool,
}

impl HowArgs {
    pub(super) const fn reach(&self) -> Reach {
        Reach { cells: self.reach }
    }
}

/// What results of benchmarks do not say.
#[derive(Debug, Args)]
#[command(next_help_heading = "Where results of benchmarks do not say")]
pub(super) struct UnsaidArgs {
    /// How many I/O nodes there were [default: 0].
    #[arg(long, value_name = "N")]
    pub(super) io_nodes: Option<u32>,
    /// On how many nodes they ran.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) benchmark_nodes: Option<u64>,
    /// Whether processes shared files [default: shared].
    #[arg(long, value_name = "FILES")]
    pub(super) files: Option<Files>,
}

/// Who uses a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
pub(super) enum Files {
    Shared,
    Unique,
}

impl From<Files> for FileStrategy {
    fn from(files: Files) -> Self {
        match files {
            Files::Shared => Self::Shared,
            Files::Unique => Self::Unique,
        }
    }
}

fn cells(text: &str) -> Result<f64, String> {
    let cells = text
        .parse()
        .ok()
        .filter(|cells: &f64| (0.0..=100.0).contains(cells));
    cells.ok_or_else(|| "a number of steps between 0 and 100".to_owned())
}
