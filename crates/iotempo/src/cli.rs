//! The words of the command line. Nothing below ever sees them as text.

use crate::correlate::{self, CorrelateArgs};
use crate::estimate::{self, EstimateArgs};
use crate::generate::{self, GenerateArgs};
use crate::period::PeriodArgs;
use crate::phases::{self, PhasesArgs};
use crate::predict::{self, PredictArgs};
use crate::report::ReportArgs;
#[cfg(unix)]
use crate::serve::{self, ServeArgs};
use crate::signature::{self, SignatureArgs};
#[cfg(unix)]
use crate::trace::{self, TraceArgs};
use clap::builder::PossibleValue;
use clap::{Args, Parser, Subcommand, ValueEnum};
use iotempo_formats::Layer;
use iotempo_model::{Hertz, Op, Seconds, Source};
use regex::Regex;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// The tempo of an application's I/O: when it reads and writes, and what its logs can tell.
#[derive(Debug, Parser)]
#[command(
    name = "iotempo",
    version = env!("IOTEMPO_VERSION"),
    max_term_width = 100,
    arg_required_else_help = true
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) verb: Verb,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

const INSPECT_EXAMPLES: &str = "\
Examples:
  iotempo inspect job.darshan            one log, at length
  iotempo inspect logs/ jobs.tar.gz      many logs, a line each
  iotempo inspect job.darshan --json     for programs";

const CONVERT_EXAMPLES: &str = "\
Examples:
  iotempo convert job.darshan -o job.parquet
  iotempo convert job.darshan --op write --signal --rate 1 -o job.csv
  iotempo convert logs/ --out-dir tables --to parquet";

const PERIOD_EXAMPLES: &str = "\
Examples:
  iotempo period job.darshan                    one input, at length
  iotempo period traces/ --csv > periods.csv    many inputs, a row each
  iotempo period job.darshan --op write -o job.html
  iotempo period 8.jsonl -m write -f 10 -ts 5 -te 60 -o dbscan -au    FTIO's options work, too";

const REPORT_EXAMPLES: &str = "\
Examples:
  iotempo report job.darshan                    writes job.html
  iotempo report job.darshan -o page.html
  iotempo report logs/ --out-dir pages          a page per log";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// What is in this file, and what can it tell me?
    #[command(after_help = INSPECT_EXAMPLES)]
    Inspect(InspectArgs),
    /// Give me the requests or the signal as Parquet, CSV or JSON lines.
    #[command(after_help = CONVERT_EXAMPLES)]
    Convert(ConvertArgs),
    /// Does its I/O repeat, at which period, and how sure is that?
    #[command(after_help = PERIOD_EXAMPLES)]
    Period(Box<PeriodArgs>),
    /// When did it read and write, how much, and how?
    #[command(after_help = phases::EXAMPLES)]
    Phases(PhasesArgs),
    /// The period while the job runs: what its next phase will be.
    #[command(after_help = predict::EXAMPLES, mut_arg("source", |arg| arg.hide(true)))]
    Predict(Box<PredictArgs>),
    /// The same of many jobs, for programs and browsers, over HTTP.
    #[cfg(unix)]
    #[command(after_help = serve::EXAMPLES, mut_arg("source", |arg| arg.hide(true)))]
    Serve(Box<ServeArgs>),
    /// What does this application's I/O look like in the server's log?
    #[command(after_help = signature::EXAMPLES)]
    Signature(Box<SignatureArgs>),
    /// How fast would its I/O be with other numbers of I/O nodes?
    #[command(after_help = estimate::EXAMPLES)]
    Estimate(Box<EstimateArgs>),
    /// Do these jobs slow down when the file system is busy, and how sure is that?
    #[command(after_help = correlate::EXAMPLES)]
    Correlate(Box<CorrelateArgs>),
    /// One HTML page with everything known about this input.
    #[command(after_help = REPORT_EXAMPLES)]
    Report(ReportArgs),
    /// Give me synthetic traces with known answers.
    #[command(after_help = generate::EXAMPLES)]
    Generate(Box<GenerateArgs>),
    /// Run a program and keep a log of its I/O.
    #[cfg(unix)]
    #[command(after_help = trace::EXAMPLES)]
    Trace(Box<TraceArgs>),
    /// Print a script that completes iotempo's commands in a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// Words of `iotempo inspect`.
#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

/// Words of `iotempo convert`.
#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    /// Where to write; `-`, or nothing, is standard output.
    #[arg(short, long, value_name = "FILE", conflicts_with = "out_dir")]
    pub(crate) output: Option<PathBuf>,
    /// Write one file per input into this folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,
    /// The output format [default: by the extension of the output, else csv].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<TableFormat>,
    /// Instead of requests: bytes per second at even steps, per direction.
    #[arg(long, requires = "rate")]
    pub(crate) signal: bool,
    /// Samples per second of the signal.
    #[arg(long, value_name = "HZ", requires = "signal", value_parser = hertz)]
    pub(crate) rate: Option<Hertz>,
    #[command(flatten)]
    pub(crate) select: SelectArgs,
}

/// What to read.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Logs, folders or tar archives of logs, globs; `-` is standard input.
    #[arg(value_name = "INPUT", required_unless_present = "from")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Read the names of inputs from this file, one a line; `-` is standard input.
    #[arg(long, value_name = "MANIFEST")]
    pub(crate) from: Option<PathBuf>,
}

/// Which part of the inputs to use.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(crate) struct SelectArgs {
    /// Nothing before this time; a date such as 2020-01-31T23:59:59Z where times are dates.
    #[arg(long, value_name = "SECONDS", value_parser = moment, allow_negative_numbers = true)]
    pub(crate) start: Option<Seconds>,
    /// Nothing after this time.
    #[arg(long, value_name = "SECONDS", value_parser = moment, allow_negative_numbers = true)]
    pub(crate) end: Option<Seconds>,
    /// Only this direction [default: both].
    #[arg(long, value_name = "OP")]
    pub(crate) op: Option<Direction>,
    /// Only these ranks, such as 0-3,7; -1 is what all ranks did together.
    #[arg(long, value_name = "LIST", value_parser = ranks, allow_hyphen_values = true)]
    pub(crate) ranks: Option<Ranks>,
    /// Only files whose name matches.
    #[arg(long, value_name = "REGEX")]
    pub(crate) files: Option<Regex>,
    /// Which evidence of a Darshan log to use [default: the best there is].
    #[arg(long, value_name = "SOURCE")]
    pub(crate) source: Option<Evidence>,
    /// Which layer to use where several saw the same bytes.
    #[arg(long, value_name = "API", default_value = "auto")]
    pub(crate) api: ApiChoice,
    /// Which columns of a table hold what, such as start=t0,bytes=len.
    #[arg(long, value_name = "OURS=THEIRS", value_delimiter = ',', value_parser = column)]
    pub(crate) columns: Vec<(String, String)>,
    /// The samples of a table lie this far apart, whatever its times say.
    #[arg(long, value_name = "SECONDS", value_parser = step)]
    pub(crate) step: Option<Seconds>,
}

/// Words of every verb.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct CommonArgs {
    /// Print the result as JSON.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Say nothing but results and errors.
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say more: which files were skipped, and every warning.
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Use colour.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: When,
    /// How many inputs to read at a time [default: as many as there are cores].
    #[arg(long, global = true, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Units for people: KiB of 1024 bytes, or kB of 1000.
    #[arg(long, global = true, value_name = "UNITS", default_value = "iec")]
    pub(crate) units: Units,
}

/// When to do something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Always,
    Never,
}

/// Prefixes of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Units {
    Iec,
    Si,
}

impl From<Units> for iotempo_report::Units {
    fn from(units: Units) -> Self {
        match units {
            Units::Iec => Self::Iec,
            Units::Si => Self::Si,
        }
    }
}

/// A table on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    #[cfg(feature = "tables")]
    Parquet,
    Csv,
    Jsonl,
}

/// Directions to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Direction {
    Read,
    Write,
    #[default]
    Both,
}

impl Direction {
    pub(crate) fn op(self) -> Option<Op> {
        match self {
            Self::Read => Some(Op::Read),
            Self::Write => Some(Op::Write),
            Self::Both => None,
        }
    }
}

/// Evidence of a Darshan log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Evidence(pub(crate) Source);

impl ValueEnum for Evidence {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self(Source::Dxt),
            Self(Source::Heatmap),
            Self(Source::Counters),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

/// Layers to believe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ApiChoice {
    Auto,
    Posix,
    Mpiio,
    Stdio,
}

impl ApiChoice {
    pub(crate) fn layer(self) -> Layer {
        match self {
            Self::Auto => Layer::Auto,
            Self::Posix => Layer::Posix,
            Self::Mpiio => Layer::MpiIo,
            Self::Stdio => Layer::Stdio,
        }
    }
}

/// Ranges of ranks, and the text that named them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ranks {
    pub(crate) text: String,
    pub(crate) ranges: Vec<RangeInclusive<i32>>,
}

fn ranks(text: &str) -> Result<Ranks, String> {
    let range = |part: &str| {
        // Records that all ranks share are of rank -1.
        if part.trim() == "-1" {
            return Some(-1..=-1);
        }
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let range = first.trim().parse().ok()?..=last.trim().parse().ok()?;
        (*range.start() >= 0 && !range.is_empty()).then_some(range)
    };
    let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
    let text = text.to_owned();
    let ranges = ranges.ok_or("ranks are numbers and ranges of numbers, such as 0-3,7")?;
    Ok(Ranks { text, ranges })
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    text.parse()
        .map_err(|_| "not a whole number from 1 on".to_owned())
}

pub(crate) fn seconds(text: &str) -> Result<Seconds, String> {
    let number = text.parse().ok().and_then(Seconds::new);
    number.ok_or_else(|| "not a finite number of seconds".to_owned())
}

/// A point in time: what is shown can be typed.
pub(crate) fn moment(text: &str) -> Result<Seconds, String> {
    let date = || iotempo_formats::iso8601(text).and_then(Seconds::new);
    let moment = seconds(text).ok().or_else(date);
    moment.ok_or_else(|| "neither a finite number of seconds nor a date".to_owned())
}

pub(crate) fn step(text: &str) -> Result<Seconds, String> {
    seconds(text.strip_suffix('s').unwrap_or(text))
        .ok()
        .filter(|step| step.get() > 0.0)
        .ok_or_else(|| "not a positive number of seconds".to_owned())
}

pub(crate) fn hertz(text: &str) -> Result<Hertz, String> {
    let number = text.parse().ok().and_then(Hertz::new);
    number.ok_or_else(|| "not a positive number".to_owned())
}

pub(crate) fn column(text: &str) -> Result<(String, String), String> {
    let (ours, theirs) = text
        .split_once('=')
        .ok_or("a column is named as ours=theirs, such as start=t0")?;
    Ok((ours.trim().to_owned(), theirs.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn ranks_are_numbers_and_ranges() {
        assert_eq!(ranks("0-3,7").map(|r| r.ranges), Ok(vec![0..=3, 7..=7]));
        assert_eq!(ranks("-1,2").map(|r| r.ranges), Ok(vec![-1..=-1, 2..=2]));
        for wrong in ["", "-2", "-1-3", "3-1", "a", "1,,2", "99999999999"] {
            assert!(ranks(wrong).is_err(), "{wrong}");
        }
    }
}
