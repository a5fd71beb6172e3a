//! `iotempo convert`: what an output may replace, and what it leaves behind.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod common;
use common::{Place, REQUESTS};
#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};

#[test]
fn an_input_is_never_its_own_output() {
    let place = Place::with_requests();
    std::fs::hard_link(place.path("requests.csv"), place.path("hard.csv")).unwrap();
    let mut names = vec!["requests.csv", "./requests.csv", "hard.csv"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("requests.csv", place.path("soft.csv")).unwrap();
        names.push("soft.csv");
    }
    let files = place.files();
    place.write("list", "requests.csv\n");
    for inputs in [&["requests.csv"][..], &["req*.csv"], &["--from", "list"]] {
        for name in &names {
            let arguments = [&["convert", "-o", name], inputs].concat();
            let ran = place.run(&arguments).code(2);
            assert!(ran.err.contains("the output is an input"), "{ran:?}");
        }
    }
    assert_eq!(place.read("requests.csv"), REQUESTS);
    std::fs::remove_file(place.path("list")).unwrap();
    assert_eq!(place.files(), files);
}

#[test]
fn an_input_is_not_replaced_by_the_output_of_another() {
    let place = Place::with_requests();
    place.write("requests.csv.csv", REQUESTS);
    let ran = place
        .run(&[
            "convert",
            "requests.csv",
            "requests.csv.csv",
            "--out-dir",
            ".",
        ])
        .code(1);
    let expected = "requests.csv: its output ./requests.csv.csv is an input";
    assert!(ran.err.contains(expected), "{ran:?}");
    assert_eq!(place.read("requests.csv.csv"), REQUESTS);
}

#[cfg(unix)]
#[test]
fn a_link_into_a_folder_of_inputs_is_an_input() {
    let place = Place::new();
    place.write("logs/a.csv", REQUESTS);
    std::os::unix::fs::symlink("logs/a.csv", place.path("link.csv")).unwrap();
    let ran = place.run(&["convert", "logs", "-o", "link.csv"]).code(2);
    assert!(ran.err.contains("the output is an input"), "{ran:?}");
    assert_eq!(place.read("logs/a.csv"), REQUESTS);
}

#[test]
fn a_darshan_log_is_not_replaced_by_a_table() {
    let place = Place::new();
    place.write("logs/a.csv", REQUESTS);
    place.write("logs/b.darshan", common::DARSHAN);
    let ran = place
        .run(&["convert", "logs", "-o", "logs/b.darshan", "--to", "csv"])
        .code(2);
    assert!(ran.err.contains("is a Darshan log"), "{ran:?}");
    assert_eq!(
        std::fs::read(place.path("logs/b.darshan")).unwrap(),
        common::DARSHAN
    );
    place.write("a.iot", "IOTEMPO\0the log of a run");
    let words = ["convert", "logs", "-o", "a.iot", "--to", "csv"];
    let ran = place.run(&words).code(2);
    assert!(ran.err.contains("is a log of the tracer"), "{ran:?}");
    assert_eq!(place.read("a.iot"), "IOTEMPO\0the log of a run");
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_leaves_nothing_unfinished_behind() {
    use std::io::Write;
    use std::os::unix::process::ExitStatusExt;
    // What this test was started to ignore, the program ignores too.
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = u64::from_str_radix(ignored.unwrap().trim(), 16).unwrap();
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        if ignored >> (number - 1) & 1 == 1 {
            eprintln!("SKIPPED SIG{name}: ignored here");
            continue;
        }
        let place = Place::new();
        place.write("out.csv", "old\n");
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("iotempo"))
            .args(["convert", "-", "-o", "out.csv"])
            .current_dir(place.path("."))
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(REQUESTS.as_bytes()).unwrap();
        stdin.write_all(&vec![b'\n'; 1 << 20]).unwrap();
        while place.files().len() < 2 {
            assert_eq!(child.try_wait().unwrap(), None, "it waits for more");
            std::thread::yield_now();
        }
        let kill = ["-s", name, &child.id().to_string()].map(str::to_owned);
        assert!(Command::new("kill").args(kill).status().unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(number), "{name}");
        assert_eq!(place.files(), ["out.csv"], "{name}");
        assert_eq!(place.read("out.csv"), "old\n");
    }
}

#[test]
fn what_was_written_is_said_in_a_line() {
    let place = Place::with_requests();
    let ran = place
        .run(&["convert", "requests.csv", "-o", "out.csv"])
        .ok();
    assert_eq!(ran.err, "iotempo: out.csv: 3 rows from requests\n");
    let ran = place
        .run(&["convert", "requests.csv", "-o", "out.csv", "-q"])
        .ok();
    assert_eq!(ran.err, "");
    place.write("samples.csv", "time,read\n0,1\n1,1\n");
    let both = ["convert", "requests.csv", "samples.csv"];
    let ran = place.run(&[&both[..], &["--out-dir", "out"]].concat()).ok();
    assert_eq!(
        ran.err,
        "iotempo: 1 of 2 inputs: a row is no single request, but a sample (samples)\n\
         iotempo: out: 2 tables, 5 rows from requests, samples\n"
    );
}

#[test]
fn rows_that_are_no_requests_are_said_to_be_none() {
    let logs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata");
    let place = Place::new();
    for (log, what) in [
        (
            "checkpoint-heatmap.darshan",
            "the bytes of a rank in a bin of time (heatmap)",
        ),
        (
            "checkpoint-counters.darshan",
            "first and last access (counters)",
        ),
    ] {
        let log = format!("{logs}/{log}");
        let ran = place.run(&["convert", &log]).ok();
        assert!(
            ran.err.contains("no single request") && ran.err.contains(what),
            "{ran:?}"
        );
        let signal = ["convert", &log, "--signal", "--rate", "0.1"];
        assert_eq!(
            place.run(&signal).ok().err,
            "",
            "a step of a signal is no request anyway"
        );
    }
}

#[test]
fn requests_and_signals_of_one_input_do_not_replace_each_other() {
    let place = Place::with_requests();
    let arguments = ["convert", "requests.csv", "--out-dir", "out"];
    place.run(&arguments).ok();
    place
        .run(&[&arguments[..], &["--signal", "--rate", "1"]].concat())
        .ok();
    assert_eq!(
        place.files()[..2],
        ["out/requests.csv.csv", "out/requests.csv.signal.csv"]
    );
}
