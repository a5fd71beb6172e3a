//! `iotempo predict`: jobs that are followed while they run.
#![allow(clippy::unwrap_used, clippy::print_stderr)]
#![cfg(target_os = "linux")]

mod common;

use common::Place;
use serde_json::Value;
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, UNIX_EPOCH};

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

/// A run is regular if no step from phase to phase differs more than this from their mean.
const REGULAR: f64 = 0.1;
/// How often to try for a regular run: other work on the machine can disturb any of them.
const TRIES: usize = 5;

/// Runs a script under the tracer that writes `out.1` and so on, one a phase, and gives what was predicted
/// meanwhile; `None` where the machine had other things to do than to write them in time.
fn followed(place: &Place, script: &str, idle: &str) -> Option<Vec<Value>> {
    let watch = ["predict", "logs/4711.0", "--op", "write", "--every", "50ms"];
    let watching = begin(place, &[&watch[..], &["--until-idle", idle]].concat());
    let mut run = program(
        place,
        &["trace", "-q", "-o", "logs", "--", "sh", "-c", script],
    );
    assert!(run.env("IOTEMPO_JOB", "4711.0").status().unwrap().success());
    let lines = lines(watching);
    let written = |phase: u32| place.path(&format!("out.{phase}")).metadata().ok();
    let times: Vec<f64> = (1..)
        .map_while(written)
        .map(|file| file.modified().unwrap())
        .map(|time| time.duration_since(UNIX_EPOCH).unwrap().as_secs_f64())
        .collect();
    let steps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.len() > 5, "{steps:?}");
    let mean = steps.iter().sum::<f64>() / steps.len() as f64;
    let regular = steps
        .iter()
        .all(|step| (step / mean - 1.0).abs() <= REGULAR);
    if !regular {
        eprintln!("from phase to phase: {steps:.2?} s");
    }
    regular.then_some(lines)
}

/// What was predicted while a script ran that was not disturbed, and where it ran.
fn followed_undisturbed(test: &str, script: &str, idle: &str) -> Option<(Place, Vec<Value>)> {
    for _ in 0..TRIES {
        let place = Place::new();
        if let Some(lines) = followed(&place, script, idle) {
            return Some((place, lines));
        }
    }
    eprintln!("SKIPPED {test}: the machine is too busy for a regular run");
    None
}

#[test]
fn a_traced_program_is_followed_while_it_runs() {
    let test = "a_traced_program_is_followed_while_it_runs";
    let script = "for i in $(seq 14); do sleep 0.6; head -c 3000000 /dev/zero > out.$i; done";
    let Some((place, lines)) = followed_undisturbed(test, script, "3s") else {
        return;
    };
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
    assert!(
        found[0]["at_s"].as_f64().unwrap() < 10.0 * period,
        "{}",
        found[0]
    );
    // The last word is that it has ended, with what was known then.
    let end = &lines[lines.len() - 1];
    assert_eq!(end["state"], "ended", "{lines:#?}");
    let known = end["period_s"].as_f64().unwrap();
    assert!((known / told - 1.0).abs() < 0.1, "{end}");
    assert!(end["next_start_s"].is_null(), "{end}");
    assert_eq!(end["accuracy"]["missed"], 0, "{end}");
}

#[test]
fn a_script_of_short_programs_has_not_ended_between_them() {
    let test = "a_script_of_short_programs_has_not_ended_between_them";
    let script = "for i in 1 2 3 4 5 6 7 8 9; do \
        dd if=/dev/zero of=out.$i bs=1M count=3 status=none; sleep 0.9; done";
    let Some((_, lines)) = followed_undisturbed(test, script, "4s") else {
        return;
    };
    let states: Vec<_> = lines.iter().map(|line| &line["state"]).collect();
    let first = states.iter().position(|state| *state == "ended").unwrap();
    let (last, between) = states[first + 1..].split_last().unwrap();
    assert_eq!(*last, "ended", "{states:?}");
    assert!(!between.iter().any(|state| *state == "ended"), "{states:?}");
    let known = between.iter().filter(|state| **state == "periodic");
    assert!(known.count() >= 4, "{states:?}");
    let accuracy = &lines[lines.len() - 1]["accuracy"];
    assert!(accuracy["judged"].as_u64() >= Some(3), "{accuracy}");
    assert_eq!(accuracy["missed"], 0, "{accuracy}");
}

#[test]
fn a_program_that_was_killed_has_not_said_that_it_ended() {
    let place = Place::new();
    let script = "for i in 1 2 3 4 5; do echo x > out.$i; sleep 0.3; done; kill -9 $$";
    let mut run = program(
        &place,
        &["trace", "-q", "-o", "logs", "--", "sh", "-c", script],
    );
    assert!(!run.env("IOTEMPO_JOB", "a").status().unwrap().success());
    let words = ["predict", "logs/a", "--every", "20ms", "--until-idle", "2s"];
    let lines = lines(begin(&place, &words));
    assert!(!lines.is_empty());
    assert!(
        lines.iter().all(|line| line["state"] != "ended"),
        "{lines:#?}"
    );
}

#[test]
fn a_folder_of_several_jobs_is_refused_by_their_names() {
    let place = Place::new();
    for job in ["one", "two"] {
        let words = [
            "trace",
            "-q",
            "-o",
            "logs",
            "--",
            "sh",
            "-c",
            "echo x > out",
        ];
        let mut run = program(&place, &words);
        assert!(run.env("IOTEMPO_JOB", job).status().unwrap().success());
    }
    let refused = place.run(&["predict", "logs"]).code(2).err;
    for word in ["2 jobs: one, two", "logs/one", "iotempo serve logs"] {
        assert!(refused.contains(word), "{refused}");
    }
    let idle = ["--every", "20ms", "--until-idle", "300ms"];
    place
        .run(&[&["predict", "logs/one"], &idle[..]].concat())
        .ok();
}

#[test]
fn words_that_mean_nothing_beside_others_are_refused() {
    let place = Place::new();
    place.write("job.csv", "op,start,end,bytes\n");
    std::fs::create_dir(place.path("logs")).unwrap();
    for (words, said) in [
        (&["job.csv", "--query", "x"][..], "--prometheus"),
        (&["job.csv", "--token-file", "x"], "--follow"),
        (
            &["--follow", "http://127.0.0.1:1", "--every", "2s"],
            "--every",
        ),
        (
            &["job.csv", "--window", "4", "--method", "ftio"],
            "--window",
        ),
        (&["logs", "--step", "1"], "--step"),
        (&["logs", "--columns", "start=t0"], "--columns"),
        (&["job.csv", "--source", "dxt"], "Darshan"),
        (&["job.csv", "--connect-timeout", "3s"], "--follow"),
        (&["http://127.0.0.1:1"], "--follow URL"),
    ] {
        let refused = place.run(&[&["predict"], words].concat()).code(2).err;
        assert!(refused.contains(said), "{words:?}: {refused}");
    }
    let help = place.run(&["predict", "--help"]).ok().out;
    assert!(
        !help.contains("--source") && help.contains("--columns"),
        "{help}"
    );
}

#[test]
fn where_nothing_ever_came_that_is_said() {
    let place = Place::new();
    place.write("job.csv", "op,start,end,bytes\n");
    std::fs::create_dir(place.path("logs")).unwrap();
    for (name, said) in [
        ("job.csv", "no request was seen"),
        ("logs", "holds no log"),
        ("later", "not there yet"),
    ] {
        let words = ["predict", name, "--every", "20ms", "--until-idle", "200ms"];
        let ran = place.run(&words).ok();
        assert_eq!(ran.out, "");
        assert!(ran.err.contains(said), "{}", ran.err);
        assert!(ran.err.contains("no request was seen"), "{}", ran.err);
    }
}

#[test]
fn damaged_rows_are_told_once_with_their_number_and_cost_nothing_else() {
    let place = Place::new();
    place.write("job.csv", "op,start,end,bytes\nwrite,0,2,1000000\n");
    let words = [
        "predict",
        "job.csv",
        "--every",
        "20ms",
        "--until-idle",
        "1s",
    ];
    let mut command = program(&place, &words);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    for phase in 1..10 {
        let start = 20 * phase;
        let row = format!("write,oops,3,4\nwrite,{start},{},1000000\n", start + 2);
        appended(&place, "job.csv", &row);
        std::thread::sleep(Duration::from_millis(40));
    }
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let err = String::from_utf8(output.stderr).unwrap();
    let told: Vec<&str> = err
        .lines()
        .filter(|line| line.contains("damaged-lines"))
        .collect();
    assert_eq!(told.len(), 2, "{err}");
    assert!(
        told[0].contains("line 3 ") && told[0].contains("oops"),
        "{err}"
    );
    assert!(told[1].contains("9 lines so far"), "{err}");
    let out = String::from_utf8(output.stdout).unwrap();
    let last: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&last["state"], &last["n_phases"]),
        (&"ended".into(), &10.into()),
        "{last}"
    );
}

#[test]
fn a_long_file_is_read_to_its_end_before_it_is_called_idle() {
    let place = Place::new();
    let mut text = "op,start,end,bytes\n".to_owned();
    // More than two looks take.
    for row in 0..1_000_000 {
        let start = f64::from(row) * 1e-4;
        text.push_str(&format!("read,{start:020.9},{:020.9},5\n", start + 1.0));
    }
    assert!(text.len() > 40 << 20);
    for phase in 0..12 {
        text.push_str(&format!("write,{0}0,{0}2,1000000\n", 30 + phase));
    }
    place.write("job.csv", &text);
    for method in ["iotempo", "ftio"] {
        let words = ["predict", "job.csv", "--op", "write", "--method", method];
        let idle = ["--until-idle", "500ms", "--every", "600ms"];
        let ran = place.run(&[&words[..], &idle[..]].concat()).ok();
        assert!(!ran.err.contains("no request was seen"), "{}", ran.err);
        assert!(!ran.out.is_empty());
    }
}

#[test]
fn blank_lines_before_a_table_and_something_else_in_its_place_are_borne() {
    let place = Place::new();
    place.write("job.csv", "\n");
    let words = ["predict", "job.csv", "--every", "20ms"];
    let mut command = program(&place, &[&words[..], &["--until-idle", "2s"]].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    appended(&place, "job.csv", "op,start,end,bytes\nwrite,0,2,1000000\n");
    std::thread::sleep(Duration::from_millis(300));
    let [path, aside] = ["job.csv", "aside"].map(|name| place.path(name));
    std::fs::rename(&path, &aside).unwrap();
    std::fs::create_dir(&path).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    std::fs::remove_dir(&path).unwrap();
    std::fs::rename(&aside, &path).unwrap();
    appended(&place, "job.csv", "write,20,22,1000000\n");
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{err}");
    assert_eq!(err.matches("trying again").count(), 1, "{err}");
    let out = String::from_utf8(output.stdout).unwrap();
    let last: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!(last["state"], "ended", "{last}");
}

#[test]
fn a_log_that_was_cut_before_it_is_followed_is_told() {
    let place = Place::new();
    let script = "head -c 100000 /dev/zero > out";
    let words = ["trace", "-q", "-o", "logs", "--", "sh", "-c", script];
    let mut run = program(&place, &words);
    assert!(run.env("IOTEMPO_JOB", "cut").status().unwrap().success());
    let logs = std::fs::read_dir(place.path("logs/cut")).unwrap();
    let mut logs: Vec<_> = logs.map(|log| log.unwrap().path()).collect();
    logs.sort();
    for (log, length) in logs.iter().zip([4096 + 70, 1000]) {
        let file = std::fs::File::options().write(true).open(log).unwrap();
        file.set_len(length).unwrap();
    }
    let words = ["predict", "logs/cut", "--every", "20ms"];
    let ran = place.run(&[&words[..], &["--until-idle", "300ms"]].concat());
    let ran = ran.ok();
    assert!(ran.err.contains("was cut at byte 4166"), "{}", ran.err);
    if logs.len() > 1 {
        assert!(ran.err.contains("header is not complete"), "{}", ran.err);
    }
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
    let lines: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    // One last line, and nothing is expected after it.
    let ended = |line: &&Value| line["state"] == "ended";
    assert_eq!(lines.iter().filter(ended).count(), 1, "{lines:#?}");
    let last = &lines[lines.len() - 1];
    assert_eq!(last["state"], "ended", "{last}");
    assert_eq!(last["n_phases"], 12, "{last}");
    assert!(last["next_start_s"].is_null(), "{last}");
    assert!(
        (last["period_s"].as_f64().unwrap() - 10.0).abs() < 0.2,
        "{last}"
    );
}
