//! The logs that are joined: of jobs, and of servers.

use super::args::SignatureArgs;
use super::select::Question;
use crate::cli::InputArgs;
use crate::failure::Failure;
use crate::human::plural;
use crate::inputs::{Found, Inputs};
use crate::sha256;
use crate::talk::Talk;
use iotempo_formats::{Error, Input, jobs, server};
use iotempo_live::{RangeQuery, read_range};
use iotempo_model::{Binned, JobRecord, Moved, Seconds, Target, TargetId, ThroughputSink, Warning};
use serde::Serialize;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How far apart the values of a Prometheus are, where nobody says.
const STEP_S: f64 = 10.0;

/// What was read.
pub(super) struct Logs {
    /// Jobs that are wanted, whatever became of them.
    pub(super) jobs: Vec<JobRecord>,
    pub(super) throughput: Binned,
    pub(super) sources: Vec<LogSource>,
    /// What a person should know about the logs.
    pub(super) warnings: Vec<String>,
    pub(super) failures: Vec<Failure>,
}

/// A log, as results state it.
#[derive(Debug, Clone, Serialize)]
pub(super) struct LogSource {
    pub(super) input: String,
    pub(super) sha256: Option<String>,
    /// `jobs` or `server`.
    pub(super) kind: &'static str,
    pub(super) format: String,
    /// Jobs, or volumes of an interval.
    pub(super) rows: u64,
    pub(super) interval_s: Option<f64>,
    pub(super) unit: Option<String>,
    /// The zone of local times, where the log writes them.
    pub(super) zone: Option<String>,
    pub(super) bytes_read: Option<f64>,
    pub(super) bytes_written: Option<f64>,
    pub(super) missing_s: Option<f64>,
    pub(super) damaged: bool,
    pub(super) warnings: Vec<Warning>,
}

impl Logs {
    /// Reads all logs. One that cannot be read is a failure, and the others are read all the same.
    ///
    /// # Errors
    /// Where no log of either kind could be read.
    pub(super) fn read(
        words: &SignatureArgs,
        question: &Question,
        talk: &Talk,
    ) -> anyhow::Result<Self> {
        let mut logs = Self {
            jobs: Vec::new(),
            throughput: Binned::new(),
            sources: Vec::new(),
            warnings: Vec::new(),
            failures: Vec::new(),
        };
        for opened in opened(&words.jobs)? {
            logs.take(opened, talk, |logs, input| {
                logs.read_jobs(input, question, talk)
            });
        }
        anyhow::ensure!(
            logs.sources.iter().any(|log| log.kind == "jobs"),
            "no job log could be read"
        );
        for opened in opened(&words.log)? {
            logs.take(opened, talk, |logs, input| {
                logs.read_server(input, question, talk)
            });
        }
        if let Some(query) = logs.query(words) {
            let opened = Ok((query.url.clone(), None, None));
            logs.take(opened, talk, |logs, _: Option<Input>| {
                logs.ask(&query, question, talk)
            });
        }
        logs.throughput.finish();
        anyhow::ensure!(
            logs.sources.iter().any(|log| log.kind == "server"),
            "no log of a server could be read"
        );
        logs.compare_clocks();
        Ok(logs)
    }

    fn take<I>(
        &mut self,
        opened: Result<(String, I, Option<PathBuf>), Failure>,
        talk: &Talk,
        read: impl FnOnce(&mut Self, I) -> Result<LogSource, Error>,
    ) {
        let (name, input, path) = match opened {
            Ok(opened) => opened,
            Err(failure) => return self.failed(failure, talk),
        };
        match read(self, input) {
            Ok(mut source) => {
                source.sha256 = path.and_then(|path| digest(&path).ok());
                source.input = name;
                for warning in &source.warnings {
                    self.warnings
                        .push(format!("{}: {}", source.input, warning.message));
                }
                self.sources.push(source);
            }
            Err(error) => self.failed(Failure::of(name, &error), talk),
        }
    }

    fn failed(&mut self, failure: Failure, talk: &Talk) {
        talk.error(&failure);
        self.failures.push(failure);
    }

    fn read_jobs(
        &mut self,
        input: Input,
        question: &Question,
        talk: &Talk,
    ) -> Result<LogSource, Error> {
        let kept = &mut self.jobs;
        let reading = jobs::read_jobs(input, &question.job_options, &mut |job| {
            talk.done(1);
            if question.filter.matches(&job) {
                kept.push(job);
            }
        })?;
        Ok(LogSource {
            kind: "jobs",
            format: reading.format.name().to_owned(),
            rows: reading.rows,
            zone: reading.clock.map(|zone| zone.name().to_owned()),
            damaged: reading.damaged,
            warnings: reading.warnings,
            ..LogSource::empty()
        })
    }

    fn read_server(
        &mut self,
        input: Input,
        question: &Question,
        talk: &Talk,
    ) -> Result<LogSource, Error> {
        let mut sink = Counting::new(&mut self.throughput, talk);
        let reading = server::read(input, &question.log_options, &mut sink)?;
        Ok(LogSource::of(reading))
    }

    /// What to ask a Prometheus: about all the time in which the jobs ran.
    fn query(&self, words: &SignatureArgs) -> Option<RangeQuery> {
        let finite = |at: &f64| at.is_finite();
        let starts = self.jobs.iter().filter_map(|job| job.start_epoch_s);
        let ends = self.jobs.iter().filter_map(|job| job.end_epoch_s);
        let from = starts.filter(finite).min_by(f64::total_cmp)?;
        let to = ends.filter(finite).max_by(f64::total_cmp)?;
        let step = words.clocks.interval.map_or(STEP_S, Seconds::get);
        Some(RangeQuery {
            url: words.prometheus.clone()?,
            expression: words.query.clone()?,
            range_s: [from - step, to + step],
            step: Duration::try_from_secs_f64(step).ok()?,
        })
    }

    fn ask(
        &mut self,
        query: &RangeQuery,
        question: &Question,
        talk: &Talk,
    ) -> Result<LogSource, Error> {
        let mut sink = Counting::new(&mut self.throughput, talk);
        Ok(LogSource::of(read_range(
            query,
            &question.log_options,
            &mut sink,
        )?))
    }

    /// Jobs and servers that were never at the same time have nothing in common: mostly their clocks
    /// are in different zones, or a log has no dates at all.
    fn compare_clocks(&mut self) {
        let Some((first, end)) = self.throughput.span() else {
            return;
        };
        let (from, to) = (self.throughput.time_of(first), self.throughput.time_of(end));
        let starts = self.jobs.iter().filter_map(|job| job.start_epoch_s);
        let ends = self.jobs.iter().filter_map(|job| job.end_epoch_s);
        let (begin, last) = (
            starts.fold(f64::INFINITY, f64::min),
            ends.fold(f64::NEG_INFINITY, f64::max),
        );
        if begin > to || last < from {
            let date =
                |at: f64| iotempo_report::clock::utc(at).unwrap_or_else(|| format!("{at} s"));
            self.warnings.push(format!(
                "the servers' logs are from {} to {}, the jobs from {} to {}: were the clocks in different \
                 zones (--zone, --log-zone), or does a log not say when it began (--log-start)?",
                date(from),
                date(to),
                date(begin),
                date(last),
            ));
        }
    }

    /// How many jobs are wanted, in how many logs, for a person.
    pub(super) fn heading(&self) -> String {
        let of = |kind: &str| {
            let logs: Vec<&LogSource> =
                self.sources.iter().filter(|log| log.kind == kind).collect();
            let formats: Vec<&str> = logs.iter().map(|log| log.format.as_str()).collect();
            let mut formats = formats;
            formats.dedup();
            (logs.len() as u64, formats.join(", "))
        };
        let ((jobs, job_formats), (servers, server_formats)) = (of("jobs"), of("server"));
        format!(
            "{} of jobs ({job_formats}), {} of servers ({server_formats}), {}",
            plural(jobs, "log"),
            plural(servers, "log"),
            plural(self.throughput.targets().len() as u64, "target"),
        )
    }
}

impl LogSource {
    fn empty() -> Self {
        Self {
            input: String::new(),
            sha256: None,
            kind: "server",
            format: String::new(),
            rows: 0,
            interval_s: None,
            unit: None,
            zone: None,
            bytes_read: None,
            bytes_written: None,
            missing_s: None,
            damaged: false,
            warnings: Vec::new(),
        }
    }

    pub(super) fn of(reading: server::Reading) -> Self {
        Self {
            format: reading.format,
            rows: reading.samples,
            interval_s: reading.interval.map(Seconds::get),
            unit: Some(reading.unit),
            zone: match reading.clock {
                server::Clock::Zone(zone) => Some(zone),
                server::Clock::Epoch | server::Clock::Relative => None,
            },
            bytes_read: Some(reading.bytes[0]),
            bytes_written: Some(reading.bytes[1]),
            missing_s: Some(reading.missing.get()),
            damaged: reading.damaged,
            warnings: reading.warnings,
            ..Self::empty()
        }
    }
}

/// Counts for who waits.
pub(super) struct Counting<'a> {
    sink: &'a mut Binned,
    talk: &'a Talk,
    uncounted: u64,
}

impl<'a> Counting<'a> {
    pub(super) fn new(sink: &'a mut Binned, talk: &'a Talk) -> Self {
        Self {
            sink,
            talk,
            uncounted: 0,
        }
    }
}

/// Whoever waits sees thousands pass by, and nobody pays for counting each.
const AT_ONCE: u64 = 4096;

impl ThroughputSink for Counting<'_> {
    fn target(&mut self, target: &Target) -> TargetId {
        self.sink.target(target)
    }

    fn moved(&mut self, moved: Moved) -> io::Result<()> {
        self.uncounted += 1;
        if self.uncounted == AT_ONCE {
            self.talk.done(std::mem::take(&mut self.uncounted));
        }
        self.sink.moved(moved)
    }
}

type OpenedLog = Result<(String, Input, Option<PathBuf>), Failure>;

/// Every file that is named, opened when its turn comes: files, folders, globs, `-`.
pub(super) fn opened(paths: &[PathBuf]) -> anyhow::Result<impl Iterator<Item = OpenedLog>> {
    let inputs = Inputs::new(InputArgs {
        inputs: paths.to_vec(),
        from: None,
    })?;
    Ok(inputs.map(|found| open(found?)))
}

fn open(found: Found) -> OpenedLog {
    let path = match found {
        Found::Stdin => {
            let input = Input::stream(io::stdin()).map_err(|error| Failure::new("-", error))?;
            return Ok(("-".to_owned(), input, None));
        }
        Found::Named(path) | Found::InFolder { path, .. } | Found::Traced { folder: path, .. } => {
            path
        }
    };
    let name = path.display().to_string();
    let file = File::open(&path).and_then(Input::file);
    match file {
        Ok(input) => Ok((name, input, Some(path))),
        Err(error) => Err(Failure::new(name, error)),
    }
}

fn digest(path: &Path) -> io::Result<String> {
    sha256::of(File::open(path)?)
}
