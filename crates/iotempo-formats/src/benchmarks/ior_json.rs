//! IOR's results as JSON (`-O summaryFormat=JSON`), of versions 3.2 to 4.

use super::BenchmarkOptions;
use super::collected::Collected;
use super::ior::{self, Access, Test};
use super::quantity::bytes;
use crate::error::{Error, Place};
use serde_json::Value;

pub(super) fn read(
    text: &str,
    options: &BenchmarkOptions,
    collected: &mut Collected,
) -> Result<(), Error> {
    let document: Value = serde_json::from_str(text).map_err(|error| {
        let place = Place::Line(error.line() as u64);
        Error::invalid("", place, "no JSON", error)
    })?;
    let tests = document.get("tests").and_then(Value::as_array);
    for test in tests.into_iter().flatten() {
        let told = told(test);
        let mut results = Vec::new();
        flatten(test.get("Results").unwrap_or(&Value::Null), &mut results);
        for result in results {
            // Lines are not known any more: the document is one.
            let Some(word) = result.get("access").and_then(Value::as_str) else {
                collected.leave_out(1, "a result without access");
                continue;
            };
            let op = match ior::access(word) {
                Some(Access::Moved(op)) => op,
                Some(Access::Removed) => continue,
                None => {
                    collected.leave_out(1, ior::no_access(word));
                    continue;
                }
            };
            match result.get("bwMiB").and_then(numeric) {
                Some(rate) => match told.draft(op, rate, options, collected) {
                    Ok(draft) => collected.push(1, &draft),
                    Err(why) => collected.leave_out(1, why),
                },
                None => collected.leave_out(1, "a result without bwMiB"),
            }
        }
    }
    Ok(())
}

/// Some versions put the results of each repetition into a list of their own.
fn flatten<'a>(value: &'a Value, into: &mut Vec<&'a Value>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| flatten(value, into)),
        Value::Object(_) => into.push(value),
        _ => {}
    }
}

/// What a test states, under `Options` for people and under `Parameters` for programs.
fn told(test: &Value) -> Test {
    let find = |place: &str, name: &str| test.get(place).and_then(|all| all.get(name));
    let option =
        |name: &str| find("Options", name).and_then(|value| value.as_str().map(str::to_owned));
    let parameter = |name: &str| find("Parameters", name).and_then(numeric);
    let either = |name: &str, also: &str| {
        let stated = find("Options", name);
        stated.and_then(numeric).or_else(|| parameter(also))
    };
    let access = option("access").map(|access| access.starts_with("file-per-process"));
    let flag = |name: &str| parameter(name).is_some_and(|value| value != 0.0);
    let ordering = option("ordering in a file");
    let tasks = either("tasks", "numTasks");
    let per_node = parameter("tasksPerNode").filter(|each| *each > 0.0);
    let by_tasks = tasks.zip(per_node).map(|(all, each)| (all / each).ceil());
    Test {
        api: option("api").or_else(|| {
            find("Parameters", "api").and_then(|value| value.as_str().map(str::to_owned))
        }),
        file_per_process: access.or_else(|| parameter("filePerProc").map(|value| value != 0.0)),
        collective: flag("collective") || option("type").as_deref() == Some("collective"),
        random: flag("randomOffset") || ordering.is_some_and(|word| word.starts_with("random")),
        nodes: either("nodes", "nodes").or(by_tasks),
        tasks,
        transfer: parameter("transferSize").or_else(|| option("xfersize").and_then(|t| bytes(&t))),
        block: parameter("blockSize").or_else(|| option("blocksize").and_then(|t| bytes(&t))),
        total: option("aggregate filesize").and_then(|text| bytes(&text)),
        segments: either("segments", "segmentCount"),
        io_nodes: None,
    }
}

/// A number, also where it is written as a text.
fn numeric(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        Value::Bool(flag) => Some(f64::from(u8::from(*flag))),
        _ => None,
    }
}
