//! `iotempo predict --tui`, on a terminal.
#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

mod common;
#[path = "common/tmux.rs"]
mod tmux;

use common::Place;
use std::fs::File;
use std::io::Write;
use std::process::Command;
use tmux::{Session, waited};

const HEADER: &str = "op,start,end,bytes\n";

/// A row per phase: 8 MiB written during 2 s, every 20 s.
fn rows(phases: std::ops::Range<u32>) -> String {
    let row = |phase: u32| format!("write,{},{},8388608\n", 20 * phase, 20 * phase + 2);
    phases.map(row).collect()
}

/// The program with these words, in place of the shell, which leaves its number in a file.
fn watching(words: &str) -> String {
    let program = assert_cmd::cargo::cargo_bin("iotempo");
    let program = program.display();
    format!("sh -c 'echo $$ > pid; exec \"{program}\" predict --tui --every 50ms {words}'")
}

fn start(test: &str, place: &Place, command: &str) -> Option<Session> {
    Session::start(test, &place.path("."), command)
}

/// Appends a phase at a time, so that each is a look of its own, until the text is on the screen.
fn feed(session: &Session, mut file: impl Write, text: &str) -> String {
    let mut phase = 0;
    let seen = waited(|| {
        if phase < 40 {
            file.write_all(rows(phase..phase + 1).as_bytes()).unwrap();
            file.flush().unwrap();
            phase += 1;
        }
        Some(session.screen()).filter(|screen| screen.contains(text))
    });
    seen.unwrap_or_else(|| panic!("no {text:?} on\n{}", session.screen()))
}

#[test]
fn a_job_is_watched_at_any_size_until_a_key_ends_it() {
    let place = Place::new();
    place.write("job.csv", HEADER);
    let Some(session) = start("until_a_key", &place, &watching("job.csv")) else {
        return;
    };
    session.wait_for("waiting for the first request");
    assert_eq!(session.flags(), "1 0");
    let file = File::options().append(true).open(place.path("job.csv"));
    let screen = feed(&session, file.unwrap(), "● periodic  every 20.");
    let lines: Vec<&str> = screen.lines().collect();
    assert!(lines.len() <= 24, "{screen}");
    assert!(
        lines[0].contains("job.csv") && lines[0].contains("requests"),
        "{screen}"
    );
    assert!(
        screen.contains("▲ write") && screen.contains("last 16 periods"),
        "{screen}"
    );
    assert!(
        screen.contains("phase") && screen.contains("q quit"),
        "{screen}"
    );
    session.press("z");
    session.wait_for("from the start");
    session.press("p");
    session.wait_for("PAUSED");
    session.press("p");
    session.resize(200, 50);
    let wide = session.wait_for("95 % interval");
    assert!(
        wide.lines().any(|line| line.chars().count() > 190),
        "{wide}"
    );
    session.resize(40, 10);
    let small = waited(|| {
        let screen = session.screen();
        let last = screen.lines().last().unwrap_or_default().to_owned();
        last.contains("q quit z zoom").then_some(screen)
    });
    assert!(
        small.unwrap().contains("● periodic"),
        "{}",
        session.screen()
    );
    session.press("q");
    assert_eq!(session.code(), 0);
    session.is_as_before();
}

#[test]
fn a_signal_ends_it_and_the_terminal_is_as_before() {
    for (signal, code) in [("TERM", 143), ("INT", 130), ("HUP", 129)] {
        let place = Place::new();
        place.write("job.csv", format!("{HEADER}{}", rows(0..3)));
        let Some(session) = start(signal, &place, &watching("job.csv")) else {
            return;
        };
        session.wait_for("3 requests");
        let pid = place.read("pid");
        let killed = Command::new("kill")
            .args([&format!("-{signal}"), pid.trim()])
            .status();
        assert!(killed.unwrap().success());
        assert_eq!(session.code(), code, "SIG{signal}");
        session.is_as_before();
    }
}

#[test]
fn keys_are_heard_while_standard_input_is_the_source() {
    let place = Place::new();
    make_fifo(&place);
    let Some(session) = start("stdin", &place, &watching("- < job.fifo")) else {
        return;
    };
    let mut file = File::options()
        .write(true)
        .open(place.path("job.fifo"))
        .unwrap();
    file.write_all(HEADER.as_bytes()).unwrap();
    let screen = feed(&session, &mut file, "● periodic  every 20.");
    assert!(screen.contains("standard input"), "{screen}");
    drop(file);
    session.wait_for("the source has ended");
    session.press("Escape");
    assert_eq!(session.code(), 0);
    session.is_as_before();
}

/// In a session without a terminal of its own there is nothing to read keys from.
#[test]
fn without_keys_the_end_of_the_source_is_the_end() {
    let place = Place::new();
    make_fifo(&place);
    let command = format!("setsid --wait {}", watching("- < job.fifo"));
    let Some(session) = start("without_keys", &place, &command) else {
        return;
    };
    let mut file = File::options()
        .write(true)
        .open(place.path("job.fifo"))
        .unwrap();
    file.write_all(HEADER.as_bytes()).unwrap();
    session.wait_for("no terminal to read keys from");
    drop(file);
    assert_eq!(session.code(), 0);
    session.is_as_before();
}

fn make_fifo(place: &Place) {
    let made = Command::new("mkfifo").arg(place.path("job.fifo")).status();
    assert!(made.unwrap().success());
}

#[test]
fn colours_are_used_where_they_are_wanted() {
    for (before, after, coloured) in [
        ("NO_COLOR= ", "", true),
        ("NO_COLOR=1 ", "", false),
        ("NO_COLOR=1 ", "--color always", true),
        ("NO_COLOR= ", "--color never", false),
    ] {
        let place = Place::new();
        place.write("job.csv", format!("{HEADER}{}", rows(0..3)));
        let command = format!("{before}{}", watching(&format!("job.csv {after}")));
        let Some(session) = start("colours", &place, &command) else {
            return;
        };
        session.wait_for("3 requests");
        session.wait_for("▲ write");
        let screen = session.coloured();
        assert_eq!(
            screen.contains("\x1b[38;5;"),
            coloured,
            "{before}{after}\n{screen}"
        );
        session.press("C-c");
        assert_eq!(session.code(), 0);
    }
}

#[test]
fn a_source_that_cannot_be_followed_is_told_on_the_terminal_as_it_was() {
    let place = Place::new();
    place.write("job.darshan", common::DARSHAN);
    let Some(session) = start("refused", &place, &watching("job.darshan")) else {
        return;
    };
    assert_eq!(session.code(), 1);
    session.is_as_before();
    session.wait_for("a file of this format");
}

#[test]
fn what_is_no_terminal_is_refused() {
    let place = Place::with_requests();
    let refused = place.run(&["predict", "requests.csv", "--tui"]).code(2);
    assert!(
        refused.err.contains("--tui needs a terminal"),
        "{}",
        refused.err
    );
    assert!(refused.out.is_empty(), "{}", refused.out);
    let refused = place
        .run(&["predict", "requests.csv", "--tui", "--json"])
        .code(2);
    assert!(
        refused.err.contains("--tui is for people"),
        "{}",
        refused.err
    );
}
