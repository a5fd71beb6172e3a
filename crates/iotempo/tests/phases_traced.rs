//! `iotempo phases` of real programs under `iotempo trace`: the phases are those that they made.
#![allow(clippy::unwrap_used, clippy::print_stderr)]
#![cfg(target_os = "linux")]

mod common;

use common::Place;
use common::schema::{check, schema};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// What `tests/programs/phased.c` reads together: four processes, eight requests each of 32 KiB.
const SHARED: usize = 4 * 8 * 32_768;

/// Compiles the program that makes phases; `None`, and a line that says so, without a compiler.
fn compiled(place: &Place, test: &str, compiler: &str, flags: &[&str]) -> Option<()> {
    if Command::new(compiler).arg("--version").output().is_err() {
        eprintln!("SKIPPED {test}: no {compiler}");
        return None;
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/phased.c");
    let output = Command::new(compiler)
        .args(["-Wall", "-g", "-o"])
        .args([place.path("program"), source])
        .args(flags)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    Some(())
}

/// Runs the program under the tracer. It pauses for three seconds between phases; in a phase, processes
/// that share two cores may wait for one another, but not for two.
fn phases(place: &Place, launcher: &str, more: &[&str]) -> Value {
    place.write("shared", vec![b's'; SHARED]);
    let line = format!("{launcher} ./program");
    let mut command = place.command(&["trace", "-q", "-o", "logs", "--", "sh", "-c", &line]);
    for name in ["LD_PRELOAD", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"] {
        command.env_remove(name);
    }
    let ran = command.env("IOTEMPO_JOB", "run").output().unwrap();
    assert!(ran.status.success(), "{ran:?}");
    let mut words = vec!["phases", "logs/run", "--json", "--time-distance", "2"];
    words.extend(more);
    let json = place.run(&words).ok().json();
    let schema = schema("phases");
    assert_eq!(check(&json, &schema, &schema, ""), Vec::<String>::new());
    json["results"][0].clone()
}

/// What a program can be told of a phase: layer, direction, ranks, files, requests and their sizes. Of files there
/// are names of some, without what tells those of processes apart.
fn told(phase: &Value) -> Value {
    let files = phase["some_files"].as_array().unwrap();
    let names = files.iter().map(|file| {
        let name = Path::new(file.as_str().unwrap()).file_name().unwrap();
        let name = name.to_str().unwrap();
        name.split('.').next().unwrap().to_owned()
    });
    let mut names: Vec<_> = names.collect();
    names.dedup();
    json!([
        phase["api"],
        phase["op"],
        phase["ranks"]["count"],
        phase["files"],
        phase["strategy"],
        phase["requests"],
        phase["bytes"],
        phase["sizes"]["shares"],
        phase["spatiality"],
        phase["flags"]["shadow"],
        names,
    ])
}

fn of_size(requests: u64, size: u64) -> Value {
    json!([{ "size_bytes": size, "requests": requests, "exact": true }])
}

/// Every process writes sixteen times 64 KiB to its own file, then reads eight times 32 KiB of one.
fn by_posix() -> [Value; 2] {
    [
        json!([
            "posix",
            "write",
            4,
            4,
            "unique",
            64,
            4 << 20,
            of_size(64, 65_536),
            "unknown",
            false,
            ["own"]
        ]),
        json!([
            "posix",
            "read",
            4,
            1,
            "shared",
            32,
            SHARED,
            of_size(32, 32_768),
            "unknown",
            false,
            ["shared"]
        ]),
    ]
}

/// The first process says a word after each phase, into a file that stays open.
fn progress(word: &str) -> Value {
    let bytes = word.len() + 1;
    json!([
        "stdio",
        "write",
        1,
        1,
        "unique",
        1,
        bytes,
        of_size(1, bytes as u64),
        "unknown",
        false,
        ["progress"]
    ])
}

/// Those of a layer, in order of time.
fn of_layer(found: &Value, api: &str, shadow: bool) -> Vec<Value> {
    let phases = found["phases"].as_array().unwrap().iter();
    let of_layer = phases.filter(|phase| phase["api"] == api && phase["flags"]["shadow"] == shadow);
    of_layer.map(told).collect()
}

fn gap_s(found: &Value, api: &str) -> f64 {
    let phases = found["phases"].as_array().unwrap().iter();
    let phases: Vec<_> = phases.filter(|phase| phase["api"] == api).collect();
    phases[1]["start_s"].as_f64().unwrap() - phases[0]["end_s"].as_f64().unwrap()
}

#[test]
fn processes_that_write_files_of_their_own_and_read_one_together() {
    let place = Place::new();
    let test = "processes_that_write_files_of_their_own_and_read_one_together";
    let Some(()) = compiled(&place, test, "cc", &["-Werror"]) else {
        return;
    };
    let found = phases(&place, "", &[]);
    assert_eq!(found["source"], "requests");
    assert_eq!(found["job"]["ranks"], 4);
    assert_eq!(of_layer(&found, "posix", false), by_posix());
    assert_eq!(of_layer(&found, "stdio", false), [progress("written")]);
    let gap = gap_s(&found, "posix");
    assert!((2.5..20.0).contains(&gap), "{gap}");
    let hidden = found["cannot_show"].as_str().unwrap();
    assert!(hidden.starts_with("where in files they lie"), "{hidden}");
}

fn with_mpi(mpi: &str, options: &str, test: &str) {
    let place = Place::new();
    let flags = ["-DWITH_MPI", "-Wno-stringop-overflow"];
    let Some(()) = compiled(&place, test, &format!("mpicc.{mpi}"), &flags) else {
        return;
    };
    let launcher = format!("timeout 300 mpirun.{mpi} {options} -n 4");
    let found = phases(&place, &launcher, &[]);
    assert_eq!(found["job"]["ranks"], 4);
    assert_eq!(of_layer(&found, "posix", false), by_posix());
    let words = ["written", "read", "together"];
    assert_eq!(of_layer(&found, "stdio", false), words.map(progress));
    let by_mpi = [
        json!([
            "mpiio",
            "write",
            4,
            1,
            "shared",
            32,
            SHARED,
            of_size(32, 32_768),
            "collective",
            false,
            ["together"]
        ]),
        json!([
            "mpiio",
            "read",
            4,
            4,
            "unique",
            64,
            4 << 20,
            of_size(64, 65_536),
            "unknown",
            false,
            ["own"]
        ]),
    ];
    assert_eq!(of_layer(&found, "mpiio", false), by_mpi);
    // The library moved the same bytes below, in its own way.
    let below = found["phases"].as_array().unwrap().iter();
    let below: Vec<_> = below
        .filter(|phase| phase["flags"]["shadow"] == true)
        .map(|phase| (phase["op"].clone(), phase["bytes"].clone()))
        .collect();
    let expected = [("write", SHARED), ("read", 4 << 20)];
    assert_eq!(below, expected.map(|(op, bytes)| (op.into(), bytes.into())));
    all_ranks_take_part(&found);
    as_a_profiler_counts(&place);
}

fn all_ranks_take_part(found: &Value) {
    for phase in found["phases"].as_array().unwrap() {
        let ranks = &phase["ranks"];
        match phase["api"].as_str().unwrap() {
            "stdio" => assert_eq!(ranks["rank"], 0, "{phase}"),
            // Some libraries let one process write for all.
            _ if phase["flags"]["shadow"] == true => {}
            _ => assert_eq!((&ranks["all"], &ranks["count"]), (&true.into(), &4.into())),
        }
    }
}

/// As SummarIO does it, what stays open is one phase.
fn as_a_profiler_counts(place: &Place) {
    let ran = place.run(&["phases", "logs/run", "--csv", "--compat"]).ok();
    let lines = ran.lines();
    let of_stdio: Vec<_> = lines.iter().filter(|line| line.contains("STDIO")).collect();
    let [row] = of_stdio[..] else {
        panic!("{ran:?}");
    };
    assert!(row.contains(",write,0,22,"), "{row}");
    assert!(row.ends_with(",STDIO,3,unknown,unique,1,1"), "{row}");
}

#[test]
fn ranks_of_open_mpi() {
    let options = "--allow-run-as-root --oversubscribe";
    with_mpi("openmpi", options, "ranks_of_open_mpi");
}

#[test]
fn ranks_of_mpich() {
    with_mpi("mpich", "", "ranks_of_mpich");
}
