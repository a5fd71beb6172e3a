//! Programs that make life hard for a tracer lose no byte of their logs.
#![allow(clippy::print_stderr, clippy::unwrap_used)]

mod common;

use common::reading::Log;
use common::{Bench, bytes_of, compile};
use iotempo_model::wire::{Header, api};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn program(bench: &Bench, test: &str) -> Option<PathBuf> {
    compile(bench, test, "hardships.c")
}

/// Runs to the end, as it would without the tracer.
fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", output.status);
    output
}

fn size(bench: &Bench, name: &str) -> u64 {
    std::fs::metadata(bench.path(name)).unwrap().len()
}

fn dropped(bench: &Bench) -> u64 {
    bench.read().iter().map(|log| log.dropped()).sum()
}

#[test]
fn sixty_four_threads_at_once_lose_nothing() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "sixty_four_threads") else {
        return;
    };
    run(bench.traced(&program).args(["threads", "64"]));
    assert_eq!(bench.bytes("shared"), (0, 64 * 3000 * 3));
    for thread in 0..64 {
        assert_eq!(bench.bytes(&format!("thread.{thread}")), (0, 30_000));
    }
    assert_eq!((bench.read()[0].threads(), dropped(&bench)), (65, 0));
}

#[test]
fn threads_that_end_leave_their_chunk_to_the_next() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "threads_that_end") else {
        return;
    };
    run(bench.traced(&program).args(["churn", "500"]));
    assert_eq!(bench.bytes("shared"), (0, 3500));
    let logs = bench.read();
    assert!(
        logs[0].threads() > 400,
        "each is known by its number: {}",
        logs[0].threads()
    );
    assert!(logs[0].chunks < 10, "{} chunks", logs[0].chunks);
}

#[test]
fn a_program_without_descriptors_is_traced_on() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "without_descriptors") else {
        return;
    };
    let plain = run(bench.plain(&program).args(["exhaust", "100"]));
    std::fs::remove_file(bench.path("exhausted")).unwrap();
    let traced = run(bench.traced(&program).args(["exhaust", "100"]));
    assert_eq!(
        traced.stdout, plain.stdout,
        "no descriptor is taken from the program"
    );
    assert_eq!(bench.bytes("exhausted"), (0, size(&bench, "exhausted")));
    assert_eq!(dropped(&bench), 0);
}

#[test]
fn signal_handlers_that_write_are_traced() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "signal_handlers") else {
        return;
    };
    let output = run(bench.traced(&program).args(["signals", "300000"]));
    let handled: u64 = String::from_utf8_lossy(&output.stderr)
        .trim()
        .parse()
        .unwrap();
    assert!(handled > 10, "{handled} signals");
    assert_eq!(bench.bytes("main"), (0, 600_000));
    assert_eq!(bench.bytes("shared").1 + dropped(&bench), handled);
    assert!(
        dropped(&bench) < handled / 10,
        "{} dropped",
        dropped(&bench)
    );
}

/// The numbers that a program has said on stderr.
fn numbers(output: &Output) -> Vec<u64> {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    said.split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect()
}

#[test]
fn signal_handlers_that_fill_chunks_lose_nothing() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "handlers_that_fill_chunks") else {
        return;
    };
    let output = run(bench.traced(&program).args(["floods", "1000"]));
    let [characters, flooded] = numbers(&output)[..] else {
        panic!("two numbers");
    };
    assert_eq!(dropped(&bench), 0);
    assert_eq!(bench.bytes("characters"), (0, characters));
    assert_eq!(bytes_of(&bench.read(), "/dev/zero"), (flooded, 0));
    // In a ring every chunk that is left is taken out of memory at once.
    run(bench
        .traced(&program)
        .env("IOTEMPO_MAX_SIZE", "400000")
        .args(["floods", "1000"]));
}

#[test]
fn a_thread_whose_handlers_jump_away_is_traced_on() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "handlers_jump_away") else {
        return;
    };
    let output = run(bench.traced(&program).args(["jumps", "3000"]));
    let [written, handled] = numbers(&output)[..] else {
        panic!("two numbers");
    };
    assert!(written > 20_000 && handled >= 6000, "{written} {handled}");
    assert_eq!(dropped(&bench), 0);
    // A jump may come after a write and before its record, or before the program has counted it.
    let logged = bench.bytes("shared").1;
    assert!(
        logged.abs_diff(written) <= handled,
        "{logged} of {written}, {handled} jumps"
    );
}

#[test]
fn requests_of_a_new_thread_are_not_added_to_those_of_one_that_ended() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "requests_of_a_new_thread") else {
        return;
    };
    run(bench
        .traced(&program)
        .env("IOTEMPO_COALESCE_NS", "1000000000")
        .args(["churn", "100"]));
    let log = &bench.read()[0];
    let transfers: Vec<_> = log.transfers().collect();
    assert_eq!(transfers.len(), 100, "each thread has a record of its own");
    assert!(
        transfers
            .iter()
            .all(|seen| (seen.count, seen.bytes) == (1, 7))
    );
}

#[test]
fn threads_signals_and_forks_all_at_once_lose_nothing() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "threads_signals_and_forks") else {
        return;
    };
    run(bench.traced(&program).args(["storm", "64"]));
    let (size, logged) = (size(&bench, "shared"), bench.bytes("shared").1);
    assert!(size > 2 * 64 * 3000 + 20 * 300, "{size} bytes");
    // A handler that comes while its thread takes a new chunk has no room; it is counted.
    let dropped = dropped(&bench);
    assert!(dropped < 10, "{dropped} records");
    assert!(
        logged <= size && size - logged <= 3 * dropped,
        "{logged} of {size} bytes"
    );
    for thread in 0..64 {
        assert_eq!(bench.bytes(&format!("thread.{thread}")), (0, 20_000));
    }
    assert_eq!(bench.read().len(), 1 + 20);
}

#[test]
fn a_thread_can_be_cancelled_inside_a_hook() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "a_thread_can_be_cancelled") else {
        return;
    };
    run(bench
        .traced(&program)
        .env("IOTEMPO_ALL", "1")
        .args(["cancel", "20"]));
    assert_eq!(bench.bytes("shared"), (0, 9));
}

#[test]
fn a_handler_with_little_stack_may_be_the_first_to_write() {
    let bench = Bench::new();
    let Some(program) = compile(&bench, "a_handler_with_little_stack", "small_stack.c") else {
        return;
    };
    let settings = [
        ("IOTEMPO_COALESCE_NS", "0"),
        ("IOTEMPO_COALESCE_NS", "1000"),
        ("IOTEMPO_MAX_SIZE", "400000"),
        ("IOTEMPO_INCLUDE", ".*/(inherited|o[a-z]+)$"),
    ];
    for (name, value) in settings {
        let _ = std::fs::remove_dir_all(bench.logs());
        let inherited = std::fs::File::create(bench.path("inherited")).unwrap();
        run(bench.traced(&program).env(name, value).stdout(inherited));
        run(bench.traced(&program).env(name, value).arg("opened"));
        assert_eq!(bench.bytes("inherited"), (0, 6), "{name}={value}");
        assert_eq!(bench.bytes("opened"), (0, 6), "{name}={value}");
    }
}

#[test]
fn a_handler_with_little_stack_may_be_told_that_there_is_no_log() {
    let bench = Bench::new();
    let Some(program) = compile(&bench, "a_handler_that_is_told", "small_stack.c") else {
        return;
    };
    let mut traced = bench.traced(&program);
    let output = run(traced.env("IOTEMPO_DIR", "/proc/none").arg("opened"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no such folder (error 2)\n"), "{said}");
}

/// Compiles a library of the tests that lies in the same source as its program.
fn library(bench: &Bench, source: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs")
        .join(source);
    let library = bench.path("library.so");
    let flags = ["-g", "-Wall", "-pthread", "-DLIBRARY", "-shared", "-fPIC"];
    let mut compiler = Command::new("cc");
    compiler.args(flags).arg("-o").arg(&library).arg(source);
    assert!(compiler.status().unwrap().success());
    library
}

#[test]
fn a_library_may_wait_for_a_thread_while_it_is_loaded() {
    let bench = Bench::new();
    let Some(program) = compile(&bench, "a_library_may_wait", "loads.c") else {
        return;
    };
    let library = library(&bench, "loads.c");
    let plain = run(bench.plain(&program).arg(&library));
    // Where they wait for each other, that would be forever.
    let mut traced = bench.traced("timeout");
    let traced = run(traced.arg("60").arg(&program).arg(&library));
    assert_eq!(
        (traced.stdout, bench.bytes("worked")),
        (plain.stdout, (0, 5))
    );
}

#[test]
fn handlers_of_the_program_run_in_its_processes_only() {
    let bench = Bench::new();
    let Some(program) = compile(&bench, "handlers_of_the_program", "group.c") else {
        return;
    };
    let library = library(&bench, "group.c");
    let plain = run(bench.plain(&program).arg(&library));
    let traced = run(bench.traced(&program).arg(&library));
    assert_eq!(traced.stdout, plain.stdout);
    let seen = |log: &Log| log.records.iter().any(|seen| seen.api == api::MPIIO);
    assert!(bench.read().iter().any(seen), "it is taken for MPI");
}

#[test]
fn children_of_every_kind_have_logs_of_their_own() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "children_of_every_kind") else {
        return;
    };
    run(bench.traced(&program).args(["forks", "30"]));
    assert_eq!(bench.bytes("shared"), (0, 60 + 20 * 10));
    assert_eq!(bench.read().len(), 1 + 20);
}

#[test]
fn what_a_child_of_vfork_does_to_descriptors_is_not_held_against_its_parent() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "a_child_of_vfork") else {
        return;
    };
    let stdout = std::fs::File::create(bench.path("stdout")).unwrap();
    run(bench.traced(&program).args(["borrow", "1"]).stdout(stdout));
    assert_eq!((bench.bytes("stdout").1, bench.bytes("shared").1), (7, 10));

    // Where nothing was traced before, the child has no log to write to.
    std::fs::remove_dir_all(bench.logs()).unwrap();
    let stdout = std::fs::File::create(bench.path("stdout")).unwrap();
    let mut command = bench.traced(&program);
    command.env("IOTEMPO_INCLUDE", "/stdout$");
    run(command.args(["borrow", "0"]).stdout(stdout));
    assert_eq!(bench.bytes("stdout").1, 7);
}

#[test]
fn every_one_of_very_many_files_is_named() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "very_many_files") else {
        return;
    };
    const FILES: usize = 12_000;
    run(bench.traced(&program).args(["files", &FILES.to_string()]));
    let log = &bench.read()[0];
    let mut bytes = std::collections::BTreeMap::new();
    for seen in log.transfers() {
        *bytes.entry(&log.names[&seen.file]).or_insert(0) += seen.bytes;
    }
    assert_eq!(bytes.len(), FILES);
    assert!(bytes.values().all(|bytes| *bytes == 6));
    // Those that found no place have a number for each time that they were opened.
    let listed = 2 * FILES - log.names.len();
    assert!((6000..8192).contains(&listed), "{listed} files were listed");
}

#[test]
fn closing_all_descriptors_looks_only_at_those_that_were_known() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "closing_all_descriptors") else {
        return;
    };
    let output = run(bench.traced(&program).args(["close_all", "700"]));
    assert_eq!(bench.bytes("shared"), (0, 5), "the pipe is not the file");
    let said = String::from_utf8(output.stdout).unwrap();
    let pages: u64 = said.trim().parse().unwrap();
    assert!(pages < 100, "{pages} pages were touched");
}

#[test]
fn what_was_written_before_a_kill_is_in_the_log() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "before_a_kill") else {
        return;
    };
    let mut command = bench.traced(&program);
    let mut child = command
        .args(["endless", "11"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut signs = [0; 40];
    child.stdout.take().unwrap().read_exact(&mut signs).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let (in_file, in_log) = (size(&bench, "shared"), bench.bytes("shared").1);
    assert!(in_file >= 40_000 * 11);
    // The kill may come between a write and its record.
    assert!(
        in_log == in_file || in_log + 11 == in_file,
        "{in_log} of {in_file} bytes"
    );
}

#[test]
fn no_record_ends_after_the_clocks_were_last_read() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "no_record_ends_after") else {
        return;
    };
    let status = bench.traced(&program).args(["slowly", "4"]).status();
    assert!(!status.unwrap().success(), "it was killed");
    let log = &bench.read()[0];
    let last = log.header_u64(std::mem::offset_of!(Header, last_ticks));
    let ends: Vec<_> = log.transfers().map(|seen| seen.end).collect();
    assert_eq!(ends.len(), 4);
    assert!(ends.iter().all(|end| *end <= last), "{last}: {ends:?}");
}

#[test]
fn a_ring_keeps_the_newest_records_and_all_names() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "a_ring") else {
        return;
    };
    let most = 5 * 65536 + 4096;
    run(bench
        .traced(&program)
        .env("IOTEMPO_MAX_SIZE", most.to_string())
        .args(["many", "50000"]));
    let logs = bench.read();
    assert!(
        logs[0].bytes.len() <= most + 65536,
        "{} bytes",
        logs[0].bytes.len()
    );
    let kept: Vec<_> = logs[0].transfers().map(|seen| seen.start).collect();
    assert!(
        kept.len() > 2 * 2047 && kept.len() < 6 * 2047,
        "{} records",
        kept.len()
    );
    assert_eq!(bench.bytes("shared"), (0, 8 * kept.len() as u64));
    let first = logs[0].header_u64(std::mem::offset_of!(Header, first_ticks));
    let (oldest, newest) = (kept.iter().min().unwrap(), kept.iter().max().unwrap());
    assert!(
        oldest - first > (newest - first) / 2,
        "what is kept is the end"
    );
}

#[test]
fn a_ring_serves_more_threads_than_it_has_chunks() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "a_ring_of_threads") else {
        return;
    };
    run(bench
        .traced(&program)
        .env("IOTEMPO_MAX_SIZE", "200000")
        .args(["threads", "64"]));
    let chunks = bench.read()[0].chunks;
    assert!(
        chunks <= 65 + 3,
        "a chunk per thread and one for names: {chunks}"
    );
    assert_eq!(dropped(&bench), 0);
}

#[test]
fn coalesced_requests_keep_their_count_and_bytes() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "coalesced_requests") else {
        return;
    };
    run(bench
        .traced(&program)
        .env("IOTEMPO_COALESCE_NS", "1000000")
        .args(["many", "50000"]));
    let logs = bench.read();
    assert_eq!(bench.bytes("shared"), (0, 400_000));
    let requests: u64 = logs[0].transfers().map(|seen| seen.count).sum();
    let records = logs[0].transfers().count();
    assert_eq!(requests, 50_000);
    assert!(records < 10_000, "{records} records");
}

#[test]
fn a_log_costs_little_more_than_its_records() {
    let bench = Bench::new();
    let Some(program) = program(&bench, "a_log_costs_little") else {
        return;
    };
    run(bench.traced(&program).args(["many", "200000"]));
    let size = bench.read()[0].bytes.len();
    assert!(size <= 48 * 200_000, "{size} bytes");
}
