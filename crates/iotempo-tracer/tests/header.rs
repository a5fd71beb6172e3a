//! The header of a log says who wrote it, and how its ticks become seconds.
#![allow(clippy::print_stderr, clippy::unwrap_used)]

mod common;

use common::Bench;
use iotempo_model::wire::{Header, flag, op};
use std::mem::offset_of;

fn text(bytes: &[u8], at: usize, length: usize) -> String {
    let field = &bytes[at..at + length];
    String::from_utf8(field.split(|&byte| byte == 0).next().unwrap().to_vec()).unwrap()
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

#[test]
fn the_header_names_the_process_and_its_rank() {
    let bench = Bench::new();
    let mut command = bench.traced("/bin/dd");
    command
        .env("PMI_RANK", "3")
        .env("PMI_SIZE", "8")
        .env("IOTEMPO_COALESCE_NS", "7");
    let child = command
        .args(["if=/dev/zero", "of=out", "count=1", "status=none"])
        .spawn();
    let mut child = child.unwrap();
    let pid = child.id();
    assert!(child.wait().unwrap().success());
    let logs = bench.read();
    let bytes = &logs[0].bytes;
    assert_eq!(word(bytes, offset_of!(Header, pid)), pid);
    assert_eq!(word(bytes, offset_of!(Header, ppid)), std::process::id());
    assert_eq!(word(bytes, offset_of!(Header, rank)), 3);
    assert_eq!(word(bytes, offset_of!(Header, ranks)), 8);
    assert_eq!(text(bytes, offset_of!(Header, job), 64), "test");
    let exe = std::fs::canonicalize("/bin/dd").unwrap();
    assert_eq!(
        text(bytes, offset_of!(Header, exe), 256),
        exe.to_str().unwrap()
    );
    assert!(!text(bytes, offset_of!(Header, host), 64).is_empty());
    assert_eq!(logs[0].header_u64(offset_of!(Header, coalesce_ns)), 7);
}

#[test]
fn ticks_become_seconds_and_the_time_of_day() {
    let bench = Bench::new();
    let day = |time: std::time::SystemTime| {
        time.duration_since(std::time::UNIX_EPOCH)
            .unwrap()
            .as_nanos() as f64
            / 1e9
    };
    let before = day(std::time::SystemTime::now());
    // One shell writes both lines itself.
    bench.shell("{ echo first; sleep 0.5; echo second; } > out");
    let after = day(std::time::SystemTime::now());

    let logs = bench.read();
    let path = bench.path("out");
    let writer = logs
        .iter()
        .find(|log| log.bytes(path.to_str().unwrap()).1 == 13)
        .unwrap();
    let field = |offset| writer.header_u64(offset);
    let (first, last) = (
        offset_of!(Header, first_ticks),
        offset_of!(Header, last_ticks),
    );
    let ticks = (field(last) - field(first)) as f64;
    let elapsed_ns = field(last + 8) - field(first + 8);
    assert!(
        elapsed_ns > 450_000_000,
        "the last pair is renewed: {elapsed_ns} ns"
    );
    let rate = ticks / elapsed_ns as f64 * 1e9;
    let estimate = f64::from_bits(field(offset_of!(Header, ticks_per_second)));
    assert!(
        (estimate / rate - 1.0).abs() < 0.01,
        "{estimate} and {rate} per second"
    );

    let begin = field(offset_of!(Header, first_realtime_ns)) as f64 / 1e9;
    let times: Vec<f64> = writer
        .of(path.to_str().unwrap())
        .filter(|seen| seen.op == op::WRITE)
        .map(|seen| begin + (seen.start - field(first)) as f64 / rate)
        .collect();
    assert_eq!(times.len(), 2);
    assert!((0.49..2.0).contains(&(times[1] - times[0])), "{times:?}");
    assert!(
        before - 0.01 < times[0] && times[1] < after + 0.01,
        "{before} {times:?} {after}"
    );
}

/// Whether all logs of a shell that does this say that their programs have ended.
fn say_that_they_ended(script: &str) -> Vec<bool> {
    let bench = Bench::new();
    let mut command = bench.traced("/bin/sh");
    command.args(["-c", script]).status().unwrap();
    let flags = offset_of!(Header, flags);
    let logs = bench.read();
    assert!(!logs.is_empty(), "{script}");
    let ended = logs.iter().map(|log| log.header_u64(flags) & flag::ENDED);
    ended.map(|bit| bit != 0).collect()
}

#[test]
fn a_program_that_ends_says_so_and_one_that_is_killed_does_not() {
    for script in [
        "dd if=/dev/zero of=out count=1 status=none",
        "echo by the end of the shell > out",
        "echo by becoming another > out; exec sleep 0",
        "(echo a child > out); echo its parent > out2",
    ] {
        let ended = say_that_they_ended(script);
        assert!(ended.iter().all(|ended| *ended), "{script}: {ended:?}");
    }
    assert_eq!(say_that_they_ended("echo x > out; kill -9 $$"), [false]);
    // It says so before it becomes another, and takes it back where that fails.
    let failed = r#"exec python3 -c '
import os, signal
open("out", "w").write("x")
try:
    os.execv("/not/there", ["x"])
except OSError:
    os.kill(os.getpid(), signal.SIGKILL)'"#;
    // Where python3 is found by a script, that has ended logs of its own.
    let ended = say_that_they_ended(failed);
    let killed = ended.iter().filter(|ended| !**ended).count();
    assert_eq!(killed, 1, "{ended:?}");
}
