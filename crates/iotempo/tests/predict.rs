//! `iotempo predict`: jobs that are followed while they run.
#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

mod common;

use common::Place;
use serde_json::Value;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn program(place: &Place, words: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("iotempo"));
    command.current_dir(place.path(".")).args(words);
    command
}

fn begin(place: &Place, words: &[&str]) -> Child {
    let mut command = program(place, words);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// What it printed, a line each.
fn lines(child: Child) -> Vec<Value> {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn appended(place: &Place, name: &str, text: &str) {
    let file = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(place.path(name));
    file.unwrap().write_all(text.as_bytes()).unwrap();
}

#[test]
fn a_table_that_grows_is_followed() {
    let place = Place::new();
    place.write("job.csv", "op,start,end,bytes\n");
    let words = [
        "predict",
        "job.csv",
        "--every",
        "20ms",
        "--until-idle",
        "1s",
    ];
    let child = begin(&place, &words);
    for phase in 0..16 {
        let start = 20 * phase;
        // A row in two parts: the first is not whole.
        appended(&place, "job.csv", &format!("write,{start},"));
        std::thread::sleep(Duration::from_millis(30));
        appended(&place, "job.csv", &format!("{},1000000\n", start + 2));
    }
    let lines = lines(child);
    let last = lines
        .iter()
        .rfind(|line| line["state"] == "periodic")
        .unwrap();
    assert_eq!(last["schema"], "iotempo/prediction/1");
    assert!(
        (last["period_s"].as_f64().unwrap() - 20.0).abs() < 0.5,
        "{last}"
    );
    let start = last["next_start_s"].as_f64().unwrap();
    assert!(
        (start / 20.0 - (start / 20.0).round()).abs() < 0.05,
        "{last}"
    );
    let bytes = last["next_bytes"].as_f64().unwrap();
    assert!((bytes / 1e6 - 1.0).abs() < 0.01, "{last}");
}

#[test]
fn a_traced_program_is_followed_while_it_runs() {
    let place = Place::new();
    let script = "for i in $(seq 14); do sleep 0.4; head -c 3000000 /dev/zero > out.$i; done";
    let watch = [
        "predict",
        "logs/4711.0",
        "--every",
        "50ms",
        "--until-idle",
        "3s",
    ];
    let watching = begin(&place, &[&watch[..], &["--op", "write"]].concat());
    let mut run = program(
        &place,
        &["trace", "-q", "-o", "logs", "--", "sh", "-c", script],
    );
    assert!(run.env("IOTEMPO_JOB", "4711.0").status().unwrap().success());
    let lines = lines(watching);
    let found: Vec<&Value> = lines
        .iter()
        .filter(|line| line["state"] == "periodic")
        .collect();
    assert!(found.len() >= 5, "{lines:#?}");
    let last = found[found.len() - 1];
    let offline = place
        .run(&["period", "--json", "logs/4711.0", "--op", "write"])
        .ok();
    let offline: Value = serde_json::from_slice(&offline.bytes).unwrap();
    let period = offline["results"][0]["period_s"].as_f64().unwrap();
    let told = last["period_s"].as_f64().unwrap();
    assert!(
        (told / period - 1.0).abs() < 0.1,
        "{told} s, after the run {period} s"
    );
    // Told before the program had ended, and withdrawn after.
    assert!(
        found[0]["at_s"].as_f64().unwrap() < 10.0 * period,
        "{}",
        found[0]
    );
    assert!(lines[lines.len() - 1]["period_s"].is_null(), "{lines:#?}");
}

#[test]
fn a_source_that_cannot_grow_is_refused() {
    let place = Place::new();
    place.write("job.darshan", common::DARSHAN);
    let refused = place.run(&["predict", "job.darshan"]).code(1);
    assert!(refused.err.contains("job.darshan"), "{}", refused.err);
    assert!(
        refused.err.contains("when the job has ended"),
        "{}",
        refused.err
    );
}

#[test]
fn a_window_of_two_periods_is_refused() {
    let refused = Place::new().run(&["predict", "x", "--window", "2"]).code(2);
    assert!(refused.err.contains("3 are the fewest"), "{}", refused.err);
}

#[test]
fn what_comes_on_standard_input_is_followed_to_its_end() {
    let line = |phase: i32| {
        let start = 10 * phase;
        format!(
            "{{\"op\":\"write\",\"start\":{start},\"end\":{},\"bytes\":5000}}\n",
            start + 1
        )
    };
    let requests: String = (0..12).map(line).collect();
    let ran = Place::new()
        .run_with(&["predict", "-", "--every", "10ms"], requests)
        .ok();
    let last: Value = serde_json::from_str(ran.out.lines().last().unwrap()).unwrap();
    assert_eq!(last["state"], "periodic", "{last}");
    assert!(
        (last["period_s"].as_f64().unwrap() - 10.0).abs() < 0.2,
        "{last}"
    );
    assert!(
        (last["next_start_s"].as_f64().unwrap() - 120.0).abs() < 0.5,
        "{last}"
    );
}
