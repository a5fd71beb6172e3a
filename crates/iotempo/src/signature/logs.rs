//! The logs that are joined: of jobs, and of servers.

use super::args::SignatureArgs;
use super::prometheus;
use super::records::{forget_unfinished, is_part, join_parts};
use super::select::Question;
use crate::failure::Failure;
use crate::human::plural;
use crate::servers::{Counting, LogSource, OpenedLog, digested, opened, path_of};
use crate::talk::Talk;
use iotempo_analysis::runs::{Application, Likeness, Watch};
use iotempo_formats::{Error, Input, jobs, server};
use iotempo_model::{Binned, JobRecord, Warning};
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// How jobs are told apart that are not asked for.
const BY_NAME: Likeness = Likeness {
    by_name: true,
    by_nodes: false,
};

/// What was read.
#[derive(Default)]
pub(super) struct Logs {
    /// Jobs that are wanted, whatever became of them.
    pub(super) jobs: Vec<JobRecord>,
    /// Jobs like these, but of other sizes, in other partitions or of other accounts: they may do the same.
    pub(super) relatives: Vec<JobRecord>,
    /// When all others ran, as far as that is known, by user and name.
    pub(super) strangers: HashMap<Application, Vec<(f64, f64)>>,
    pub(super) throughput: Binned,
    /// Whether a Prometheus was asked, for the time in which jobs ran and no other.
    pub(super) is_asked: bool,
    /// Which targets are there while the jobs run.
    pub(super) watch: Watch,
    pub(super) sources: Vec<LogSource>,
    /// What a person should know about the logs together; each has warnings of its own.
    pub(super) warnings: Vec<Warning>,
    pub(super) failures: Vec<Failure>,
}

impl Logs {
    /// Reads all logs. One that cannot be read is a failure, and the others are read all the same.
    ///
    /// # Errors
    /// Where no log of either kind could be read.
    pub(super) fn read(
        &mut self,
        words: &SignatureArgs,
        question: &Question,
        talk: &Talk,
    ) -> anyhow::Result<()> {
        self.read_jobs(words, question, talk)?;
        self.read_servers(words, question, talk)?;
        self.compare_clocks();
        self.compare_targets(question);
        self.miss_names();
        Ok(())
    }

    fn read_jobs(
        &mut self,
        words: &SignatureArgs,
        question: &Question,
        talk: &Talk,
    ) -> anyhow::Result<()> {
        let mut seen = jobs::JobsSeen::default();
        let mut strangers: HashMap<Application, Vec<(f64, f64)>> = HashMap::new();
        for opened in opened(&words.jobs)? {
            let path = path_of(&opened);
            let mut kept = Vec::new();
            let source = self.take("jobs", opened, talk, |_, input| {
                let mut keep = |job| {
                    talk.done(1);
                    // What a part of a job is of is known with the others.
                    if is_part(&job) || question.is_related(&job) {
                        kept.push(job);
                    } else {
                        let ran = job.start_epoch_s.zip(job.end_epoch_s);
                        let ran = ran.filter(|(start, end)| end > start && !job.is_step());
                        let application = Application::of(&job, BY_NAME);
                        strangers.entry(application).or_default().extend(ran);
                    }
                };
                let options = &question.job_options;
                let reading = jobs::read_more_jobs(input, options, &mut seen, &mut keep)?;
                Ok(LogSource::of_jobs(reading))
            });
            match source {
                Taken::Read(source) => self.sources.push(*source),
                Taken::Not if path.is_some_and(|path| is_server_log(&path, question)) => {
                    talk.warn("this is a log of a server: it belongs to --log");
                }
                Taken::Not | Taken::Already => {}
            }
            self.jobs.append(&mut kept);
        }
        self.strangers = strangers;
        let mut forgotten = 0_u64;
        forget_unfinished(&mut self.jobs, |job| {
            forgotten += u64::from(question.wants(job));
        });
        join_parts(&mut self.jobs);
        let unwanted = self.jobs.extract_if(.., |job| !question.wants(job));
        self.relatives = unwanted.filter(|job| question.is_related(job)).collect();
        if forgotten > 0 {
            let jobs = plural(forgotten, "job");
            let message = format!(
                "{jobs} told as running, and again as ended or started anew: the latest record counts"
            );
            self.warnings.push(Warning::new("job-ended-since", message));
        }
        let any = self.sources.iter().any(|log| log.kind == "jobs");
        anyhow::ensure!(any, "no job log could be read");
        Ok(())
    }

    fn read_servers(
        &mut self,
        words: &SignatureArgs,
        question: &Question,
        talk: &Talk,
    ) -> anyhow::Result<()> {
        let mut throughput = Binned::new();
        for opened in opened(&words.log)? {
            let path = path_of(&opened);
            let source = self.take("server", opened, talk, |name, input| {
                throughput.begin_log(name);
                let mut sink = Counting::new(&mut throughput, talk);
                let reading = server::read(input, &question.log_options, &mut sink)?;
                Ok(LogSource::of_server(reading, question.log_options.start))
            });
            match source {
                Taken::Read(source) => self.sources.push(*source),
                Taken::Not if path.is_some_and(|path| is_job_log(&path, question)) => {
                    talk.warn("this is a log of jobs: it belongs to --jobs");
                }
                Taken::Not | Taken::Already => {}
            }
        }
        if let Some(queries) = prometheus::Queries::new(words, question, &self.jobs) {
            self.is_asked = true;
            let opened = Ok((queries.url.clone(), (), None));
            let source = self.take("server", opened, talk, |name, ()| {
                throughput.begin_log(name);
                let mut sink = Counting::new(&mut throughput, talk);
                queries.ask(&question.log_options, &mut sink)
            });
            self.sources.extend(source.read());
        }
        throughput.finish();
        self.throughput = throughput;
        let any = self.sources.iter().any(|log| log.kind == "server");
        anyhow::ensure!(any, "no log of a server could be read");
        Ok(())
    }

    /// Reads a log, unless one of its kind with the same bytes was read already. Where that fails it is told.
    fn take<I>(
        &mut self,
        kind: &str,
        opened: Result<(String, I, Option<PathBuf>), Failure>,
        talk: &Talk,
        read: impl FnOnce(&str, I) -> Result<LogSource, Error>,
    ) -> Taken {
        let opened = opened.map(digested);
        if let Ok((input, _, sha256)) = &opened
            && let Some(same) = self.same(kind, sha256.as_deref())
        {
            let message = format!("{input}: the same bytes as {same}: taken once");
            self.warnings.push(Warning::new("log-twice", message));
            return Taken::Already;
        }
        let columns = match kind {
            "jobs" => "--job-columns",
            _ => "--log-columns",
        };
        match self.take_digested(opened, columns, talk, read) {
            Some(source) => Taken::Read(Box::new(source)),
            None => Taken::Not,
        }
    }

    /// Reads a log that is compared with the others, be it one of them. Where that fails it is told.
    pub(super) fn take_compared(
        &mut self,
        opened: OpenedLog,
        talk: &Talk,
        read: impl FnOnce(Input) -> Result<LogSource, Error>,
    ) -> Option<LogSource> {
        let opened = opened.map(digested);
        self.take_digested(opened, "--log-columns", talk, |_, log| read(log))
    }

    fn take_digested<I>(
        &mut self,
        opened: Result<(String, I, Option<String>), Failure>,
        columns: &str,
        talk: &Talk,
        read: impl FnOnce(&str, I) -> Result<LogSource, Error>,
    ) -> Option<LogSource> {
        let read = opened.and_then(|(input, log, sha256)| {
            let source = read(&input, log);
            let source = source.map_err(|error| Failure::of_table(&input, &error, columns))?;
            Ok(LogSource {
                sha256,
                input,
                ..source
            })
        });
        match read {
            Ok(source) => Some(source),
            Err(failure) => {
                talk.error(&failure);
                self.failures.push(failure);
                None
            }
        }
    }

    /// The log that has these bytes and was read already.
    pub(super) fn same(&self, kind: &str, sha256: Option<&str>) -> Option<&str> {
        let known = |log: &&LogSource| sha256.is_some() && log.sha256.as_deref() == sha256;
        let mut logs = self.sources.iter().filter(|log| log.kind == kind);
        Some(logs.find(known)?.input.as_str())
    }

    /// What a person should know of each log, and of all together.
    pub(super) fn told(&self) -> impl Iterator<Item = String> + '_ {
        let own = |log: &LogSource| -> Vec<String> {
            let warnings = log.warnings.iter();
            warnings
                .map(|warning| format!("{}: {}", log.input, warning.message))
                .collect()
        };
        let read = self.sources.iter().filter(|log| log.kind != "compared");
        let all = self.warnings.iter().map(|warning| warning.message.clone());
        read.flat_map(own).chain(all)
    }

    /// How many jobs the logs hold.
    pub(super) fn rows_of_jobs(&self) -> u64 {
        let jobs = self.sources.iter().filter(|log| log.kind == "jobs");
        jobs.map(|log| log.rows).sum()
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
        let known = begin.is_finite() && last.is_finite();
        let undated = self.sources.iter().filter(|_| known);
        let undated = undated.filter_map(|log| log.lacks_dates(begin));
        let undated: Vec<String> = undated.collect();
        if !undated.is_empty() {
            // What years its times would be of says nothing.
            let warning = |message| Warning::new("log-without-dates", message);
            self.warnings.extend(undated.into_iter().map(warning));
            return;
        }
        if known && (begin > to || last < from) {
            let date =
                |at: f64| iotempo_report::clock::utc(at).unwrap_or_else(|| format!("{at} s"));
            let message = format!(
                "the servers' logs are from {} to {}, the jobs from {} to {}: were the clocks in different \
                 zones (--zone, --log-zone), or does a log not say when it began (--log-start)?",
                date(from),
                date(to),
                date(begin),
                date(last),
            );
            self.warnings
                .push(Warning::new("clocks-never-meet", message));
        }
    }

    /// What the logs say together: targets that are missing at times, bytes that are there twice or cannot
    /// be placed.
    fn compare_targets(&mut self, question: &Question) {
        let ahead = question.clocks_ahead_s;
        self.watch = Watch::over(&self.throughput, &question.ops, &self.jobs, ahead);
        self.warnings.extend(self.throughput.warnings());
        self.warnings.extend(self.watch.warnings.iter().cloned());
    }

    /// Jobs of which nothing is known cannot be told apart.
    fn miss_names(&mut self) {
        let nameless = |job: &JobRecord| {
            let size = job.nodes.or(job.processes);
            job.user.is_none() && job.name.is_none() && job.exe.is_none() && size.is_none()
        };
        if !self.jobs.is_empty() && self.jobs.iter().all(nameless) {
            let message = "the job log has neither users nor names nor numbers of nodes: all jobs are taken \
                           for runs of one application, which they hardly are";
            self.warnings.push(Warning::new("jobs-nameless", message));
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

/// What became of a log.
enum Taken {
    Read(Box<LogSource>),
    /// Another has the same bytes.
    Already,
    /// It cannot be read.
    Not,
}

impl Taken {
    /// What was read, if anything was.
    fn read(self) -> Option<LogSource> {
        match self {
            Self::Read(source) => Some(*source),
            Self::Already | Self::Not => None,
        }
    }
}

/// Whether what is no job log is a log of a server.
fn is_server_log(path: &Path, question: &Question) -> bool {
    let Ok(input) = File::open(path).and_then(Input::file) else {
        return false;
    };
    let reading = server::read(input, &question.log_options, &mut Binned::new());
    reading.is_ok_and(|reading| reading.samples > 0)
}

/// Whether what is no log of a server is a job log.
fn is_job_log(path: &Path, question: &Question) -> bool {
    let Ok(input) = File::open(path).and_then(Input::file) else {
        return false;
    };
    let reading = jobs::read_jobs(input, &question.job_options, &mut |_| {});
    reading.is_ok_and(|reading| reading.rows > 0)
}
