//! `iotempo trace` runs real programs as they would run without it, and loses no byte.
#![allow(clippy::unwrap_used, clippy::print_stderr)]
#![cfg(target_os = "linux")]

mod common;

use common::{Place, Ran};
use serde_json::Value;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Variables of launchers and of the tracer that whoever runs the tests may have set.
const FOREIGN: [&str; 9] = [
    "IOTEMPO_JOB",
    "IOTEMPO_TRACER",
    "LD_PRELOAD",
    "OMPI_COMM_WORLD_RANK",
    "PMIX_RANK",
    "PMIX_NAMESPACE",
    "PMI_RANK",
    "SLURM_JOB_ID",
    "SLURM_PROCID",
];

/// Runs a line of shell under the tracer, its logs in `logs/run`.
fn traced(place: &Place, options: &[&str], line: &str) -> Ran {
    let words = ["trace", "-o", "logs"].iter().chain(options);
    let words: Vec<&str> = words.copied().chain(["--", "sh", "-c", line]).collect();
    let mut command = place.command(&words);
    for name in FOREIGN {
        command.env_remove(name);
    }
    let output = command.env("IOTEMPO_JOB", "run").output().unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        bytes: output.stdout,
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// What `inspect` finds in the logs about one file: bytes read and written.
fn bytes(place: &Place, file: &str) -> (f64, f64) {
    let found = inspected(place, &["--files", &format!("/{file}$")]);
    let number = |name: &str| found[name].as_f64().unwrap();
    (number("bytes_read"), number("bytes_written"))
}

fn inspected(place: &Place, options: &[&str]) -> Value {
    let words: Vec<&str> = ["inspect", "--json", "logs/run"]
        .iter()
        .chain(options)
        .copied()
        .collect();
    let ran = place.run(&words).ok();
    let json: Value = serde_json::from_slice(&ran.bytes).unwrap();
    json["results"][0].clone()
}

fn have(test: &str, program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        eprintln!("SKIPPED {test}: no {program}");
    }
    found
}

#[test]
fn every_byte_of_dd_is_there_and_the_summary_says_so() {
    let place = Place::new();
    let ran = traced(
        &place,
        &[],
        "dd if=/dev/zero of=big bs=64k count=100 status=none",
    )
    .ok();
    assert_eq!(ran.out, "", "standard output is the program's");
    let said = [
        "written  6.2 MiB in 100 requests",
        "in I/O ",
        "iotempo period logs/run",
    ];
    for words in said {
        assert!(ran.err.contains(words), "{words}: {}", ran.err);
    }
    assert_eq!(bytes(&place, "big"), (0.0, 6_553_600.0));
}

#[test]
fn threads_of_python_are_one_process() {
    let test = "threads_of_python_are_one_process";
    if !have(test, "python3") {
        return;
    }
    let place = Place::new();
    place.write(
        "threads.py",
        "import os, threading\n\
         def work(n):\n\
         \x20   f = os.open('t%d' % n, os.O_CREAT | os.O_WRONLY)\n\
         \x20   for _ in range(100): os.write(f, b'x' * 1000)\n\
         ts = [threading.Thread(target=work, args=(n,)) for n in range(8)]\n\
         [t.start() for t in ts]; [t.join() for t in ts]\n",
    );
    traced(&place, &["-q"], "exec python3 threads.py").ok();
    let found = inspected(&place, &["--files", "/t[0-7]$"]);
    assert_eq!(found["bytes_written"], 800_000.0);
    assert_eq!(
        (&found["requests"], &found["active_ranks"]),
        (&800.into(), &1.into())
    );
}

#[test]
fn all_processes_of_a_pipeline_are_one_input() {
    let place = Place::new();
    let line = "head -c 100000 /dev/zero > a; cp a b; cat a b | tee c > d";
    traced(&place, &["-q"], line).ok();
    assert_eq!(bytes(&place, "c").1, 200_000.0);
    assert_eq!(bytes(&place, "d").1, 200_000.0);
    let ran = place.run(&["inspect", "logs"]).ok();
    assert!(ran.out.contains("1 input,"), "{}", ran.out);
    let converted = place.run(&["convert", "logs/run", "-q"]).ok();
    assert!(converted.out.contains("write,posix,"), "{}", converted.out);
    place.run(&["period", "logs/run", "--json"]).ok();
}

/// Whether this process ignores a signal.
fn is_ignored(signal: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = u64::from_str_radix(mask.unwrap().trim(), 16).unwrap();
    mask >> (signal - 1) & 1 == 1
}

#[test]
fn exit_codes_and_signals_are_those_of_the_program() {
    let place = Place::new();
    for code in [0, 1, 7, 255] {
        let ran = traced(&place, &["-q"], &format!("exit {code}"));
        assert_eq!((ran.code, ran.err.as_str()), (Some(code), ""));
    }
    for signal in [2, 9, 11, 15] {
        // As shells do for what they start in the background; a program inherits that.
        if is_ignored(signal) {
            continue;
        }
        let line = format!("kill -{signal} $$");
        let mut command = place.command(&["trace", "-q", "-o", "logs", "--", "sh", "-c", &line]);
        let status = command.output().unwrap().status;
        assert_eq!(status.signal(), Some(signal as i32), "{status}");
    }
    let ran = place.run(&["trace", "--", "./no-such-program"]).code(127);
    assert!(ran.err.contains("no-such-program"), "{}", ran.err);
    place.write("data", "no program");
    place.run(&["trace", "--", "./data"]).code(126);
}

#[test]
fn a_signal_reaches_the_program_which_may_go_on() {
    let place = Place::new();
    let line = "trap 'echo caught; exit 5' TERM; echo ready; while :; do sleep 0.05; done";
    let program = assert_cmd::cargo::cargo_bin("iotempo");
    let mut child = Command::new(program)
        .current_dir(place.path("."))
        .args(["trace", "-q", "-o", "logs", "--", "sh", "-c", line])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    let mut ready = [0; 6];
    out.read_exact(&mut ready).unwrap();
    let pid = child.id().to_string();
    Command::new("kill").args(["-TERM", &pid]).status().unwrap();
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "it never ended"
        );
        std::thread::sleep(Duration::from_millis(20));
    };
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!((status.code(), rest.as_str()), (Some(5), "caught\n"));
}

#[test]
fn what_was_written_before_a_kill_is_in_the_log() {
    let place = Place::new();
    let line = "dd if=/dev/zero of=big bs=1k count=500 2>/dev/null; kill -9 $$";
    traced(&place, &["-q"], line);
    assert_eq!(bytes(&place, "big"), (0.0, 512_000.0));
}

#[test]
fn files_and_layers_are_chosen() {
    let place = Place::new();
    let line = "echo 12345 > in; echo 12345 > out; echo 12345 > log.1";
    let options = [
        "-q",
        "--include",
        "/in$",
        "--include",
        r"/(out|log\.\d)$",
        "--exclude",
        "[^n]ut$",
    ];
    traced(&place, &options, line).ok();
    let written = ["in", "out", "log.1"].map(|file| bytes(&place, file).1);
    assert_eq!(written, [6.0, 0.0, 6.0]);
    let place = Place::new();
    let ran = traced(&place, &["--mpiio"], line).ok();
    assert!(ran.err.contains("no I/O was seen"), "{}", ran.err);
}

#[test]
fn what_is_no_pattern_is_refused_with_the_place() {
    let place = Place::new();
    let ran = place
        .run(&["trace", "--exclude", "*/out", "--", "true"])
        .code(2);
    let said = "at byte 1, `*`: nothing before it to repeat";
    assert!(ran.err.contains(said), "{}", ran.err);
}

#[test]
fn a_log_stays_within_its_size_and_keeps_the_newest() {
    let place = Place::new();
    let line = "dd if=/dev/zero of=big bs=1 count=20000 status=none";
    traced(&place, &["-q", "--max-size", "200kB"], line).ok();
    for log in std::fs::read_dir(place.path("logs/run")).unwrap() {
        assert!(log.unwrap().metadata().unwrap().len() <= 280_000);
    }
    let found = inspected(&place, &[]);
    let codes = found["warnings"].as_array().unwrap().iter();
    let codes: Vec<_> = codes
        .map(|warning| warning["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["log-ring"]);
    let requests = found["requests"].as_u64().unwrap();
    assert!((1000..20_000).contains(&requests), "{requests}");
}

#[test]
fn ranks_of_a_launcher_are_one_job_and_only_the_first_speaks() {
    let place = Place::new();
    let words = [
        "trace",
        "-o",
        "logs",
        "--",
        "sh",
        "-c",
        "echo $PMI_RANK > a$PMI_RANK",
    ];
    for rank in ["1", "0"] {
        let mut command = place.command(&words);
        for name in FOREIGN {
            command.env_remove(name);
        }
        command.env("PMI_RANK", rank).env("PMI_SIZE", "2");
        let output = command.env("IOTEMPO_JOB", "run").output().unwrap();
        assert_eq!(output.stderr.is_empty(), rank == "1");
    }
    assert_eq!(inspected(&place, &[])["ranks"], 2);
    let second = inspected(&place, &["--ranks", "1"]);
    assert_eq!(
        (&second["bytes_written"], &second["files"]),
        (&2.into(), &1.into())
    );
}

#[test]
fn jobs_side_by_side_are_an_input_each() {
    let place = Place::new();
    traced(&place, &["-q"], "echo 1 > a").ok();
    std::fs::rename(place.path("logs/run"), place.path("logs/first")).unwrap();
    traced(&place, &["-q"], "echo 12345 > a").ok();
    place.write("logs/run/notes.csv", "start,end,bytes\n0,1,100\n");
    let ran = place
        .run(&["convert", "logs", "--out-dir", "tables", "-q"])
        .ok();
    assert_eq!(ran.out, "");
    let rows = |name: &str| place.read(&format!("tables/{name}.csv")).lines().count();
    assert_eq!(
        (rows("first"), rows("run"), rows("run/notes.csv")),
        (2, 2, 2)
    );
}

#[test]
fn the_variables_alone_do_the_same() {
    let place = Place::new();
    let mut command = place.command(&["trace", "--env", "-o", "logs", "--coalesce", "1ms"]);
    for name in FOREIGN {
        command.env_remove(name);
    }
    let output = command.env("LD_PRELOAD", "").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("IOTEMPO_COALESCE_NS=1000000\n"), "{text}");
    let words = text.split_whitespace();
    let status = Command::new("env")
        .args(words)
        .args(["IOTEMPO_JOB=run", "sh", "-c", "echo 12345 > a"])
        .current_dir(place.path("."))
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(bytes(&place, "a").1, 6.0);
}

#[test]
fn a_preloaded_library_of_somebody_else_stays() {
    let place = Place::new();
    let mut command = place.command(&["trace", "--env"]);
    let output = command.env("LD_PRELOAD", "libother.so").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let preload = text.lines().find(|line| line.starts_with("LD_PRELOAD="));
    assert!(preload.unwrap().ends_with(".so:libother.so"), "{text}");
}

#[test]
fn a_static_program_runs_and_is_told_to_be_invisible() {
    let test = "a_static_program_runs_and_is_told_to_be_invisible";
    let place = Place::new();
    place.write("three.c", "int main(void) { return 3; }\n");
    let made = Command::new("cc")
        .args(["-static", "-o", "three", "three.c"])
        .current_dir(place.path("."))
        .output();
    if !made.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED {test}: no C compiler that links statically");
        return;
    }
    let ran = place.run(&["trace", "--", "./three"]).code(3);
    let said = "./three: it is linked statically";
    assert!(ran.err.contains(said), "{}", ran.err);
    assert!(!ran.err.contains("no I/O was seen"), "{}", ran.err);
    let ran = place.run(&["trace", "-q", "--", "./three"]).code(3);
    assert!(ran.err.contains(said), "{}", ran.err);
    let json = last_line(&place.run(&["trace", "--json", "--", "./three"]).code(3));
    let message = json["errors"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("it is linked statically"), "{message}");
    assert_eq!(json["results"][0]["exit_code"], 3);
}

/// The line of JSON that comes last.
fn last_line(ran: &Ran) -> Value {
    serde_json::from_str(ran.err.lines().last().unwrap()).unwrap()
}

#[test]
fn a_program_that_is_not_there_gives_its_line_of_json() {
    let place = Place::new();
    let json = last_line(&place.run(&["trace", "--json", "--", "./nowhere"]).code(127));
    assert_eq!(json["schema"], "iotempo/trace/1");
    assert_eq!(json["results"][0]["exit_code"], 127);
    assert_eq!(json["results"][0]["io"], Value::Null);
    assert_eq!(json["errors"][0]["input"], "./nowhere");
    place.write("data", "no program");
    let json = last_line(&place.run(&["trace", "--json", "--", "./data"]).code(126));
    assert_eq!(json["results"][0]["exit_code"], 126);
}

#[test]
fn logs_that_cannot_be_read_give_their_line_of_json() {
    let place = Place::new();
    place.write("logs/run/host.1.iot", "no log");
    let ran = traced(&place, &["--json"], "exit 4").code(4);
    let json = last_line(&ran);
    assert_eq!(json["results"][0]["logs"], 1);
    assert_eq!(json["errors"][0]["input"], "logs/run");
}

#[test]
fn the_page_of_a_folder_has_its_whole_name() {
    let place = Place::new();
    traced(&place, &[], "echo 12345 > a").ok();
    std::fs::rename(place.path("logs/run"), place.path("logs/run.1")).unwrap();
    let ran = place.run(&["report", "logs/run.1"]).ok();
    assert_eq!(ran.out, "run.1.html\n");
}

#[test]
fn an_empty_log_is_none() {
    let place = Place::new();
    place.write("logs/run/host.1.iot", "");
    let ran = traced(&place, &["--json"], "echo 12345 > a").ok();
    let json = last_line(&ran);
    assert_eq!(json["results"][0]["logs"], 1);
    assert_eq!(json["results"][0]["io"]["bytes_written"], 6);
}

#[test]
fn a_place_where_no_folder_can_be_made_is_told_before_the_program_runs() {
    let place = Place::new();
    let script = "echo ran >&2; exit 5";
    let words = ["trace", "-o", "/proc/x", "--", "sh", "-c", script];
    let ran = place.run(&words).code(5);
    let refused = ran.err.find("/proc: ").expect("told");
    assert!(refused < ran.err.find("ran\n").expect("ran"), "{}", ran.err);
}

#[test]
fn a_folder_that_cannot_be_written_to_is_told_before_the_program_runs() {
    let place = Place::new();
    place.write("logs", "a file");
    for options in [&[][..], &["-q"], &["--json"]] {
        let ran = traced(&place, options, "echo ran >&2; exit 5").code(5);
        let refused = ran.err.find("logs: not a folder");
        assert!(refused < ran.err.find("ran"), "{}", ran.err);
        assert!(refused.is_some(), "{}", ran.err);
        assert!(!ran.err.contains("no I/O was seen"), "{}", ran.err);
    }
    let json = last_line(&traced(&place, &["--json"], "exit 5"));
    assert_eq!(json["errors"][0]["input"], "logs/run");
}

/// What is said where a program may have so many descriptors, one of which is taken.
fn said_with_descriptors(limit: u32) -> String {
    let place = Place::new();
    let program = assert_cmd::cargo::cargo_bin("iotempo");
    let words = "trace -o logs -- dd if=/dev/zero of=a bs=6 count=1 status=none";
    let program = program.display();
    let line = format!("exec 3<. ; ulimit -n {limit}; exec {program} {words}");
    let mut command = Command::new("sh");
    for name in FOREIGN {
        command.env_remove(name);
    }
    let command = command.args(["-c", &line]).current_dir(place.path("."));
    String::from_utf8_lossy(&command.output().unwrap().stderr).into_owned()
}

#[test]
fn logs_are_not_denied_for_want_of_a_descriptor() {
    // How many it takes depends on what was inherited.
    for limit in 5..12 {
        let said = said_with_descriptors(limit);
        assert!(!said.contains("no I/O was seen"), "{limit}: {said}");
        let seen = said.contains("written  6 B in 1 request");
        let reasons = ["Too many open files", "no descriptor is left", "Error 24"];
        let why = reasons.iter().any(|reason| said.contains(reason));
        assert!(seen || why, "{limit}: {said}");
    }
    let enough = said_with_descriptors(64);
    assert!(enough.contains("written  6 B in 1 request"), "{enough}");
}

#[test]
fn a_script_without_a_first_line_is_run_by_a_shell() {
    let place = Place::new();
    place.write("script", "echo $1 > a; exit 6\n");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(place.path("script"), executable).unwrap();
    let words = ["trace", "-o", "logs", "--", "./script", "12345"];
    let mut command = place.command(&words);
    for name in FOREIGN {
        command.env_remove(name);
    }
    let output = command.env("IOTEMPO_JOB", "run").output().unwrap();
    assert_eq!(output.status.code(), Some(6), "{output:?}");
    assert_eq!(bytes(&place, "a").1, 6.0);
}

#[test]
fn a_second_run_of_the_same_name_is_told_to_join_the_first() {
    let place = Place::new();
    let said = "logs/run: 1 log of an earlier run";
    let first = traced(&place, &[], "echo 1 > a").ok();
    assert!(!first.err.contains("earlier run"), "{}", first.err);
    let second = traced(&place, &[], "echo 1 > a").ok();
    assert!(second.err.contains(said), "{}", second.err);
}

#[test]
fn a_name_that_cannot_be_that_of_a_folder_is_told_and_joins_no_other_in_silence() {
    let place = Place::new();
    let run = |job: &str| {
        let words = ["trace", "-o", "logs", "--", "sh", "-c", "echo 1 > a"];
        let output = place.command(&words).env("IOTEMPO_JOB", job).output();
        String::from_utf8(output.unwrap().stderr).unwrap()
    };
    let plain = run("a_b");
    assert!(!plain.contains("is called"), "{plain}");
    let other = run("a b");
    assert!(other.contains("the job is called a_b: 'a b'"), "{other}");
    assert!(other.contains("1 log of an earlier run"), "{other}");
}

#[test]
fn a_library_that_is_not_there_is_named() {
    let place = Place::new();
    let mut command = place.command(&["trace", "--", "true"]);
    let missing: PathBuf = place.path("nowhere.so");
    let output = command.env("IOTEMPO_TRACER", &missing).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("nowhere.so"), "{said}");
}

#[test]
fn a_new_run_never_lies_among_the_logs_of_another() {
    let place = Place::new();
    for _ in 0..2 {
        let mut command = place.command(&["trace", "-q", "--", "sh", "-c", "echo 1 > a"]);
        for name in FOREIGN {
            command.env_remove(name);
        }
        assert!(command.output().unwrap().status.success());
    }
    let runs = std::fs::read_dir(place.path("iotempo-trace")).unwrap();
    assert_eq!(runs.count(), 2);
}

#[test]
fn ranks_of_an_mpi_program_are_one_job() {
    for (mpi, options) in [
        ("openmpi", "--allow-run-as-root --oversubscribe"),
        ("mpich", ""),
    ] {
        let test = "ranks_of_an_mpi_program_are_one_job";
        let compiler = format!("mpicc.{mpi}");
        if !have(test, &compiler) {
            continue;
        }
        let place = Place::new();
        let source =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../iotempo-tracer/tests/programs/mpi_io.c");
        let compiled = Command::new(compiler)
            .args(["-Wno-stringop-overflow", "-o"])
            .args([place.path("program"), source])
            .status()
            .unwrap();
        assert!(compiled.success());
        let line = format!("timeout 300 mpirun.{mpi} {options} -n 4 ./program");
        let ran = traced(&place, &[], &line).ok();
        // "rank file op requests bytes"
        let moved = |op: &str| {
            let lines = ran
                .out
                .lines()
                .map(|line| line.split(' ').collect::<Vec<_>>());
            let bytes = lines.filter(|words| words[2] == op);
            let bytes = bytes.map(|words| words[4].parse::<f64>().unwrap());
            bytes.sum::<f64>()
        };
        let found = inspected(&place, &["--api", "mpiio"]);
        assert_eq!(found["job"]["ranks"], 4);
        assert_eq!(found["bytes_written"].as_f64().unwrap(), moved("write"));
        assert_eq!(found["bytes_read"].as_f64().unwrap(), moved("read"));
        // Each byte once, whichever layer saw it: POSIX under blocking calls, MPI-IO where libraries
        // use asynchronous I/O beneath it.
        assert_eq!(bytes(&place, "independent"), (30_000.0, 30_000.0));
        assert_eq!(bytes(&place, "nonblocking"), (40_000.0, 30_000.0));
        assert_eq!(bytes(&place, "completions"), (0.0, 21_450.0));
    }
}

#[test]
fn a_program_without_dashes_before_it_gets_a_hint() {
    let ran = Place::new().run(&["trace", "ls", "-l"]).code(2);
    assert!(ran.err.contains("iotempo trace -- ls"), "{}", ran.err);
}

#[test]
fn sizes_below_the_least_log_are_refused() {
    let place = Place::new();
    let words = ["trace", "--max-size", "1", "--", "true"];
    let ran = place.run(&words).code(2);
    assert!(ran.err.contains("132KiB at least"), "{}", ran.err);
    place
        .run(&["trace", "--max-size", "1TiB", "--", "true"])
        .ok();
}

#[test]
fn words_that_a_shell_would_take_for_names_of_files_are_refused() {
    let place = Place::new();
    for pattern in ["a.*b", "a?", "[ab]"] {
        let ran = place.run(&["trace", "--env", "--include", pattern]).code(1);
        assert!(ran.err.contains("IOTEMPO_INCLUDE="), "{}", ran.err);
    }
}

#[test]
fn outputs_are_called_after_the_whole_name_of_a_folder() {
    let place = Place::new();
    traced(&place, &["-q"], "echo 1 > a").ok();
    std::fs::rename(place.path("logs/run"), place.path("logs/mpirun.x-2026")).unwrap();
    let ran = place.run(&["inspect", "logs/mpirun.x-2026"]).ok();
    assert!(ran.out.contains("-o mpirun.x-2026"), "{}", ran.out);
}
