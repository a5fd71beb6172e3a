//! Requests as JSON lines, one object a line: `{"rank":0,"op":"write","start":0,"end":1,"bytes":8}`.

use super::field;
use super::gate::{Gate, Numbers};
use super::heading::Role;
use super::json_object::{Keys, Object, Slot};
use super::lines::Lines;
use super::requests::undirected;
use crate::error::{Error, Place};
use crate::input::Input;
use crate::reading::{ReadOptions, Reading};
use iotempo_model::{Api, Op, Rank, RequestSink};
use std::borrow::Cow;

/// Whether the first line is an object with a start, an end or duration, and a size.
pub(crate) fn detect(head: &[u8], columns: &[(String, String)]) -> bool {
    let mut lines = head.split(|&byte| byte == b'\n');
    let first = lines.find(|line| !line.trim_ascii().is_empty());
    let Some(line) = first.filter(|line| line.trim_ascii().starts_with(b"{")) else {
        return false;
    };
    let mut keys = Keys::new(columns);
    let object = keys.object(line);
    object.is_ok_and(|object| {
        let has = |role| object.get(role).is_some_and(Slot::is_scalar);
        let has_end = has(Role::End) || has(Role::Duration);
        has(Role::Start) && has_end && has(Role::Bytes)
    })
}

/// Reads lines into `sink`.
pub(crate) fn read(
    input: Input,
    options: &ReadOptions,
    sink: &mut dyn RequestSink,
) -> Result<Reading, Error> {
    let mut lines = Lines::new(input.into_reader(), &options.limits);
    let mut keys = Keys::new(&options.columns);
    let mut gate = Gate::new(sink);
    let mut all_directed = true;
    let mut line = Vec::new();
    let damage = loop {
        line.clear();
        match lines.append_to(&mut line) {
            Ok(true) if line.trim_ascii().is_empty() => {}
            Ok(true) => match keys.object(&line) {
                Ok(object) => {
                    all_directed &= object.get(Role::Op).is_some();
                    take(&object, lines.number(), &mut gate)?;
                }
                Err(error) => gate.bad(|| json_error(&error, lines.number()))?,
            },
            Ok(false) => break None,
            Err(error) => break Some(error),
        }
    };
    let warnings = (!all_directed).then(undirected);
    gate.finish(
        "json lines of requests",
        warnings.into_iter().collect(),
        damage,
    )
}

fn json_error(error: &serde_json::Error, line: u64) -> Error {
    let what = format!("not a JSON object, at column {}", error.column());
    Error::invalid("", Place::Line(line), what, error)
}

fn take(object: &Object<'_>, line: u64, gate: &mut Gate<'_>) -> Result<(), Error> {
    let numbers = match Numbers::of(object) {
        Ok(numbers) => numbers,
        Err((role, what)) => return gate.bad(|| field_error(object, role, what, line)),
    };
    let op = match object.text(Role::Op) {
        Some(word) => match field::op(word.as_bytes()) {
            Some(op) => op,
            None => return gate.other(word.as_bytes()),
        },
        None => Op::Write,
    };
    let api = object.text(Role::Api);
    let file = gate.file(object.text(Role::File).unwrap_or_default());
    let api = api.map_or(Api::Unknown, |api| field::api(api.as_bytes()));
    gate.request(numbers.request(op, api, file))
}

impl Numbers {
    /// The numbers of an object; or the role that has none, and what is wrong with it.
    fn of(object: &Object<'_>) -> Result<Self, (Role, &'static str)> {
        let number = |role, what| {
            let number = object.get(role).and_then(Slot::number);
            number.ok_or((role, what))
        };
        let start = number(Role::Start, "not a time")?;
        let end = match object.get(Role::End) {
            Some(_) => number(Role::End, "not a time")?,
            None => start + number(Role::Duration, "not a number")?,
        };
        let rank = match object.get(Role::Rank) {
            Some(slot) => slot.whole().ok_or((Role::Rank, "not a whole number"))?,
            None => i64::from(Rank::SHARED.0),
        };
        Ok(Self {
            rank,
            start,
            end,
            bytes: number(Role::Bytes, "not a number")?,
        })
    }
}

fn field_error(object: &Object<'_>, role: Role, what: &'static str, line: u64) -> Error {
    let value = object
        .get(role)
        .map_or(Cow::Borrowed("(missing)"), Slot::shown);
    Error::invalid(
        format!("key {}", role.name()),
        Place::Line(line),
        what,
        value,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detected(line: &str) -> bool {
        detect(line.as_bytes(), &[])
    }

    #[test]
    fn only_objects_that_are_requests_are_recognised() {
        assert!(detected("{\"start\":0,\"end\":1,\"bytes\":8}\n"));
        assert!(detected(
            "\n {\"ts\":\"0\",\"dur\":1.5,\"size\":8,\"args\":{\"a\":[1]}}"
        ));
        for other in [
            "",
            "{}",
            "{\"start\":0,\"end\":1}",
            "{\"start\":[0],\"end\":[1],\"bytes\":[8]}",
            "{\"start\":null,\"end\":1,\"bytes\":8}",
            "{\"write\":{\"start\":0,\"end\":1,\"bytes\":8}}",
            "[{\"start\":0,\"end\":1,\"bytes\":8}]",
            "{\"start\":0,\"end\":1,\"bytes\":",
        ] {
            assert!(!detected(other), "{other}");
        }
    }

    #[test]
    fn nesting_is_skipped_and_never_overflows_the_stack() {
        let deep = format!("{{\"x\":{}", "[".repeat(1 << 20));
        assert!(!detected(&deep));
    }
}
