//! Words of `iotempo correlate`.

use crate::servers::ClockArgs;
use clap::{Args, ValueEnum};
use iotempo_analysis::association::Bandwidth;
use iotempo_analysis::correlate::study::FEWEST_SHIFTS;
use iotempo_analysis::correlate::{LoadMetric, Measure, TimeMetric, Traffic};
use iotempo_model::Seconds;
use std::path::PathBuf;

/// Words of `iotempo correlate`.
#[derive(Debug, Args)]
// Servers' logs of other verbs have a direction; here --load says it, and --op has an error that tells so.
#[command(mut_arg("op", |op| op.hide(true)))]
pub(crate) struct CorrelateArgs {
    /// Logs of jobs: files, folders, globs.
    #[arg(long, value_name = "LOG", num_args = 1.., required_unless_present = "table", requires = "log", conflicts_with = "table")]
    pub(super) darshan: Vec<PathBuf>,
    /// Logs of servers: iostat, sar, collectl, LMT, LDMS, Prometheus, tables, …
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "table")]
    pub(super) log: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) table: TableArgs,
    #[command(flatten)]
    pub(super) metrics: MetricArgs,
    #[command(flatten)]
    pub(super) sure: SureArgs,
    #[command(flatten)]
    pub(super) clocks: ClockArgs,
    /// Write a page about all groups.
    #[arg(short, long, value_name = "FILE.html", help_heading = "Output")]
    pub(super) output: Option<PathBuf>,
    /// Print a row per group as CSV.
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    pub(super) csv: bool,
    /// How long would a job of each group take at this load, such as 20e9 for 20 GB/s?
    #[arg(long, value_name = "LOAD", help_heading = "Output", value_parser = positive)]
    pub(super) predict: Option<f64>,
    /// End with exit code 3 where no group is seen to slow down.
    #[arg(long, help_heading = "Output")]
    pub(super) exit_code: bool,
}

/// A table that has it all already.
#[derive(Debug, Args)]
#[command(next_help_heading = "A ready table")]
pub(super) struct TableArgs {
    /// A table with a row per job, instead of logs.
    #[arg(long, value_name = "FILE", requires_all = ["x", "y"])]
    pub(super) table: Option<PathBuf>,
    /// Its load: a column, or a sum of columns, divided by one: read+written/seconds.
    #[arg(long, value_name = "COLUMNS", requires = "table")]
    pub(super) x: Option<String>,
    /// Its time in seconds, in the same way: longer is taken for worse.
    #[arg(long, value_name = "COLUMNS", requires = "table")]
    pub(super) y: Option<String>,
    /// Columns that jobs of one group have in common; of a path only the file's name counts.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "table")]
    pub(super) group: Vec<String>,
    /// Columns of bytes that jobs of one group have in common to 1 %: read, written.
    #[arg(long, value_name = "COLUMN", value_delimiter = ',', requires = "table", num_args = 1..=2)]
    pub(super) bytes: Vec<String>,
    /// The column that says when a job began, in seconds since 1970 or as a date.
    #[arg(long, value_name = "COLUMN", requires = "table")]
    pub(super) when: Option<String>,
}

/// What is held against what.
#[derive(Debug, Args)]
#[command(next_help_heading = "Metrics")]
pub(super) struct MetricArgs {
    /// How long a job's I/O took; by default read for jobs that read more than they write, else write.
    #[arg(long, value_name = "TIME", conflicts_with = "table")]
    pub(super) time: Option<TimeChoice>,
    /// What of the servers' traffic counts.
    #[arg(
        long,
        value_name = "TRAFFIC",
        default_value = "bytes",
        conflicts_with = "table"
    )]
    pub(super) load: TrafficChoice,
    /// As which number of a job.
    #[arg(
        long,
        value_name = "MEASURE",
        default_value = "others",
        conflicts_with = "table"
    )]
    pub(super) measure: MeasureChoice,
    /// The least length of the intervals in which the load is looked at [default: the logs' own].
    #[arg(long, value_name = "SECONDS", value_parser = crate::cli::step, conflicts_with = "table")]
    pub(super) step: Option<Seconds>,
    /// The file systems that the servers' logs are about, such as /scratch [default: all].
    #[arg(
        long,
        value_name = "FOLDER",
        value_delimiter = ',',
        conflicts_with = "table"
    )]
    pub(super) mount: Vec<String>,
}

/// How sure to be.
#[derive(Debug, Args)]
#[command(next_help_heading = "Certainty")]
pub(super) struct SureArgs {
    /// The fewest jobs of a group.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = jobs)]
    pub(super) min_jobs: usize,
    /// Permutations of a test.
    #[arg(long, value_name = "N", default_value_t = 999, value_parser = permutations)]
    pub(super) permutations: usize,
    /// Other days that jobs are held against; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = shifts)]
    pub(super) shifts: usize,
    /// How many coarser logs are made up: 20 is twenty times the interval.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u8).range(1..=20))]
    pub(super) grains: u8,
    /// How wide the kernels of densities and of expected times are.
    #[arg(long, value_name = "RULE", default_value = "normal")]
    pub(super) bandwidth: BandwidthChoice,
    /// What all that is random is drawn from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
}

/// How wide kernels are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum BandwidthChoice {
    /// What is best for a normal distribution.
    Normal,
    /// What solves the equation of Sheather and Jones, for loads and times each.
    SheatherJones,
}

impl BandwidthChoice {
    pub(super) const fn bandwidth(self) -> Bandwidth {
        match self {
            Self::Normal => Bandwidth::Normal,
            Self::SheatherJones => Bandwidth::SheatherJones,
        }
    }
}

/// How long a job's I/O took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TimeChoice {
    /// The whole job.
    Job,
    /// The slowest process on its own files, and the files of all.
    Io,
    /// Metadata, by the slowest process on its own files.
    Meta,
    /// Reads and writes, by the same.
    ReadWrite,
    /// Files of all processes, from the first open of any to the last operation on any.
    Shared,
    /// The same, from open to last operation of each file, summed.
    SharedSum,
    /// The same, by the slowest process on each file, summed.
    SharedSlowest,
    /// The longest time from first to last read of a file.
    Read,
    /// The same of writes.
    Write,
    /// All intervals of the servers' log in which the job used files.
    Touched,
    /// Those of files below --mount.
    Monitored,
}

/// What of the servers' traffic counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TrafficChoice {
    /// All bytes.
    Bytes,
    /// Bytes read.
    BytesRead,
    /// Bytes written.
    BytesWritten,
    /// Read operations.
    Reads,
    /// Write operations.
    Writes,
}

/// As which number of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum MeasureChoice {
    /// All that was moved, as in the paper: grows with the length of the job by construction.
    Volume,
    /// Per second.
    Rate,
    /// Per second, without what the job itself moved.
    Others,
}

impl TimeChoice {
    pub(super) const fn metric(self) -> TimeMetric {
        match self {
            Self::Job => TimeMetric::Job,
            Self::Io => TimeMetric::Io,
            Self::Meta => TimeMetric::Meta,
            Self::ReadWrite => TimeMetric::ReadWrite,
            Self::Shared => TimeMetric::Shared,
            Self::SharedSum => TimeMetric::SharedSum,
            Self::SharedSlowest => TimeMetric::SharedSlowest,
            Self::Read => TimeMetric::Read,
            Self::Write => TimeMetric::Write,
            Self::Touched => TimeMetric::Touched,
            Self::Monitored => TimeMetric::Monitored,
        }
    }
}

impl MetricArgs {
    /// Whether files elsewhere do not count at all: φ^D and ψ^D alone are of all files.
    pub(super) const fn is_mounted_alone(&self) -> bool {
        !self.mount.is_empty() && !matches!(self.time, Some(TimeChoice::Touched))
    }

    pub(super) const fn load(&self) -> LoadMetric {
        LoadMetric {
            traffic: match self.load {
                TrafficChoice::Bytes => Traffic::Bytes,
                TrafficChoice::BytesRead => Traffic::BytesRead,
                TrafficChoice::BytesWritten => Traffic::BytesWritten,
                TrafficChoice::Reads => Traffic::Reads,
                TrafficChoice::Writes => Traffic::Writes,
            },
            measure: match self.measure {
                MeasureChoice::Volume => Measure::Volume,
                MeasureChoice::Rate => Measure::Rate,
                MeasureChoice::Others => Measure::Others,
            },
            monitored: self.is_mounted_alone(),
        }
    }
}

/// Two points lie on a straight line, whatever they are.
fn jobs(text: &str) -> Result<usize, String> {
    let jobs = text.parse().ok().filter(|jobs| *jobs >= 3);
    jobs.ok_or_else(|| "a group has at least 3 jobs".to_owned())
}

fn permutations(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| *count >= FEWEST_SHIFTS);
    count.ok_or_else(|| format!("of fewer than {FEWEST_SHIFTS} no chance is as small as 5 %"))
}

fn shifts(text: &str) -> Result<usize, String> {
    let few = 1..FEWEST_SHIFTS;
    let count = text.parse().ok().filter(|count| !few.contains(count));
    count.ok_or_else(|| {
        format!("of fewer than {FEWEST_SHIFTS} no chance is as small as 5 %; 0 does without")
    })
}

fn positive(text: &str) -> Result<f64, String> {
    let load = text.parse::<f64>().ok();
    let load = load.filter(|load| load.is_finite() && *load >= 0.0);
    load.ok_or_else(|| "a load is a number from 0 on".to_owned())
}
