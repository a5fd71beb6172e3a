//! Accounting logs of PBS, OpenPBS, Torque and Cobalt: `MM/DD/YYYY HH:MM:SS;TYPE;id;key=value ...`.
//!
//! The record of a job's end (`E`) has all that is known of it; one that puts a job back into the
//! queue (`R`) ends a run of it. Others are only counted.

use super::JobOptions;
use super::draft::{Dialect, Draft};
use super::intake::Intake;
use super::role::Role;
use super::text::{lines, unmarked};
use crate::error::{Error, Place};
use crate::input::Input;
use crate::table::lines::Lines;
use crate::zone::{DateOrder, Written};
use iotempo_model::{Warning, counted};
use std::collections::HashSet;

/// Jobs that have started and not ended are remembered up to here.
const MOST_OPEN: usize = 1 << 20;

/// Whether these bytes begin such a log.
pub(super) fn sniff(head: &[u8]) -> bool {
    lines(head)
        .next()
        .and_then(|line| std::str::from_utf8(line).ok())
        .is_some_and(|line| parts(line).is_some())
}

/// The type, the id and the pairs of a line.
fn parts(line: &str) -> Option<(&str, &str, &str)> {
    let mut parts = line.splitn(4, ';');
    let (time, kind) = (parts.next()?, parts.next()?);
    let is_time = time.contains('/')
        && matches!(
            Written::parse(time, DateOrder::MonthFirst),
            Some(Written::Civil(_))
        );
    let is_kind = matches!(kind.len(), 1 | 2) && kind.bytes().all(|b| b.is_ascii_alphabetic());
    let found = (kind, parts.next()?, parts.next()?);
    (is_time && is_kind).then_some(found)
}

/// Reads such a log.
pub(super) fn read(
    input: Input,
    options: &JobOptions,
    intake: &mut Intake<'_>,
) -> Result<(), Error> {
    let mut lines = Lines::new(input.into_reader(), &options.limits);
    let mut draft = Draft::default();
    let mut open: HashSet<String> = HashSet::new();
    let mut arrays = Arrays::default();
    while let Some(line) = lines.next()?.map(<[u8]>::to_vec) {
        let number = lines.number();
        let Some(line) = intake.without_nul(unmarked(&line), number) else {
            continue;
        };
        let text = intake.text(line);
        if text.trim().is_empty() {
            continue;
        }
        let place = Place::Line(number);
        let Some((kind, id, pairs)) = parts(&text) else {
            let what = "not a record of PBS (MM/DD/YYYY HH:MM:SS;TYPE;id;...)";
            intake.refuse(|| Error::invalid("", place, what, text))?;
            continue;
        };
        match kind {
            "E" | "R" => {
                open.remove(id);
                if !arrays.takes_part(id, kind, pairs, place) {
                    continue;
                }
                fill(&mut draft, id, pairs, kind == "R");
                take(&draft, kind, place, intake)?;
            }
            "S" if open.len() < MOST_OPEN => {
                open.insert(id.to_owned());
            }
            _ => {}
        }
    }
    arrays.hand_on_parents(&mut draft, intake)?;
    if !open.is_empty() {
        let message = format!(
            "{} started and not ended in this log, and left out",
            counted(open.len() as u64, "job")
        );
        intake.warnings.push(Warning::new("job-open", message));
    }
    Ok(())
}

/// Arrays of jobs. `55[].srv` ends when the last of `55[1].srv`, `55[2].srv` has ended, and did nothing
/// that these did not.
#[derive(Default)]
struct Arrays {
    /// Ids of arrays of which parts have ended.
    with_parts: HashSet<String>,
    /// Ends of whole arrays: their parts may follow.
    whole: Vec<Whole>,
}

/// The record of a whole array.
struct Whole {
    id: String,
    kind: String,
    pairs: String,
    place: Place,
}

impl Arrays {
    /// Whether a job is to be handed on now: one of no array, or a part of one. Whole arrays wait.
    fn takes_part(&mut self, id: &str, kind: &str, pairs: &str, place: Place) -> bool {
        let Some((number, (part, server))) = id
            .split_once('[')
            .and_then(|(number, rest)| Some((number, rest.split_once(']')?)))
        else {
            return true;
        };
        if !part.is_empty() {
            if self.with_parts.len() < MOST_OPEN {
                self.with_parts.insert(format!("{number}[]{server}"));
            }
            return true;
        }
        if self.whole.len() >= MOST_OPEN {
            return true;
        }
        self.whole.push(Whole {
            id: id.to_owned(),
            kind: kind.to_owned(),
            pairs: pairs.to_owned(),
            place,
        });
        false
    }

    /// Hands on arrays of which no part is in the log, and tells of the others.
    fn hand_on_parents(self, draft: &mut Draft, intake: &mut Intake<'_>) -> Result<(), Error> {
        let mut left_out = 0_u64;
        for one in self.whole {
            if self.with_parts.contains(&one.id) {
                left_out += 1;
                continue;
            }
            fill(draft, &one.id, &one.pairs, one.kind == "R");
            take(draft, &one.kind, one.place, intake)?;
        }
        if left_out > 0 {
            let message = format!(
                "{} as a whole, whose jobs are in this log one by one: left out",
                counted(left_out, "job array")
            );
            intake.warnings.push(Warning::new("job-array", message));
        }
        Ok(())
    }
}

fn take(draft: &Draft, kind: &str, place: Place, intake: &mut Intake<'_>) -> Result<(), Error> {
    let times = draft.text(Role::Start).is_some() && draft.text(Role::End).is_some();
    if kind == "E" && !times {
        let id = draft.text(Role::Id).unwrap_or_default().to_owned();
        let what = "the end of a job without `start` and `end`: the line is cut";
        return intake.refuse(|| Error::invalid("", place, what, id));
    }
    intake.take(draft, Dialect::Pbs, place)
}

fn fill(draft: &mut Draft, id: &str, pairs: &str, requeued: bool) {
    draft.clear();
    draft.set(Role::Id, id);
    let mut held = None;
    let mut all = None;
    for (key, value) in Pairs(pairs) {
        match key {
            "user" => draft.set(Role::User, value),
            "group" => draft.set(Role::Group, value),
            "account" => draft.set(Role::Account, value),
            "project" | "account_name" => draft.set_if_missing(Role::Account, value),
            "jobname" => draft.set(Role::Name, value),
            "queue" => draft.set(Role::Partition, value),
            "qtime" => draft.set(Role::Submit, value),
            "ctime" => draft.set_if_missing(Role::Submit, value),
            "start" => draft.set(Role::Start, value),
            "end" => draft.set(Role::End, value),
            "exec_host" => held = hosts(draft, value),
            "Exit_status" => draft.set(Role::ExitCode, value),
            "Resource_List.nodect" => draft.set(Role::Nodes, value),
            "Resource_List.ncpus" => draft.set(Role::Processes, value),
            "total_execution_slots" => all = value.parse::<u64>().ok(),
            "Resource_List.walltime" => draft.set(Role::TimeLimit, value),
            // Arguments differ from run to run: they are no name of a program.
            "executable" | "exe" => draft.set_if_missing(Role::Exe, value),
            _ => {}
        }
    }
    // Torque has ncpus=1 beside nodes=2:ppn=16.
    let asked = draft.text(Role::Processes).map(str::parse::<u64>);
    let more = match asked {
        Some(Ok(asked)) => held.filter(|held| *held > asked),
        Some(Err(_)) => None,
        None => held,
    };
    if let Some(slots) = all.or(more) {
        draft.set(Role::Processes, &slots.to_string());
    }
    let status = draft
        .text(Role::ExitCode)
        .and_then(|text| text.parse().ok());
    let state = match (requeued, status) {
        (true, _) => "REQUEUED",
        (false, Some(status)) => state(status),
        (false, None) => "",
    };
    draft.set(Role::State, state);
}

/// What PBS means by an exit status: below zero it is its own, above 128 or 256 a signal.
fn state(status: i64) -> &'static str {
    match status {
        0 => "COMPLETED",
        -29 => "TIMEOUT",
        -27 | -26 => "OUT_OF_MEMORY",
        137 | 143 | 265 | 271 => "KILLED",
        _ => "FAILED",
    }
}

/// Takes `n1/0*16+n2/0*16`, `n/0+n/1`, `n/0-3`, and numbers of nodes as Cobalt has them: `0-4,6-7`. Answers how
/// many processors are told; none are of a job that was not started.
fn hosts(draft: &mut Draft, text: &str) -> Option<u64> {
    if text.is_empty() {
        return None;
    }
    let numeric = text
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b','));
    if numeric {
        draft.set(Role::NodeList, &format!("[{text}]"));
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    let mut slots = 0_u64;
    for part in text.split('+') {
        let (name, places) = part.split_once('/').unwrap_or((part, "0"));
        if !name.is_empty() && names.last() != Some(&name) {
            names.push(name);
        }
        slots = slots.saturating_add(slots_of(places));
    }
    let mut known = HashSet::new();
    names.retain(|name| known.insert(*name));
    draft.set(Role::NodeList, &names.join(","));
    draft.set_if_missing(Role::Nodes, &names.len().to_string());
    Some(slots)
}

/// How many processors `0*16`, `0-3` or `2` are.
fn slots_of(places: &str) -> u64 {
    if let Some((_, count)) = places.split_once('*') {
        return count.parse().unwrap_or(1);
    }
    let range = |part: &str| {
        let (first, last) = part.split_once('-')?;
        let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        last.checked_sub(first)?.checked_add(1)
    };
    places
        .split(',')
        .map(|part| range(part).unwrap_or(1))
        .fold(0, u64::saturating_add)
}

/// The pairs of a record: spaces separate them, unless in quotes.
struct Pairs<'a>(&'a str);

impl<'a> Iterator for Pairs<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let text = self.0.trim_start();
            let end = text.find([' ', '='])?;
            let (key, rest) = text.split_at(end);
            let Some(rest) = rest.strip_prefix('=') else {
                self.0 = rest;
                continue;
            };
            let quoted = rest.strip_prefix('"').and_then(|text| text.split_once('"'));
            let (value, rest) = match quoted {
                Some(parts) => parts,
                // Names of jobs may have spaces, and not all versions quote them.
                None if key == "jobname" => rest.split_at(next_key(rest)),
                None => rest.split_at(rest.find(' ').unwrap_or(rest.len())),
            };
            self.0 = rest;
            return Some((key, value));
        }
    }
}

/// Where the next pair begins.
fn next_key(text: &str) -> usize {
    let is_key = |word: &str| {
        word.split_once('=').is_some_and(|(key, _)| {
            key.starts_with(|c: char| c.is_ascii_alphabetic())
                && key
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
        })
    };
    let mut spaces = text.match_indices(' ').map(|(at, _)| at);
    spaces
        .find(|at| is_key(text[at + 1..].split(' ').next().unwrap_or_default()))
        .unwrap_or(text.len())
}
