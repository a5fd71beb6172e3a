//! Every recorded command line.

use crate::command::Command;
use crate::compare::{Differences, compare};
use crate::exceptions::EXCEPTIONS;
use crate::{data, inputs, oracle};
use iotempo_analysis::ftio::{Finding, Verdict};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What became of a recorded run.
enum Outcome {
    Same,
    Differs(Vec<String>),
    /// Why it is no question to the detector.
    NotOurs(&'static str),
}

fn outcome(data: &Path, case: &Value) -> Outcome {
    let words: Vec<&str> = case["argv"].as_array().unwrap()[1..]
        .iter()
        .map(|word| word.as_str().unwrap())
        .collect();
    let command = Command::new(&words);
    let status = case["status"].as_str().unwrap();
    let unread = could_not_read(status).then_some("an input that FTIO cannot read");
    if let Some(reason) = unread.or(command.not_ours) {
        return Outcome::NotOurs(reason);
    }
    let finding = inputs::run(data, &command);
    let Differences(differences) = match status {
        "ok" if case["predictions"].as_array().unwrap().is_empty() => {
            verdict(&finding, Verdict::Empty)
        }
        "ok" => compare(&finding, &command.settings, case),
        failure => after_failure(&finding, failure),
    };
    if differences.is_empty() {
        Outcome::Same
    } else {
        Outcome::Differs(differences)
    }
}

/// FTIO failed before it looked for a period.
fn could_not_read(status: &str) -> bool {
    ["KeyError", "TypeError: t_start"]
        .iter()
        .any(|what| status.contains(what))
}

/// Where FTIO fails, there is a typed answer or a note.
fn after_failure(finding: &Finding, failure: &str) -> Differences {
    if failure.contains("Invalid sample count N=0") {
        return verdict(finding, Verdict::TooShort);
    }
    if failure.contains("'eps' parameter") || failure.contains("contains NaN") {
        return verdict(finding, Verdict::Constant);
    }
    // Two candidates of which the second is the stronger.
    let mut differences = Differences::default();
    differences.equal(
        "failure",
        &failure.contains("index 1 is out of bounds"),
        &true,
    );
    differences.equal("candidates", &finding.candidates.len(), &2);
    let noted = finding.notes.iter().any(|note| note.code == "not-refined");
    differences.equal("note", &noted, &finding.autocorrelation.is_some());
    differences
}

fn verdict(finding: &Finding, wanted: Verdict) -> Differences {
    let mut differences = Differences::default();
    differences.equal("verdict", &finding.verdict, &wanted);
    differences
}

#[test]
fn every_recorded_run_has_the_answer_that_ftio_gave() {
    let Some(data) = data("every_recorded_run_has_the_answer_that_ftio_gave") else {
        return;
    };
    let mut compared = 0;
    let mut not_ours: BTreeMap<&str, usize> = BTreeMap::new();
    let mut logs = BTreeSet::new();
    let mut excused = BTreeSet::new();
    let mut wrong = Vec::new();
    for file in ["ftio.json", "ftio-patched.json"] {
        for case in oracle(&data, file)["cases"].as_array().unwrap() {
            let words = case["cmd"].as_str().unwrap();
            let exception = EXCEPTIONS.iter().position(|(command, _)| *command == words);
            match outcome(&data, case) {
                Outcome::NotOurs(reason) => {
                    *not_ours.entry(reason).or_default() += 1;
                    continue;
                }
                Outcome::Same if exception.is_none() => {}
                Outcome::Same => wrong.push(format!("{words}: no exception any more")),
                Outcome::Differs(_) if exception.is_some() => {}
                Outcome::Differs(what) => {
                    wrong.push(format!("{words}\n    {}", what.join("\n    ")))
                }
            }
            excused.extend(exception);
            compared += 1;
            logs.insert(words.split(' ').nth(1).unwrap().to_owned());
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {compared} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert_eq!(
        excused.len(),
        EXCEPTIONS.len(),
        "an exception is for no run"
    );
    eprintln!(
        "{} logs, {compared} FTIO runs compared with its answers, {} exceptions; not compared: {not_ours:?}",
        logs.len(),
        EXCEPTIONS.len()
    );
}
