//! What goes wrong with one job or with the disk concerns nobody else.

use crate::support::{Events, Jobs, Server, command, end, numbers, signal, traced, wait};
use serde_json::Value;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::process::Command;

fn told(job: &Value) -> bool {
    !job["prediction"].is_null()
}

/// The others go on: a phase more is a prediction more.
fn assert_goes_on(server: &Server, jobs: &Jobs, phase: u32) {
    let number = |job: &Value| job["prediction"]["number"].as_u64().unwrap_or(0);
    let before = number(&server.json("/api/jobs/good.csv"));
    jobs.append_phases("good.csv", phase..phase + 1);
    server.wait_for("good.csv", |job| number(job) > before);
    assert_eq!(server.get("/healthz").status, 200);
}

fn logs(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    entries
        .filter(|path| path.extension().is_some_and(|end| end == "iot"))
        .collect()
}

#[test]
fn a_traced_job_is_killed_its_logs_are_cut_and_its_folder_is_deleted() {
    let jobs = Jobs::new();
    jobs.append_phases("good.csv", 0..8);
    let server = Server::start(&jobs, &[]);
    let mut events = Events::open(&server, "/api/jobs/good.csv/events", Some(0));
    events.prediction();
    let program = traced(&jobs, "job");
    let job = server.wait_for("job", told);
    assert_eq!(job["status"], "running");

    // The program itself, not the one that traces it.
    let shell = Command::new("pgrep")
        .args(["-P", &program.id().to_string()])
        .output()
        .unwrap();
    let shell: u32 = String::from_utf8(shell.stdout)
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    signal(shell, "KILL");
    let mut program = program;
    program.wait().unwrap();
    assert_goes_on(&server, &jobs, 8);
    let job = server.json("/api/jobs/job");
    assert!(
        job["status"] == "running" && job["error"].is_null(),
        "{job}"
    );

    for log in logs(&jobs.path().join("job")) {
        let file = OpenOptions::new().write(true).open(log).unwrap();
        file.set_len(100).unwrap();
    }
    assert_goes_on(&server, &jobs, 9);
    let cut = server.json("/api/jobs/job");
    assert_eq!(cut["bytes_written"], job["bytes_written"], "{cut}");

    fs::remove_dir_all(jobs.path().join("job")).unwrap();
    let gone = server.wait_for("job", |job| job["status"] == "gone");
    // What was told is there still, and that nothing more is to be expected.
    let lines = |job: &serde_json::Value| job["predictions"].as_array().unwrap().clone();
    let (last, before) = (lines(&gone), lines(&cut));
    assert_eq!(last[..before.len()], before);
    assert_eq!(last.len(), before.len() + 1);
    assert_eq!(last[before.len()]["state"], "ended");
    assert!(
        !server.json("/api/jobs/job/signal")["points"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    assert_goes_on(&server, &jobs, 10);

    let program = traced(&jobs, "job");
    let back = server.wait_for("job", |job| job["run"] == 2 && told(job));
    assert_eq!(back["status"], "running");
    end(program);
}

#[test]
fn a_job_that_is_gone_is_not_listed_for_ever() {
    let jobs = Jobs::new();
    jobs.append_phases("a.csv", 0..8);
    let server = Server::start(&jobs, &["--keep", "500ms"]);
    server.wait_for("a.csv", told);
    fs::remove_file(jobs.path().join("a.csv")).unwrap();
    wait("it to be forgotten", || {
        (server.json("/api/jobs")["total"] == 0).then_some(())
    });
    jobs.append_phases("a.csv", 0..8);
    let back = server.wait_for("a.csv", told);
    assert_eq!(back["run"], 2, "numbers of a run are never used twice");
}

#[test]
fn times_that_go_backwards_and_files_that_are_nonsense_stop_nobody() {
    let jobs = Jobs::new();
    jobs.append_phases("good.csv", 0..8);
    let mut backwards = "op,start,end,bytes\n".to_owned();
    for phase in (0..20).rev() {
        backwards.push_str(&format!("write,{},{},5\n", 10 * phase, 10 * phase + 1));
    }
    fs::write(jobs.path().join("backwards.csv"), backwards).unwrap();
    // A clock that was set in the middle of a run.
    let jump = "op,start,end,bytes\nwrite,0,1,5\nwrite,10,11,5\nwrite,1e9,1000000001,5\n\
                write,20,21,5\nwrite,-1e9,-999999999,5\nwrite,30,29,5\n";
    fs::write(jobs.path().join("jump.csv"), jump).unwrap();
    for (name, bytes) in [
        ("noise.jsonl", &[0xff_u8; 9000][..]),
        ("noise.msgpack", &[0xdf; 9000]),
        ("empty.jsonl", b""),
        ("zeros.csv", &[0; 5000]),
    ] {
        fs::write(jobs.path().join(name), bytes).unwrap();
    }
    fs::create_dir(jobs.path().join("logs")).unwrap();
    fs::write(jobs.path().join("logs/h.1.iot"), [0x5a; 70_000]).unwrap();
    fs::write(jobs.path().join("logs/h.2.iot"), b"").unwrap();
    let server = Server::start(&jobs, &[]);
    assert_goes_on(&server, &jobs, 8);
    let backwards = server.wait_for("backwards.csv", told);
    assert_eq!(
        (&backwards["requests"], &backwards["newest_s"]),
        (&20.into(), &191.0.into())
    );
    let jump = server.wait_for("jump.csv", told);
    assert!(jump["now_s"].as_f64().unwrap().is_finite());
    // What cannot be read neither runs nor is anything learned of it.
    let noise = server.wait_for("noise.jsonl", |job| job["status"] == "unreadable");
    assert!(noise["error"].is_string(), "{noise}");
    let unreadable = server.json("/api/jobs?status=unreadable");
    assert_eq!(unreadable["jobs"][0]["id"], "noise.jsonl", "{unreadable}");
    let figures = server.get("/metrics").body;
    let many = format!(
        "iotempo_jobs{{status=\"unreadable\"}} {}\n",
        unreadable["total"]
    );
    assert!(figures.contains(&many), "{many}: {figures}");
    let list = server.json("/api/jobs");
    assert_eq!(list["total"], 8, "{list}");
    fs::remove_file(jobs.path().join("noise.jsonl")).unwrap();
    server.wait_for("noise.jsonl", |job| {
        job["status"] == "gone" && job["error"].is_null()
    });
    assert_goes_on(&server, &jobs, 9);
}

/// A file system with room for next to nothing.
struct Small(PathBuf);

impl Small {
    fn mount(path: PathBuf) -> Option<Self> {
        fs::create_dir(&path).unwrap();
        let words = ["-t", "tmpfs", "-o", "size=16k", "tmpfs"];
        let mounted = Command::new("mount").args(words).arg(&path).output().ok()?;
        mounted.status.success().then_some(Self(path))
    }

    fn grow(&self) {
        let words = ["-o", "remount,size=4m"];
        let grown = Command::new("mount")
            .args(words)
            .arg(&self.0)
            .status()
            .unwrap();
        assert!(grown.success());
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_delays_the_journal_and_nothing_else() {
    let jobs = Jobs::new();
    let Some(disk) = Small::mount(jobs.path().join(".small")) else {
        eprintln!("SKIPPED a journal on a full disk: mounting one needs root");
        return;
    };
    jobs.append_phases("good.csv", 0..4);
    let state = disk.0.join("state");
    let server = Server::start(&jobs, &["--state", state.to_str().unwrap()]);
    server.wait_for("good.csv", told);
    let waiting = || {
        let figures = server.get("/metrics").body;
        !figures.contains("iotempo_serve_journal_waiting 0\n")
    };
    let mut phase = 4;
    while !waiting() {
        assert_goes_on(&server, &jobs, phase);
        phase += 1;
        assert!(phase < 100, "the disk does not fill up");
    }
    for _ in 0..3 {
        assert_goes_on(&server, &jobs, phase);
        phase += 1;
    }
    let read = || -> Vec<Value> {
        let text = fs::read_to_string(state.join("predictions.jsonl")).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    // Whole lines, whenever one looks.
    let before = read().len();
    disk.grow();
    wait("room", || (!waiting()).then_some(()));
    let journal = read();
    assert!(journal.len() > before + 3);
    let numbers = numbers(&journal, "good.csv", 1);
    let whole: Vec<u64> = (1..=numbers.len() as u64).collect();
    assert_eq!(numbers, whole);
    drop(server);
}

#[test]
fn without_a_place_for_the_journal_there_is_none() {
    let jobs = Jobs::new();
    jobs.append_phases("good.csv", 0..4);
    let mut command = command();
    command.arg("serve").arg(jobs.path());
    command.args([
        "--listen",
        "127.0.0.1:0",
        "--every",
        "50ms",
        "--state",
        "/proc/none",
    ]);
    let server = Server::of(&mut command);
    server.wait_for("good.csv", told);
    assert_goes_on(&server, &jobs, 4);
}
