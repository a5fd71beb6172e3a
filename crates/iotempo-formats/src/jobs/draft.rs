//! A job from the texts that a log has for it.

use super::role::{ROLES, Role};
use super::times::Times;
use super::values::{
    count, duration_s, exit_code, is_no_value, is_nothing, wait_status, without_zero_decimals,
};
use crate::error::{Error, Place};
use iotempo_model::{ExitCode, JobRecord, JobState, expand_nodes};
use std::cell::Cell;

/// Whose log it is: the same text means different things to different schedulers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `1.batch` is a step, and all dates are of one length.
    Slurm,
    /// `1.server` is a job.
    Pbs,
    /// A table of Slurm's database: states are numbers, limits minutes, and exit codes what `wait` tells.
    Database,
    /// Numbers may have decimals that mean nothing: a job `35079.0`.
    Table,
}

/// What a log says about one job. An empty text says nothing.
#[derive(Debug, Clone, Default)]
pub(super) struct Draft {
    values: [String; ROLES],
    /// How long the first date of the log is, as far as clocks show it; it outlives the job.
    date_length: Cell<usize>,
}

/// A value that cannot be.
#[derive(Debug, PartialEq)]
pub(super) struct Problem {
    pub(super) role: Role,
    pub(super) what: &'static str,
    pub(super) value: String,
}

impl Problem {
    pub(super) fn at(self, place: Place) -> Error {
        Error::invalid(self.role.name(), place, self.what, self.value)
    }
}

impl Draft {
    pub(super) fn clear(&mut self) {
        self.values.iter_mut().for_each(String::clear);
    }

    /// Another table follows, perhaps with dates of another length.
    pub(super) fn forget_dates(&mut self) {
        self.date_length.set(0);
    }

    pub(super) fn set(&mut self, role: Role, text: &str) {
        let value = &mut self.values[role as usize];
        value.clear();
        value.push_str(text.trim());
    }

    /// Unless something is there already.
    pub(super) fn set_if_missing(&mut self, role: Role, text: &str) {
        if self.text(role).is_none() {
            self.set(role, text);
        }
    }

    /// What is said, unless it says that nothing is known.
    pub(super) fn text(&self, role: Role) -> Option<&str> {
        let text = self.values[role as usize].as_str();
        (!is_nothing(text)).then_some(text)
    }

    fn owned(&self, role: Role) -> Option<String> {
        self.text(role).map(str::to_owned)
    }

    /// A name that may be a number.
    fn label(&self, role: Role, dialect: Dialect) -> Option<String> {
        let text = self.text(role)?;
        Some(match dialect {
            Dialect::Table | Dialect::Database => without_zero_decimals(text).to_owned(),
            Dialect::Slurm | Dialect::Pbs => text.to_owned(),
        })
    }

    /// The job, with its times under the log's clock.
    pub(super) fn finish(&self, dialect: Dialect, times: &mut Times) -> Result<JobRecord, Problem> {
        let (id, raw_id, step) = self.ids(dialect)?;
        let mut job = JobRecord {
            id,
            raw_id,
            step,
            user: self.label(Role::User, dialect),
            group: self.label(Role::Group, dialect),
            account: self.label(Role::Account, dialect),
            name: self.owned(Role::Name),
            exe: self.owned(Role::Exe),
            partition: self.label(Role::Partition, dialect),
            state: self.state(dialect),
            exit_code: self.exit_code(dialect)?,
            nodes: None,
            processes: match self.count(Role::Processes)? {
                Some(count) => Some(count),
                None => self.count(Role::Tasks)?,
            },
            // `squeue` writes there why a job waits, too: (Resources).
            node_list: self
                .owned(Role::NodeList)
                .filter(|list| !list.starts_with('(')),
            submit_epoch_s: self.time(Role::Submit, dialect, times)?,
            start_epoch_s: self.time(Role::Start, dialect, times)?,
            end_epoch_s: self.time(Role::End, dialect, times)?,
            time_limit_s: self.time_limit_s(dialect, times),
        };
        self.nodes(&mut job, dialect)?;
        leave_out_expected(&mut job);
        self.derive_times(&mut job)?;
        self.choose_passes(&mut job, times)?;
        if self.text(Role::State).is_none()
            && job.end_epoch_s.is_some()
            && let Some(code) = job.exit_code
        {
            // A log without states still tells which jobs failed; one that runs has no code yet, or 0.
            let well = code.status == 0 && code.signal.is_none_or(|signal| signal == 0);
            job.state = if well {
                JobState::Completed
            } else {
                JobState::Failed
            };
        }
        Ok(job)
    }

    /// The id with its array or part, the raw one where it differs, and the step.
    fn ids(&self, dialect: Dialect) -> Result<(String, Option<String>, Option<String>), Problem> {
        let raw = self.label(Role::RawId, dialect);
        let number = |role: Role| self.label(role, dialect).filter(|text| !is_no_value(text));
        let whole = |role: Role| number(role).filter(|id| id != "0");
        let shared = |id: Role, part: Role, between: &str| {
            Some(format!("{}{between}{}", whole(id)?, number(part)?))
        };
        let waiting = || {
            let tasks = self.text(Role::ArrayTasks)?;
            Some(format!("{}_[{tasks}]", whole(Role::ArrayId)?))
        };
        let written = self
            .label(Role::Id, dialect)
            .or_else(|| shared(Role::ArrayId, Role::ArrayTask, "_"))
            .or_else(waiting)
            .or_else(|| shared(Role::HetId, Role::HetOffset, "+"))
            .or_else(|| raw.clone());
        let Some(written) = written else {
            return Err(Problem {
                role: Role::Id,
                what: "a job without an id",
                value: self.values[Role::Id as usize].clone(),
            });
        };
        let split = |text: String| match (dialect, text.split_once('.')) {
            (Dialect::Slurm, Some((id, step))) => (id.to_owned(), Some(step.to_owned())),
            (Dialect::Table, Some((id, step @ ("batch" | "extern" | "interactive")))) => {
                (id.to_owned(), Some(step.to_owned()))
            }
            _ => (text, None),
        };
        let (id, step) = split(written);
        if id.is_empty() {
            return Err(self.problem(Role::Id, "a job without an id"));
        }
        let raw_id = raw.map(|raw| split(raw).0).filter(|raw| *raw != id);
        Ok((id, raw_id, self.owned(Role::Step).or(step)))
    }

    fn problem(&self, role: Role, what: &'static str) -> Problem {
        let value = self.values[role as usize].clone();
        Problem { role, what, value }
    }

    fn time(
        &self,
        role: Role,
        dialect: Dialect,
        times: &mut Times,
    ) -> Result<Option<f64>, Problem> {
        let Some(text) = self.text(role) else {
            return Ok(None);
        };
        let cut = dialect == Dialect::Slurm && text.contains('-') && self.is_cut(text);
        let time = match cut {
            true => Err(()),
            false => times.epoch_s(text),
        };
        time.map_err(|()| self.problem(role, "not a time"))
    }

    /// Whether a date is shorter than others of its log, or has hours and no seconds. What is cut off
    /// still looks like a time, of another minute or day.
    fn is_cut(&self, text: &str) -> bool {
        let shown = shown_by_clocks(text).len();
        let first = match self.date_length.get() {
            0 => shown,
            length => length,
        };
        self.date_length.set(first);
        let dashed = text.as_bytes().get("YYYY".len()) == Some(&b'-');
        shown < first || (dashed && text.contains('T') && shown < "YYYY-MM-DDTHH:MM:SS".len())
    }

    fn count(&self, role: Role) -> Result<Option<u64>, Problem> {
        let Some(text) = self.text(role) else {
            return Ok(None);
        };
        count(text).map_err(|()| self.problem(role, "not a number of nodes or processes"))
    }

    /// A column `nodes` may hold their number or their names.
    fn nodes(&self, job: &mut JobRecord, dialect: Dialect) -> Result<(), Problem> {
        match (self.text(Role::Nodes), &job.node_list) {
            (Some(text), None) if text.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                job.node_list = Some(text.to_owned());
            }
            _ => job.nodes = self.count(Role::Nodes)?,
        }
        // Other schedulers write partitions of a machine or places of processes there.
        if job.nodes.is_none()
            && matches!(dialect, Dialect::Slurm | Dialect::Database)
            && let Some(Ok(names)) = job.node_list.as_deref().map(expand_nodes)
        {
            job.nodes = Some(names.len() as u64).filter(|nodes| *nodes > 0);
        }
        Ok(())
    }

    fn duration_s(&self, role: Role, unit_s: f64) -> Result<Option<f64>, Problem> {
        let Some(text) = self.text(role) else {
            return Ok(None);
        };
        let wrong = |()| self.problem(role, "not a length of time");
        duration_s(text, unit_s).map_err(wrong)
    }

    fn state(&self, dialect: Dialect) -> JobState {
        let text = self.values[Role::State as usize].as_str();
        let number = without_zero_decimals(text).parse::<usize>().ok();
        let named = number.and_then(|number| DATABASE_STATES.get(number));
        match named.filter(|_| dialect == Dialect::Database) {
            Some(state) => state.clone(),
            None => JobState::parse(text),
        }
    }

    fn time_limit_s(&self, dialect: Dialect, times: &mut Times) -> Option<f64> {
        let unit_s = if dialect == Dialect::Database {
            60.0
        } else {
            1.0
        };
        let limits = [(Role::TimeLimit, unit_s), (Role::TimeLimitMinutes, 60.0)];
        let limit = limits.into_iter().find_map(|(role, unit_s)| {
            self.duration_s(role, unit_s).unwrap_or_else(|problem| {
                times.lose_limit(&problem.value);
                None
            })
        });
        limit.filter(|limit| *limit < NO_LIMIT_S)
    }

    fn exit_code(&self, dialect: Dialect) -> Result<Option<ExitCode>, Problem> {
        let Some(text) = self.text(Role::ExitCode) else {
            return Ok(None);
        };
        let code = match dialect {
            Dialect::Database => wait_status(text),
            Dialect::Slurm | Dialect::Pbs | Dialect::Table => {
                exit_code(text, self.text(Role::Signal))
            }
        };
        code.map_err(|()| self.problem(Role::ExitCode, "not an exit code"))
    }

    /// Where clocks showed the hour twice in which a job started or ended: the first pass of those with which it does
    /// not end before it starts, or runs for as long as the log says.
    fn choose_passes(&self, job: &mut JobRecord, times: &mut Times) -> Result<(), Problem> {
        let (Some(start), Some(end)) = (job.start_epoch_s, job.end_epoch_s) else {
            return Ok(());
        };
        let second = |role| self.text(role).and_then(|text| times.second_epoch_s(text));
        let (later_start, later_end) = (second(Role::Start), second(Role::End));
        if later_start.or(later_end).is_none() {
            return Ok(());
        }
        let ran = self.duration_s(Role::RunTime, 1.0)?;
        let starts = [Some(start), later_start].into_iter().flatten();
        let passes = starts.flat_map(|start| {
            let ends = [Some(end), later_end].into_iter().flatten();
            ends.map(move |end| (start, end))
        });
        let off = |(start, end): &(f64, f64)| ran.map_or(0.0, |ran| (end - start - ran).abs());
        let forwards = passes.filter(|(start, end)| end >= start);
        if let Some((start, end)) = forwards.min_by(|a, b| off(a).total_cmp(&off(b))) {
            if later_start == Some(start) {
                times.took_second();
            }
            if later_end == Some(end) {
                times.took_second();
            }
            (job.start_epoch_s, job.end_epoch_s) = (Some(start), Some(end));
        }
        Ok(())
    }

    /// A start from the wait, and an end from how long it ran. A job that still runs has no end,
    /// though it has run for some time, and one that still waits no start.
    fn derive_times(&self, job: &mut JobRecord) -> Result<(), Problem> {
        if job.state == JobState::Pending {
            return Ok(());
        }
        if job.start_epoch_s.is_none()
            && let Some(submit) = job.submit_epoch_s
            && let Some(wait) = self.duration_s(Role::Wait, 1.0)?
        {
            job.start_epoch_s = Some(submit + wait);
        }
        if job.start_epoch_s.is_none()
            && let Some(end) = job.end_epoch_s
            && let Some(run) = self.duration_s(Role::RunTime, 1.0)?
            // A job that was cancelled while it waited ran for 0 s, and never started.
            && run > 0.0
        {
            job.start_epoch_s = Some(end - run);
        }
        // Where states are not told, an end that is `Unknown` says that the job runs.
        let end_is_told = !self.values[Role::End as usize].is_empty();
        let ended =
            job.state.is_over() || (matches!(job.state, JobState::Unknown(_)) && !end_is_told);
        if job.end_epoch_s.is_none()
            && ended
            && let Some(start) = job.start_epoch_s
            && let Some(run) = self.duration_s(Role::RunTime, 1.0)?
        {
            job.end_epoch_s = Some(start + run);
        }
        Ok(())
    }
}

/// A date and a time of day without fractions of a second and without a zone: `CEST` is longer than `CET`.
fn shown_by_clocks(text: &str) -> &str {
    let date = "YYYY-MM-DD".len();
    let zone = |(at, c): &(usize, char)| {
        *at > date && (matches!(c, '+' | '-' | '.' | 'Z') || (c.is_ascii_alphabetic() && *c != 'T'))
    };
    let end = text
        .char_indices()
        .find(zone)
        .map_or(text.len(), |(at, _)| at);
    text[..end].trim_end()
}

/// Slurm has 2³² − 1 and − 2 minutes for limits that are none or not set. No job is allowed ten thousand days.
const NO_LIMIT_S: f64 = 1e4 * 86_400.0;

/// What the numbers mean that Slurm's database has for states.
const DATABASE_STATES: [JobState; 12] = [
    JobState::Pending,
    JobState::Running,
    JobState::Suspended,
    JobState::Completed,
    JobState::Cancelled,
    JobState::Failed,
    JobState::Timeout,
    JobState::NodeFail,
    JobState::Preempted,
    JobState::BootFail,
    JobState::Deadline,
    JobState::OutOfMemory,
];

/// `squeue`, `scontrol` and `sacct -T` tell when jobs that run will end at the latest, and when those that wait
/// may start: that has not happened. Jobs in other states may have one: `sacct -D` has a record of a job before it
/// was put back into the queue, or changed its size.
fn leave_out_expected(job: &mut JobRecord) {
    let lasts = matches!(
        job.state,
        JobState::Pending
            | JobState::Running
            | JobState::Configuring
            | JobState::Suspended
            | JobState::Stopped
            | JobState::Signaling
    );
    if lasts {
        job.end_epoch_s = None;
    }
    if job.state == JobState::Pending {
        job.start_epoch_s = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::JobOptions;
    use crate::zone::TimeZone;

    fn finished(dialect: Dialect, values: &[(Role, &str)]) -> Result<JobRecord, Problem> {
        let mut draft = Draft::default();
        for (role, text) in values {
            draft.set(*role, text);
        }
        let options = JobOptions {
            zone: TimeZone::utc(),
            ..JobOptions::default()
        };
        draft.finish(dialect, &mut Times::new(&options))
    }

    #[test]
    fn ids_keep_their_arrays_and_parts_and_lose_their_steps() {
        for (id, expected) in [
            ("1", ("1", None)),
            ("1.batch", ("1", Some("batch"))),
            ("2_3.0", ("2_3", Some("0"))),
            ("2_[1-3]", ("2_[1-3]", None)),
            ("5+0.extern", ("5+0", Some("extern"))),
        ] {
            let job = finished(Dialect::Slurm, &[(Role::Id, id)]).expect("a job");
            assert_eq!((job.id.as_str(), job.step.as_deref()), expected);
        }
        let pbs = finished(Dialect::Pbs, &[(Role::Id, "12[4].server.org")]).expect("a job");
        assert_eq!((pbs.id.as_str(), pbs.step), ("12[4].server.org", None));
        let table = finished(Dialect::Table, &[(Role::Id, "35079.0")]).expect("a job");
        assert_eq!((table.id.as_str(), table.step), ("35079", None));
        let raw = finished(Dialect::Slurm, &[(Role::Id, "2_1.0"), (Role::RawId, "9.0")]);
        let raw = raw.expect("a job");
        assert_eq!((raw.id.as_str(), raw.raw_id.as_deref()), ("2_1", Some("9")));
        let error = finished(Dialect::Slurm, &[]).expect_err("no id");
        assert_eq!(error.what, "a job without an id");
    }

    #[test]
    fn ends_follow_from_run_times_only_where_a_job_has_ended() {
        let run = |state| {
            let values = [
                (Role::Id, "1"),
                (Role::State, state),
                (Role::Submit, "1794728700"),
                (Role::Wait, "62"),
                (Role::RunTime, "1-00:00:10"),
            ];
            finished(Dialect::Slurm, &values).expect("a job")
        };
        assert_eq!(run("COMPLETED").start_epoch_s, Some(1_794_728_762.0));
        assert_eq!(run("COMPLETED").run_time_s(), Some(86_410.0));
        assert_eq!(run("").run_time_s(), Some(86_410.0));
        assert_eq!(run("RUNNING").end_epoch_s, None);
    }

    #[test]
    fn values_that_cannot_be_are_named() {
        for (role, text, what) in [
            (Role::Start, "yesterday", "not a time"),
            (Role::End, "2026-11-15T07:46", "not a time"),
            (Role::Nodes, "4x", "not a number of nodes or processes"),
            (Role::RunTime, "1:2:3:4", "not a length of time"),
            (Role::ExitCode, "a:b", "not an exit code"),
        ] {
            let values = [(Role::Id, "1"), (Role::Start, "1794728762"), (role, text)];
            let problem = finished(Dialect::Slurm, &values);
            let value = text.to_owned();
            assert_eq!(problem, Err(Problem { role, what, value }));
        }
    }

    #[test]
    fn a_column_of_nodes_may_hold_names() {
        let job = finished(Dialect::Table, &[(Role::Id, "1"), (Role::Nodes, "a[1-2]")]);
        let job = job.expect("a job");
        assert_eq!(
            (job.nodes, job.node_list.as_deref()),
            (None, Some("a[1-2]"))
        );
        let job = finished(
            Dialect::Table,
            &[(Role::Id, "1"), (Role::Nodes, "512.0000")],
        );
        assert_eq!(job.expect("a job").nodes, Some(512));
    }

    #[test]
    fn an_exit_code_may_hold_a_signal() {
        let values = [(Role::Id, "1"), (Role::ExitCode, "0:15")];
        let job = finished(Dialect::Slurm, &values).expect("a job");
        let expected = ExitCode {
            status: 0,
            signal: Some(15),
        };
        assert_eq!(job.exit_code, Some(expected));
    }
}
