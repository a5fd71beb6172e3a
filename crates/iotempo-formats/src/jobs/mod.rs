//! Job logs: what batch systems remember of the jobs that they ran.
//!
//! [`read_jobs`] judges a log by its content, never by its name, and hands on its jobs one by one;
//! [`JobFilter`] tells which are wanted. `docs/joblogs.md` lists the formats and their columns.
//!
//! ```
//! use iotempo_formats::Input;
//! use iotempo_formats::jobs::{JobOptions, read_jobs};
//!
//! let log = "JobID|User|State|Start|End\n\
//!            7|ada|COMPLETED|2026-11-15T07:46:02|2026-11-15T07:46:04\n";
//! let options = JobOptions { zone: "UTC".parse().unwrap(), ..JobOptions::default() };
//! let mut jobs = Vec::new();
//! let reading = read_jobs(Input::bytes(log), &options, &mut |job| jobs.push(job))?;
//! assert_eq!(reading.format.name(), "sacct");
//! assert_eq!(jobs[0].run_time_s(), Some(2.0));
//! # Ok::<(), iotempo_formats::Error>(())
//! ```

mod banner;
mod delimited;
mod draft;
mod filter;
mod fixed_width;
mod heading;
mod intake;
mod json;
mod key_value;
mod pbs;
mod queue;
mod role;
mod seen;
mod swf;
mod text;
mod times;
mod values;
mod zip;

pub use filter::{JobFilter, NameTest};
pub use seen::JobsSeen;

use crate::error::{Error, ErrorKind, Place};
use crate::foreign;
use crate::input::Input;
use crate::limits::Limits;
use crate::zone::{DateOrder, TimeZone};
use banner::Banner;
use intake::Intake;
use iotempo_model::{JobRecord, Warning};

/// How to read a job log.
#[derive(Debug, Clone, Default)]
pub struct JobOptions {
    /// Where the clocks hung whose times the log has; the zone of this machine where nobody says.
    pub zone: TimeZone,
    /// Which number of a date such as `11/12/2026` is the month.
    pub date_order: DateOrder,
    /// For tables: which column holds what, as `our name=their name`. In a table without a heading,
    /// theirs is the number of a column, from 1.
    pub columns: Vec<(String, String)>,
    /// For tables: what stands between two fields, where it cannot be told from the heading.
    pub delimiter: Option<String>,
    /// Whether to hand on the steps of jobs, too.
    pub steps: bool,
    /// Bounds on what the input may make the reader do.
    pub limits: Limits,
}

/// The job logs that can be read. A closed set, judged by content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobFormat {
    /// Slurm's `sacct -P` or `-p`, with any delimiter.
    Sacct,
    /// Slurm's `sacct` as it prints for people: columns of fixed width, which cut values.
    SacctTable,
    /// Slurm's `sacct --json`.
    SacctJson,
    /// An object of `{id: {jobidraw, start, end, nodelist}}`, as pytokio keeps it.
    PytokioJson,
    /// Slurm's `jobcomp/filetxt`, and `scontrol show job`.
    KeyValue,
    /// The Standard Workload Format.
    Swf,
    /// The accounting log of PBS, Torque or Cobalt.
    Pbs,
    /// Any other table with a heading.
    Table,
}

impl JobFormat {
    /// What people call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sacct => "sacct",
            Self::SacctTable => "sacct table",
            Self::SacctJson => "sacct json",
            Self::PytokioJson => "pytokio json",
            Self::KeyValue => "slurm job text",
            Self::Swf => "swf",
            Self::Pbs => "pbs accounting",
            Self::Table => "table of jobs",
        }
    }
}

/// What a job log held besides jobs.
#[derive(Debug, Clone)]
pub struct JobReading {
    /// Which format it has.
    pub format: JobFormat,
    /// How many records were handed on: jobs, and steps where they were asked for.
    pub rows: u64,
    /// How many steps of jobs there are, handed on or not.
    pub steps: u64,
    /// Under which zone local times were read; `None` where all times were instants.
    pub clock: Option<TimeZone>,
    /// What was repaired or left out.
    pub warnings: Vec<Warning>,
    /// Whether a part of the log was lost to damage.
    pub damaged: bool,
}

/// Judges a job log by its first bytes, without the compression of the whole.
///
/// # Errors
/// [`ErrorKind::Empty`], [`ErrorKind::UnknownFormat`], and where the columns that a user named do
/// not make sense.
pub fn detect_jobs(head: &[u8], options: &JobOptions) -> Result<JobFormat, Error> {
    detect(head, options).map(|(_, format)| format)
}

/// As [`detect_jobs`], with what stands above the log.
fn detect(head: &[u8], options: &JobOptions) -> Result<(Option<Banner>, JobFormat), Error> {
    if head.is_empty() {
        return Err(Error::new("", Place::Whole, ErrorKind::Empty));
    }
    if let Some(format) = certain(head) {
        return Ok((None, format));
    }
    let heading = heading::sniff(head, options);
    if let Some(Ok(heading)) = &heading {
        return Ok((None, heading.format));
    }
    if let Some(error) = foreign::error(head) {
        return Err(error);
    }
    match (Banner::above(head, options), heading) {
        (Some((banner, format)), _) => Ok((Some(banner), format)),
        (None, Some(Err(error))) => Err(error),
        (None, _) => {
            let begin = text::beginning(head);
            let what = "not a job log that iotempo reads (a table needs a heading that names at least the jobs' ids \
                        and times, or columns that are named: --job-columns): it begins with";
            Err(Error::invalid("", Place::Line(1), what, begin))
        }
    }
}

/// The format, where its first bytes need no columns to be known.
fn certain(head: &[u8]) -> Option<JobFormat> {
    with_names(head).or_else(|| swf::sniff(head).then_some(JobFormat::Swf))
}

/// The format, where it says itself what its values are.
fn with_names(head: &[u8]) -> Option<JobFormat> {
    json::sniff(head)
        .or_else(|| key_value::sniff(head).then_some(JobFormat::KeyValue))
        .or_else(|| pbs::sniff(head).then_some(JobFormat::Pbs))
        .or_else(|| fixed_width::sniff(head).then_some(JobFormat::SacctTable))
}

/// The job log that `head` begins as JSON, which traces are written in, too.
pub(crate) fn as_json(head: &[u8]) -> Option<JobFormat> {
    json::sniff(head)
}

/// The job log that `head` begins, where nobody has said anything about it.
pub(crate) fn recognised(head: &[u8]) -> Option<JobFormat> {
    detect_jobs(head, &JobOptions::default()).ok()
}

/// Reads any known job log, also within gzip, bzip2 or a zip file, and hands its jobs to `sink`.
///
/// # Errors
/// Where the format is unknown, or the log is damaged before its first job, or most of it cannot be
/// read.
pub fn read_jobs(
    input: Input,
    options: &JobOptions,
    sink: &mut dyn FnMut(JobRecord),
) -> Result<JobReading, Error> {
    read_more_jobs(input, options, &mut JobsSeen::default(), sink)
}

/// Reads one of several job logs: jobs that an earlier one told of are in `seen`, and not handed on again.
///
/// # Errors
/// As [`read_jobs`].
pub fn read_more_jobs(
    input: Input,
    options: &JobOptions,
    seen: &mut JobsSeen,
    sink: &mut dyn FnMut(JobRecord),
) -> Result<JobReading, Error> {
    let mut input = zip::unwrapped(input.unwrapped()?)?;
    let (banner, format) = detect(input.head(), options)?;
    let mut intake = Intake::new(options, seen, sink);
    if let Some(banner) = banner {
        input = banner.blanked(input)?;
        intake.warnings.push(banner.warning());
    }
    let outcome = match format {
        JobFormat::Sacct | JobFormat::Table => delimited::read(input, options, &mut intake),
        JobFormat::SacctTable => fixed_width::read(input, options, &mut intake),
        JobFormat::SacctJson => json::read_sacct(input, options, &mut intake),
        JobFormat::PytokioJson => json::read_pytokio(input, options, &mut intake),
        JobFormat::KeyValue => key_value::read(input, options, &mut intake),
        JobFormat::Swf => swf::read(input, options, &mut intake),
        JobFormat::Pbs => pbs::read(input, options, &mut intake),
    };
    intake.finish(format, outcome)
}

#[cfg(test)]
mod tests;
