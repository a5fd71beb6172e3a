//! How a server is started: where it listens, what it is told, where it keeps its state.

use crate::support::{Jobs, Server, command};
use std::path::{Path, PathBuf};

/// What comes of words that are none: the end of the program, and what it says.
fn refused(words: &[&str]) -> String {
    let output = command().args(["serve", "."]).args(words).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{words:?}: {said}");
    said
}

#[test]
fn it_listens_where_people_say_this_machine() {
    let jobs = Jobs::new();
    for word in ["localhost:0", ":0"] {
        let server = Server::start(&jobs, &["--listen", word]);
        assert!(server.address.ip().is_loopback(), "{word}");
        assert_eq!(server.get("/healthz").status, 200);
    }
    for word in ["7788", "localhost", "http://127.0.0.1:7788"] {
        let said = refused(&["--listen", word]);
        let forms = "127.0.0.1:7788, [::1]:7788, localhost:7788 or :7788";
        assert!(said.contains(word) && said.contains(forms), "{said}");
    }
}

#[test]
fn who_wants_to_be_reached_hears_how_to_give_a_token() {
    let jobs = Jobs::new();
    let mut command = command();
    command.arg("serve").arg(jobs.path());
    let output = command.args(["--listen", "0.0.0.0:0"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    for word in [
        "0.0.0.0:0",
        "--token-file FILE",
        "IOTEMPO_TOKEN",
        "127.0.0.1",
    ] {
        assert!(said.contains(word), "{word}: {said}");
    }
}

#[test]
fn a_value_that_is_none_is_named_with_what_is_wanted() {
    for (words, wanted) in [
        (["--keep", "-1"], "'-1' is no time of 1ms or more, such as"),
        (
            ["--keep", "-1h"],
            "'-1h' is no time of 1ms or more, such as",
        ),
        (["--keep", "0"], "'0' is no time of 1ms or more, such as"),
        (
            ["--every", "-5s"],
            "'-5s' is no time of 1ms or more, such as",
        ),
        (
            ["--metrics-jobs", "-1"],
            "'-1' is no whole number such as 1000",
        ),
        (
            ["--metrics-jobs", "1e3"],
            "'1e3' is no whole number such as 1000",
        ),
        (
            ["--window", "-4"],
            "'-4' is no time of 1ms or more, such as",
        ),
    ] {
        let said = refused(&words);
        assert!(said.contains(words[0]) && said.contains(wanted), "{said}");
    }
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found
}

#[test]
fn a_single_file_keeps_its_folder_as_it_is() {
    let (jobs, home) = (Jobs::new(), tempfile::tempdir().unwrap());
    jobs.append_phases("a.csv", 0..8);
    let start = |name: &str| {
        let mut command = command();
        command.arg("serve").arg(jobs.path().join("a.csv"));
        command.args(["--listen", ":0", "--every", "50ms"]);
        command.env_remove("XDG_STATE_HOME").env("HOME", "/nowhere");
        Server::of(command.env(name, home.path()))
    };
    let server = start("XDG_STATE_HOME");
    server.wait_for("a.csv", |job| job["prediction"]["number"] == 1);
    assert_eq!(files(jobs.path()), [jobs.path().join("a.csv")]);
    let journal = |below: &str| {
        let all = files(&home.path().join(below));
        let mut all = all.into_iter();
        all.find(|path| path.ends_with("predictions.jsonl"))
            .unwrap()
    };
    let first = journal("iotempo/serve");
    assert!(std::fs::read_to_string(first).unwrap().contains("a.csv"));
    server.kill();
    // After a restart it is found again.
    let server = start("XDG_STATE_HOME");
    jobs.append_phases("a.csv", 8..9);
    server.wait_for("a.csv", |job| job["prediction"]["number"] == 2);
    server.kill();
    let server = start("HOME");
    server.wait_for("a.csv", |job| job["prediction"]["number"] == 1);
    journal(".local/state/iotempo/serve");
    server.kill();
    let mut command = command();
    command.arg("serve").arg(jobs.path().join("a.csv"));
    command.env_remove("XDG_STATE_HOME").env_remove("HOME");
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("give --state DIR"), "{said}");
}
