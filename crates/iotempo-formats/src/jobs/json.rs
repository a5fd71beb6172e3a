//! Jobs as JSON: `sacct --json` of Slurm 22.05 and later, `squeue --json`, `scontrol show job --json`, what
//! `jobcomp/elasticsearch` and `jobcomp/kafka` hand on, and what pytokio keeps of `sacct`.

mod completed;
mod walk;

use super::draft::{Dialect, Draft};
use super::intake::Intake;
use super::role::Role;
use super::{JobFormat, JobOptions};
use crate::error::Error;
use crate::input::Input;
use crate::limits::Limits;
use std::io::Cursor;
use walk::{Event, Walk};

/// Which kind of jobs these bytes begin.
pub(super) fn sniff(head: &[u8]) -> Option<JobFormat> {
    // Most JSON is of others, and need not be taken apart.
    let has = |word: &[u8]| memchr::memmem::find(head, word).is_some();
    let worth = has(b"\"job_id\"") || has(b"\"jobid\"") || has(b"\"jobidraw\"") || has(b"lurm\"");
    if !worth || !crate::json::sniff(head) {
        return None;
    }
    let mut walk = Walk::new(Cursor::new(head.to_vec()), &Limits::default());
    let mut empty_list = false;
    let mut of_slurm = false;
    let (mut has_id, mut has_more) = (false, false);
    // It may be cut in the middle: what came before decides.
    while let Ok(Some(event)) = walk.next() {
        let path = walk.path();
        match (path.as_slice(), event) {
            (["jobs", "", "job_id"], Event::Value) => return Some(JobFormat::SacctJson),
            ([_, "jobidraw"], Event::Value) => return Some(JobFormat::PytokioJson),
            (["jobs"], Event::Close) => empty_list = true,
            (["meta", name], Event::Open) => of_slurm |= name.eq_ignore_ascii_case("slurm"),
            _ => {}
        }
        // A job by itself has an id, as much else has, and what only Slurm calls so.
        match within_job(&path) {
            ["job_id" | "jobid"] => has_id = true,
            ["job_state" | "@start", ..]
            | ["state", "current", ..]
            | ["time", "submission", ..] => {
                has_more = true;
            }
            _ => {}
        }
        if has_id && has_more {
            return Some(JobFormat::SacctJson);
        }
    }
    (empty_list && of_slurm).then_some(JobFormat::SacctJson)
}

/// The keys within a job: those of one answer of Slurm stand in `jobs`, and whoever takes them out has a list of
/// them, or one after another. Elasticsearch wraps what it was given, and lists what it found.
fn within_job<'a>(path: &'a [&'a str]) -> &'a [&'a str] {
    let path = match path {
        ["", rest @ ..] => rest,
        _ => path,
    };
    match path {
        ["jobs", "", rest @ ..]
        | ["_source", rest @ ..]
        | ["hits", "hits", "", "_source", rest @ ..] => rest,
        _ => path,
    }
}

/// Reads `{"jobs": [...]}`, and jobs that were taken out of such.
pub(super) fn read_sacct(
    input: Input,
    options: &JobOptions,
    intake: &mut Intake<'_>,
) -> Result<(), Error> {
    let mut walk = Walk::new(input.into_reader(), &options.limits);
    let mut job = Gathering::default();
    while let Some(event) = walk.next()? {
        let path = walk.path();
        match (within_job(&path), event) {
            ([], Event::Open) => job = Gathering::default(),
            ([], Event::Close) if job.has_id() || path == ["jobs", ""] => job.end(intake, &walk)?,
            (["steps", ""], Event::Open) => job.steps.push(Draft::default()),
            (rest, Event::Value) => job.add(rest, &walk, options.steps),
            _ => {}
        }
    }
    Ok(())
}

/// A job and its steps, of which some of what is said follows the steps.
#[derive(Default)]
struct Gathering {
    draft: Draft,
    steps: Vec<Draft>,
    /// The kind and the count of a resource, until both are known: keys may be sorted.
    resource: (Option<String>, Option<String>),
    /// Whether it is told as [`completed`] jobs are.
    is_completed: bool,
}

impl Gathering {
    fn has_id(&self) -> bool {
        self.draft.text(Role::RawId).is_some()
    }

    fn add(&mut self, path: &[&str], walk: &Walk, keep_steps: bool) {
        let Some(text) = walk.text() else {
            return;
        };
        match path {
            ["steps", "", rest @ ..] => {
                if let Some(step) = self.steps.last_mut() {
                    // Steps that nobody wants are only counted.
                    if keep_steps || rest.first() == Some(&"step") {
                        add_to_step(step, rest, &text);
                    }
                }
            }
            ["tres", "allocated", "", "type"] => {
                self.resource.0 = Some(text);
                self.add_resource();
            }
            ["tres", "allocated", "", "count"] => {
                self.resource.1 = Some(text);
                self.add_resource();
            }
            [key] if completed::add(&mut self.draft, key, &text) => {
                self.is_completed |= *key == "jobid";
            }
            _ => add_to_job(&mut self.draft, path, &text),
        }
    }

    fn add_resource(&mut self) {
        let (Some(kind), Some(count)) = &self.resource else {
            return;
        };
        match kind.as_str() {
            "cpu" => self.draft.set(Role::Processes, count),
            "node" => self.draft.set_if_missing(Role::Nodes, count),
            _ => {}
        }
        self.resource = (None, None);
    }

    fn end(&mut self, intake: &mut Intake<'_>, walk: &Walk) -> Result<(), Error> {
        let place = walk.place();
        completed::finish(&mut self.draft, self.is_completed);
        intake.take(&self.draft, Dialect::Slurm, place)?;
        for step in &mut self.steps {
            for role in [
                Role::RawId,
                Role::ArrayId,
                Role::ArrayTask,
                Role::ArrayTasks,
                Role::HetId,
                Role::HetOffset,
                Role::Account,
            ] {
                let text = self.draft.text(role).unwrap_or_default();
                step.set(role, text);
            }
            intake.take(step, Dialect::Slurm, place)?;
        }
        *self = Self::default();
        Ok(())
    }
}

fn add_to_job(draft: &mut Draft, path: &[&str], text: &str) {
    match path {
        ["job_id"] => draft.set(Role::RawId, text),
        ["array", "job_id"] if text != "0" => draft.set(Role::ArrayId, text),
        ["array", "task_id"] | ["array", "task_id", "number"] => draft.set(Role::ArrayTask, text),
        // What of an array still waits.
        ["array", "task"] | ["array_task_string"] => draft.set(Role::ArrayTasks, text),
        ["het", "job_id"] if text != "0" => draft.set(Role::HetId, text),
        ["het", "job_offset"] | ["het", "job_offset", "number"] => {
            draft.set(Role::HetOffset, text);
        }
        ["user"] => draft.set(Role::User, text),
        // `squeue --json` and `scontrol show job --json` have names of their own.
        ["user_name"] => draft.set_if_missing(Role::User, text),
        ["array_job_id"] | ["array_job_id", "number"] if text != "0" => {
            draft.set(Role::ArrayId, text);
        }
        ["array_task_id"] | ["array_task_id", "number"] => draft.set(Role::ArrayTask, text),
        ["het_job_id"] | ["het_job_id", "number"] if text != "0" => draft.set(Role::HetId, text),
        ["het_job_offset"] | ["het_job_offset", "number"] => draft.set(Role::HetOffset, text),
        ["group_name"] => draft.set_if_missing(Role::Group, text),
        ["command"] => draft.set(Role::Exe, text),
        ["job_state"] | ["job_state", ""] => draft.set_if_missing(Role::State, text),
        ["node_count"] | ["node_count", "number"] => draft.set_if_missing(Role::Nodes, text),
        ["cpus"] | ["cpus", "number"] => draft.set_if_missing(Role::Processes, text),
        ["time_limit"] | ["time_limit", "number"] => draft.set(Role::TimeLimitMinutes, text),
        ["association", "user"] => draft.set_if_missing(Role::User, text),
        ["group"] => draft.set(Role::Group, text),
        ["account"] => draft.set(Role::Account, text),
        ["name"] => draft.set(Role::Name, text),
        ["partition"] => draft.set(Role::Partition, text),
        ["nodes"] => draft.set(Role::NodeList, text),
        ["allocation_nodes"] => draft.set(Role::Nodes, text),
        ["required", "CPUs"] => draft.set_if_missing(Role::Processes, text),
        ["state", "current"] | ["state", "current", ""] => {
            draft.set_if_missing(Role::State, text);
        }
        ["time", "limit"] | ["time", "limit", "number"] => {
            draft.set(Role::TimeLimitMinutes, text);
        }
        _ => add_times_and_code(draft, path, text),
    }
}

fn add_to_step(draft: &mut Draft, path: &[&str], text: &str) {
    match path {
        // `batch` in older versions, `1.batch` in newer ones.
        ["step", "id"] => draft.set(Role::Step, text.rsplit('.').next().unwrap_or(text)),
        ["step", "name"] => draft.set(Role::Name, text),
        ["state"] | ["state", ""] => draft.set_if_missing(Role::State, text),
        ["nodes", "count"] => draft.set(Role::Nodes, text),
        ["nodes", "range"] => draft.set(Role::NodeList, text),
        ["tasks", "count"] => draft.set(Role::Tasks, text),
        _ => add_times_and_code(draft, path, text),
    }
}

/// What jobs and steps have alike. Newer versions write `{"set": true, "number": 7}` for 7.
fn add_times_and_code(draft: &mut Draft, path: &[&str], text: &str) {
    let path = match path {
        [rest @ .., "number"] => rest,
        _ => path,
    };
    match path {
        ["time", "submission"] | ["submit_time"] => set_time(draft, Role::Submit, text),
        ["time", "start"] | ["start_time"] => set_time(draft, Role::Start, text),
        ["time", "end"] | ["end_time"] => set_time(draft, Role::End, text),
        ["exit_code", "return_code"] => draft.set(Role::ExitCode, text),
        ["exit_code", "signal", "signal_id" | "id"] => {
            draft.set(Role::Signal, text);
            draft.set_if_missing(Role::ExitCode, "0");
        }
        _ => {}
    }
}

/// Zero says that it has not come to that.
fn set_time(draft: &mut Draft, role: Role, text: &str) {
    if text != "0" {
        draft.set(role, text);
    }
}

/// Reads `{"1.batch": {"jobidraw": "1.batch", "start": ..., "end": ..., "nodelist": [...]}}`.
pub(super) fn read_pytokio(
    input: Input,
    options: &JobOptions,
    intake: &mut Intake<'_>,
) -> Result<(), Error> {
    let mut walk = Walk::new(input.into_reader(), &options.limits);
    let mut draft = Draft::default();
    let mut nodes: Vec<String> = Vec::new();
    while let Some(event) = walk.next()? {
        let path = walk.path();
        match (path.as_slice(), event) {
            ([_], Event::Close) => {
                draft.set(Role::NodeList, &nodes.join(","));
                if !nodes.is_empty() {
                    draft.set(Role::Nodes, &nodes.len().to_string());
                }
                intake.take(&draft, Dialect::Slurm, walk.place())?;
                draft.clear();
                nodes.clear();
            }
            ([_, "nodelist", ""], Event::Value) => {
                nodes.extend(
                    walk.text()
                        .filter(|_| nodes.len() < iotempo_model::MOST_NODES),
                );
            }
            ([_, key], Event::Value) => {
                let role = match *key {
                    "jobidraw" => Role::RawId,
                    other => match Role::of_heading(other) {
                        Some((role, _)) => role,
                        None => continue,
                    },
                };
                draft.set(role, &walk.text().unwrap_or_default());
            }
            _ => {}
        }
    }
    Ok(())
}
