//! `Key=value` texts of Slurm: a line per job (`jobcomp/filetxt`, `scontrol -o show job`), or a line
//! that begins a job and indented ones that go on with it (`scontrol show job`).

use super::JobOptions;
use super::draft::{Dialect, Draft};
use super::intake::Intake;
use super::role::Role;
use super::text::{lines, unmarked};
use crate::error::{Error, Place};
use crate::input::Input;
use crate::table::lines::Lines;

const FIRST_KEY: &[u8] = b"JobId=";

/// `scontrol show job -dd` has the script of a job behind all that it says of it, without indents: from the next line
/// on, also with `-o`.
const SCRIPT_KEY: &str = "BatchScript=";

/// Whether these bytes begin such a text; a machine that failed may have left zeros in front.
pub(super) fn sniff(head: &[u8]) -> bool {
    lines(head).next().is_some_and(|line| {
        let begin = line.iter().position(|byte| *byte != 0).unwrap_or(0);
        line[begin..].starts_with(FIRST_KEY)
    })
}

/// Keys whose values may hold spaces, and those that follow them.
const FREE: [&str; 10] = [
    "Name",
    "JobName",
    "Comment",
    "AdminComment",
    "SystemComment",
    "WorkDir",
    "Command",
    "SubmitLine",
    "StdErr",
    "StdOut",
];
const FOLLOWING: [&str; 12] = [
    "JobState",
    "UserId",
    "GroupId",
    "MCS_label",
    "ReservationName",
    "StdErr",
    "StdIn",
    "StdOut",
    "Tres",
    "Power",
    "WorkDir",
    "SubmitTime",
];

/// Reads such a text.
pub(super) fn read(
    input: Input,
    options: &JobOptions,
    intake: &mut Intake<'_>,
) -> Result<(), Error> {
    let mut lines = Lines::new(input.into_reader(), &options.limits);
    let mut open = Open::default();
    let mut in_script = false;
    while let Some(line) = lines.next()?.map(<[u8]>::to_vec) {
        let number = lines.number();
        let Some(line) = intake.without_nul(unmarked(&line), number) else {
            continue;
        };
        let text = intake.text(line);
        let goes_on = text.starts_with([' ', '\t']);
        in_script &= !text.as_bytes().starts_with(FIRST_KEY);
        if in_script {
            continue;
        }
        let (text, script) = without_script(&text);
        in_script = script;
        if script && goes_on {
            open.add(text);
        } else if text.trim().is_empty() {
            open.end(intake)?;
        } else if text.as_bytes().starts_with(FIRST_KEY) {
            open.end(intake)?;
            open.begin(number, text);
        } else if goes_on && open.line.is_some() {
            open.add(text);
        } else {
            intake.refuse(|| {
                let what = "a line that begins no job and continues none";
                Error::invalid("", Place::Line(number), what, text)
            })?;
        }
    }
    open.end(intake)
}

/// What a line says of a job, and whether its script follows.
fn without_script(text: &str) -> (&str, bool) {
    match text.split_once(SCRIPT_KEY) {
        Some((told, first)) if first.is_empty() || first.starts_with("#!") => (told, true),
        _ => (text, false),
    }
}

/// A job of which more may follow.
#[derive(Default)]
struct Open {
    line: Option<u64>,
    draft: Draft,
}

impl Open {
    fn begin(&mut self, line: u64, text: &str) {
        self.draft.clear();
        self.line = Some(line);
        self.add(text);
    }

    fn add(&mut self, text: &str) {
        for (key, value) in Pairs(text) {
            let role = match role(key) {
                // `1-4%2` of an array that waits.
                Some(Role::ArrayTask) if value.parse::<u32>().is_err() => Some(Role::ArrayTasks),
                role => role,
            };
            if let Some(role) = role {
                // Zeros mean that it is no array.
                if !(matches!(role, Role::ArrayId | Role::HetId) && value == "0") {
                    self.draft.set_if_missing(role, without_number(role, value));
                }
            }
        }
    }

    fn end(&mut self, intake: &mut Intake<'_>) -> Result<(), Error> {
        let Some(line) = self.line.take() else {
            return Ok(());
        };
        let place = Place::Line(line);
        if self.draft.text(Role::State).is_none() && self.draft.text(Role::Start).is_none() {
            let id = self.draft.text(Role::RawId).unwrap_or_default().to_owned();
            let what = "a job without state and start: the line is cut";
            return intake.refuse(|| Error::invalid("", place, what, id));
        }
        intake.take(&self.draft, Dialect::Slurm, place)
    }
}

fn role(key: &str) -> Option<Role> {
    Some(match key {
        "JobId" => Role::RawId,
        "ArrayJobId" => Role::ArrayId,
        "ArrayTaskId" => Role::ArrayTask,
        "HetJobId" => Role::HetId,
        "HetJobOffset" => Role::HetOffset,
        "UserId" => Role::User,
        "GroupId" => Role::Group,
        "Account" => Role::Account,
        "Name" | "JobName" => Role::Name,
        "Command" => Role::Exe,
        "Partition" => Role::Partition,
        "JobState" => Role::State,
        "ExitCode" => Role::ExitCode,
        "NodeCnt" | "NumNodes" => Role::Nodes,
        "ProcCnt" | "NumCPUs" => Role::Processes,
        "NumTasks" => Role::Tasks,
        "NodeList" => Role::NodeList,
        "SubmitTime" => Role::Submit,
        "StartTime" => Role::Start,
        "EndTime" => Role::End,
        // `jobcomp/filetxt` counts minutes; `scontrol` writes hours, minutes and seconds.
        "TimeLimit" => Role::TimeLimitMinutes,
        _ => return None,
    })
}

/// `root(0)` without its number.
fn without_number(role: Role, value: &str) -> &str {
    match (role, value.rsplit_once('(')) {
        (Role::User | Role::Group, Some((name, number)))
            if !name.is_empty() && number.ends_with(')') =>
        {
            name
        }
        _ => value,
    }
}

/// The pairs of a line.
struct Pairs<'a>(&'a str);

impl<'a> Iterator for Pairs<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let text = self.0.trim_start();
            let end = text.find([' ', '\t', '='])?;
            let (key, rest) = text.split_at(end);
            let Some(rest) = rest.strip_prefix('=') else {
                // A word without a value.
                self.0 = rest;
                continue;
            };
            let end = match FREE.contains(&key) {
                true => next_key(rest),
                false => rest.find([' ', '\t']),
            };
            let (value, rest) = rest.split_at(end.unwrap_or(rest.len()));
            self.0 = rest;
            return Some((key, value.trim_end()));
        }
    }
}

/// Where the next key stands that may follow a text of users.
fn next_key(text: &str) -> Option<usize> {
    text.match_indices(' ').map(|(at, _)| at).find(|at| {
        // No farther than the word goes: texts may be long, and full of spaces.
        let word = text[at + 1..].split([' ', '\t']).next().unwrap_or_default();
        word.split_once('=')
            .is_some_and(|(key, _)| FOLLOWING.contains(&key))
    })
}
