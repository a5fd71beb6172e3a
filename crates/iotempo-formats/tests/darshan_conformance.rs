//! The Darshan reader against pydarshan 3.5.0: every value of every log, bit for bit.
//!
//! `scripts/setup.sh` installs pydarshan. Where it or the logs are missing, the tests say so.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    unreachable_pub,
    missing_docs
)]

mod conformance;

use conformance::compare::Report;
use conformance::corpus::{self, Corpus};
use conformance::defects::{Counts, KNOWN};
use conformance::made::lustre_log;
use conformance::oracle::{self, Oracle};
use conformance::recorded;
use iotempo_formats::Limits;
use iotempo_formats::darshan::{Layout, Log, Module};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// As many oracles at work at a time.
const ORACLES: usize = 2;

/// The Python with pydarshan; where there is none, says so on behalf of `test`.
fn python(test: &str) -> Option<PathBuf> {
    oracle::python()
        .map_err(|why| corpus::skipped(test, &why))
        .ok()
}

#[test]
fn every_value_of_every_log_is_the_one_that_pydarshan_returns() {
    let test = "every_value_of_every_log_is_the_one_that_pydarshan_returns";
    let (Some(data), Some(python)) = (corpus::darshan(test), python(test)) else {
        return;
    };
    let corpus = Corpus::gather(&data, Some(&python));
    let mut reports = compare_all(&corpus, &python);
    reports.sort_by(|one, other| one.0.cmp(&other.0));
    let closing = closing_line(&reports);
    fs::write(summary_file(), explanations(&reports) + &closing + "\n").unwrap();
    corpus::say(&closing);
    let failed: Vec<_> = reports
        .iter()
        .filter(|(_, report)| !report.differences.is_empty())
        .map(|(name, report)| format!("{name}\n    {}", report.differences.join("\n    ")))
        .collect();
    assert!(
        failed.is_empty(),
        "{} logs differ:\n{}",
        failed.len(),
        failed.join("\n")
    );
    assert!(
        reports.len() > 200,
        "only {} logs were found",
        reports.len()
    );
}

/// Compares the logs, the largest first, as many at a time as there are oracles.
fn compare_all(corpus: &Corpus, python: &Path) -> Vec<(String, Report)> {
    let mut queue = corpus.logs.clone();
    queue.sort_by_key(|(_, path)| fs::metadata(path).unwrap().len());
    let (queue, reports) = (Mutex::new(queue), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..ORACLES {
            scope.spawn(|| {
                let mut oracle = Oracle::start(python);
                assert_eq!(oracle.greeting.version, "3.5.0");
                loop {
                    let Some((name, path)) = queue.lock().unwrap().pop() else {
                        return;
                    };
                    let report = compare_one(&mut oracle, &path);
                    reports.lock().unwrap().push((name, report));
                }
            });
        }
    });
    reports.into_inner().unwrap()
}

fn compare_one(oracle: &mut Oracle, path: &Path) -> Report {
    let answer = oracle.ask(path);
    let log = Log::read(File::open(path).unwrap(), &Limits::default());
    match (log, answer.dump) {
        (Ok(log), Some(dump)) => Report::of(&log, &dump),
        (Err(error), _) => failure(format!("not read here: {error}")),
        (_, None) => failure(format!("not read there: {}", answer.outcome)),
    }
}

fn failure(difference: String) -> Report {
    Report {
        differences: vec![difference],
        ..Report::default()
    }
}

fn summary_file() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| corpus::workspace().join("target"));
    target.join("conformance-summary.txt")
}

/// Which defects explain the differences of which logs.
fn explanations(reports: &[(String, Report)]) -> String {
    let mut text = String::new();
    for (name, report) in reports
        .iter()
        .filter(|(_, report)| !report.explained.is_empty())
    {
        writeln!(text, "{name}: {}", listed(&report.explained)).unwrap();
    }
    for (defect, what) in KNOWN {
        writeln!(text, "{defect}: {what}").unwrap();
    }
    text
}

fn closing_line(reports: &[(String, Report)]) -> String {
    let sum =
        |part: fn(&Report) -> u64| reports.iter().map(|(_, report)| part(report)).sum::<u64>();
    let (records, values) = (sum(|report| report.records), sum(|report| report.values));
    let (mut explained, mut rewritten) = (Counts::new(), BTreeMap::<&str, u64>::new());
    for (_, report) in reports {
        for (defect, count) in &report.explained {
            *explained.entry(defect).or_default() += count;
        }
        for reason in &report.rewritten {
            *rewritten.entry(reason).or_default() += 1;
        }
    }
    format!(
        "{} logs, {records} records, {values} values compared bit for bit with pydarshan 3.5.0 \
         (logs rewritten so that it can open them: {}); differences explained by its defects: {}",
        reports.len(),
        listed(&rewritten),
        listed(&explained)
    )
}

fn listed(counts: &BTreeMap<&str, u64>) -> String {
    let parts: Vec<_> = counts
        .iter()
        .map(|(what, count)| format!("{what} x{count}"))
        .collect();
    parts.join(", ")
}

#[test]
fn counters_have_the_names_that_libdarshan_gives_them() {
    let test = "counters_have_the_names_that_libdarshan_gives_them";
    let Some(python) = python(test) else {
        return;
    };
    let oracle = Oracle::start(&python);
    assert_eq!(oracle.greeting.counters.len(), 12);
    for (name, (ints, floats)) in &oracle.greeting.counters {
        let module = Module::from_name(name).expect("a known module");
        let layout = Layout::latest(module).expect("a module with counters");
        assert_eq!((&layout.ints, &layout.floats), (ints, floats), "{name}");
    }
}

#[test]
fn a_single_wrong_bit_in_any_module_is_found() {
    let test = "a_single_wrong_bit_in_any_module_is_found";
    let (Some(data), Some(python)) = (corpus::darshan(test), python(test)) else {
        return;
    };
    // Every module of log version 3.41, big-endian, so that defects are at work too.
    let path = data.join("synthetic/s_341_0_be_z.darshan");
    let mut dump = Oracle::start(&python).ask(&path).dump.unwrap();
    let log = Log::read(File::open(&path).unwrap(), &Limits::default()).unwrap();
    assert_eq!(Report::of(&log, &dump).differences, [""; 0]);
    for module in 0..dump.modules.len() {
        for word in 0..dump.modules[module].words.len() {
            dump.modules[module].words[word] ^= 1 << (word % 64);
            let report = Report::of(&log, &dump);
            dump.modules[module].words[word] ^= 1 << (word % 64);
            let name = &dump.modules[module].name;
            assert_eq!(report.differences.len(), 1, "{name}, word {word}");
            assert!(
                report.differences[0].starts_with(name),
                "{:?}",
                report.differences
            );
        }
    }
}

#[test]
fn a_lustre_component_that_is_not_used_ends_the_layout_and_its_targets() {
    let test = "a_lustre_component_that_is_not_used_ends_the_layout_and_its_targets";
    let Some(python) = python(test) else {
        return;
    };
    let bytes = lustre_log(&[(1 << 20, 2), (-1, 3), (1 << 20, 1)], &[4, 5, 6, 7, 8, 9]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made.darshan");
    fs::write(&path, bytes).unwrap();
    let report = compare_one(&mut Oracle::start(&python), &path);
    assert_eq!(report.differences, [""; 0]);
    assert_eq!(report.explained, Counts::from([("L6", 2)]));
}

#[test]
fn recorded_answers_hold() {
    let test = "recorded_answers_hold";
    let Some(data) = corpus::darshan(test) else {
        return;
    };
    let python = oracle::python().ok();
    let corpus = Corpus::gather(&data, python.as_deref());
    let files: HashMap<_, _> = corpus
        .logs
        .iter()
        .map(|(_, path)| (sha256(path), path))
        .collect();
    let recorded = File::open(corpus::data().join("oracles/darshan.json")).unwrap();
    let recorded: Value = serde_json::from_reader(BufReader::new(recorded)).unwrap();
    let (mut logs, mut values, mut failed) = (0, 0, Vec::new());
    for answers in recorded["logs"].as_array().unwrap() {
        let file = answers["file"].as_str().unwrap();
        let Some(path) = files.get(answers["sha256"].as_str().unwrap()) else {
            assert!(
                file.starts_with("wheel:") && python.is_none(),
                "{file} is missing"
            );
            continue;
        };
        let log = Log::read(File::open(path).unwrap(), &Limits::default()).unwrap();
        let (same, differences) = recorded::compare(&log, answers);
        logs += 1;
        values += same;
        failed.extend(
            differences
                .iter()
                .map(|difference| format!("{file}: {difference}")),
        );
    }
    corpus::say(&format!(
        "{logs} logs, {values} values compared with recorded answers"
    ));
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(values > 10_000, "{values}");
}

fn sha256(path: &Path) -> String {
    let digest = Sha256::digest(fs::read(path).unwrap());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
