//! Words of `iotempo signature`.

use crate::servers::ClockArgs;
use clap::{Args, ValueEnum};
use iotempo_formats::jobs::NameTest;
use iotempo_model::JobState;
use serde::Serialize;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Words of `iotempo signature`.
#[derive(Debug, Args)]
pub(crate) struct SignatureArgs {
    /// Job logs: sacct, SWF, PBS accounting, tables.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub(super) jobs: Vec<PathBuf>,
    /// Logs of servers: iostat, sar, collectl, LMT, LDMS, Prometheus, tables, …
    #[arg(long, value_name = "FILE", required_unless_present = "prometheus", num_args = 1..)]
    pub(super) log: Vec<PathBuf>,
    /// Ask this Prometheus, such as http://localhost:9090, for what servers moved while the jobs ran.
    #[arg(long, value_name = "URL", requires = "query")]
    pub(super) prometheus: Option<String>,
    /// What to ask it, in PromQL: counters of bytes, or rates; --interval is the step [default: 10s].
    #[arg(long, value_name = "EXPR", requires = "prometheus")]
    pub(super) query: Option<String>,
    #[command(flatten)]
    pub(super) chosen: ChosenArgs,
    #[command(flatten)]
    pub(super) clocks: ClockArgs,
    #[command(flatten)]
    pub(super) how: HowArgs,
    /// Compare with these logs of servers: in which hour of which of them would it collide least?
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(super) compare: Vec<PathBuf>,
    /// Write a report of the application as one HTML page.
    #[arg(short, long, value_name = "FILE.html", help_heading = "Output")]
    pub(super) output: Option<PathBuf>,
    /// Print a row per burst as CSV.
    #[arg(long, help_heading = "Output", conflicts_with_all = ["json", "compare"])]
    pub(super) csv: bool,
    /// Write the signature as a table of times and bytes per second, which `period` reads.
    #[arg(long, value_name = "FILE.csv", help_heading = "Output")]
    pub(super) series: Option<PathBuf>,
    /// End with exit code 3 where no signature is found.
    #[arg(long, help_heading = "Output")]
    pub(super) exit_code: bool,
    /// Draw the chart with letters that every terminal has.
    #[arg(long, help_heading = "Output")]
    pub(super) ascii: bool,
}

/// Which jobs are its runs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Jobs")]
pub(super) struct ChosenArgs {
    /// Only of this user; `*` and `?` stand for letters, /…/ is a regular expression.
    #[arg(long, value_name = "USER", value_parser = name)]
    pub(super) user: Vec<NameTest>,
    /// Only jobs of this name, in the same way.
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub(super) name: Vec<NameTest>,
    /// Only jobs on so many nodes, such as 64 or 32-128; processes where the log counts only those.
    #[arg(long, value_name = "NODES", value_parser = nodes)]
    pub(super) nodes: Option<RangeInclusive<u64>>,
    /// Only in this partition or queue.
    #[arg(long, value_name = "PARTITION", value_parser = name)]
    pub(super) partition: Vec<NameTest>,
    /// Only of this account or project.
    #[arg(long, value_name = "ACCOUNT", value_parser = name)]
    pub(super) account: Vec<NameTest>,
    /// Only jobs that ended so; `any` takes all [default: completed].
    #[arg(long, value_name = "STATE", value_delimiter = ',', value_parser = state)]
    pub(super) state: Vec<StateChoice>,
    /// Mine every application with enough runs.
    #[arg(long)]
    pub(super) all: bool,
    /// What runs of one application have in common.
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "user,name,nodes"
    )]
    pub(super) same: Vec<Same>,
    /// Columns of a job log that is a table, such as user=owner,start=begin.
    #[arg(long, value_name = "OURS=THEIRS", value_delimiter = ',', value_parser = crate::cli::column)]
    pub(super) job_columns: Vec<(String, String)>,
}

/// How the signature is dug out.
#[derive(Debug, Args)]
#[command(next_help_heading = "Method")]
pub(super) struct HowArgs {
    /// How to make a signature of runs.
    #[arg(long, value_name = "METHOD", default_value = "auto")]
    pub(super) method: MethodChoice,
    /// The fewest runs that tell what they have in common.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(super) min_runs: usize,
    /// The most runs of an application to look at: the newest are taken [default: 40, or --min-runs].
    #[arg(long, value_name = "N")]
    pub(super) max_runs: Option<usize>,
    /// The level of the wavelet that smooths.
    #[arg(long, value_name = "LEVEL", default_value_t = 2)]
    pub(super) level: usize,
    /// γ: the share of runs that make a cell dense.
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    pub(super) density: f64,
    /// κ: the share of runs that must have a burst in the neighbourhood of a dense cell.
    #[arg(long, value_name = "SHARE", default_value_t = 0.9)]
    pub(super) neighbourhood: f64,
}

/// So many runs are looked at where nobody says.
const MOST_RUNS: usize = 40;

impl HowArgs {
    /// The most runs to look at: as many as are needed, at least.
    pub(super) fn max_runs(&self) -> usize {
        self.max_runs.unwrap_or(MOST_RUNS.max(self.min_runs))
    }
}

/// How a signature is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum MethodChoice {
    /// Common bursts by the best mapping, runs aligned to them burst by burst, medians.
    Auto,
    /// As the paper on IOSI says; where it is silent, as docs/signature.md says.
    Iosi,
    /// Common bursts as auto, without its alignment.
    Clusters,
    /// The median of all runs at each point in time.
    Median,
    /// Runs merged by time warping, resampled.
    DtwResampled,
    /// Runs merged along the path of time warping.
    DtwPath,
    /// Runs brought to the places of the first by time warping.
    DtwProjected,
}

/// What runs of one application have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Same {
    User,
    Name,
    Nodes,
}

/// States of jobs to keep.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum StateChoice {
    Any,
    Only(JobState),
}

fn name(text: &str) -> Result<NameTest, String> {
    NameTest::new(text).map_err(|error| error.to_string())
}

fn state(text: &str) -> Result<StateChoice, String> {
    if text.eq_ignore_ascii_case("any") {
        return Ok(StateChoice::Any);
    }
    match JobState::parse(text) {
        JobState::Unknown(word) => Err(format!("no state of a job: {word}")),
        known => Ok(StateChoice::Only(known)),
    }
}

fn nodes(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let range = first.trim().parse().ok().zip(last.trim().parse().ok());
    let range = range
        .map(|(first, last)| first..=last)
        .filter(|range| !range.is_empty());
    range.ok_or_else(|| "a number of nodes, or a range such as 32-128".to_owned())
}
