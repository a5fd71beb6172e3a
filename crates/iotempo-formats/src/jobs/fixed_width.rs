//! `sacct` as it prints for people: columns of fixed width below a line of dashes.

use super::JobOptions;
use super::draft::{Dialect, Draft};
use super::heading::is_slurm;
use super::intake::Intake;
use super::role::{Role, roles_of};
use super::text::{lines, unmarked};
use crate::error::{Error, ErrorKind, Place};
use crate::input::Input;
use crate::table::lines::Lines;
use iotempo_model::{Warning, counted};
use std::ops::Range;

/// Whether these bytes begin such a table.
pub(super) fn sniff(head: &[u8]) -> bool {
    let mut lines = lines(head);
    match (lines.next(), lines.next()) {
        (Some(names), Some(rule)) => {
            is_rule(rule) && is_slurm(&names_below(names, &columns_of(rule)))
        }
        _ => false,
    }
}

/// Whether a line names the columns.
fn is_heading(line: &[u8]) -> bool {
    memchr::memmem::find(line, b"JobID").is_some()
        && std::str::from_utf8(line).is_ok_and(|line| {
            let words = line.split_ascii_whitespace().map(str::to_owned);
            is_slurm(&words.collect::<Vec<_>>())
        })
}

fn is_rule(line: &[u8]) -> bool {
    line.starts_with(b"--") && line.iter().all(|byte| matches!(byte, b'-' | b' '))
}

/// Where the columns are.
fn columns_of(rule: &[u8]) -> Vec<Range<usize>> {
    let mut columns: Vec<Range<usize>> = Vec::new();
    for (at, _) in rule.iter().enumerate().filter(|(_, byte)| **byte == b'-') {
        match columns.last_mut() {
            Some(column) if column.end == at => column.end = at + 1,
            _ => columns.push(at..at + 1),
        }
    }
    columns
}

fn names_below(line: &[u8], columns: &[Range<usize>]) -> Vec<String> {
    columns
        .iter()
        .map(|column| String::from_utf8_lossy(cell(line, column)).into_owned())
        .collect()
}

/// What a line has in a column; an editor may have taken spaces off its end.
fn cell<'a>(line: &'a [u8], column: &Range<usize>) -> &'a [u8] {
    let (start, end) = (column.start.min(line.len()), column.end.min(line.len()));
    line[start..end].trim_ascii()
}

/// Reads such a table.
pub(super) fn read(
    input: Input,
    options: &JobOptions,
    intake: &mut Intake<'_>,
) -> Result<(), Error> {
    let mut lines = Lines::new(input.into_reader(), &options.limits);
    let (names, rule) = heading(&mut lines)?;
    let mut columns = columns_of(&rule);
    let mut roles = roles_of(&names_below(&names, &columns));
    // Those of another table that is put behind this one, until its rule.
    let mut next_names: Option<Vec<u8>> = None;
    let mut last = String::new();
    let mut draft = Draft::default();
    let mut cut = 0;
    while let Some(line) = lines.next()?.map(<[u8]>::to_vec) {
        let number = lines.number();
        let Some(line) = intake.without_nul(&line, number) else {
            continue;
        };
        if line.trim_ascii().is_empty() {
            continue;
        }
        if line == names || is_heading(line) {
            next_names = Some(line.to_vec());
            continue;
        }
        if is_rule(line) {
            draft.forget_dates();
            if let Some(names) = next_names.take() {
                columns = columns_of(line);
                roles = roles_of(&names_below(&names, &columns));
            }
            continue;
        }
        draft.clear();
        let mut id_is_cut = false;
        for (column, role) in &roles {
            let text = cell(line, &columns[*column]);
            let full = text.len() == columns[*column].len();
            let is_cut = full && text.ends_with(b"+");
            cut += u64::from(is_cut);
            id_is_cut |= is_cut && *role == Role::Id;
            draft.set(*role, &intake.text(text));
        }
        if !has_ids_of_slurm(&draft) {
            intake.refuse(|| {
                let what = "a line without an id of Slurm";
                let value = String::from_utf8_lossy(line);
                Error::invalid("", Place::Line(number), what, value)
            })?;
            continue;
        }
        let id = draft.text(Role::Id).unwrap_or_default();
        if !id_is_cut {
            last = id.to_owned();
        } else if is_step(&draft, &roles, &last) {
            draft.set(Role::Step, "+");
        }
        intake.take(&draft, Dialect::Slurm, Place::Line(number))?;
    }
    if cut > 0 {
        let message = format!(
            "columns of fixed width: {} cut short, which end in `+` (sacct -P prints them whole)",
            counted(cut, "value")
        );
        intake.warnings.push(Warning::new("values-cut", message));
    }
    Ok(())
}

/// Whether ids are such that Slurm gives: what a shell says between two tables has columns, too.
fn has_ids_of_slurm(draft: &Draft) -> bool {
    let ids = [Role::Id, Role::RawId].map(|role| draft.text(role));
    ids.into_iter().flatten().all(is_id_of_slurm)
}

/// `123`, `123_4`, `123_[1-3,7%2]`, `123+0`, `123.batch`, and what columns leave of them; no `08:15:22 ada@login:~$`.
fn is_id_of_slurm(id: &str) -> bool {
    let rest = id.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_of_parts = |c: char| c.is_ascii_alphanumeric() || "_+.[],-%".contains(c);
    rest.len() < id.len()
        && (rest.is_empty() || rest.starts_with(['_', '+', '.']))
        && rest.chars().all(is_of_parts)
}

/// Whether a row whose id is cut is one of a step: `1234567_100+` may be a job or a step of it. Slurm names users
/// and partitions of jobs only, and lists steps right behind their job, which is `last`.
fn is_step(draft: &Draft, roles: &[(usize, Role)], last: &str) -> bool {
    let has = |wanted| roles.iter().any(|(_, role)| *role == wanted);
    let id = draft.text(Role::Id).unwrap_or_default();
    match [Role::User, Role::Partition]
        .into_iter()
        .find(|role| has(*role))
    {
        Some(role) => draft.text(role).is_none(),
        None => {
            let name = draft.text(Role::Name).unwrap_or_default();
            let of_last = last.starts_with(id.trim_end_matches('+'));
            of_last || matches!(name, "batch" | "extern" | "interactive")
        }
    }
}

fn heading(lines: &mut Lines) -> Result<(Vec<u8>, Vec<u8>), Error> {
    let mut next = || -> Result<Vec<u8>, Error> {
        while let Some(line) = lines.next()? {
            let line = unmarked(line).trim_ascii_end();
            if !line.is_empty() {
                return Ok(line.to_vec());
            }
        }
        let kind = ErrorKind::UnexpectedEnd("the heading");
        Err(Error::new("", Place::Whole, kind))
    };
    Ok((next()?, next()?))
}
