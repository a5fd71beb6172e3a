//! What stands between the readers of job logs and whoever takes the jobs: what passes is a job
//! once, and its end is not before its start.

use super::draft::{Dialect, Draft};
use super::seen::JobsSeen;
use super::times::Times;
use super::{JobFormat, JobOptions, JobReading};
use crate::error::{Error, Place};
use crate::table::bad_rows::BadRows;
use iotempo_model::{JobRecord, JobState, Warning, counted};
use std::borrow::Cow;

/// Counts and repairs what a reader finds, and hands it on.
pub(super) struct Intake<'a> {
    sink: &'a mut dyn FnMut(JobRecord),
    keep_steps: bool,
    pub(super) times: Times,
    pub(super) bad: BadRows,
    seen: &'a mut JobsSeen,
    /// What only one kind of log can tell.
    pub(super) warnings: Vec<Warning>,
    rows: u64,
    steps: u64,
    doubled: u64,
    backwards: u64,
    without_start: u64,
    not_utf8: u64,
    nul_bytes: u64,
    unknown_states: u64,
    example_state: Option<String>,
}

impl<'a> Intake<'a> {
    pub(super) fn new(
        options: &JobOptions,
        seen: &'a mut JobsSeen,
        sink: &'a mut dyn FnMut(JobRecord),
    ) -> Self {
        seen.begin_log();
        Self {
            sink,
            keep_steps: options.steps,
            times: Times::new(options),
            bad: BadRows::default(),
            seen,
            warnings: Vec::new(),
            rows: 0,
            steps: 0,
            doubled: 0,
            backwards: 0,
            without_start: 0,
            not_utf8: 0,
            nul_bytes: 0,
            unknown_states: 0,
            example_state: None,
        }
    }

    /// The text of a line; what is no UTF-8 is replaced and counted.
    pub(super) fn text<'b>(&mut self, line: &'b [u8]) -> Cow<'b, str> {
        let text = String::from_utf8_lossy(line);
        self.not_utf8 += u64::from(matches!(text, Cow::Owned(_)));
        text
    }

    /// A line without the zeros that a file system leaves in front of it where a machine failed;
    /// `None` where zeros are left inside, and it is counted as bad.
    pub(super) fn without_nul<'b>(&mut self, line: &'b [u8], number: u64) -> Option<&'b [u8]> {
        if memchr::memchr(0, line).is_none() {
            return Some(line);
        }
        let begin = line.iter().position(|byte| *byte != 0);
        let rest = &line[begin.unwrap_or(line.len())..];
        if memchr::memchr(0, rest).is_some() {
            self.bad.bad(|| {
                let value = String::from_utf8_lossy(rest);
                Error::invalid(
                    "",
                    Place::Line(number),
                    "a line with NUL bytes in it",
                    value,
                )
            });
            return None;
        }
        self.nul_bytes += 1;
        Some(rest)
    }

    /// Takes what a line says about a job.
    ///
    /// # Errors
    /// Where most of what came so far cannot be read.
    pub(super) fn take(
        &mut self,
        draft: &Draft,
        dialect: Dialect,
        place: Place,
    ) -> Result<(), Error> {
        match draft.finish(dialect, &mut self.times) {
            Ok(job) => self.push(job),
            Err(problem) => self.bad.bad(|| problem.at(place)),
        }
        self.judge()
    }

    /// Takes a line that cannot be read.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub(super) fn refuse(&mut self, error: impl FnOnce() -> Error) -> Result<(), Error> {
        self.bad.bad(error);
        self.judge()
    }

    fn judge(&mut self) -> Result<(), Error> {
        match self.bad.verdict_is_due() {
            true => self.bad.judge(),
            false => Ok(()),
        }
    }

    /// Takes a job.
    pub(super) fn push(&mut self, mut job: JobRecord) {
        self.bad.good();
        if self.seen.again(&job) {
            self.doubled += 1;
            return;
        }
        if job.is_step() {
            self.steps += 1;
            if !self.keep_steps {
                return;
            }
        }
        if job.run_time_s().is_some_and(|time| time < 0.0) {
            self.backwards += 1;
            job.end_epoch_s = None;
        }
        self.without_start += u64::from(job.start_epoch_s.is_none());
        if let JobState::Unknown(text) = &job.state
            && !text.is_empty()
        {
            self.unknown_states += 1;
            self.example_state.get_or_insert_with(|| text.clone());
        }
        self.rows += 1;
        (self.sink)(job);
    }

    /// What was read, where it was worth anything.
    pub(super) fn finish(
        mut self,
        format: JobFormat,
        outcome: Result<(), Error>,
    ) -> Result<JobReading, Error> {
        let cut = match outcome {
            Err(error) if self.rows + self.steps == 0 => return Err(error),
            Err(error) => Some(error.to_string()),
            Ok(()) => None,
        };
        self.bad.judge()?;
        let bad = self.bad.warning();
        let damaged = cut.is_some() || bad.is_some();
        let mut warnings = Vec::new();
        if let Some(cut) = cut {
            let message = format!("only what precedes this was read: {cut}");
            warnings.push(Warning::new("damaged", message));
        }
        warnings.extend(bad);
        warnings.append(&mut self.warnings);
        warnings.extend(self.times.warnings());
        warnings.extend(self.counts());
        Ok(JobReading {
            format,
            rows: self.rows,
            steps: self.steps,
            clock: self.times.zone().cloned(),
            warnings,
            damaged,
        })
    }

    fn counts(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut warn = |code: &'static str, count: u64, tell: &dyn Fn(&str) -> String| {
            if count > 0 {
                let noun = if code == "not-utf-8" { "text" } else { "job" };
                warnings.push(Warning::new(code, tell(&counted(count, noun))));
            }
        };
        warn("job-twice", self.doubled, &|jobs| {
            format!("{jobs} told more than once, here or in an earlier log: each is counted once")
        });
        warn("job-backwards", self.backwards, &|jobs| {
            format!("{jobs} said to end before the start: the end is left out")
        });
        warn("job-without-start", self.without_start, &|jobs| {
            format!("{jobs} without a start")
        });
        let example = self.example_state.as_deref().unwrap_or_default();
        warn("job-state", self.unknown_states, &|jobs| {
            format!("{jobs} in a state that is not known (such as {example:?})")
        });
        warn("not-utf-8", self.not_utf8, &|texts| {
            format!("{texts} in another encoding than UTF-8: what could not be read was replaced")
        });
        warn("nul-bytes", self.nul_bytes, &|jobs| {
            format!("{jobs} behind NUL bytes, which were left out: did a machine fail?")
        });
        let nothing = self.rows + self.doubled == 0;
        if nothing && self.steps > 0 {
            let message = format!(
                "{} of jobs, and no job as a whole: ask for steps",
                counted(self.steps, "step")
            );
            warnings.push(Warning::new("only-steps", message));
        } else if nothing {
            let message = "the log holds no jobs";
            warnings.push(Warning::new("no-jobs", message));
        }
        warnings
    }
}
