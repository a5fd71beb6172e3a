//! Every call that the tracer stands before works as without it, and leaves its bytes in the log.
#![allow(clippy::print_stderr, clippy::unwrap_used)]

mod common;

use common::{Bench, compile, compile_with};
use iotempo_model::wire::{kind, note, op};

/// What the program expects: file, API, bytes read and written.
fn expected(output: &str) -> Vec<(String, u8, u64, u64)> {
    let words = output
        .lines()
        .map(|line| line.split(' ').collect::<Vec<_>>());
    words
        .map(|word| {
            (
                word[0].into(),
                word[1].parse().unwrap(),
                word[2].parse().unwrap(),
                word[3].parse().unwrap(),
            )
        })
        .collect()
}

#[test]
fn every_call_works_and_is_logged_with_its_bytes() {
    let bench = Bench::new();
    let Some(program) = compile(&bench, "every_call", "every_call.c") else {
        return;
    };
    let plain = bench.plain(&program).output().unwrap();
    assert!(
        plain.status.success(),
        "{}",
        String::from_utf8_lossy(&plain.stderr)
    );
    let traced = bench.traced(&program).output().unwrap();
    assert!(
        traced.status.success(),
        "{}",
        String::from_utf8_lossy(&traced.stderr)
    );
    assert_eq!(traced.stdout, plain.stdout);
    assert_eq!(traced.stderr, plain.stderr);

    let logs = bench.read();
    let log = logs.iter().max_by_key(|log| log.records.len()).unwrap();
    assert_eq!(log.dropped(), 0);
    let output = String::from_utf8(plain.stdout).unwrap();
    assert!(output.lines().count() >= 8, "{output}");
    for (file, api, read, written) in expected(&output) {
        let path = bench.path(&file);
        let sum = |op| {
            let seen = log.of(path.to_str().unwrap());
            seen.filter(|seen| seen.api == api && seen.op == op && seen.kind != kind::NOTE)
                .map(|seen| seen.bytes)
                .sum::<u64>()
        };
        assert_eq!(
            (sum(op::READ), sum(op::WRITE)),
            (read, written),
            "{file}, API {api}"
        );
    }
    counts_of_metadata_and_notes(&bench, log);
    // Where the kernel grants none, none is noted.
    let rings = String::from_utf8(plain.stderr).unwrap();
    let notes = log.records.iter().filter(|seen| seen.kind == kind::NOTE);
    let notes = notes.filter(|seen| seen.op == note::IO_URING).count();
    assert_eq!(rings, format!("{notes} rings\n"));
}

#[test]
fn characters_that_pass_no_call_are_noted_once_per_file() {
    let bench = Bench::new();
    let Some(program) = compile_with(&bench, "characters_that_pass", "inlined.c", &["-O2"]) else {
        return;
    };
    let output = bench.traced(&program).output().unwrap();
    assert!(output.status.success(), "{}", output.status);
    let log = &bench.read()[0];
    for name in ["inlined.1", "inlined.2"] {
        let path = bench.path(name);
        let seen = log.of(path.to_str().unwrap());
        let notes = seen.filter(|seen| seen.kind == kind::NOTE && seen.op == note::INLINED);
        assert_eq!(notes.count(), 1, "{name}");
        assert_eq!(bench.bytes(name), (0, 0), "{name}: nobody can count them");
    }
    let called = bench.path("called");
    let mut called = log.of(called.to_str().unwrap());
    assert!(called.all(|seen| seen.kind != kind::NOTE));
    assert_eq!(bench.bytes("called"), (0, 10_000));
}

fn counts_of_metadata_and_notes(bench: &Bench, log: &common::reading::Log) {
    let count = |file: &str, kind, op| {
        let path = bench.path(file);
        let seen = log.of(path.to_str().unwrap());
        seen.filter(|seen| seen.kind == kind && seen.op == op)
            .count()
    };
    assert_eq!(count("opened", kind::METADATA, op::OPEN), 12);
    assert_eq!(count("opened", kind::METADATA, op::CLOSE), 12);
    assert_eq!(count("posix", kind::METADATA, op::SYNC), 3);
    assert_eq!(count("stream", kind::METADATA, op::SYNC), 2);
    assert_eq!(count("posix", kind::NOTE, note::MMAP), 2);
    assert_eq!(count("posix", kind::NOTE, note::AIO), 1, "once per file");
    assert_eq!(count("refused", kind::NOTE, note::AIO), 0);
    let made = log.transfers().filter(|seen| {
        let name = log.names.get(&seen.file);
        name.is_some_and(|name| name.starts_with(bench.path("made").to_str().unwrap()))
    });
    let made: Vec<_> = made.map(|seen| seen.bytes).collect();
    assert_eq!(made, [30, 31], "files of mkstemp and mkstemp64");
    for seen in &log.records {
        assert!(seen.start <= seen.end, "{seen:?}");
    }
}
