//! `iotempo predict --method ftio` says what FTIO's predictor says, flush by flush.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;

use common::Place;
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// TMIO writes six modes and the time spent, one line each.
const LINES: usize = 7;

/// Answers of FTIO were rounded to about so many digits by its own text.
const TOLERANCE: f64 = 1e-6;

fn data() -> Option<PathBuf> {
    let data = std::env::var_os("IOTEMPO_DATA").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    Some(data.unwrap_or(beside)).filter(|data| data.join("oracles/ftio-online.json").exists())
}

/// The options of a recorded command; its window adaptation is named as FTIO names it.
fn options(run: &Value) -> Vec<String> {
    let words = run["cmd"].as_str().unwrap().split(' ').skip(2);
    let words: Vec<&str> = words.filter(|word| *word != "--debounce").collect();
    words
        .chunks(2)
        .filter(|pair| pair[0] != "-m")
        .flat_map(|pair| pair.iter().map(|word| (*word).to_owned()))
        .collect()
}

/// What is said after each flush of a file that grows as it did when FTIO was watched.
fn replayed(run: &Value, flushes: &[&[u8]]) -> Vec<Value> {
    let place = Place::new();
    let steps = run["steps"].as_array().unwrap();
    let count = |step: &Value| step["n_flushes_in_file"].as_u64().unwrap() as usize;
    place.write("8.jsonl", flushes[..count(&steps[0])].concat());
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("iotempo"))
        .current_dir(place.path("."))
        .args(["predict", "8.jsonl", "--method", "ftio", "--every", "2ms"])
        .args(options(run))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut file = OpenOptions::new()
        .append(true)
        .open(place.path("8.jsonl"))
        .unwrap();
    let mut there = count(&steps[0]);
    let lines = steps.iter().map(|step| {
        file.write_all(&flushes[there..count(step)].concat())
            .unwrap();
        there = count(step);
        serde_json::from_str(&said.next().unwrap().unwrap()).unwrap()
    });
    let lines = lines.collect();
    child.kill().unwrap();
    child.wait().unwrap();
    lines
}

fn differ(ours: &Value, theirs: &Value) -> bool {
    match (ours.as_f64(), theirs.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() > TOLERANCE * a.abs().max(b.abs()).max(1.0),
        (a, b) => a.is_some() != b.is_some(),
    }
}

/// Pairs of numbers that should be the same.
fn pairs<'a>(ours: &'a Value, theirs: &'a Value) -> Vec<(&'static str, &'a Value, &'a Value)> {
    let mut pairs = vec![
        ("prediction", &ours["prediction"], &theirs["phase"]),
        ("ts_in", &ours["ts_in_s"], &theirs["ts_in"]),
        ("ts_out", &ours["ts_out_s"], &theirs["ts_out"]),
        ("t_start", &ours["t_start_s"], &theirs["t_start"]),
        ("t_end", &ours["t_end_s"], &theirs["t_end"]),
        ("hits", &ours["hits"], &theirs["hits"]),
    ];
    for number in 0..2 {
        let bin = &ours["candidates"][number];
        pairs.push((
            "frequency",
            &bin["frequency_hz"],
            &theirs["dominant_freq"][number],
        ));
        pairs.push(("confidence", &bin["confidence"], &theirs["conf"][number]));
    }
    let merged = theirs["prob"].as_array().unwrap().len();
    for number in 0..=merged {
        let (ours, theirs) = (&ours["intervals"][number], &theirs["prob"][number]);
        pairs.push(("f_min", &ours["f_min_hz"], &theirs["f_min"]));
        pairs.push(("f_max", &ours["f_max_hz"], &theirs["f_max"]));
        pairs.push(("p_periodic", &ours["p_periodic"], &theirs["p_periodic"]));
        pairs.push(("p_freq", &ours["p_freq"], &theirs["p_freq"]));
    }
    pairs
}

#[test]
fn every_flush_has_the_answer_of_ftio() {
    let Some(data) = data() else {
        eprintln!("SKIPPED every_flush_has_the_answer_of_ftio: there is no real data");
        return;
    };
    let oracle = fs::read(data.join("oracles/ftio-online.json")).unwrap();
    let runs: Vec<Value> = serde_json::from_slice(&oracle).unwrap();
    let text = fs::read(data.join("tmio/tmio__JSONL__8.jsonl")).unwrap();
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let flushes: Vec<Vec<u8>> = lines.chunks(LINES).map(<[&[u8]]>::concat).collect();
    let flushes: Vec<&[u8]> = flushes.iter().map(Vec::as_slice).collect();
    let of_lines = |run: &&Value| run["trace"].as_str().unwrap().ends_with(".jsonl");
    let mut steps = 0;
    for run in runs.iter().filter(of_lines) {
        let ours = replayed(run, &flushes);
        for (ours, theirs) in ours.iter().zip(run["steps"].as_array().unwrap()) {
            assert_eq!(ours["schema"], "iotempo/ftio-prediction/1");
            for (what, a, b) in pairs(ours, theirs) {
                assert!(
                    !differ(a, b),
                    "{}: {what}: {a} is not {b}\n{ours:#}",
                    run["cmd"]
                );
            }
            steps += 1;
        }
    }
    assert!(steps >= 90, "{steps} steps");
}

#[test]
fn what_only_ftio_understands_needs_its_method() {
    let ran = Place::new().run(&["predict", "x.jsonl", "-w", "data"]);
    assert!(ran.err.contains("--method ftio"), "{}", ran.err);
}
