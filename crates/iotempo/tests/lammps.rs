//! A real application, LAMMPS, under the tracer: the same results, and the period of its dumps.
#![allow(clippy::unwrap_used, clippy::print_stderr)]
#![cfg(target_os = "linux")]

mod common;

use common::Place;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// A run is regular if no step from dump to dump differs more than this from their mean.
const REGULAR: f64 = 0.2;
/// How often to try for a regular run: other work on the machine can disturb any of them.
const TRIES: usize = 3;

fn have(test: &str, program: &str) -> bool {
    let found = Command::new(program).arg("-h").output().is_ok();
    if !found {
        eprintln!("SKIPPED {test}: no {program}");
    }
    found
}

/// Words for `lmp`, with a box of so many cells per side.
fn lammps(size: u32, steps: u32) -> Vec<String> {
    let input = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/melt.lammps");
    let (input, size, steps) = (input.display(), size, steps);
    let line = format!("lmp -in {input} -var size {size} -var steps {steps}");
    line.split(' ').map(str::to_owned).collect()
}

fn run(place: &Place, program: &str, words: &[String]) -> String {
    let mut command = match program {
        "iotempo" => {
            let mut command = Command::new(assert_cmd::cargo::cargo_bin("iotempo"));
            command.args(["trace", "-q", "-o", "logs", "--"]);
            command.args(words);
            command
        }
        _ => {
            let mut command = Command::new(&words[0]);
            command.args(&words[1..]);
            command
        }
    };
    command
        .current_dir(place.path("."))
        .env("IOTEMPO_JOB", "run");
    // Open MPI refuses to run for root unless told twice.
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1");
    command.env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    let output = command.env("OMP_NUM_THREADS", "1").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What LAMMPS says without the times that it takes: all rows of results, but for their last column.
fn timeless(said: &str) -> Vec<String> {
    let lines = said.lines().filter(|line| {
        let timed = ["CPU", "time", "Performance", "|", "Memory usage"];
        !timed.iter().any(|word| line.contains(word)) || line.starts_with("Step")
    });
    let without_cpu = |line: &str| match steps_and_times(line) {
        Some(_) => line
            .trim_end()
            .rsplit_once(' ')
            .unwrap()
            .0
            .trim_end()
            .to_owned(),
        None => line.to_owned(),
    };
    lines.map(without_cpu).collect()
}

/// A row of results: the step, and the wall time since the run began.
fn steps_and_times(line: &str) -> Option<(u64, f64)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let numbers = words.iter().all(|word| word.parse::<f64>().is_ok());
    if words.len() != 4 || !numbers {
        return None;
    }
    Some((words[0].parse().ok()?, words[3].parse().ok()?))
}

/// Seconds from dump to dump by the log of LAMMPS.
fn from_dump_to_dump(said: &str) -> Vec<f64> {
    let rows = said.lines().filter_map(steps_and_times);
    let times: Vec<f64> = rows.map(|(_, time)| time).collect();
    assert!(times.len() > 10, "{said}");
    times.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

fn mean(steps: &[f64]) -> f64 {
    steps.iter().sum::<f64>() / steps.len() as f64
}

/// The largest difference from the mean, as a share of it.
fn spread(steps: &[f64]) -> f64 {
    let off = steps.iter().map(|step| (step / mean(steps) - 1.0).abs());
    off.fold(0.0, f64::max)
}

/// Whether this is how long it takes from dump to dump, within 3 %: in all of the run, or in the half of it or
/// more that other work on the machine made faster or slower than the rest.
fn is_period(period: f64, steps: &[f64]) -> bool {
    let lengths = steps.len() / 2..=steps.len();
    let mut stretches = lengths.flat_map(|length| steps.windows(length));
    stretches.any(|stretch| (period / mean(stretch) - 1.0).abs() < 0.03)
}

fn json(place: &Place, words: &[&str]) -> Value {
    let ran = place.run(words).ok();
    serde_json::from_slice::<Value>(&ran.bytes).unwrap()["results"][0].clone()
}

#[test]
fn lammps_gives_the_same_results_and_every_byte_is_seen() {
    let test = "lammps_gives_the_same_results_and_every_byte_is_seen";
    if !have(test, "lmp") {
        return;
    }
    let (plain, traced) = (Place::new(), Place::new());
    let words = lammps(6, 500);
    let said = [run(&plain, "", &words), run(&traced, "iotempo", &words)];
    assert!(timeless(&said[0]).len() > 20, "{}", said[0]);
    assert_eq!(timeless(&said[0]), timeless(&said[1]));
    let logs = [&plain, &traced].map(|place| timeless(&place.read("log.lammps")));
    assert_eq!(logs[0], logs[1]);
    let dump = plain.read("melt.dump");
    assert!(dump.len() > 100_000 && dump == traced.read("melt.dump"));
    let found = json(
        &traced,
        &["inspect", "--json", "logs/run", "--files", "melt.dump$"],
    );
    assert_eq!(found["bytes_written"], dump.len() as f64);
}

#[test]
fn the_period_of_lammps_dumps_is_found() {
    let test = "the_period_of_lammps_dumps_is_found";
    if !have(test, "lmp") {
        return;
    }
    for attempt in 1..=TRIES {
        let place = Place::new();
        let said = run(&place, "iotempo", &lammps(14, 1200));
        let steps = from_dump_to_dump(&said);
        let (truth, spread) = (mean(&steps), spread(&steps));
        if spread > REGULAR {
            eprintln!(
                "{test}: run {attempt}: from dump to dump {truth:.2} s, off by up to {:.0} %",
                100.0 * spread
            );
            continue;
        }
        let found = json(&place, &["period", "--json", "logs/run"]);
        let period = found["period_s"].as_f64();
        let right = period.is_some_and(|period| is_period(period, &steps));
        assert!(right, "{steps:?}, found {found}");
        return;
    }
    eprintln!("SKIPPED {test}: the machine is too busy for a regular run");
}

#[test]
fn ranks_of_lammps_are_ranks_of_the_trace() {
    let test = "ranks_of_lammps_are_ranks_of_the_trace";
    if !have(test, "lmp") || !have(test, "mpirun.openmpi") {
        return;
    }
    let place = Place::new();
    let launcher = ["mpirun.openmpi", "--oversubscribe", "-n", "2"].map(str::to_owned);
    run(
        &place,
        "iotempo",
        &[&launcher[..], &lammps(6, 500)].concat(),
    );
    let dump = place.read("melt.dump");
    let words = ["inspect", "--json", "logs/run", "--files", "melt.dump$"];
    let found = json(&place, &words);
    assert_eq!(found["bytes_written"], dump.len() as f64);
    assert_eq!(found["ranks"], 2);
}
