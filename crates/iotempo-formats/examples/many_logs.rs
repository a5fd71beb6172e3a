//! Writes many small Darshan logs that hold nothing but counters.
//!
//! `cargo run --release -p iotempo-formats --example many_logs -- FOLDER COUNT`
#![allow(clippy::print_stderr)]

use iotempo_formats::darshan::writer::{CounterRecord, LogWriter};
use iotempo_formats::darshan::{JobRecord, LogVersion, Module};
use std::path::Path;
use std::process::ExitCode;

/// Logs of a job each: a shared file that is read, checkpoints that are written in turns, a file of
/// its own for some ranks, and what the job said.
fn log(number: u64) -> LogWriter {
    let ranks = 4 << (number % 5);
    let job = JobRecord {
        nprocs: ranks,
        start_s: 1_700_000_000 + number as i64,
        end_s: 1_700_000_600 + number as i64,
        jobid: number as i64,
        exe: format!("./solver --case {number}"),
        ..JobRecord::default()
    };
    let mut log = LogWriter::new(LogVersion::V341).job(job);
    log = log.record(record(
        Module::Posix,
        "/project/input.nc",
        -1,
        "READ",
        ranks,
        1.0,
    ));
    for step in 0..2 + number % 4 {
        let start = 60.0 + 100.0 * step as f64;
        let name = format!("/scratch/job{number}/checkpoint.{step}");
        log = log.record(record(Module::Posix, &name, -1, "WRITE", ranks, start));
    }
    for rank in 0..ranks.min(4) {
        let name = format!("/scratch/job{number}/log.{rank}");
        log = log.record(record(Module::Posix, &name, rank, "WRITE", 1, 5.0));
    }
    log.record(record(Module::Stdio, "<STDOUT>", 0, "WRITE", 1, 0.5))
}

fn record(
    module: Module,
    name: &str,
    rank: i64,
    op: &str,
    ranks: i64,
    start: f64,
) -> CounterRecord {
    let requests = 64 * ranks;
    let word = module.name();
    let moved = if op == "READ" { "READ" } else { "WRITTEN" };
    let record = CounterRecord::new(module, name)
        .rank(rank)
        .counter(format!("{word}_{op}S"), requests)
        .counter(format!("{word}_BYTES_{moved}"), requests << 20)
        .float(format!("{word}_F_{op}_START_TIMESTAMP"), start)
        .float(format!("{word}_F_{op}_END_TIMESTAMP"), start + 9.0)
        .float(format!("{word}_F_{op}_TIME"), 8.0 * ranks as f64);
    if module != Module::Posix {
        return record;
    }
    record
        .counter(format!("POSIX_CONSEC_{op}S"), requests - ranks)
        .counter(format!("POSIX_SEQ_{op}S"), requests - 1)
        .counter(format!("POSIX_SIZE_{op}_100K_1M"), requests)
        .counter("POSIX_ACCESS1_ACCESS", 1 << 20)
        .counter("POSIX_ACCESS1_COUNT", requests)
}

/// Darshan is installed so that each day has a folder of its own.
const A_DAY: u64 = 1000;

fn write_all(folder: &Path, count: u64) -> Result<(), Box<dyn std::error::Error>> {
    for number in 0..count {
        let day = folder.join(format!("{:03}", number / A_DAY));
        std::fs::create_dir_all(&day)?;
        let name = format!("job{number:06}.darshan");
        std::fs::write(day.join(name), log(number).finish()?)?;
    }
    Ok(())
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, count] = &words[..] else {
        eprintln!("usage: many_logs FOLDER COUNT");
        return ExitCode::from(2);
    };
    let Ok(count) = count.parse() else {
        eprintln!("not a number of logs: {count}");
        return ExitCode::from(2);
    };
    match write_all(Path::new(folder), count) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{folder}: {error}");
            ExitCode::FAILURE
        }
    }
}
