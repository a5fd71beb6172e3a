//! What is left of corrupt logs, in the words of `corrupt.txt`.

use crate::rows::Rows;
use iotempo_formats::Error;
use iotempo_formats::darshan::{Log, ModuleData};

/// What a line says of, and what it says.
pub type Line = (String, String);

/// Names of logs, and the lines expected of each.
pub fn expected() -> Vec<(&'static str, Vec<Line>)> {
    let mut logs: Vec<(&str, Vec<Line>)> = Vec::new();
    let lines = include_str!("corrupt.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("  ") {
            None => logs.push((line, Vec::new())),
            Some(line) => {
                let (what, said) = line.split_once(": ").unwrap_or((line, ""));
                let log = logs.last_mut().expect("a name before its lines");
                log.1.push((what.to_owned(), said.to_owned()));
            }
        }
    }
    logs
}

/// What became of a log.
pub fn left(read: Result<Log, Error>) -> Vec<Line> {
    let log = match read {
        Ok(log) => log,
        Err(error) => return vec![("refused".to_owned(), error.to_string())],
    };
    let mut lines = vec![(format!("{} names", log.names.len()), String::new())];
    lines.extend(log.modules.iter().map(module));
    for warning in &log.warnings {
        let known = |line: &Line| line.1 == warning.message;
        if !lines.iter().any(known) {
            lines.push(("warning".to_owned(), warning.message.clone()));
        }
    }
    lines
}

fn module(data: &ModuleData) -> Line {
    let records = data.module.map(|module| Rows::of(module, &data.records));
    let records = records.map_or(0, |rows| rows.ends.len());
    let damage = data.damage.as_ref();
    (
        format!("{} {records}", data.name()),
        damage
            .map(|damage| damage.message.clone())
            .unwrap_or_default(),
    )
}

/// Whether a line says what is expected of it: a part of it, or nothing at all.
pub fn agrees(line: &Line, expected: &Line) -> bool {
    line.0 == expected.0
        && line.1.contains(&expected.1)
        && line.1.is_empty() == expected.1.is_empty()
}
